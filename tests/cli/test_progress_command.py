"""``quiz progress``: what it says, and that it fits."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from quiz import plain
from quiz.cli.main import run
from quiz.desk import open_desk

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


def test_what_is_put_aside_is_named_and_the_states_add_up(quiz: Quiz, studied: str) -> None:
    for key, deed in (("gqa/k-proj-shape", "suspend"), ("gqa/what-shrinks", "bury"), (studied, "flag")):
        assert quiz("card", key, deed)[0] == 0
    found = figures(quiz)
    assert found["aside"] == {"suspended": ["gqa/k-proj-shape"], "buried": ["gqa/what-shrinks"], "flagged": [studied]}
    assert sum(found["cards"].values()) == sum(topic["questions"] for topic in found["topics"].values())
    with open_desk() as desk:
        unseen = sum(standing.unseen for standing in desk.standings().values())
    for places in ("topics", "depths"):
        assert sum(place["new"] for place in found[places].values()) == found["cards"]["new"] == unseen
    out = quiz("progress")[1]
    assert f"{found['cards']['new']} unseen, " in out
    assert ", 1 suspended\n" in out
    assert "suspended, not asked until `quiz card KEY resume`:\n  gqa/k-proj-shape\n" in out
    assert "put aside until tomorrow:\n  gqa/what-shrinks\n" in out
    assert f"flagged:\n  {studied}\n" in out


def test_slips_are_told_in_words(quiz: Quiz, monkeypatch: pytest.MonkeyPatch) -> None:
    key, seed = "gqa/cache-bytes-per-token", "7"
    slips = [
        one for one in json.loads(quiz("ask", key, "--seed", seed, "--json")[1])["mistakes"] if one["misconception"]
    ]
    assert slips
    with open_desk() as desk:
        monkeypatch.setattr("quiz.desk.fresh_seed", lambda *_: int(seed))
        session = desk.session(["gqa/kv-cache"], 1, 1)
        typed = io.StringIO(f"{slips[0]['value']}\n1\n")
        plain.study(session, desk.now, typed, io.StringIO(), lambda _, lesson: lesson)
    [slip] = figures(quiz)["misconceptions"]
    assert slip["id"] == slips[0]["misconception"]
    out = " ".join(quiz("progress")[1].split())
    assert slip["says"] in out
    assert f"In fact: {slip['truth']}" in out
    assert f"not repaired yet: {slip['says']}" in out
    learned = quiz("progress", key)[1]
    assert slip["says"][:30] in " ".join(learned.split())
    assert slip["id"] not in out + learned


def test_topics_count_what_a_sitting_asks_before_an_interview(quiz: Quiz, monkeypatch: pytest.MonkeyPatch) -> None:
    for key in ("gqa/k-proj-shape", "gqa/what-shrinks", "mla/two-savings"):
        quiz("card", key, "known")
    quiz("settings", "interview", "2026-03-05")
    monkeypatch.setenv("QUIZ_NOW", "2026-03-04T09:00:00+00:00")
    found = figures(quiz)
    with open_desk() as desk:
        assert found["due_now"] == desk.session(new=0).view.tally.left > 0
        assert {pack: one.due for pack, one in desk.standings().items()} == {
            pack: one["due"] for pack, one in found["topics"].items()
        }
    assert found["asked_early"] == found["due_now"]
    assert sum(one["due"] for one in found["lessons"].values()) == found["due_now"]
    assert f"{found['due_now']} of them early, for the interview" in " ".join(quiz("progress")[1].split())


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
