"""Numbers by name, as the commands that compute take them: ``num_heads=32 memory=80GiB dtype=fp8``."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from quiz.errors import UsageError

if TYPE_CHECKING:
    from fractions import Fraction


def named_numbers(texts: "Iterable[str]") -> "dict[str, int | Fraction | str]":
    """The givens by name.

    Raises:
        UsageError: a name stands twice, one is not written name=value, or its value is no arithmetic (or, for
            ``dtype``, a word).
    """
    found: dict[str, int | Fraction | str] = {}
    for name, value in map(_given, texts):
        if name in found:
            raise UsageError(f"{name} stands there twice")
        found[name] = value
    return found


def _given(text: str) -> "tuple[str, int | Fraction | str]":
    """``name=value``, the value in arithmetic, as an answer is typed (``4,096``, ``80 GiB``), or a word."""
    from quiz.bank.expression import ExpressionError, parse

    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise UsageError(f"givens are written name=value, such as num_heads=32, not {text!r}")
    try:
        return name, parse(value, ()).number({})
    except ExpressionError as error:
        if name == "dtype" and value.replace("_", "").isalnum() and value[0].isalpha():
            return name, value
        typed = _typed(name, value)
        if typed is None:
            raise UsageError(f"{name[:80]}: {error}") from None
        return name, typed


def _typed(name: str, value: str) -> "int | Fraction | None":
    """The number, if it can be read as the answer to a question; memory is in bytes."""
    from quiz.problem.answer import Unreadable, read_number

    try:
        # An answer may begin with "=", where name==value is a slip.
        number = None if "=" in value else read_number(value, "B" if name == "memory" else None).value
    except Unreadable:
        return None
    return None if isinstance(number, tuple) else number
