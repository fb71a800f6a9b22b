"""Why a number is wrong, found from the number alone: answer ÷ key as a product of the variant's own givens.

No author has to foresee the slip. The smallest explanation wins, two factors at most. A guess may hit such a ratio too:
so what is said is how far off the number is, and what would lead there. Where there are several explanations by two
factors, or the ratio is one that anything gives, nothing is said.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

from quiz.problem.units import unit_of
from quiz.problem.variant import Number
from quiz.render.numbers import show_number

_PREFIXES = "KMGTP"
_EXACT = Fraction(1, 10**9)
_HALF_PERCENT = Fraction(1, 200)
# Of one factor there are few explanations, of two factors a hundred.
_MOST_SINGLE, _MOST_PAIRED = 2, 1
# Fractions of numbers up to this come about by chance, as 4 / 5 does.
_SMALL = 10


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What the number is off by, in a sentence. ``near``: only the unit or its prefix is wrong, not the idea."""

    text: str
    near: bool = False


@dataclass(frozen=True, slots=True)
class _Factor:
    """A number that may be missing from an answer, or be in it once too often. ``name`` is empty for the constant 2."""

    name: str
    value: Fraction

    def __str__(self) -> str:
        return self.name or show_number(self.value)


def diagnose(
    typed: Number,
    right: Number,
    givens: Mapping[str, Number | str],
    unit: str | None,
    slack: Fraction = Fraction(0),
    prefixed: bool = False,
) -> Diagnosis | None:
    """The smallest honest explanation of a wrong number, or None.

    ``slack`` is how far off, as a share, the typed number may be rounded; products of two factors are taken exactly.
    ``prefixed``: it was typed in bytes with a prefix.
    """
    if not right or not typed:
        return None
    ratio = Fraction(typed) / right
    if ratio == -1:
        return Diagnosis("The sign is the wrong way round.")
    if ratio < 0 or ratio == 1:
        return None
    named = [
        _Factor(name, Fraction(value)) for name, value in givens.items() if not isinstance(value, str) and _tells(value)
    ]
    dimension = unit_of(unit).dimension
    slip = _unit_slip(ratio, unit, slack, prefixed)
    single = [_single(ratio, factor, power) for factor, power in _matching(ratio, named, slack)]
    if single:
        return _several([*single, slip] if slip else single, _MOST_SINGLE)
    if slip:
        return Diagnosis(slip, near=True)
    two = _Factor("", Fraction(2))
    if found := list(_matching(ratio, [two], slack)):
        return Diagnosis(_doubled(ratio, found[0][1], dimension))
    squares = [_square(ratio, factor, power) for factor, power in _square_matching(ratio, named, slack)]
    if squares:
        return _several(squares, _MOST_PAIRED)
    pairs = [
        _pair(first, power, second, other)
        for (first, second), power, other in product(combinations([*named, two], 2), (1, -1), (1, -1))
        if first.value**power * second.value**other == ratio and (power == other or _tells_apart(ratio))
    ]
    return _several(pairs, _MOST_PAIRED) if pairs else None


def _tells(value: Number) -> bool:
    return value > 0 and value != 1


def _tells_apart(ratio: Fraction) -> bool:
    """Whether a ratio is hardly that of two numbers by chance."""
    smaller, larger = sorted((ratio.numerator, ratio.denominator))
    return smaller == 1 or larger > _SMALL


def _several(texts: list[str], most: int) -> Diagnosis | None:
    return Diagnosis(" Or: ".join(texts)) if len(texts) <= most else None


def _equal(ratio: Fraction, value: Fraction, slack: Fraction) -> bool:
    return abs(ratio - value) <= value * slack


def _exactly(ratio: Fraction, value: Fraction) -> str:
    """Roots are cut off after 30 digits, so they are exact in all but the last of these."""
    return "exactly" if _equal(ratio, value, _EXACT) else "about"


def _matching(ratio: Fraction, factors: list[_Factor], slack: Fraction) -> Iterator[tuple[_Factor, int]]:
    for factor, power in product(factors, (1, -1)):
        if _equal(ratio, factor.value**power, slack):
            yield factor, power


def _square_matching(ratio: Fraction, factors: list[_Factor], slack: Fraction) -> Iterator[tuple[_Factor, Fraction]]:
    """Factors squared, or under a root, either way up."""
    for factor, sign in product(factors, (1, -1)):
        if _equal(ratio, factor.value ** (2 * sign), slack):
            yield factor, Fraction(2 * sign)
        # Squaring doubles a small relative error.
        elif _equal(ratio**2, factor.value**sign, 2 * slack):
            yield factor, Fraction(sign, 2)


def _single(ratio: Fraction, factor: _Factor, power: int) -> str:
    off = f"Off by {_exactly(ratio, factor.value**power)} {factor} = {show_number(factor.value)}"
    return f"{off}: as if {factor} " + ("were in it once too often." if power > 0 else "had been left out.")


def _doubled(ratio: Fraction, power: int, dimension: str) -> str:
    hints = {"B": "K and V are two tensors, and a bf16 number is 2 bytes", "FLOP": "a multiply and an add are 2 FLOP"}
    hint = hints.get(dimension, "K and V, for example, are two")
    exactly = _exactly(ratio, Fraction(2) ** power).capitalize()
    if power > 0:
        return f"{exactly} twice the answer: as if a factor 2 were in it once too often ({hint})."
    return f"{exactly} half the answer: as if a factor 2 were missing ({hint})."


def _square(ratio: Fraction, factor: _Factor, power: Fraction) -> str:
    value = show_number(factor.value)
    if abs(power) == 2:
        off = f"Off by {_exactly(ratio, factor.value ** int(power))} {factor}² ({factor} = {value})"
        return f"{off}: as if {factor} {'were in it twice too often' if power > 0 else 'had been left out twice'}."
    return f"Off by the square root of {factor} = {value}: is a root missing, or one too many?"


def _pair(first: _Factor, power: int, second: _Factor, other: int) -> str:
    if power == other:
        what = "were in it once too often" if power > 0 else "had both been left out"
        both = show_number(first.value * second.value)
        return f"Off by exactly {first} × {second} = {both}: as if {first} and {second} {what}."
    above, below = (first, second) if power > 0 else (second, first)
    off = f"Off by exactly {above} / {below} = {show_number(above.value / below.value)}"
    if above.name and below.name:
        return f"{off}: as if {above} stood where {below} belongs."
    return f"{off}: as if {above} were in it once too often, and {below} left out."


def _unit_slip(ratio: Fraction, unit: str | None, slack: Fraction, prefixed: bool) -> str | None:
    """Bits for bytes, a binary prefix for a decimal one, a prefix too many or too few, per cent for a share."""
    dimension = unit_of(unit).dimension
    if dimension == "1":
        if unit == "%":
            return "That is a share: times 100 it is in %." if _equal(ratio, Fraction(1, 100), slack) else None
        return "That is in per cent: type the % with it." if _equal(ratio, Fraction(100), slack) else None
    if dimension == "B":
        return (
            _bits(ratio, slack)
            or _binary_slip(ratio, slack)
            or _prefix_slip(ratio, unit, slack, prefixed, (1000, 1024))
        )
    return _prefix_slip(ratio, unit, slack, prefixed, (1000,)) if dimension == "FLOP" else None


def _bits(ratio: Fraction, slack: Fraction) -> str | None:
    if _equal(ratio, Fraction(8), slack):
        return "Bits for bytes: your number is 8 times the answer, and a byte has 8 bits."
    if _equal(ratio, Fraction(1, 8), slack):
        return "Bytes for bits: your number is an eighth of the answer, which is in bytes already."
    return None


def _binary_slip(ratio: Fraction, slack: Fraction) -> str | None:
    """``GB`` for ``GiB`` or the other way round. Neighbouring powers are only 2.4 % apart: little slack."""
    for power, letter in enumerate(_PREFIXES, start=1):
        raised = f"^{power}" if power > 1 else ""
        if _equal(ratio, Fraction(1000, 1024) ** power, min(slack, _HALF_PERCENT)):
            return f"{letter}B for {letter}iB: off by (1000/1024){raised}."
        if _equal(ratio, Fraction(1024, 1000) ** power, min(slack, _HALF_PERCENT)):
            return f"{letter}iB for {letter}B: off by (1024/1000){raised}."
    return None


def _prefix_slip(
    ratio: Fraction, unit: str | None, slack: Fraction, prefixed: bool, bases: tuple[int, ...]
) -> str | None:
    for (power, letter), base in product(enumerate(_PREFIXES, start=1), bases):
        scale = Fraction(base) ** power
        off = f"Off by {show_number(scale)}"
        if _equal(ratio, scale, slack):
            return f"{off}: the unit's prefix is too large, or the number is."
        if _equal(ratio, 1 / scale, slack):
            if prefixed:
                return f"{off}: the unit's prefix is too small."
            prefix = letter if base == 1000 else f"{letter}i"
            return f"{off}: that would be right in {prefix}{unit}, but a bare number is read in {unit}."
    return None
