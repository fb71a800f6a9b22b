"""Spans of time in a few characters."""

import pytest

from quiz.render.durations import show_interval, show_span

MINUTE, HOUR, DAY = 60, 3600, 86_400


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "<1 min"),
        (59, "<1 min"),
        (60, "1 min"),
        (330, "6 min"),
        (3 * HOUR, "3 h"),
        (9 * DAY, "9 d"),
        (76 * DAY, "2.5 mo"),
        (438 * DAY, "1.2 y"),
    ],
)
def test_an_interval_reads_as_in_other_flashcard_programs(seconds: float, text: str) -> None:
    assert show_interval(seconds) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(8.4, "8 s"), (3 * MINUTE, "3 min"), (65 * MINUTE, "1 h 05 min"), (3599, "1 h 00 min")]
)
def test_a_span_is_told_in_its_own_unit(seconds: float, text: str) -> None:
    assert show_span(seconds) == text
