from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz.bank.arithmetic import RefusedError
from quiz.bank.expression import ExpressionError, parse
from quiz.bank.quick import is_quick, quick

NAMES = ("a", "b", "min")
atoms = st.sampled_from([*NAMES, "0", "1", "7", "64"])


def grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pairs = st.tuples(inner, inner)
    return st.one_of(
        st.tuples(st.sampled_from(["+", "-", "*", "//", "%", "/"]), pairs).map(
            lambda p: f"({p[1][0]} {p[0]} {p[1][1]})"
        ),
        st.tuples(inner, st.integers(0, 5)).map(lambda p: f"({p[0]}) ** {p[1]}"),
        inner.map(lambda one: f"-{one}"),
        st.tuples(st.sampled_from(["max", "min", "gcd", "lcm"]), pairs).map(lambda p: f"{p[0]}({p[1][0]}, {p[1][1]})"),
        inner.map(lambda one: f"abs({one})"),
        st.tuples(inner, inner, inner, st.sampled_from(["<", "<=", "==", "!="])).map(
            lambda p: f"({p[0]} if {p[1]} {p[3]} {p[2]} else {p[1]})"
        ),
        pairs.map(lambda p: f"(1 if is_power_of_two({p[0]}) or {p[1]} in [1, 2, {p[0]}] else 2)"),
        pairs.map(lambda p: f"(1 if {p[0]} in divisors({p[1]}) and not {p[0]} > 3 else 2)"),
    )


@given(st.recursive(atoms, grown, max_leaves=8), st.lists(st.tuples(*[st.integers(-70, 2**62)] * 3), max_size=4))
def test_a_column_holds_what_each_row_comes_to(text: str, rows: list[tuple[int, ...]]) -> None:
    try:
        expression = parse(text)
    except ExpressionError:
        return
    form = quick(text)
    if form is None:
        return
    names, function = form
    columns = {name: [row[index] for row in rows] for index, name in enumerate(NAMES)}
    wanted: list[Any] | None = []
    try:
        wanted = [expression.evaluate(dict(zip(NAMES, row, strict=True))) for row in rows]
    except ExpressionError:
        wanted = None
    try:
        found = function(*(columns[name] for name in names))
    except (ZeroDivisionError, RefusedError):
        found = None
    assert found == wanted
    assert found is None or list(map(type, found)) == list(map(type, wanted or []))


@pytest.mark.parametrize("text", ["2 * a * b", "a // b", "a / b", "a % b > 1", "a ** 3", "1 < a <= b", "a in [1, b]"])
def test_the_usual_formulas_are_quick(text: str) -> None:
    assert quick(text) is not None


@pytest.mark.parametrize(
    "text", ["a / b * 2", "sqrt(a)", "a ** b", "a ** 9", "0.5 * a", "64", "a * a * a * a * a * a * a * a * a"]
)
def test_what_may_grow_or_break_is_left_to_the_careful_way(text: str) -> None:
    assert quick(text) is None


def test_a_column_is_quick_if_all_of_it_is_small_and_whole() -> None:
    assert is_quick([])
    assert is_quick([1, -(2**63) + 1, 2**63 - 1])
    for odd in (2**63, -(2**63), Fraction(1, 2), "bf16", True):
        assert not is_quick([1, odd])
