"""Marking what is measured: numbers and shapes. Comparison is of exact fractions, and the edge counts as inside."""

from collections.abc import Sequence
from fractions import Fraction
from math import prod

from quiz.problem.answer import Reading, read_number, read_shape
from quiz.problem.diagnosis import diagnose
from quiz.problem.mark import NEAR_MISS, Mark, idea_lines, right, wrong
from quiz.problem.units import unit_of
from quiz.problem.variant import KnownMistake, Number, Sizes, Tolerance, Variant
from quiz.render.numbers import show_quantity

PREFIXED = Fraction(1, 100)
# A mistake that is no whole number is shown rounded to six digits; what was typed may be rounded a little more.
_ROUNDED_MISTAKE = Fraction(1, 1000)
_ROUNDED_WHOLE, _ROUNDED_OTHER = Fraction(1, 100), Fraction(1, 20)


def mark_number(variant: Variant, typed: str) -> Mark:
    """Right within tolerance; else the nearest known mistake; else a near miss (half credit); else what it is off by.

    Raises:
        Unreadable: the text is no number in the question's dimension.
    """
    reading = read_number(typed, variant.unit)
    answer, value = variant.answer.value, reading.value
    assert isinstance(answer, int | Fraction)
    assert isinstance(value, int | Fraction)
    if is_within(value, answer, variant.tolerance, reading.prefixed):
        return right(variant, reading.text, _praise(variant, reading, exact=value == answer))
    told = f"Not right: read as {reading.text}; the answer is {variant.answer.display}."
    mistakes = _nearest(variant, value, reading.prefixed)
    if mistakes:
        return _known(variant, reading, told, mistakes)
    slack = max(min(variant.tolerance.relative, PREFIXED), PREFIXED if reading.prefixed else Fraction(0))
    if rounding := _rounding(value, answer):
        return wrong(variant, reading.text, told, rounding, credit=NEAR_MISS)
    found = diagnose(value, answer, variant.givens, variant.unit, slack, reading.prefixed)
    if found is None and not slack and unit_of(variant.unit).dimension in ("B", "FLOP"):
        # 16.1 for 17,284,349,952 B is the right GiB, rounded: what was typed with a prefix would have had 1 %.
        rounded = diagnose(value, answer, {}, variant.unit, PREFIXED)
        found = rounded if rounded and rounded.near else None
    if found is None:
        return wrong(variant, reading.text, told)
    return wrong(variant, reading.text, told, found.text, credit=NEAR_MISS if found.near else Fraction(0))


def mark_shape(variant: Variant, typed: str) -> Mark:
    """Right if every size is, in order; else a known mistake; else what differs.

    Raises:
        Unreadable: the text is no shape, or could be two.
    """
    reading = read_shape(typed)
    answer, sizes = variant.answer.value, reading.value
    assert isinstance(answer, tuple)
    assert isinstance(sizes, tuple)
    if sizes == answer:
        return right(variant, reading.text, f"Right: {reading.text}.")
    told = f"Not right: read as {reading.text}; the answer is {variant.answer.display}."
    mistakes = [mistake for mistake in variant.mistakes if mistake.value == sizes]
    if mistakes:
        return _known(variant, reading, told, mistakes)
    return wrong(variant, reading.text, told, _shape_difference(sizes, answer))


def is_within(typed: Number, value: Number, tolerance: Tolerance, prefixed: bool) -> bool:
    """Whether a typed number counts as this value; bytes typed with a prefix may be 1 % off."""
    relative = max(tolerance.relative, PREFIXED) if prefixed else tolerance.relative
    return abs(Fraction(typed) - value) <= max(relative * abs(Fraction(value)), tolerance.absolute)


def _praise(variant: Variant, reading: Reading, exact: bool) -> str:
    if exact or reading.text == variant.answer.display:
        return f"Right: {reading.text}."
    return f"Right: {reading.text} is close enough; the answer is {variant.answer.display}."


def _nearest(variant: Variant, value: Number, prefixed: bool) -> list[KnownMistake]:
    """The known mistakes that the number stands for: the nearest, or all that are equally near."""
    distances = []
    for mistake in variant.mistakes:
        wrong_value = mistake.value
        if isinstance(wrong_value, tuple):
            continue
        distance = abs(Fraction(value) - wrong_value)
        is_rounded = not isinstance(wrong_value, int) and distance <= abs(wrong_value) * _ROUNDED_MISTAKE
        if is_rounded or is_within(value, wrong_value, variant.tolerance, prefixed):
            distances.append((distance, mistake))
    least = min((distance for distance, _ in distances), default=None)
    return [mistake for distance, mistake in distances if distance == least]


def _known(variant: Variant, reading: Reading, told: str, mistakes: Sequence[KnownMistake]) -> Mark:
    lines = [told]
    for mistake in mistakes:
        lines += [*idea_lines(variant, mistake.misconception), mistake.why]
    return wrong(variant, reading.text, *dict.fromkeys(lines), misconception=mistakes[0].misconception)


def _rounding(typed: Number, answer: Number) -> str | None:
    """What to say if the number is the answer, rounded further than was allowed, or not rounded where it should be."""
    if not answer:
        return None
    off = abs(Fraction(typed) / answer - 1)
    if isinstance(answer, int) and not isinstance(typed, int):
        is_neighbour = off <= _ROUNDED_OTHER and abs(typed - answer) < 1
        return "So near: the answer is a whole number here." if is_neighbour else None
    if off > (_ROUNDED_WHOLE if isinstance(answer, int) else _ROUNDED_OTHER):
        return None
    # Down to two digits of a whole number; of a fraction, one. Fewer than all, or it would not be rounded.
    for digits in range(2 if isinstance(answer, int) else 1, 16):
        step = Fraction(10) ** (_leading_power(answer) - digits + 1)
        if isinstance(answer, int) and step <= 1:
            return None
        if typed in (round(answer / step) * step, int(answer / step) * step):
            plural = "digit" if digits == 1 else "digits"
            return f"So near: rounded to {digits} {plural}, and that is too far here."
    return None


def _leading_power(value: Number) -> int:
    """The power of ten of the leading digit."""
    exact = abs(Fraction(value))
    guess = len(str(exact.numerator)) - len(str(exact.denominator))
    return guess if Fraction(10) ** guess <= exact else guess - 1


def _shape_difference(sizes: Sizes, answer: Sizes) -> str:
    if len(sizes) != len(answer):
        same = " The number of elements is the same." if prod(sizes) == prod(answer) else ""
        return f"The answer has {_axes(len(answer))}; yours has {len(sizes)}.{same}"
    if sorted(sizes) == sorted(answer):
        return "The right sizes, in another order."
    differing = [axis for axis, (size, wanted) in enumerate(zip(sizes, answer, strict=True)) if size != wanted]
    if len(differing) == 1:
        axis = differing[0]
        off = f"{show_quantity(answer[axis], None)}, not {show_quantity(sizes[axis], None)}"
        return f"Only axis {axis + 1} of {len(answer)} differs: {off}."
    return f"{len(differing)} of {_axes(len(answer))} differ."


def _axes(count: int) -> str:
    return "1 axis" if count == 1 else f"{count} axes"
