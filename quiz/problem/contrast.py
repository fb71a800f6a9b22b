"""Which variant to show after a named mistake: one on which the same mistake, made again, would be seen."""

from fractions import Fraction

from quiz.problem.variant import Number, Sizes, Variant

# Numbers nearer to each other than this may be taken for a slip of the pen.
_VISIBLE = Fraction(1, 10)


def reveals(variant: Variant, misconception: str) -> bool:
    """Whether the misconception gives a number on this variant that neither the answer nor another mistake is near to.

    False where the variant knows no such mistake. Sound variants keep the two apart by more than their tolerance; this
    asks for a tenth of the answer.
    """
    answer = variant.answer.value
    theirs = [mistake.value for mistake in variant.mistakes if mistake.misconception == misconception]
    others = [mistake.value for mistake in variant.mistakes if mistake.misconception != misconception]
    if isinstance(answer, str) or answer is None:
        return False
    return any(all(_apart(value, other) for other in (answer, *others)) for value in theirs)


def _apart(one: Number | Sizes, other: Number | Sizes) -> bool:
    if isinstance(one, tuple) or isinstance(other, tuple):
        return one != other
    return abs(Fraction(one) - Fraction(other)) > abs(Fraction(other)) * _VISIBLE
