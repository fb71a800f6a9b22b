"""``quiz data optimize``: what it shows, applies and takes back."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from quiz.cli.main import run
from quiz.desk import open_desk
from quiz.memory.fitting import Fit
from quiz.memory.model import DEFAULT_WEIGHTS

Optimize: TypeAlias = Callable[..., tuple[int, Any]]
FITTED = (0.3, *DEFAULT_WEIGHTS[1:])
BETTER = Fit(500, 100, FITTED, 0.4, 0.3, 0.01)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QUIZ_HOME", str(tmp_path))
    monkeypatch.setenv("QUIZ_NOW", "2026-03-02T09:00:00+00:00")
    monkeypatch.setenv("TZ", "UTC")
    return tmp_path


@pytest.fixture
def optimize(capsys: pytest.CaptureFixture[str]) -> Optimize:
    def call(*options: str) -> tuple[int, Any]:
        code = run(["data", "optimize", *options, "--json"])
        return code, json.loads(capsys.readouterr().out)

    return call


def weights() -> tuple[float, ...] | None:
    with open_desk() as desk:
        return desk.parameters.weights


def test_it_shows_before_it_applies_and_what_it_applied_can_be_taken_back(
    optimize: Optimize, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quiz.memory.fitting.fit", lambda reviews, in_use: BETTER)
    code, shown = optimize()
    assert (code, shown["improves"], shown["applied"]) == (0, True, False)
    assert [ahead["days"] for ahead in shown["load"]] == [30, 90]
    assert weights() is None
    code, shown = optimize("--apply")
    assert (code, shown["applied"]) == (0, True)
    assert weights() == FITTED
    code, shown = optimize("--revert")
    assert (code, shown["reverted"]) == (0, True)
    assert weights() is None
    assert optimize("--revert")[1]["reverted"] is False


def test_the_weights_before_come_back_not_only_the_usual_ones(
    optimize: Optimize, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = (0.4, *DEFAULT_WEIGHTS[1:])
    for one in (FITTED, other):
        found = Fit(500, 100, one, 0.4, 0.3, 0.01)
        monkeypatch.setattr("quiz.memory.fitting.fit", lambda reviews, in_use, found=found: found)
        optimize("--apply")
    assert weights() == other
    optimize("--revert")
    assert weights() == FITTED


def test_what_is_scheduled_stays(optimize: Optimize, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_desk() as desk:
        desk.act("gqa/cache-bytes-per-token", "known")
        before = desk.log.cards()
    monkeypatch.setattr("quiz.memory.fitting.fit", lambda reviews, in_use: BETTER)
    optimize("--apply")
    with open_desk() as desk:
        assert desk.log.cards() == before
        assert desk.log.check().sound


@pytest.mark.parametrize("found", [Fit(500, 100, FITTED, 0.4, 0.395, 0.01), Fit(20, 4)])
def test_what_is_no_better_is_not_applied(optimize: Optimize, monkeypatch: pytest.MonkeyPatch, found: Fit) -> None:
    monkeypatch.setattr("quiz.memory.fitting.fit", lambda reviews, in_use: found)
    code, shown = optimize("--apply")
    assert (code, shown["applied"]) == (1, False)
    assert weights() is None


@pytest.mark.parametrize("found", [BETTER, Fit(500, 100, FITTED, 0.4, 0.41, 0.01), Fit(20, 4), Fit(500, 100)])
def test_people_are_told_in_sixty_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, found: Fit
) -> None:
    monkeypatch.setattr("quiz.memory.fitting.fit", lambda reviews, in_use: found)
    assert run(["data", "optimize"]) == 0
    assert all(len(line) <= 60 for line in capsys.readouterr().out.splitlines())


def test_without_the_package_one_line_says_how_to_get_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fsrs_rs_python", None)
    assert run(["data", "optimize"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert "pip install 'attention-quiz[optimize]'" in told.err
    assert run(["data", "optimize", "--revert"]) == 0


def test_both_at_once_make_no_sense(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["data", "optimize", "--apply", "--revert"]) == 2
