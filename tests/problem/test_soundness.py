from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz.bank.pack import ChoiceQuestion, Numeric, Shape
from quiz.errors import UsageError
from quiz.problem.judge import Judge, judge_of
from quiz.problem.soundness import is_sound, sound_rows
from quiz.problem.table import Table


def numeric(formula: str | None, wrong: list[str], **parts: Any) -> Judge:
    mistakes = tuple({"formula": text, "misconception": "m"} for text in wrong)
    given = {"id": "q", "kind": "numeric", "prompt": "P", "mistakes": mistakes} | parts
    return judge_of(Numeric.model_validate(given | ({"formula": formula} if formula else {})))


def assert_the_same(judge: Judge, table: Table) -> None:
    assert sound_rows(judge, table) == [is_sound(judge, givens) for givens in table.rows()]


FORMULAS = ["a", "b", "a * b", "a - b", "b - a", "a / b", "a / b * 3", "2 * a", "sqrt(a)", "0", "a // (b - 2)", "a > b"]


@given(
    st.lists(st.sampled_from(FORMULAS), min_size=1, max_size=5),
    st.sampled_from([None, 0, 0.01, 0.5, {"absolute": 0.2}, {"absolute": 2}]),
    st.sampled_from([None, "B", "GiB", "1"]),
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=1, max_size=8),
)
def test_a_column_says_what_each_tuple_says(
    formulas: list[str], tolerance: Any, unit: str | None, rows: list[tuple[int, int]]
) -> None:
    judge = numeric(formulas[0], formulas[1:], tolerance=tolerance, unit=unit)
    assert_the_same(judge, Table({"a": [a for a, _ in rows], "b": [b for _, b in rows]}, len(rows)))


def test_shapes_are_sound_if_all_differ_and_all_sizes_are_sizes() -> None:
    mistakes = ({"formula": ("b", "a"), "misconception": "m"}, {"formula": ("a - 2", "b / 2"), "misconception": "n"})
    parts = {"id": "q", "kind": "shape", "prompt": "P", "formula": ("a", "b"), "mistakes": mistakes}
    judge = judge_of(Shape.model_validate(parts))
    table = Table({"a": [4, 4, 1, 4], "b": [2, 4, 2, 3]}, 4)
    assert sound_rows(judge, table) == [True, False, False, False]
    assert_the_same(judge, table)


def test_choices_are_looked_at_with_the_names_in_their_code() -> None:
    choices = (
        {"text": "`x[{a}]`", "why": "W", "when": "b > 1"},
        {"text": "`x[2]`", "why": "W", "when": "b <= 1"},
        {"text": "{8 // b}", "why": "W"},
    )
    judge = judge_of(ChoiceQuestion.model_validate({"id": "q", "kind": "choice", "prompt": "P", "choices": choices}))
    table = Table({"a": [1, 2, 3], "b": [1, 1, 4], "c": [0, 0, 0]}, 3)
    assert sound_rows(judge, table) == [True, False, True]
    assert_the_same(judge, table)


def test_what_only_the_solver_knows_is_measured() -> None:
    judge = numeric(None, ["hidden_size"], solve="head_dim")
    table = Table({"hidden_size": [64, 63, 64], "num_heads": [4, 4, 1]}, 3)
    assert sound_rows(judge, table) == [True, False, False]
    with pytest.raises(UsageError, match="num_heads"):
        sound_rows(judge, Table({"hidden_size": [64]}, 1))
