"""The sections of the progress screen."""

from datetime import date
from typing import Any

import pytest

from quiz.tui.widgets.recall import calibration, lessons, pace, year
from quiz.tui.widgets.weaknesses import leeches, misconceptions, weakest, what_next

WEAK: dict[str, Any] = {"key": "a-pack/a-question-with-a-long-name", "topic": "p/l", "missed": 3, "answered": 9}
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
        misconceptions([], {}),
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
    slip: dict[str, Any] = {"id": "m", "count": 2, "last": "2026-05-01", "seen": 2, "open": 1, "repaired_by": ["p/a"]}
    assert "open in 1 of 2" in misconceptions([slip | {"repaired": False}], {}).plain
    assert "repaired: p/a and 1 more" in misconceptions([slip | {"repaired": True}], {}).plain


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
        lessons({"p/l": stand}, {"p/l": "A title that is longer than there is room for on a narrow screen"}, width),
        pace(speed, {"p": "Another title that is longer than there is room for"}, width),
        calibration(FOUND, 0.6),
        year(days, date(2026, 11, 29), 3, width),
    ):
        assert all(len(line.rstrip()) <= width for line in text.plain.split("\n")), text.plain
