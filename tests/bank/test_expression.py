import ast
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz.bank.expression import ExpressionError, parse

NAMES: dict[str, int | Fraction | str] = {
    "hidden_size": 4096,
    "num_heads": 32,
    "zero": 0,
    "half": Fraction(1, 2),
    "title": "Llama 3 8B",
}


@pytest.fixture
def shared() -> Path:
    folder = Path(__file__).resolve().parents[3] / "shared"
    if not folder.is_dir():
        pytest.skip("no shared cases beside the checkout")
    return folder


def error_of(text: str, names: Any = NAMES) -> ExpressionError:
    with pytest.raises(ExpressionError) as caught:
        parse(text, names).evaluate(names)
    return caught.value


def value_of(text: str, **more: int | Fraction) -> int | Fraction | bool:
    names = NAMES | more
    return parse(text, names).evaluate(names)


def test_every_shared_case_has_its_value_or_its_kind_of_error(shared: Path) -> None:
    rows = json.loads((shared / "cases" / "expressions.json").read_text())
    wrong = []
    for row in rows:
        try:
            outcome = str(parse(row["expression"], row["names"]).evaluate(row["names"]))
        except ExpressionError as error:
            outcome = error.kind
        if outcome != row.get("value", row.get("why")):
            wrong.append((row["expression"][:60], outcome))
    assert rows
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("hidden_size / num_heads", 128),
        ("hidden_size\n  // num_heads", 128),
        ("  1 +\r\n\t2 ", 3),
        ("7 / 2", Fraction(7, 2)),
        ("2 ** -2", Fraction(1, 4)),
        ("half * 2", 1),
        ("-half % 2", Fraction(3, 2)),
        ("1e3", 1000),
        ("2.50", Fraction(5, 2)),
        ("0 ** 0", 1),
        ("(-1) ** (10 ** 100)", 1),
        ("sqrt(9 / 4)", Fraction(3, 2)),
        ("log2(1 / 8)", -3),
        ("ln(1)", 0),
        ("ceil(7 / 2)", 4),
        ("round(5 / 2)", 2),
        ("round(2 / 3, 2)", Fraction(67, 100)),
        ("min(3, half, 2)", Fraction(1, 2)),
        ("gcd(4 / 2, 6)", 2),
        ("lcm(4, 6, 10)", 60),
        ("8 in divisors(hidden_size)", True),
        ("half not in divisors(hidden_size)", True),
        ("num_heads not in (8, 16)", True),
        ("1 < 2 < 3 != 4", True),
        ("1 < 2 > 3", False),
        ("not (1 > 2 or zero == 1)", True),
        ("is_power_of_two(48) or is_power_of_two(half)", False),
        ("1 / zero if zero > 0 else 5", 5),
        ("zero == 0 or 1 / zero > 1", True),
        ("num_heads > 1 if zero == 0 else zero > 1", True),
    ],
)
def test_values_known_by_hand(text: str, value: int | Fraction | bool) -> None:
    result = value_of(text)
    assert result == value
    assert type(result) is type(value)


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("sqrt(2)", "1.41421356237309504880168872420969807857"),
        ("sqrt(1 / 128)", "0.0883883476483184405501055452631061298"),
        ("log2(3)", "1.58496250072115618145373894394781650876"),
        ("ln(10)", "2.30258509299404568401799145468436420760"),
        ("ln(1 + 1 / 10 ** 60) * 10 ** 60", "1"),
    ],
)
def test_roots_and_logarithms_are_correct_to_thirty_digits(text: str, digits: str) -> None:
    result = value_of(text)
    assert abs(Fraction(result) / Fraction(digits) - 1) < Fraction(1, 10**30)


@pytest.mark.parametrize(
    ("text", "kind", "column"),
    [
        ("hidden_size / zero", "division by zero", 15),
        ("hidden_size % (num_heads - 32)", "division by zero", 16),
        ("1 + zero ** -1", "division by zero", 5),
        ("1 + hiden_size", "unknown name", 5),
        ("min * 2", "unknown name", 1),
        ("größe + 1", "unknown name", 1),
        ("ｈidden_size", "unknown name", 1),
        ("2 ^ 10", "not allowed", 3),
        ("1 +", "malformed", 4),
        ("  (1 + 2", "malformed", 3),
        ("a = 1", "malformed", 3),
        ("2num_heads", "malformed", 1),
        ("1 + 2if zero else 3", "malformed", 5),
        ("3 × 4", "malformed", 3),
        ("heads x 16", "malformed", 7),
        ("1 # one", "malformed", 3),
        ("007", "malformed", 1),
        ("1 + 0x10", "not allowed", 5),
        ("zero == 0 and num_heads", "not allowed", 15),
        ("1 + (num_heads > 3)", "not allowed", 6),
        ("num_heads is 3", "not allowed", 1),
        ("1 in num_heads", "not allowed", 6),
        ("divisors(12)", "not allowed", 1),
        ("True", "not allowed", 1),
        ("max(1, key=2)", "not allowed", 12),
        ("squrt(2)", "not allowed", 1),
        ("1 in divisors(zero)", "domain", 6),
        ("4 ** half", "domain", 1),
        ("title * 2", "domain", 1),
        ("sqrt(1, 2)", "arguments", 1),
        ("1e999999999", "too large", 1),
        ("2 ** 256 * 2 ** 256", "too large", 1),
        (" \n ", "empty", 1),
        ("(" * 240, "too long", 201),
        ("-" * 400 + "1", "too long", 1),
        ("+".join("1" * 200), "too long", 1),
        ("a\0", "malformed", 2),
        ("\ud800", "malformed", 1),
    ],
)
def test_errors_have_a_kind_and_a_column(text: str, kind: str, column: int) -> None:
    error = error_of(text)
    assert (error.kind, error.column) == (kind, column), error


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hidden_size / zero", "division by zero with zero = 0"),
        ("hiden_size", "did you mean `hidden_size`?"),
        ("squrt(2)", "did you mean `sqrt`?"),
        ("2 ^ 10", "use ** for powers"),
        ("num_heads ** hidden_size", "num_heads = 32, hidden_size = 4096"),
        ("title + 1", "`title` is the text 'Llama 3 8B', not a number"),
    ],
)
def test_errors_show_what_to_do(text: str, said: str) -> None:
    assert said in str(error_of(text))


def test_without_a_scope_any_name_is_read_and_missed_only_when_worked_out() -> None:
    expression = parse("head_dim * 2")
    assert expression.names == {"head_dim"}
    with pytest.raises(ExpressionError, match="unknown name"):
        expression.evaluate({"head_dims": 3})


def test_values_that_are_neither_int_nor_fraction_are_refused() -> None:
    kinds = set()
    for value in (True, 1.5, None):
        with pytest.raises(ExpressionError) as caught:
            parse("a + 1").evaluate({"a": value})  # type: ignore[dict-item]
        kinds.add(caught.value.kind)
    assert kinds == {"domain"}


def test_a_condition_is_no_number_and_a_number_no_condition() -> None:
    with pytest.raises(ExpressionError, match="condition"):
        parse("1 > 2").number({})
    with pytest.raises(ExpressionError, match="compare it"):
        parse("12").holds({})


leaves = st.integers(-50, 50).map(str) | st.sampled_from(["a", "b", "c"]) | st.sampled_from(["0.5", "1.25", "3.0"])
trees = st.recursive(
    leaves,
    lambda inner: (
        st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "//", "%"]), inner).map(
            lambda parts: f"({' '.join(parts)})"
        )
        | inner.map(lambda text: f"(-{text})")
        | st.tuples(inner, inner, inner).map(lambda parts: f"({parts[0]} if {parts[1]} < {parts[2]} else {parts[0]})")
    ),
    max_leaves=8,
)


class _Exact(ast.NodeTransformer):
    """Every number as a Fraction: what plain Python then makes of the text is the reference."""

    def visit_Constant(self, node: ast.Constant) -> ast.Call:
        text = ast.Constant(str(node.value))
        return ast.Call(ast.Name("Fraction", ast.Load()), [text], [])


@given(trees, st.integers(-9, 9), st.fractions(-5, 5, max_denominator=9), st.integers(1, 10**6))
def test_random_expressions_agree_with_fractions(text: str, a: int, b: Fraction, c: int) -> None:
    tree = ast.fix_missing_locations(_Exact().visit(ast.parse(text, mode="eval")))
    names: dict[str, int | Fraction] = {"a": a, "b": b, "c": c}
    scope = {"Fraction": Fraction} | {name: Fraction(value) for name, value in names.items()}
    try:
        reference = eval(compile(tree, "", "eval"), scope)
    except ZeroDivisionError:
        assert error_of(text, names).kind == "division by zero"
        return
    result = parse(text, names).evaluate(names)
    assert result == reference
    assert isinstance(result, int) == (Fraction(reference).denominator == 1)


@given(st.text(st.sampled_from("0123456789.eEjx_+-*/%^()[]<>=!,:abinotr \n'\"#é×"), max_size=40))
def test_any_text_is_a_value_or_an_expression_error_with_a_column_inside(text: str) -> None:
    outcome: object
    try:
        outcome = parse(text).evaluate({"a": 3, "b": Fraction(1, 3)})
    except ExpressionError as error:
        outcome = error.column
        assert 1 <= error.column <= len(text) + 1  # noqa: PT017
    assert isinstance(outcome, int | Fraction)
