"""The interview: the line on home, and the screen where its day is chosen."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from quiz.desk import Desk
from quiz.memory.readiness import Outlook, Readiness, Share
from quiz.tui.screens import home
from quiz.tui.widgets.interview import countdown

Kinds = dict[str, dict[str, Any]]
MakeDesk = Callable[..., Desk]
Play = Callable[..., str]


def outlook(known: float, low: float, high: float) -> Outlook:
    return Outlook(Share(10, 4, known, low, high), {}, {})


def found(
    days: int = 19, minutes: int = 12, needed: int | None = 25, most: float = 0.97, usual: bool = False
) -> Readiness:
    plan = outlook(0.68, 0.62, 0.744)
    return Readiness(days, minutes, usual, outlook(0.4, 0.3, 0.5), plan, 0.9, needed, most, ((0, 0.4), (180, most)))


def toward(desk: Desk, day: str) -> Desk:
    desk.save(desk.settings._replace(interview=date.fromisoformat(day)))
    return desk


def test_the_line_says_what_will_be_known_and_what_the_goal_takes() -> None:
    assert countdown(19, found()).plain == (
        "Interview in 19 days: 68 % known then (62–74 %) at 12 min a day; 25 min reach 90 %"
    )
    assert "(62–74 %) at your 12 min a day; " in countdown(19, found(usual=True)).plain
    assert countdown(19).plain == "Interview in 19 days"
    assert countdown(1).plain == "Interview tomorrow"
    assert countdown(6607).plain == "Interview in 6,607 days"


def test_the_line_asks_for_no_more_minutes_where_they_suffice() -> None:
    assert countdown(19, found(needed=12)).plain.endswith("at 12 min a day")
    assert countdown(19, found(needed=0)).plain.endswith("at 12 min a day")


def test_where_the_goal_is_out_of_reach_the_line_says_what_is_not() -> None:
    assert countdown(2, found(2, needed=None, most=0.8)).plain.endswith("; 180 min reach 80 %")


def test_on_the_day_the_line_speaks_of_today() -> None:
    assert countdown(0, found(0)).plain == "Interview today: 68 % known (62–74 %)"


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
    assert "Interview in" not in play(desk)
    seen = play(toward(desk, "2026-11-28"))
    assert "Interview in" not in seen
    assert "Interview t" not in seen


def test_on_the_day_home_brings_nothing_new(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["card"])
    assert "0 due, 1 new" in play(desk)
    seen = play(toward(desk, "2026-11-29"))
    assert "Nothing is due now" in seen
    assert "Interview today: 0 % known" in seen


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


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (120, 40)])
def test_the_screen_shows_shares_by_topic_and_depth_and_what_it_takes(
    size: tuple[int, int], kinds: Kinds, make_desk: MakeDesk, play: Play
) -> None:
    desk = make_desk(kinds["card"] | {"depth": "research"}, kinds["choice"])
    seen = play(desk, "i", "look", "pagedown", size=size)
    assert "Sunday, 20 December 2026" in seen
    assert "in 21 days" in seen
    for row in ("All 2 questions", "  A trial ", "  screen ", "  research "):
        assert row in seen
    assert "If you stopped now: 0 %" in seen
    assert "90 % takes " in seen
    assert "Esc Back" in seen


def test_the_arrows_move_the_day_and_enter_keeps_it(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["card"])
    seen = play(desk, "i", "right", "right", "left", "down", "down", "up", "look", "enter")
    assert seen.count("Monday, 28 December 2026") == 2
    assert "Enter makes it your interview" in seen
    assert "✓ your interview" in seen
    assert desk.settings.interview == date(2026, 12, 28)
    assert "Interview in 29 days: " in play(desk)


def test_the_day_goes_no_further_back_than_today(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    seen = play(make_desk(kinds["card"]), "i", "up", "up", "up", "up", "left")
    assert "Sunday, 29 November 2026" in seen
    assert "Known today" in seen


def test_the_screen_begins_at_the_day_that_is_kept_and_can_forget_it(
    kinds: Kinds, make_desk: MakeDesk, play: Play
) -> None:
    desk = toward(make_desk(kinds["card"]), "2026-12-05")
    seen = play(desk, "i", "look", "x")
    assert seen.count("Saturday, 5 December 2026") == 2
    assert seen.count("✓ your interview") == seen.count("x Forget") == 1
    assert desk.settings.interview is None
    assert "Interview in" not in play(desk, "i", "escape")


def test_what_was_forgotten_is_named_and_enter_sets_it_again_from_wherever_one_looked(
    kinds: Kinds, make_desk: MakeDesk, play: Play
) -> None:
    desk = toward(make_desk(kinds["card"]), "2026-12-05")
    seen = play(desk, "i", "down", "look", "x")
    assert "Yours is on 5 December 2026; Enter moves it here" in seen
    assert "Saturday, 5 December 2026" in seen
    assert "Forgotten: 5 December 2026. Enter sets it again" in seen
    assert desk.settings.interview is None
    toward(desk, "2026-12-05")
    assert "✓ your interview" in play(desk, "i", "right", "x", "enter")
    assert desk.settings.interview == date(2026, 12, 5)


def test_a_day_that_is_moved_says_where_it_was(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = toward(make_desk(kinds["card"]), "2026-12-05")
    assert "✓ your interview; it was on 5 December 2026" in play(desk, "i", "down", "enter")
    assert "Forgotten: 12 December 2026. Enter makes this your interview" in play(desk, "i", "x", "right")


def test_home_follows_a_day_kept_on_the_screen(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    assert "Interview in 21 days: " in play(make_desk(kinds["card"]), "i", "enter", "escape")


def test_a_library_without_questions_is_told(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["card"])
    desk.act("trial/a-card", "suspend")
    assert "there are no questions to be ready for" in play(desk, "i")


def test_a_title_from_a_pack_is_shown_as_text(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    assert "[red]x[/]" in play(make_desk(kinds["card"], title="[red]x[/]\x1b[31m"), "i")
