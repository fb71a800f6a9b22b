"""Exact arithmetic on whole numbers and fractions that cannot run away: every value stays within 512 bits."""

import decimal
import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

Number: TypeAlias = int | Fraction

BITS = 512
BOUND = 1 << BITS
# Two digits more than the thirty that are promised, so that the last rounding cannot reach them.
DIGITS = 32


class RefusedError(Exception):
    """An operation that has no value, or one too large. ``kind`` names the sort in a word or two."""

    def __init__(self, kind: str, message: str) -> None:
        self.kind = kind
        super().__init__(message)


def exact(value: Number) -> Number:
    """The value, as an int where it is whole.

    Raises:
        RefusedError: it needs more than 512 bits.
    """
    if isinstance(value, int):
        if -BOUND < value < BOUND:
            return value
    elif -BOUND < value.numerator < BOUND and value.denominator < BOUND:
        return value.numerator if value.denominator == 1 else value
    raise RefusedError("too large", f"the result is too large: it needs more than {BITS} bits")


def decimal_number(text: str) -> Number:
    """The exact value of a decimal literal such as ``0.1`` or ``1e3``.

    Raises:
        RefusedError: it needs more than 512 bits; found without working the power of ten out.
    """
    mantissa, _, exponent = text.replace("_", "").lower().partition("e")
    if abs(int(exponent or 0)) > BITS:
        raise RefusedError("too large", f"{text} is too large: it needs more than {BITS} bits")
    return exact(Fraction(mantissa) * Fraction(10) ** int(exponent or 0))


def divide(first: Number, second: Number) -> Number:
    """``first / second`` as a fraction."""
    _divisor(second)
    return exact(Fraction(first) / second)


def floor_divide(first: Number, second: Number) -> Number:
    """``first // second``, rounded down as Python rounds."""
    _divisor(second)
    return exact(first // second)


def remainder(first: Number, second: Number) -> Number:
    """``first % second``, with the sign of the second as in Python."""
    _divisor(second)
    return exact(first % second)


def _divisor(value: Number) -> None:
    if not value:
        raise RefusedError("division by zero", "division by zero")


def power(base: Number, exponent: Number) -> Number:
    """``base ** exponent`` for whole exponents; its size is judged before it is worked out."""
    if not isinstance(exponent, int):
        raise RefusedError("domain", "a power takes a whole exponent; use sqrt(x) for a root")
    if not base and exponent < 0:
        raise RefusedError("division by zero", "division by zero: 0 to a negative power")
    if base in (0, 1):
        return 1 if exponent == 0 else base
    if base == -1:
        return -1 if exponent % 2 else 1
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    if (bits - 1) * abs(exponent) > BITS:
        raise RefusedError("too large", f"the power is too large: it needs more than {BITS} bits")
    return exact(Fraction(base) ** exponent)


def square_root(value: Number) -> Number:
    """The square root: exact where it is rational, else correct to 30 significant digits."""
    if value < 0:
        raise RefusedError("domain", "sqrt needs a number that is not negative")
    above, below = math.isqrt(value.numerator), math.isqrt(value.denominator)
    if above * above == value.numerator and below * below == value.denominator:
        return exact(Fraction(above, below))
    context = decimal.Context(prec=2 * DIGITS)
    return _rounded(context.sqrt(context.divide(decimal.Decimal(value.numerator), decimal.Decimal(value.denominator))))


def natural_logarithm(value: Number) -> Number:
    """ln: exact for 1, else correct to 30 significant digits."""
    return 0 if value == 1 else _rounded(_ln(value, "ln"))


def binary_logarithm(value: Number) -> Number:
    """log2: exact for powers of two, 1/8 among them, else correct to 30 significant digits."""
    for whole, sign in ((value.numerator, 1), (value.denominator, -1)):
        if is_power_of_two(whole) and value in (whole, Fraction(1, whole)):
            return sign * (whole.bit_length() - 1)
    context = decimal.Context(prec=2 * DIGITS)
    return _rounded(context.divide(_ln(value, "log2"), context.ln(decimal.Decimal(2))))


def _ln(value: Number, name: str) -> decimal.Decimal:
    if value <= 0:
        raise RefusedError("domain", f"{name} needs a number above 0")
    above, below = value.numerator, value.denominator
    # Near 1 the logarithm is about (above - below) / below: as many digits more as that has leading zeros.
    lost = max(0, below.bit_length() - abs(above - below).bit_length()) // 3
    context = decimal.Context(prec=2 * DIGITS + lost)
    return context.ln(context.divide(decimal.Decimal(above), decimal.Decimal(below)))


def _rounded(value: decimal.Decimal) -> Number:
    return exact(Fraction(decimal.Context(prec=DIGITS).plus(value)))


def round_to(value: Number, digits: Number = 0) -> Number:
    """``round(x)`` or ``round(x, digits)``; a half goes to the even neighbour as in Python."""
    if not isinstance(digits, int) or abs(digits) > 100:
        raise RefusedError("domain", "round takes a whole number of digits, from -100 to 100")
    return exact(round(Fraction(value), digits))


def ceiling(value: Number) -> Number:
    """The smallest whole number not below the value."""
    return math.ceil(value)


def floor(value: Number) -> Number:
    """The largest whole number not above the value."""
    return math.floor(value)


def smallest(*values: Number) -> Number:
    """The smallest of the values."""
    return min(values)


def largest(*values: Number) -> Number:
    """The largest of the values."""
    return max(values)


def greatest_common_divisor(*values: Number) -> Number:
    """gcd of whole numbers."""
    return math.gcd(*(_whole("gcd", value) for value in values))


def least_common_multiple(*values: Number) -> Number:
    """lcm of whole numbers."""
    common = 1
    for value in values:
        common = math.lcm(common, _whole("lcm", value))
        exact(common)
    return common


def is_power_of_two(value: Number) -> bool:
    """Whether the value is 1, 2, 4, 8, …; fractions are not."""
    return isinstance(value, int) and value > 0 and value & (value - 1) == 0


def divides(value: Number, whole: Number) -> bool:
    """Whether the value is among the divisors of ``whole``, a whole number above 0; nothing is enumerated."""
    if not isinstance(whole, int) or whole < 1:
        raise RefusedError("domain", "divisors needs a whole number above 0")
    return isinstance(value, int) and value > 0 and whole % value == 0


def _whole(name: str, value: Number) -> int:
    if not isinstance(value, int):
        raise RefusedError("domain", f"{name} needs whole numbers")
    return value


# What a formula may call: the function and how many arguments it takes, from and to (None: any number).
FUNCTIONS: dict[str, tuple[Callable[..., Number], int, int | None]] = {
    "sqrt": (square_root, 1, 1),
    "log2": (binary_logarithm, 1, 1),
    "ln": (natural_logarithm, 1, 1),
    "ceil": (ceiling, 1, 1),
    "floor": (floor, 1, 1),
    "min": (smallest, 1, None),
    "max": (largest, 1, None),
    "abs": (operator.abs, 1, 1),
    "round": (round_to, 1, 2),
    "gcd": (greatest_common_divisor, 1, None),
    "lcm": (least_common_multiple, 1, None),
}
