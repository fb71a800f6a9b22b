"""The pieces of text that screens are made of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.content import Content
from textual.widgets import Static

from quiz.study.rating import Rating
from quiz.study.view import Offer
from quiz.tui.widgets.answer import placeholder, reading
from quiz.tui.widgets.figures import advice, forecast
from quiz.tui.widgets.lines import Lines
from quiz.tui.widgets.ratings import rating_lines
from quiz.tui.widgets.shapes import coloured_meter, hanging, text_width

OFFERS = tuple(Offer(rating, seconds) for rating, seconds in zip(Rating, (30, 360, 600, 700_000), strict=True))
FORTNIGHT = [{"day": f"2026-11-{day:02}", "due": day % 5} for day in range(17, 31)]


def test_the_ratings_stand_on_one_line_with_their_waits() -> None:
    line = rating_lines(OFFERS, Rating.GOOD, 78).plain
    assert "\n" not in line
    assert " ".join(line.split()) == "1 Again <1 min 2 Hard 6 min ›3 Good 10 min 4 Easy 8 d"
    assert "›3 Good 10 min" in line
    assert line.count("›") == 1


def test_where_they_do_not_fit_the_waits_stand_below() -> None:
    first, second = rating_lines(OFFERS, Rating.AGAIN, 50).plain.split("\n")
    assert first.startswith("›1 Again")
    assert first.index("4 Easy") == second.index("8 d") - 2


@given(st.lists(st.floats(0, 1e9), min_size=4, max_size=4), st.sampled_from(list(Rating)))
def test_the_ratings_fit_the_narrowest_screen(waits: list[float], proposed: Rating) -> None:
    offers = [Offer(rating, wait) for rating, wait in zip(Rating, waits, strict=True)]
    assert all(len(line) <= 58 for line in rating_lines(offers, proposed, 58).plain.split("\n"))


def test_wrapped_lines_hang_beside_their_head() -> None:
    assert hanging(Content("1. "), Content("one two three"), 11).plain == "1. one two\n   three"


@given(st.text(alphabet="ab 漢", max_size=80), st.integers(20, 60))
def test_hanging_lines_keep_to_the_width(text: str, width: int) -> None:
    lines = hanging(Content("12 "), Content(text), width).split("\n")
    assert all(line.rstrip().cell_length <= width for line in lines)


def test_text_is_as_wide_as_the_screen_allows_and_reads_well() -> None:
    assert text_width(60) == 55
    assert text_width(200) == 100


def test_a_coloured_meter_is_the_plain_one() -> None:
    assert coloured_meter(0.5, 8).plain == "━━━━────"


@pytest.mark.parametrize("width", [54, 74, 114])
def test_the_forecast_fits(width: int) -> None:
    text = forecast(FORTNIGHT, 3, 0, width).plain
    assert all(len(line.rstrip()) <= width for line in text.split("\n"))
    assert "17 18" in " ".join(text.split())


def test_an_empty_forecast_says_so() -> None:
    assert "Nothing is due" in forecast([{"day": "2026-11-29", "due": 0}], 0, 0, 60).plain


def test_advice_says_the_next_step() -> None:
    topic = {"due": 3, "right": 0.9, "new": 4}
    assert advice(topic).plain == "→ 3 due: study it now"
    assert "lesson" in advice(topic | {"due": 0, "right": 0.4}).plain
    assert advice(topic | {"due": 0}).plain == "→ 4 questions not seen yet"
    assert "nothing to do" in advice(topic | {"due": 0, "new": 0}).plain


def test_the_reading_is_quiet_about_what_is_not_measured() -> None:
    assert reading("text", None, "anything").plain == ""
    assert reading("numeric", "B", "").plain == ""
    assert reading("numeric", "B", "2 KiB").plain == "read as 2,048 B"
    assert reading("shape", None, "2x12").plain == "read as (2, 12)"
    assert reading("shape", None, "(2").plain.startswith("not yet: ")


def test_lines_that_stay_the_same_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[object] = []
    monkeypatch.setattr(Static, "update", lambda _, text, **__: shown.append(text))
    lines = Lines(Content.styled("kept", "$text-success"))
    lines.put(Content.styled("kept", "$text-success"))
    assert not shown
    lines.put(Content.styled("kept", "$text-error"))
    assert len(shown) == 1


@pytest.mark.parametrize(
    ("kind", "unit", "said"),
    [
        ("numeric", "1", "a number, such as 64, 2**7 or 3/4"),
        ("numeric", "B", "a number in B, such as 131072, 2**17 or 128 KiB"),
        ("numeric", "FLOP/B", "a number in FLOP/B, such as 64, 2**7 or 3/4"),
        ("shape", None, "a shape, such as (2, 12, 16, 64)"),
        ("text", None, "a word or two"),
    ],
)
def test_the_empty_field_gives_examples_in_the_unit_of_the_question(kind: str, unit: str | None, said: str) -> None:
    assert placeholder(kind, unit) == said
    examples = said.partition("such as ")[2].replace(" or ", ", ").split(", ") if kind == "numeric" else []
    assert all("read as" in reading(kind, unit, example).plain for example in examples)
