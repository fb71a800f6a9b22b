"""What may be a size: a whole number that an array axis can have."""

from fractions import Fraction
from typing import TypeAlias

from quiz.errors import SolveError

Number: TypeAlias = int | Fraction

LARGEST = 2**63 - 1


def whole(value: Number) -> Number:
    """The same number, as an ``int`` where it is one."""
    return value.numerator if value.denominator == 1 else value


def as_size(name: str, value: object, least: int = 1) -> int:
    """The value as an ``int`` from ``least`` to 2**63 - 1.

    Raises:
        SolveError: it is anything else; the message says which name and value.
    """
    if isinstance(value, Fraction) and value.denominator == 1:
        value = value.numerator
    if type(value) is int and least <= value <= LARGEST:
        return value
    if type(value) is int and value > LARGEST:
        raise SolveError(f"{name} is larger than any array axis can be (2**63 - 1)", "too large")
    raise SolveError(f"{name} must be a whole number from {least}, not {_shown(value)}", "size")


def as_even(name: str, value: object) -> int:
    """The value as an even size: rotary positions turn pairs.

    Raises:
        SolveError: it is no size, or odd.
    """
    size = as_size(name, value)
    if size % 2:
        raise SolveError(f"{name} must be even, not {size}: rotary positions turn pairs of dimensions", "odd")
    return size


def _shown(value: object) -> str:
    """The value for a message: never long, and never a number too long to write."""
    if isinstance(value, Fraction):
        return str(value) if max(abs(value.numerator), value.denominator) <= LARGEST else "such a fraction"
    if isinstance(value, int) and abs(value) > LARGEST:
        return "so large a number below zero"
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
