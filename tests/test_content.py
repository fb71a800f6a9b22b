"""The shipped packs: nothing wrong with them, and every drawn question holds for hundreds of seeds."""

import os
import subprocess
import sys
from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations

import pytest

from quiz import paths
from quiz.attention.solver import solve
from quiz.bank.library import TEACHING_ORDER, pack_files
from quiz.bank.pack import AnyQuestion, Numeric, Pack, Shape
from quiz.bank.reader import read_models, read_pack
from quiz.lint.check import check_packs
from quiz.problem.drawing import build, draw
from quiz.problem.judge import judge_of
from quiz.problem.marking import mark
from quiz.problem.space import explore
from quiz.problem.units import convert, unit_of
from quiz.problem.variant import Number, Variant

SEEDS = 200
MODELS: Mapping[str, Mapping[str, Number | str]] = read_models(paths.content_dir() / "models.yaml")
PACKS = [read_pack(file).pack for file in pack_files(paths.content_dir())]
POSED = [(pack, question) for pack in PACKS for question in pack.questions]
QUESTIONS = [pytest.param(*posed, id=f"{posed[0].pack}/{posed[1].id}") for posed in POSED]
DRAWN = [parameters for parameters, (_, question) in zip(QUESTIONS, POSED, strict=True) if question.draw]


def variants(pack: Pack, question: AnyQuestion) -> list[Variant]:
    return [draw(pack, question, seed, MODELS) for seed in range(SEEDS)]


def test_the_shipped_packs_have_no_errors() -> None:
    assert {pack.pack for pack in PACKS} >= set(TEACHING_ORDER)
    report = check_packs([paths.content_dir()], MODELS)
    assert report.errors == ()
    assert len(report.certificates) == len(DRAWN)


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.pack)
def test_a_pack_has_a_lesson_enough_questions_and_enough_that_are_drawn(pack: Pack) -> None:
    drawn = [question for question in pack.questions if question.draw and question.kind in ("numeric", "shape")]
    assert pack.lessons
    assert len(pack.questions) >= 10
    assert len(drawn) >= 4


def test_every_kind_is_in_use() -> None:
    kinds = {question.kind for pack in PACKS for question in pack.questions}
    assert kinds == {"card", "choice", "numeric", "shape", "stage", "text", "order", "open"}


@pytest.mark.parametrize(("pack", "question"), QUESTIONS)
def test_what_is_shown_typed_back_is_right(pack: Pack, question: AnyQuestion) -> None:
    variant = draw(pack, question, 7, MODELS)
    if question.kind in ("card", "open"):
        assert variant.answer.value is None
    else:
        assert mark(variant, variant.answer.display).verdict == "right"


@pytest.mark.parametrize(("pack", "question"), DRAWN)
def test_a_seed_draws_the_same_variant_again(pack: Pack, question: AnyQuestion) -> None:
    first = [repr(variant) for variant in variants(pack, question)]
    judge = judge_of(question)
    space = explore(judge, MODELS)
    key = f"{pack.pack}/{question.id}"
    again = [build(pack, question, judge, space.pick(key, seed), seed) for seed in range(SEEDS)]
    assert [repr(variant) for variant in again] == first
    assert len(set(first)) > 1


DIGEST = """
import hashlib
from quiz import paths
from quiz.bank.library import pack_files
from quiz.bank.reader import read_models, read_pack
from quiz.problem.drawing import draw
models = read_models(paths.content_dir() / "models.yaml")
digest = hashlib.sha256()
for pack in (read_pack(file).pack for file in pack_files(paths.content_dir())):
    for question in pack.questions:
        for seed in range(10):
            digest.update(repr(draw(pack, question, seed, models)).encode())
print(digest.hexdigest())
"""


def test_another_process_draws_the_same_variants() -> None:
    digests = {
        subprocess.run(
            [sys.executable, "-c", DIGEST],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for hash_seed in ("1", "2")
    }
    assert len(digests) == 1
    assert len(digests.pop().strip()) == 64


@pytest.mark.parametrize(("pack", "question"), DRAWN)
def test_the_answer_is_what_the_solver_measures(pack: Pack, question: AnyQuestion) -> None:
    solves = question.solve if isinstance(question, Numeric | Shape) else None
    for variant in variants(pack, question):
        answer = variant.answer.value
        assert answer is not None
        if solves is None:
            continue
        solution = solve(solves, variant.givens)
        if isinstance(answer, int | Fraction) and not isinstance(solution.value, tuple):
            assert convert(solution.value, solution.unit, variant.unit or solution.unit) == answer
        else:
            assert solution.value == answer


@pytest.mark.parametrize(("pack", "question"), DRAWN)
def test_no_two_answers_can_be_confused(pack: Pack, question: AnyQuestion) -> None:
    for variant in variants(pack, question):
        assert len({choice.text for choice in variant.choices}) == len(variant.choices)
        answers = [variant.answer.value, *(mistake.value for mistake in variant.mistakes)]
        for one, other in combinations(answers, 2):
            assert one != other
            if isinstance(one, int | Fraction) and isinstance(other, int | Fraction):
                is_bytes = unit_of(variant.unit).dimension == "B"
                relative = max(variant.tolerance.relative, Fraction(1, 100) if is_bytes else Fraction(0))
                reach = max(relative * max(abs(Fraction(one)), abs(Fraction(other))), variant.tolerance.absolute)
                assert abs(Fraction(one) - other) > reach or not reach
