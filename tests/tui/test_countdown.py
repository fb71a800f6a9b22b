"""The line on home about the interview."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from quiz.desk import Desk
from quiz.memory.readiness import Outlook, Readiness, Share
from quiz.tui.screens import home
from quiz.tui.widgets.countdown import countdown

Kinds = dict[str, dict[str, Any]]
MakeDesk = Callable[..., Desk]
Play = Callable[..., str]


def outlook(known: float, low: float, high: float) -> Outlook:
    return Outlook(Share(10, 4, known, low, high), {}, {})


def found(days: int = 19, minutes: int = 12, needed: int | None = 25, most: float = 0.97) -> Readiness:
    plan = outlook(0.68, 0.62, 0.744)
    return Readiness(days, minutes, outlook(0.4, 0.3, 0.5), plan, 0.9, needed, most, ((0, 0.4), (180, most)))


def toward(desk: Desk, day: str) -> Desk:
    desk.save(replace(desk.settings, interview=date.fromisoformat(day)))
    return desk


def test_the_line_says_what_will_be_known_and_what_the_goal_takes() -> None:
    assert countdown(19, found()).plain == (
        "Interview in 19 days: 68 % known then (62–74 %) at 12 min a day; 25 min reach 90 %"
    )
    assert countdown(19).plain == "Interview in 19 days"
    assert countdown(1).plain == "Interview tomorrow"
    assert countdown(6607).plain == "Interview in 6,607 days"


def test_the_line_asks_for_no_more_minutes_where_they_suffice() -> None:
    assert countdown(19, found(needed=12)).plain.endswith("at 12 min a day")
    assert countdown(19, found(needed=0)).plain.endswith("at 12 min a day")


def test_where_the_goal_is_out_of_reach_the_line_says_what_is_not() -> None:
    assert countdown(2, found(2, needed=None, most=0.8)).plain.endswith("; 180 min reach 80 %")


def test_on_the_day_the_line_speaks_of_today() -> None:
    assert countdown(0, found(0)).plain == "Interview today: 68 % known today (62–74 %)"


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (120, 40)])
def test_home_shows_how_the_interview_stands(
    size: tuple[int, int], kinds: Kinds, make_desk: MakeDesk, play: Play
) -> None:
    seen = play(toward(make_desk(kinds["card"], kinds["choice"]), "2026-12-18"), size=size)
    assert "Interview in 19 days: " in seen
    assert "% known then" in " ".join(seen.split())
    assert "› A trial" in seen


def test_home_is_silent_without_an_interview_and_after_it(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["card"])
    assert "Interview" not in play(desk)
    assert "Interview" not in play(toward(desk, "2026-11-28"))


def test_on_the_day_home_brings_nothing_new(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["card"])
    assert "0 due, 1 new" in play(desk)
    seen = play(toward(desk, "2026-11-29"))
    assert "Nothing is due now" in seen
    assert "Interview today: 0 % known today" in seen


def test_home_leaves_a_forecast_over_very_many_questions_to_the_command(
    kinds: Kinds, make_desk: MakeDesk, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = toward(make_desk(kinds["card"], kinds["choice"]), "2026-12-18")
    monkeypatch.setattr(home, "MOST_FORECAST", 1)
    seen = play(desk)
    assert "Interview in 19 days" in seen
    assert "known then" not in seen


def test_home_is_up_to_date_after_a_sitting(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = toward(make_desk(kinds["card"]), "2026-11-30")
    before, after = play(desk), play(desk, "space", "space", "4", "enter")
    assert before.count("Interview tomorrow: ") == after.count("Interview tomorrow: ") == 1
    assert next(line for line in before.split("\n") if "Interview" in line) not in after
