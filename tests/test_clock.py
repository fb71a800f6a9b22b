"""The clock and the zone."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from quiz.clock import local_zone, now
from quiz.errors import UsageError
from quiz.memory.days import day_start, study_day


@pytest.fixture(autouse=True)
def monday(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIZ_NOW", "2026-03-02T09:00:00+00:00")
    monkeypatch.setenv("TZ", "Europe/Berlin")


def test_the_clock_can_be_set_from_outside() -> None:
    assert now() == datetime(2026, 3, 2, 9, tzinfo=UTC)


def test_a_clock_without_a_zone_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIZ_NOW", "2026-03-02T09:00:00")
    with pytest.raises(UsageError, match="with a zone"):
        now()


def test_the_zone_follows_tz_with_its_summer_time() -> None:
    zone = local_zone()
    winter, summer = datetime(2026, 1, 1, 12, tzinfo=UTC), datetime(2026, 7, 1, 12, tzinfo=UTC)
    assert [instant.astimezone(zone).hour for instant in (winter, summer)] == [13, 14]


@pytest.fixture
def written_out(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A zone as POSIX writes it, which the C library knows and no list of zones."""
    monkeypatch.setenv("TZ", "HERE-1THERE,M3.5.0,M10.5.0/3")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("written_out")
def test_a_zone_that_is_written_out_has_its_summer_time_too() -> None:
    ours, known = local_zone(), ZoneInfo("Europe/Berlin")
    for hour in range(0, 366 * 24, 7):
        instant = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=hour)
        assert instant.astimezone(ours).replace(tzinfo=None) == instant.astimezone(known).replace(tzinfo=None)
        assert study_day(instant, ours) == study_day(instant, known)
    assert [day_start(day, ours) for day in range(9_000, 9_900)] == [
        day_start(day, known) for day in range(9_000, 9_900)
    ]
    assert datetime(2026, 7, 1, tzinfo=ours).tzname() == "THERE"


@pytest.mark.usefixtures("written_out")
def test_the_hour_that_comes_twice_is_told_apart() -> None:
    first, second = (datetime(2026, 10, 25, hour, 30, tzinfo=UTC).astimezone(local_zone()) for hour in (0, 1))
    assert first.replace(tzinfo=None, fold=0) == second.replace(tzinfo=None, fold=0)
    assert [one.astimezone(UTC).hour for one in (first, second)] == [0, 1]


def test_a_zone_nobody_knows_falls_back_to_the_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Nowhere/Atlantis")
    assert datetime(2026, 1, 1, tzinfo=local_zone()).utcoffset() is not None
