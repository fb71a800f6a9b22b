from datetime import date, timedelta

from quiz.render.heatmap import heatmap


def test_seven_rows_of_weeks_that_end_with_this_one() -> None:
    today = date(2026, 11, 25)  # a Wednesday
    months, *rows = heatmap({today: 4, today - timedelta(days=7): 1}, today, 3)
    assert [len(row) for row in rows] == [3] * 7
    assert rows[2] == "·░█"
    assert [row[-1] for row in rows] == ["·", "·", "█", " ", " ", " ", " "]
    assert len(months) == 3


def test_no_day_is_skipped_or_doubled_where_summer_time_begins_or_ends() -> None:
    for change in (date(2026, 3, 29), date(2026, 10, 25)):
        around = {change + timedelta(days=off): 1 for off in range(-3, 4)}
        _, *rows = heatmap(around, change + timedelta(days=10), 5)
        assert sum(row.count("█") for row in rows) == 7


def test_months_stand_over_the_weeks_in_which_they_begin() -> None:
    months, *_ = heatmap({}, date(2026, 11, 29), 53)
    assert months.split() == ["Dec", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov"]


def test_the_smallest_count_is_told_from_none() -> None:
    today = date(2026, 11, 23)
    _, monday, *_ = heatmap({today: 1000, today - timedelta(days=7): 1}, today, 3)
    assert monday == "·░█"
