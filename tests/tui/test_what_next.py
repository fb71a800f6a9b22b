"""From a figure to the deed: the keys of the progress screen, and going on after a sitting."""

from typing import Any

from tests.tui.conftest import MakeDesk, Play

Kinds = dict[str, Any]


def test_the_weakest_question_is_studied_from_progress(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["choice"], kinds["card"])
    play(desk, "space", "2", "enter", "enter", "space", "3", "escape")
    seen = play(desk, "p", "look", "end", size=(80, 60))
    assert "Weakest questions" in seen
    assert "s studies the first" in seen
    assert "a-choice" in seen
    assert "Which one has the fewest KV heads?" in play(desk, "p", "s")


def test_without_a_miss_no_key_leads_nowhere(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    seen = play(make_desk(kinds["card"]), "p")
    assert "Weakest" not in seen
    assert "Progress" in play(make_desk(kinds["card"]), "p", "s", "l")


def test_after_a_sitting_one_can_go_on_ahead_of_time(
    kinds: Kinds, make_desk: MakeDesk, play: Play, monkeypatch: Any
) -> None:
    desk = make_desk(kinds["card"])
    assert "m goes on" in play(desk, "space", "space", "4")
    # Everything is known and nothing due: the same question comes ahead of time, and says so.
    monkeypatch.setenv("QUIZ_NOW", "2026-12-01T12:00:00+00:00")
    seen = play(desk, "space", "m")
    assert "What is head_dim?" in seen
    assert "ahead of time" in seen
