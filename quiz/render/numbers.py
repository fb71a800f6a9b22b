"""How numbers are written on screen. Everything shown here can be typed back and means the same."""

from fractions import Fraction

_EXACT_PLACES = 10
_SIGNIFICANT = 6
_FIXED_PLACES = 12


def group_digits(number: int) -> str:
    """``131072`` -> ``131,072``."""
    return f"{number:,}"


def counted(count: int, thing: str) -> str:
    """``1, "answer"`` -> ``1 answer``; ``131072, "answer"`` -> ``131,072 answers``."""
    return f"{group_digits(count)} {thing}{'' if count == 1 else 's'}"


def show_number(value: int | Fraction) -> str:
    """The number exactly, if it is whole or has at most ten decimal places; else rounded to six significant digits.

    Six digits are within 0.0005 % of the value. A tiny value is written as ``1.23457e-14``.
    """
    exact = Fraction(value)
    if exact.denominator == 1:
        return group_digits(exact.numerator)
    places = _places(exact.denominator)
    if places is not None and places <= _EXACT_PLACES:
        return _fixed(exact, places)
    exponent = _exponent(abs(exact))
    places = max(0, _SIGNIFICANT - 1 - exponent)
    if places <= _FIXED_PLACES:
        return _fixed(exact, places)
    mantissa = _fixed(exact / Fraction(10) ** exponent, _SIGNIFICANT - 1)
    return f"{mantissa}e{exponent}"


def show_quantity(value: int | Fraction, unit: str | None) -> str:
    """``131072, "B"`` -> ``131,072 B``; a unit of None or "1" is a plain count and is not written."""
    number = show_number(value)
    return number if unit in (None, "1") else f"{number} {unit}"


def show_band(low: float, high: float) -> str:
    """Between which whole percents a share lies: ``0.7, 0.849`` -> ``70–85 %``."""
    return f"{round(100 * low)}–{round(100 * high)} %"


def show_shape(sizes: tuple[int, ...]) -> str:
    """``(2, 12, 16, 64)``, as Python and NumPy write it: ``(64,)`` for one axis, ``()`` for a scalar."""
    return f"({sizes[0]},)" if len(sizes) == 1 else f"({', '.join(map(str, sizes))})"


def _places(denominator: int) -> int | None:
    """How many decimal places write a fraction with this denominator exactly; None if no number of them does."""
    counts = []
    for prime in (2, 5):
        count = 0
        while denominator % prime == 0:
            denominator //= prime
            count += 1
        counts.append(count)
    return max(counts) if denominator == 1 else None


def _exponent(value: Fraction) -> int:
    """The power of ten of the leading digit of a positive value, without floats."""
    guess = len(str(value.numerator)) - len(str(value.denominator))
    return guess if Fraction(10) ** guess <= value else guess - 1


def _fixed(value: Fraction, places: int) -> str:
    scaled = abs(round(value * 10**places))
    whole, rest = divmod(scaled, 10**places)
    decimals = f"{rest:0{places}d}".rstrip("0") if places else ""
    sign = "-" if value < 0 and scaled else ""
    return f"{sign}{group_digits(whole)}" + (f".{decimals}" if decimals else "")
