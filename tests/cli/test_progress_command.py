"""``quiz progress``: what it says, and that it fits."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from quiz.cli.main import run

Quiz: TypeAlias = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIZ_HOME", str(tmp_path))
    monkeypatch.setenv("QUIZ_NOW", "2026-03-02T09:00:00+00:00")
    monkeypatch.setenv("TZ", "UTC")


@pytest.fixture
def quiz(capsys: pytest.CaptureFixture[str]) -> Quiz:
    def call(*arguments: str) -> tuple[int, str, str]:
        return run(arguments), *capsys.readouterr()

    return call


@pytest.fixture
def studied(quiz: Quiz, monkeypatch: pytest.MonkeyPatch) -> str:
    """The key of a question that was answered."""
    monkeypatch.setattr("sys.stdin", io.StringIO("0\n1\n" * 3))
    _, out, _ = quiz("study", "--plain", "--limit", "3")
    return next(line for line in out.splitlines() if line.startswith("saved ")).split()[1]


def figures(quiz: Quiz, *arguments: str) -> Any:
    return json.loads(quiz("progress", *arguments, "--json")[1])


def test_all_figures_fit_in_sixty_columns(quiz: Quiz, studied: str) -> None:
    code, out, _ = quiz("progress")
    assert code == 0
    assert all(len(line) <= 60 for line in out.splitlines()), out
    assert "what to do next:" in out
    assert "→ quiz " in out


def test_every_advice_is_a_command_that_is_there(quiz: Quiz, studied: str) -> None:
    said = figures(quiz)["next"]
    assert said
    for one in said:
        program, command, *_ = one["do"].split()
        assert program == "quiz"
        assert quiz(command, "--help")[0] == 0


def test_a_key_shows_how_its_question_was_learned(quiz: Quiz, studied: str) -> None:
    found = figures(quiz, studied)
    assert found["key"] == studied
    assert found["answered"] == len(found["points"]) >= 1
    assert found["points"][0]["chance"] is None
    assert f"→ quiz study {found['topic']}" in quiz("progress", studied)[1]


def test_an_unknown_key_is_said(quiz: Quiz) -> None:
    code, _, err = quiz("progress", "no/such")
    assert code == 2
    assert "no/such" in err
