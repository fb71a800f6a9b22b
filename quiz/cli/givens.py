"""Numbers by name, as the commands that compute take them: ``num_heads=32 memory=80*2**30 dtype=fp8``."""

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
    """``name=value``, the value in arithmetic or a word."""
    from quiz.bank.expression import ExpressionError, parse

    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise UsageError(f"givens are written name=value, such as num_heads=32, not {text!r}")
    try:
        return name, parse(value, ()).number({})
    except ExpressionError as error:
        if name == "dtype" and value.replace("_", "").isalnum() and value[0].isalpha():
            return name, value
        raise UsageError(f"{name}: {error}") from None
