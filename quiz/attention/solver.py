"""Solve a quantity: measure it on arrays of these sizes, and say what was measured and what the formula gives."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from quiz.attention.quantities import QUANTITIES
from quiz.attention.quantity import Quantity, Value
from quiz.attention.sizes import Number
from quiz.errors import UsageError
from quiz.render.nearest import did_you_mean
from quiz.render.numbers import group_digits, show_number, show_quantity, show_shape

_NAME = re.compile(r"\b[a-z]\w*\b")
_WORDS = {
    "num_layers": "layer",
    "num_heads": "head",
    "num_kv_heads": "KV head",
    "batch": "sequence",
    "context": "token",
    "tp": "rank",
    "memory": "B",
    "bytes_per_element": "B",
}


@dataclass(frozen=True, slots=True)
class Solution:
    """A measured value, exact, in ``unit``; ``steps`` tell in this call's numbers how it comes about."""

    quantity: str
    value: Value
    unit: str
    formula: str
    steps: tuple[str, ...]


def solve(quantity: str, givens: Mapping[str, int | Fraction | str]) -> Solution:
    """Measure a quantity for these givens. Givens it does not need are ignored.

    Raises:
        UsageError: no quantity has this name, a given is missing, or a dtype is unknown.
        SolveError: the sizes are illegal.
    """
    wanted = QUANTITIES.get(quantity)
    if wanted is None:
        raise _unknown(quantity)
    numbers = wanted.numbers(givens)
    value, seen = wanted.measure(**numbers)
    worked = _worked(wanted, numbers, value)
    # A shape whose sizes are givens has nothing to work out.
    steps = (seen, worked) if worked else (seen,)
    return Solution(quantity, value, wanted.unit, wanted.formula, steps)


def _worked(quantity: Quantity, numbers: Mapping[str, Number], value: Value) -> str:
    """The formula with the numbers plugged in, and what it gives; empty if that says the same twice."""
    formula = _with_places(quantity.formula)
    if isinstance(value, tuple):
        worked, result = formula.format_map(numbers), show_shape(value)
        return "" if worked == result else f"{worked} = {result}"
    shown = {name: _shown(name, number) for name, number in numbers.items()}
    equals = "=" if isinstance(value, int) or _is_shown_exactly(value) else "≈"
    return f"{formula.format_map(shown)} {equals} {show_quantity(value, quantity.unit)}"


def _is_shown_exactly(value: Fraction) -> bool:
    return Fraction(show_number(value).replace(",", "")) == value


def _shown(name: str, number: Number) -> str:
    text = group_digits(number) if isinstance(number, int) else show_number(number)
    word = _WORDS.get(name)
    if word is None:
        return text
    return f"{text} {word}" if number == 1 or word == "B" else f"{text} {word}s"


@cache
def _with_places(formula: str) -> str:
    """The formula with a place for each given's number, and a raised dot for times."""
    givens = {given.symbol for quantity in QUANTITIES.values() for given in quantity.givens}
    placed = _NAME.sub(lambda name: f"{{{name[0]}}}" if name[0] in givens else name[0], formula)
    return placed.replace(" * ", " · ")


def _unknown(name: str) -> UsageError:
    hint = did_you_mean(name, QUANTITIES) or "`quiz quantities` lists them"
    return UsageError(f"no quantity is called {name[:80]!r}; {hint}")
