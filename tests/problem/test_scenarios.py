"""What learners and authors met in other question engines, as it goes here. Each test's id is the public thread."""

from fractions import Fraction
from typing import Any

import pytest
from pydantic import TypeAdapter

from quiz.bank.expression import ExpressionError, parse
from quiz.bank.pack import AnyQuestion, Pack
from quiz.problem.answer import Unreadable, read_number
from quiz.problem.drawing import draw
from quiz.problem.judge import judge_of
from quiz.problem.mark import Mark
from quiz.problem.marking import mark
from quiz.problem.space import explore, space_of
from quiz.problem.variant import Variant
from quiz.render.numbers import show_number

PACK = Pack.model_validate(
    {
        "format": 1,
        "pack": "trial",
        "title": "T",
        "version": "1",
        "misconceptions": {"a": {"says": "S", "truth": "T"}},
        "questions": ({"id": "q", "kind": "card", "prompt": "P", "back": "B"},),
    }
)


def question(**parts: Any) -> AnyQuestion:
    made: AnyQuestion = TypeAdapter(AnyQuestion).validate_python({"id": "q", "prompt": "P"} | parts)
    return made


def numeric(formula: str, **parts: Any) -> Variant:
    return draw(PACK, question(kind="numeric", formula=formula, **parts), 0, {})


def marked(formula: str, typed: str, **parts: Any) -> Mark:
    return mark(numeric(formula, **parts), typed)


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        pytest.param("−64", -64, id="PrairieLearn#135-minus-of-a-web-page"),
        pytest.param("－3", -3, id="PrairieLearn#8627-full-width-minus"),
        pytest.param("8,192", 8192, id="Numbas#453-separators"),
        pytest.param("5/10,000", Fraction(1, 2000), id="khan-exercises#129156-comma-in-a-fraction"),
        pytest.param("1,048,576", 1048576, id="khan-exercises#138917-comma"),
        pytest.param("head_dim = 128", 128, id="khan-exercises#160340-name-and-equals"),
        pytest.param("138*10^-3", Fraction(138, 1000), id="moodle-qtype_stack#445-two-spellings-one"),
        pytest.param("1.38*10^-1", Fraction(138, 1000), id="moodle-qtype_stack#445-two-spellings-other"),
        pytest.param("7e9", 7 * 10**9, id="oli-torus#4841-exponent"),
        pytest.param("9.9e-5", Fraction(99, 10**6), id="pg#928-tiny-number"),
        pytest.param("10E10", 10**11, id="moodle-qtype_stack#1766-large-E"),
        pytest.param("10e10", 10**11, id="moodle-qtype_stack#1766-small-e"),
        pytest.param(".6", Fraction(3, 5), id="isdc#24-no-leading-zero"),
        pytest.param("1%", Fraction(1, 100), id="openedx-platform#35590-one-per-cent"),
        pytest.param("1.0%", Fraction(1, 100), id="openedx-platform#35590-one-point-nought"),
    ],
)
def test_a_number_is_read_as_it_was_meant(typed: str, value: int | Fraction) -> None:
    assert read_number(typed, None).value == value


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        pytest.param("0,125", "0.125", id="moodle-qtype_formulas#11-decimal-comma"),
        pytest.param("1 e10", "", id="Numbas#1096-stray-blank"),
        pytest.param("10*e", "", id="moodle-qtype_stack#1766-no-constant-e"),
        pytest.param("1" * 2_800_000, "", id="moodle-qtype_stack#1263-huge-answer"),
        pytest.param("solve(x^2, x)", "", id="moodle-qtype_stack#586-the-engines-own-solver"),
    ],
)
def test_what_cannot_be_read_costs_nothing_and_is_explained(typed: str, said: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read_number(typed, None)
    assert said in str(refused.value)
    assert len(str(refused.value)) < 300
    assert marked("8", typed).verdict == "unreadable"


def test_a_per_cent_of_a_share_is_right() -> None:  # khan-exercises#137518
    assert marked("1 / 8", "12.5%").verdict == "right"


@pytest.mark.parametrize(
    ("formula", "parts", "typed", "verdict"),
    [
        pytest.param("458 / 10", {"tolerance": {"absolute": 0.2}}, "46", "right", id="qlicker#624-edge"),
        pytest.param("458 / 10", {"tolerance": {"absolute": 0.2}}, "46.0000001", "wrong", id="Numbas#76-past-the-edge"),
        pytest.param("1 / 3", {}, "1/3", "right", id="Numbas#431-a-third"),
        pytest.param("127 / 100", {}, "1.27", "right", id="Numbas#553-more-precise"),
        pytest.param("2 ** 31", {}, "2147000000", "wrong", id="discrete-book#122-neighbour-of-a-big-number"),
        pytest.param("1234567891", {"tolerance": 0}, "1234567891", "right", id="webwork#1112-ten-digits"),
        pytest.param("1 / 6 * 6", {}, "1", "right", id="khan-exercises#14057-six-sixths"),
    ],
)
def test_tolerance_is_exact(formula: str, parts: dict[str, Any], typed: str, verdict: str) -> None:
    assert marked(formula, typed, **parts).verdict == verdict


def test_the_tolerance_is_told() -> None:  # PrairieLearn#12450
    assert numeric("1 / 3").prompt == "P (within 1 % counts as right)"


def test_no_float_reaches_the_screen() -> None:  # Numbas#247, Numbas#112
    assert show_number(Fraction(4032079999, 10**7)) == "403.2079999"
    assert numeric("0.1 + 0.2").answer.display == "0.3"


def test_small_b_asks_whether_bits_or_bytes_are_meant() -> None:  # pint#874
    refused = marked("2 * 10 ** 9", "2 Gb", unit="B")
    assert refused.verdict == "unreadable"
    assert marked("2 * 10 ** 9", "2 GB", unit="B").verdict == "right"


def test_a_slip_that_equals_the_answer_is_never_drawn() -> None:  # PrairieLearn#2194
    asked = question(
        kind="numeric",
        draw={"a": (2, 3, 4), "b": (2, 3)},
        formula="a * b",
        mistakes=({"formula": "a + b", "misconception": "a"},),
    )
    _, space = space_of(asked, {})
    assert {"a": 2, "b": 2} in space.rows
    assert {"a": 2, "b": 2} not in space.sound


def test_two_equal_choices_are_never_drawn() -> None:  # PrairieLearn#1228
    asked = question(
        kind="choice",
        draw={"n": (1, 2)},
        choices=({"text": "{n * n}", "right": True, "why": "W"}, {"text": "{n}", "why": "W"}),
    )
    assert [row["n"] for row in space_of(asked, {})[1].sound] == [2]


def test_the_right_choice_may_stand_anywhere() -> None:  # PrairieLearn#1727
    asked = question(kind="choice", choices=tuple({"text": t, "why": "W", "right": t == "a"} for t in "abc"))
    assert {draw(PACK, asked, seed, {}).answer.value for seed in range(40)} == {(1,), (2,), (3,)}


def test_a_tuple_without_a_value_is_set_aside_with_its_numbers() -> None:  # webwork#1428, orcca#527
    judge = judge_of(question(kind="numeric", draw={"a": (1, 2), "b": (1, 2)}, formula="6 / (a - b)"))
    assert [dict(row) for row in explore(judge, {}).sound] == [{"a": 1, "b": 2}, {"a": 2, "b": 1}]
    with pytest.raises(ExpressionError, match="a = 1"):
        judge.expected({"a": 1, "b": 1})


def test_a_hint_or_a_solution_changes_no_draw() -> None:  # DoenetML#480
    parts: dict[str, Any] = {"kind": "numeric", "draw": {"n": tuple(range(2, 90))}, "formula": "n * 2"}
    more = parts | {"hints": ("Double {n}.",), "steps": ("2 · {n}",), "prompt": "{n} twice?"}
    for seed in range(50):
        assert draw(PACK, question(**parts), seed, {}).givens == draw(PACK, question(**more), seed, {}).givens


@pytest.mark.parametrize("formula", ["now()", "today", "random()", "time"])
def test_a_question_knows_no_clock_and_no_chance(formula: str) -> None:  # moodle-qtype_stack#1365
    with pytest.raises(ExpressionError):
        parse(formula, ["n"])


@pytest.mark.parametrize(
    "formula",
    [
        pytest.param("n.__class__", id="simpleeval#15"),
        pytest.param("(n for n in n).gi_frame", id="simpleeval#138"),
        pytest.param("'{0.__class__}'.format(n)", id="asteval#32"),
        pytest.param("n.__reduce__()", id="asteval#86"),
        pytest.param("__import__('os').system('true')", id="numexpr#442"),
        pytest.param("eval('1')", id="sympy#10805"),
        pytest.param("open('/etc/passwd')", id="qlib#2300"),
        pytest.param("'x' * 10 ** 10", id="hive#7473"),
        pytest.param("9 ** 9 ** 9", id="smolagents#2512"),
        pytest.param("(" * 100_000, id="cel-rust#212"),
        pytest.param("-" * 100_000 + "1", id="cpython#95588"),
        pytest.param("1" + "+1" * 100_000, id="cel-rust#306"),
    ],
)
def test_a_formula_runs_nothing_and_holds_nobody_up(formula: str) -> None:
    with pytest.raises(ExpressionError) as refused:
        parse(formula, ["n"]).number({"n": 3})
    assert len(str(refused.value)) < 300
