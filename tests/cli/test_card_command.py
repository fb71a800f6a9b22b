"""``quiz card`` and ``quiz data disputes``: what can be done to a question besides answering it."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quiz import plain
from quiz.cli.main import run
from quiz.desk import open_desk

KEY = "gqa/cache-bytes-per-token"
Told = Callable[..., Any]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIZ_HOME", str(tmp_path))
    monkeypatch.setenv("QUIZ_NOW", "2026-03-02T09:00:00+00:00")
    monkeypatch.setenv("TZ", "UTC")


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Told:
    def call(*arguments: str) -> Any:
        assert run([*arguments, "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    return call


def test_a_question_never_answered_has_an_empty_card(told: Told) -> None:
    card = told("card", KEY)
    assert (card["state"], card["due"], card["reps"], card["retrievability"], card["reviews"]) == (
        "new",
        None,
        0,
        0,
        [],
    )


def test_a_suspended_question_is_not_brought_until_it_is_resumed(told: Told) -> None:
    def to_ask() -> int:
        with open_desk() as desk:
            return desk.session(["gqa"], new=100).view.tally.left

    every = to_ask()
    assert told("card", KEY, "suspend")["suspended"] is True
    assert to_ask() == every - 1
    assert told("card", KEY, "resume")["suspended"] is False
    assert to_ask() == every


def test_a_known_question_is_in_review_and_a_reset_one_is_new(told: Told) -> None:
    known = told("card", KEY, "known")
    assert (known["state"], known["reviews"]) == ("review", [])
    assert known["due"] > "2026-03-03"
    assert told("card", KEY, "reset")["state"] == "new"


def test_a_disputed_mark_is_listed_with_what_shows_it_again(told: Told) -> None:
    assert told("data", "disputes") == []
    with open_desk() as desk:
        typed = io.StringIO("no\n0\nd\n\n")
        plain.study(desk.session(["mla"], None, 1), desk.now, typed, io.StringIO(), lambda _, lesson: lesson)
    [dispute] = told("data", "disputes")
    assert dispute["rating"] == 3
    assert dispute["typed"]
    again = told("ask", dispute["key"], "--seed", str(dispute["seed"]))
    assert again["key"] == dispute["key"]


def test_a_card_says_in_words_what_is_asked_and_what_is_remembered(
    told: Told, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def said(*deed: str) -> str:
        assert run(["card", KEY, *deed]) == 0
        return capsys.readouterr().out

    new = said()
    assert new.startswith(f"cache bytes per token ({KEY})\n  ")
    assert told("card", KEY)["prompt"] in new
    assert new.endswith("\n\nNew.\n")
    assert "New, put aside until tomorrow.\n" in said("bury")
    monkeypatch.setenv("QUIZ_NOW", "2026-03-03T09:00:00+00:00")
    assert "\nNew.\n" in said()
    known = said("known")
    assert "In review: comes back on 2026-03-12.\n" in known
    assert "Chance that you know it today: 100%; " in known
    assert "Answered" not in known
    assert f"Flagged, until `quiz card {KEY} unflag`." in said("flag")
    assert f"In review, suspended: not asked until `quiz card {KEY} resume`." in said("suspend")


def test_a_card_shows_the_numbers_that_were_asked_last_and_each_answer(
    told: Told, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = io.StringIO("1\n1\n" * 9)
    with open_desk() as desk:
        session = desk.session(["gqa/kv-cache"], 1, 1)
        plain.study(session, desk.now, typed, io.StringIO(), lambda _, lesson: lesson)
        [answered] = desk.log.reviews()
    assert answered.key == KEY
    assert told("card", KEY)["prompt"] == told("ask", KEY, "--seed", str(answered.seed))["prompt"]
    assert run(["card", KEY]) == 0
    out = capsys.readouterr().out
    assert "Being learned: comes back on 2026-03-02 at 09:01.\nAnswered once, right 0 times.\n" in out
    assert out.endswith("\n2026-03-02 09:00  wrong   again  1\n")


def test_no_such_question_and_no_such_deed_are_usage_errors() -> None:
    assert run(["card", "gqa/nothing"]) == 2
    assert run(["card", KEY, "burn"]) == 2
