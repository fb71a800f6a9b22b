from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz.errors import UsageError
from quiz.memory.days import calendar_date, day_start, moment, study_day

BERLIN = ZoneInfo("Europe/Berlin")
ZONES = [
    ZoneInfo(name)
    for name in (
        "UTC",
        "Europe/Berlin",
        "America/New_York",
        "America/St_Johns",
        "Australia/Lord_Howe",
        "Pacific/Apia",
        "Africa/Cairo",
        "America/Sao_Paulo",
        "Asia/Kathmandu",
    )
]
INSTANTS = st.datetimes(datetime(1990, 1, 1), datetime(2060, 1, 1), timezones=st.just(UTC))


def local(text: str, zone: ZoneInfo, fold: int = 0) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone, fold=fold)


def test_day_zero_is_the_first_of_january_2000() -> None:
    assert study_day(datetime(2000, 1, 1, 4, tzinfo=UTC), UTC) == 0
    assert study_day(datetime(2000, 1, 1, 3, 59, tzinfo=UTC), UTC) == -1
    assert calendar_date(9496) == date(2025, 12, 31)


def test_a_night_session_is_one_study_day() -> None:
    before, after = local("2026-05-01T23:50", BERLIN), local("2026-05-02T00:10", BERLIN)
    assert study_day(before, BERLIN) == study_day(after, BERLIN)
    assert study_day(before, BERLIN, 0) == study_day(after, BERLIN, 0) - 1


def test_the_rollover_hour_is_heeded() -> None:
    at_five = local("2026-05-02T05:00", BERLIN)
    assert study_day(at_five, BERLIN, 6) == study_day(at_five, BERLIN, 4) - 1


def test_west_of_utc_the_evening_is_still_today() -> None:
    new_york = ZoneInfo("America/New_York")
    assert calendar_date(study_day(local("2026-05-01T20:00", new_york), new_york)) == date(2026, 5, 1)


@pytest.mark.parametrize(("day", "hours"), [(date(2026, 3, 28), 23), (date(2026, 10, 24), 25), (date(2026, 5, 1), 24)])
def test_days_over_the_clock_change_begin_at_four_all_the_same(day: date, hours: int) -> None:
    number = (day - date(2000, 1, 1)).days
    start, end = day_start(number, BERLIN), day_start(number + 1, BERLIN)
    assert (start.astimezone(BERLIN).hour, end.astimezone(BERLIN).hour) == (4, 4)
    assert end - start == timedelta(hours=hours)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-03-29T03:30", date(2026, 3, 28)),
        ("2026-03-29T04:30", date(2026, 3, 29)),
        ("2026-10-25T03:30", date(2026, 10, 24)),
        ("2026-10-25T04:00", date(2026, 10, 25)),
    ],
)
def test_the_mornings_of_the_clock_change(text: str, expected: date) -> None:
    assert calendar_date(study_day(local(text, BERLIN), BERLIN)) == expected


def test_an_hour_that_comes_twice_never_leads_back_to_yesterday() -> None:
    # At St. John's the clock went from 00:01 back to 23:01 of the day before.
    zone = ZoneInfo("America/St_Johns")
    first, second = local("2010-11-07T00:00:30", zone), local("2010-11-06T23:30", zone, fold=1)
    assert first.astimezone(UTC) < second.astimezone(UTC)
    assert study_day(first, zone, 0) == study_day(second, zone, 0)


def test_a_rollover_that_the_clock_skips_is_the_moment_of_the_change() -> None:
    day = (date(2026, 3, 29) - date(2000, 1, 1)).days
    assert day_start(day, BERLIN, 2) == datetime(2026, 3, 29, 1, tzinfo=UTC)


def test_the_night_in_which_samoa_left_out_a_date_belongs_to_the_day_before() -> None:
    zone = ZoneInfo("Pacific/Apia")
    # After 29 December 2011 came the 31st.
    assert calendar_date(study_day(local("2011-12-31T02:00", zone), zone)) == date(2011, 12, 29)
    assert calendar_date(study_day(local("2011-12-31T05:00", zone), zone)) == date(2011, 12, 31)


@given(INSTANTS, st.sampled_from(ZONES), st.integers(0, 23))
def test_every_instant_lies_within_its_study_day(instant: datetime, zone: ZoneInfo, rollover: int) -> None:
    day = study_day(instant, zone, rollover)
    assert day_start(day, zone, rollover) <= instant < day_start(day + 1, zone, rollover)


@given(INSTANTS, st.timedeltas(timedelta(), timedelta(days=2)), st.sampled_from(ZONES), st.integers(0, 23))
def test_study_days_never_run_backwards(instant: datetime, later: timedelta, zone: ZoneInfo, rollover: int) -> None:
    assert study_day(instant, zone, rollover) <= study_day(instant + later, zone, rollover)


def test_a_moment_keeps_the_instant_in_utc_and_the_offset_of_the_clock() -> None:
    summer = moment(local("2026-07-01T10:00", BERLIN), BERLIN)
    assert (summer.instant, summer.offset_minutes) == (datetime(2026, 7, 1, 8, tzinfo=UTC), 120)
    assert summer.instant.tzinfo is UTC
    assert summer.day == study_day(summer.instant, BERLIN)
    assert moment(summer.instant, timezone(-timedelta(hours=3, minutes=30))).offset_minutes == -210


def test_an_instant_without_a_zone_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="time zone"):
        study_day(datetime(2026, 1, 1), UTC)


@pytest.mark.parametrize("year", [1, 1899, 9000, 9999])
def test_a_clock_in_an_absurd_year_is_refused(year: int) -> None:
    with pytest.raises(UsageError, match=f"year {year}"):
        moment(datetime(year, 6, 1, tzinfo=UTC), BERLIN)
