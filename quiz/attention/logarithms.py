"""Natural logarithms of exact numbers, without floats."""

from decimal import Context, Decimal
from fractions import Fraction

from quiz.attention.sizes import Number

_DIGITS = Context(prec=50)


def natural_logarithm(value: Number) -> Fraction:
    """ln of a number over 0, correct to more than 40 digits where it is not close to 1."""
    return Fraction(_DIGITS.ln(_DIGITS.divide(Decimal(value.numerator), Decimal(value.denominator))))
