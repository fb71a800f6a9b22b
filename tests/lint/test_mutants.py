import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz.bank.expression import parse
from quiz.lint.mutants import MOST_NAMES, mutants


def texts(text: str, *names: str) -> list[str]:
    return [mutant.text for mutant in mutants(text, names)]


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("a + b", ["a - b"]),
        ("a - b", ["a + b"]),
        ("a * b", ["a + b"]),
        ("a / b", ["a * b"]),
        ("a // b", ["a * b"]),
        ("a % b", ["a // b"]),
        ("a ** b", ["a * b"]),
        ("a < b", ["a <= b"]),
        ("a >= b", ["a > b"]),
        ("a == b", ["a != b"]),
        ("a and b", ["a or b"]),
        ("a < b < a", ["a <= b < a", "a < b <= a"]),
        ("ceil(a)", ["floor(a)"]),
        ("min(a, b)", ["max(a, b)"]),
        ("a if b else c", ["c if b else a"]),
        ("7", ["8"]),
        ("0.5", ["1.5"]),
        ("-a", []),
    ],
)
def test_one_thing_is_changed(text: str, changed: list[str]) -> None:
    assert texts(text) == changed


def test_every_place_is_changed_once() -> None:
    assert texts("2 * a + 3") == ["2 * a - 3", "2 + a + 3", "2 * a + 4", "3 * a + 3"]


def test_a_name_becomes_each_other_name() -> None:
    assert texts("a", "a", "b", "c") == ["b", "c"]


def test_so_many_names_are_not_all_tried() -> None:
    assert len(texts("n0", *(f"n{index}" for index in range(30)))) == MOST_NAMES


def test_a_function_is_no_name() -> None:
    assert texts("gcd(a, a)", "gcd", "a") == ["lcm(a, a)", "gcd(gcd, a)", "gcd(a, gcd)"]


def test_brackets_are_kept_where_the_change_needs_them() -> None:
    assert "(a - b) * c" in texts("(a + b) * c")
    assert "a * (b + 1)" in texts("a / (b + 1)")


def test_a_change_is_said_in_words() -> None:
    assert [mutant.change for mutant in mutants("n // 2", ["n", "m"])] == [
        "`//` becomes `*`",
        "`n` becomes `m`",
        "`2` becomes `3`",
    ]


PARTS = st.recursive(
    st.sampled_from(["a", "b", "2", "0.5"]),
    lambda inner: st.builds("({} {} {})".format, inner, st.sampled_from("+ - * / // % **".split()), inner),  # noqa: SIM905
    max_leaves=8,
)


@given(PARTS)
def test_every_mutant_is_an_expression_of_the_language_and_differs(text: str) -> None:
    before = parse(text, {"a", "b"})
    for mutant in mutants(text, ["a", "b"]):
        changed = parse(mutant.text, {"a", "b"})
        assert changed.names <= before.names | {"a", "b"}
        assert mutant.text.replace("(", "").replace(")", "") != text.replace("(", "").replace(")", "")
