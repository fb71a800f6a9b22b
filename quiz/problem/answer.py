"""Reading a typed answer: a number with its unit, or a shape. What could mean two things is refused, never guessed."""

import re
from dataclasses import dataclass

from quiz.problem.arithmetic import read_arithmetic
from quiz.problem.spelling import Unreadable, plain, quoted
from quiz.problem.units import typed_unit, unit_of, whole
from quiz.problem.variant import Number, Sizes
from quiz.render.numbers import show_quantity, show_shape

__all__ = ["Reading", "Unreadable", "read_number", "read_shape"]

_CALL = re.compile(r"(?:[^\W\d]\w*\.)*size(?=\s*\()", re.IGNORECASE)
_PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}


@dataclass(frozen=True, slots=True)
class Reading:
    """How an answer was understood: its value (in the question's unit), the same in words, and whether it was typed in
    bytes with a prefix, so that it may be rounded."""

    value: Number | Sizes
    text: str
    prefixed: bool = False


def read_number(text: str, unit: str | None) -> Reading:
    """Read a number for a question whose answer is in ``unit`` (None or "1": a count).

    Arithmetic, thousands separators and other units of the same dimension are understood; the value comes back in the
    question's unit, exactly.

    Raises:
        Unreadable: it cannot be read without guessing.
    """
    typed = read_arithmetic(plain(text))
    value, asked, prefixed = typed.value(), unit_of(unit), False
    if typed.unit:
        given = typed_unit(typed.unit, unit)
        factor = given.scale / asked.scale
        if factor != 1 and typed.is_sum:
            message = f"Put brackets around the sum before the unit: ({typed.expression}) {typed.unit}."
            raise Unreadable("malformed", message)
        value, prefixed = whole(value * factor), given.prefixed
    return Reading(value, show_quantity(value, unit), prefixed)


def read_shape(text: str) -> Reading:
    """Read sizes, in any brackets or none, with commas, blanks or × between them.

    Raises:
        Unreadable: it is no shape, or could be two.
    """
    sizes = tuple(_size(part, text) for part in _sizes(_inside(plain(text), text), text))
    return Reading(sizes, show_shape(sizes))


def _inside(typed: str, text: str) -> str:
    """What is between the outermost brackets, a call such as ``torch.Size(…)`` taken off."""
    inside = typed[call.end() :].strip() if (call := _CALL.match(typed)) else typed
    while inside and inside[0] in _PAIRS:
        if inside[-1] != _PAIRS[inside[0]]:
            raise _no_shape(text, "the brackets do not match")
        inside = inside[1:-1].strip()
        if inside and (inside[-1] in ")]}>" and inside[0] not in _PAIRS):
            break
    return inside


def _sizes(inside: str, text: str) -> list[str]:
    if not inside:
        return []
    if re.search(r"(?<![\d.])0[xX]", inside):
        raise _no_shape(text, "sizes are decimal numbers, and 0x looks like another notation")
    if "," in inside:
        if re.search(r",\s", inside) and re.search(r"(?<!\d)\d{1,3},\d{3}(?!\d)", inside):
            raise _no_shape(text, "a comma inside a size looks like one between sizes")
        if re.search(r"[xX×]", inside):
            raise _no_shape(text, "use either commas or x between the sizes")
        return inside.removesuffix(",").split(",")
    if re.search(r"[xX×]", inside):
        return re.split(r"[xX×]", inside)
    if re.search(r"[*·]", inside):
        raise _no_shape(text, "a product is one size; put commas or × between several")
    if re.search(r"[^\d_\s]", inside):
        return [inside]
    return inside.split()


def _size(part: str, text: str) -> int:
    size = part.strip()
    if re.fullmatch(r"\d+ .*", size) and not re.search(r"[-+*/]", size):
        raise _no_shape(text, f"there is a blank inside the size {quoted(size)}")
    if re.match(r"0\d", size):
        raise _no_shape(text, "thousands commas have no place in a shape")
    try:
        typed = read_arithmetic(size)
        value = typed.value()
    except Unreadable as error:
        raise _no_shape(text, f"{quoted(size)} is not a size" if size else "a size is missing") from error
    if typed.unit or not isinstance(value, int) or value < 0:
        raise _no_shape(text, f"{quoted(size)} is not a whole number of at least 0")
    return value


def _no_shape(text: str, what: str) -> Unreadable:
    message = f"{quoted(text.strip())} cannot be read as a shape: {what}. Type it like (2, 12, 16, 64)."
    return Unreadable("ambiguous or not a shape", message)
