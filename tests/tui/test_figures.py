"""The sections of the progress screen."""

from datetime import date
from typing import Any

import pytest

from quiz.tui.widgets.figures import aside, forecast, overview
from quiz.tui.widgets.recall import calibration, lessons, pace, year
from quiz.tui.widgets.weaknesses import leeches, misconceptions, weakest, what_next

WEAK: dict[str, Any] = {"key": "a-pack/a-question-with-a-long-name", "topic": "p/l", "missed": 3, "answered": 9}
SLIP: dict[str, Any] = {
    "id": "query-heads-in-cache",
    "says": "Counts the query heads, of which none is kept, instead of the KV heads",
    "truth": "What the cache keeps are keys and values, and of those there are as many as KV heads",
    "count": 2,
    "last": "2026-05-01",
    "seen": 2,
    "open": 1,
    "repaired_by": ["p/a"],
}
FOUND: dict[str, Any] = {
    "tested": 9,
    "kept": 0.7,
    "predicted": 0.9,
    "bins": [
        {"predicted": 0.9, "kept": 0.7, "tested": 9},
        {"predicted": None, "kept": None, "tested": 0},
    ],
}


def test_what_is_not_there_takes_no_room() -> None:
    nothing: dict[str, Any] = {"tested": 0, "median": None}
    for text in (
        leeches([], 54),
        weakest([], [], 54),
        misconceptions([], 54),
        aside({"suspended": [], "buried": [], "flagged": []}, 54),
        calibration(nothing, None),
        pace(nothing, {}, 54),
        year([], date(2026, 11, 29), 0, 54),
    ):
        assert text.plain == ""


def test_only_bins_with_reviews_are_shown() -> None:
    lines = calibration(FOUND, 0.6).plain.split("\n")
    assert lines[1] == "70% of 9 · predicted 90% · 60% in 30 days"
    assert len(lines) == 3


def test_leeches_are_not_listed_twice() -> None:
    assert WEAK["key"] in leeches([WEAK], 54).plain
    assert weakest([WEAK], [WEAK], 54).plain == ""
    assert "s studies" in weakest([WEAK], [], 54).plain


def test_a_slip_says_whether_it_is_repaired() -> None:
    assert "open in 1 of 2" in misconceptions([SLIP | {"repaired": False}], 54).plain
    assert "repaired: p/a and 1 more" in misconceptions([SLIP | {"repaired": True}], 54).plain


def test_a_slip_speaks_in_words_and_says_the_truth_until_it_is_repaired() -> None:
    unrepaired, repaired = (misconceptions([SLIP | {"repaired": done}], 114).plain for done in (False, True))
    assert SLIP["says"] in unrepaired
    assert SLIP["says"] in repaired
    assert SLIP["truth"] in unrepaired
    assert SLIP["truth"] not in repaired
    assert "query-heads-in-cache" not in unrepaired


def test_the_states_add_up_and_what_is_suspended_is_named() -> None:
    cards = {"new": 66, "learning": 6, "review": 0, "suspended": 2}
    known = {"due_now": 62, "asked_early": 44, "streak": 1, "reviews": 9, "studied_days": 2}
    seen = overview(known | {"cards": cards, "minutes": 3.0, "minutes_30": 3.0}).plain
    assert "66 unseen · 6 learning · 0 in review · 2 suspended" in seen
    assert "62 due now, 44 of them early, for the interview" in seen
    named = aside({"suspended": ["p/a", "p/b"], "buried": [], "flagged": ["p/c"]}, 54).plain
    assert named == "Suspended, not asked until `quiz card KEY resume`\n  p/a\n  p/b\nFlagged\n  p/c"


def test_the_chart_says_where_it_leaves_out_what_is_asked_early() -> None:
    days = [{"day": f"2026-11-{day:02}", "due": 1} for day in range(1, 31)]
    assert "44 of the later ones are asked early, today" in forecast(days, 3, 44, 54).plain
    assert "early" not in forecast(days, 3, 0, 54).plain


@pytest.mark.parametrize("width", [54, 74, 114])
def test_every_section_fits(width: int) -> None:
    stand = {"due": 3, "new": 0, "strength": 0.5}
    said = "a-pack/a-question-with-quite-a-long-name was lost 9 times: reread its lesson"
    days = [{"day": "2026-11-20", "answered": 4}]
    speed = {"median": 20.0, "recent": 30.0, "topics": {"p": 40.0}, "slowest": "p"}
    for text in (
        what_next([{"say": said, "do": "quiz learn a-pack/a-lesson"}], width),
        weakest([WEAK], [], width),
        leeches([WEAK], width),
        misconceptions([SLIP | {"repaired": False}], width),
        aside({"suspended": [WEAK["key"] * 2], "buried": ["p/a"], "flagged": []}, width),
        lessons({"p/l": stand}, {"p/l": "A title that is longer than there is room for on a narrow screen"}, width),
        pace(speed, {"p": "Another title that is longer than there is room for"}, width),
        calibration(FOUND, 0.6),
        year(days, date(2026, 11, 29), 3, width),
    ):
        assert all(len(line.rstrip()) <= width for line in text.plain.split("\n")), text.plain


def test_a_long_title_is_cut_only_where_the_row_is_full() -> None:
    title = "How many key-value heads a model keeps, and who reads them"
    known = {"p/l": {"strength": 0.5, "due": 3, "new": 0}}
    assert title in lessons(known, {"p/l": title}, 97).plain
    for width in (54, 74, 97, 117):
        assert all(len(line) <= width for line in lessons(known, {"p/l": title}, width).plain.split("\n"))
