"""Square roots of exact numbers, without floats."""

from fractions import Fraction
from math import isqrt

from quiz.attention.sizes import Number, whole

_SCALE = 10**40


def square_root(value: Number) -> Number:
    """The square root: exact where it is a fraction, else a fraction correct to more than 30 digits."""
    under = value.numerator * value.denominator
    exact = isqrt(under)
    if exact * exact == under:
        return whole(Fraction(exact, value.denominator))
    return Fraction(isqrt(under * _SCALE * _SCALE), _SCALE * value.denominator)
