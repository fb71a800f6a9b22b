from collections.abc import Callable
from pathlib import Path

import pytest

from quiz.bank.library import pack_files
from quiz.bank.reader import read_models
from quiz.lint import mutation
from quiz.lint.check import Report, check_packs
from quiz.lint.mutation import Mutation
from quiz.lint.text import report_lines
from quiz.paths import content_dir

Check = Callable[..., Report]

HEAD = """\
format: 1
pack: trial
title: T
version: "1"
sources: {s: {title: S}}
misconceptions: {a: {says: A, truth: B}}
lessons: [{id: l, title: L, tldr: T, body: B}]
questions:
"""


def numeric(rest: str) -> str:
    return (
        '  - {id: q, kind: numeric, lesson: l, sources: [s], unit: "1", prompt: "{heads} of {width}?", '
        "draw: {heads: {from: 2, to: 9}, width: [16, 32, 48]}, " + rest + "}\n"
    )


def mutated(check: Check, question: str) -> Mutation:
    report = check(question, HEAD, mutate=True)
    assert report.errors == ()
    assert report.mutation is not None
    return report.mutation


def test_a_formula_that_nothing_checks_is_advised_to_be_pinned_or_solved(check: Check) -> None:
    report = check(numeric("formula: heads * width"), HEAD, mutate=True)
    (advice,) = [fault for fault in report.advice if fault.rule == "mutant-unnoticed"]
    assert advice.line == 9
    assert advice.message == "q: nothing notices when `*` becomes `+`: `heads + width` (and 2 more of 3 changes)"
    assert advice.fix == "name the quantity to `solve`, or pin a few variants under `golden`"
    assert report.mutation is not None
    assert [one.formula for one in report.mutation.unnoticed] == ["heads + width", "width * width", "heads * heads"]
    assert {(one.key, one.part) for one in report.mutation.unnoticed} == {("trial/q", ("formula",))}


def test_a_pinned_variant_notices(check: Check) -> None:
    pinned = 'golden: [{givens: {heads: 4, width: 32}, prompt: "4 of 32?", answer: "128"}]'
    found = mutated(check, numeric(f"formula: heads * width, {pinned}"))
    assert (found.tried, found.noticed, found.unnoticed) == (3, {"golden": 3}, ())


def test_the_solver_notices(check: Check) -> None:
    question = numeric("let: {hidden_size: heads * width, num_heads: heads}, solve: head_dim, formula: width")
    found = mutated(check, question)
    assert found.noticed["solver"] >= 3
    assert {one.part for one in found.unnoticed} <= {("let", "hidden_size"), ("let", "num_heads")}


def test_a_mistake_that_the_formula_turns_into_notices(check: Check) -> None:
    question = numeric("formula: heads * width, mistakes: [{formula: heads + width, misconception: a}]")
    found = mutated(check, question)
    assert found.noticed["soundness"] == 1
    assert [one.change for one in found.unnoticed] == ["`heads` becomes `width`", "`width` becomes `heads`"]


def test_a_formula_without_a_value_is_noticed(check: Check) -> None:
    question = numeric("let: {x: heads - 1, y: width // x}, formula: y")
    found = mutated(check, question)
    assert found.noticed["no value"] >= 1


def test_a_change_without_effect_is_neither_noticed_nor_unnoticed(check: Check) -> None:
    found = mutated(check, numeric("formula: abs(heads * 0)"))
    assert found.tried == found.same + sum(found.noticed.values()) + len(found.unnoticed)
    assert found.same == 1


def test_conditions_of_choices_and_sizes_of_shapes_are_changed_too(check: Check) -> None:
    choice = (
        '  - {id: c, kind: choice, lesson: l, sources: [s], prompt: "{n}?", draw: {n: [1, 2, 3]}, choices: '
        "[{text: Small, when: n < 2, why: W}, {text: Large, when: n >= 2, why: W}]}\n"
    )
    shape = (
        '  - {id: h, kind: shape, lesson: l, sources: [s], prompt: "{n} {m}?", draw: {n: {from: 1, to: 5}, '
        "m: {from: 6, to: 10}}, formula: [n, m]}\n"
    )
    parts = {one.part for one in mutated(check, choice + shape).unnoticed}
    assert parts == {("choices", 0, "when"), ("choices", 1, "when"), ("formula", 0), ("formula", 1)}


def test_a_question_with_errors_is_not_changed(check: Check) -> None:
    report = check(numeric("formula: heads * wide"), HEAD, mutate=True)
    assert report.errors
    assert report.mutation == Mutation(0, 0, {}, (), 0)


def test_nothing_is_changed_unless_asked_for(check: Check) -> None:
    report = check(numeric("formula: heads * width"), HEAD)
    assert report.mutation is None
    assert "mutation" not in report.to_json()


def test_beyond_so_many_changes_the_rest_is_counted_as_untried(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutation, "MOST", 4)
    found = mutated(check, numeric("let: {x: heads * width, y: x + 1}, formula: x + y"))
    assert (found.tried, found.untried) == (4, 3)


def test_what_became_of_the_changes_is_reported_in_text_and_json(check: Check) -> None:
    report = check(numeric("formula: heads * width"), HEAD, mutate=True)
    lines = list(report_lines(report))
    assert "Mutation: 3 changes tried" in lines
    assert "  not noticed, though answers change: 3" in lines
    plain = report.to_json()["mutation"]
    assert list(plain) == ["tried", "same", "noticed", "unnoticed", "untried"]
    assert plain["noticed"] == {"solver": 0, "golden": 0, "soundness": 0, "no value": 0}
    assert plain["unnoticed"][0] == {
        "key": "trial/q",
        "part": ["formula"],
        "change": "`*` becomes `+`",
        "formula": "heads + width",
    }


@pytest.mark.parametrize("file", pack_files(content_dir()), ids=lambda file: file.stem)
def test_no_slip_in_a_shipped_formula_goes_unnoticed(file: Path) -> None:
    report = check_packs([file], read_models(content_dir() / "models.yaml"), mutate=True)
    assert (report.errors, report.advice) == ((), ())
    assert report.mutation is not None
    assert report.mutation.tried > 50
    assert report.mutation.unnoticed == ()
