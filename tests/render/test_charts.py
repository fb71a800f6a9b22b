from hypothesis import given
from hypothesis import strategies as st

from quiz.render.charts import columns, meter


def test_a_meter_fills_by_its_share() -> None:
    assert meter(0.5, 10) == "━━━━━─────"
    assert meter(0, 4) == "────"
    assert meter(1, 4) == "━━━━"


def test_a_meter_keeps_nearly_nothing_apart_from_nothing_and_nearly_all_from_all() -> None:
    assert meter(0.001, 10) == "━─────────"
    assert meter(0.999, 10) == "━━━━━━━━━─"


@given(st.floats(-1, 2), st.integers(0, 60))
def test_a_meter_is_as_wide_as_asked(share: float, width: int) -> None:
    assert len(meter(share, width)) == width


def test_the_tallest_column_fills_the_height() -> None:
    assert columns([0, 1, 2], 2, 1) == ("    █", "  █ █")


def test_a_small_value_still_shows() -> None:
    assert columns([1000, 1], 1, 2) == ("██ ▁▁",)


def test_columns_of_nothing_are_blank() -> None:
    assert columns([0, 0], 2, 1) == ("   ", "   ")
    assert columns([], 2, 1) == ("", "")


@given(st.lists(st.integers(0, 10**6), max_size=14), st.integers(1, 8), st.integers(1, 4))
def test_every_line_of_columns_is_as_wide_as_the_next(values: list[int], height: int, width: int) -> None:
    lines = columns(values, height, width)
    assert len(lines) == height
    assert len({len(line) for line in lines}) == 1
