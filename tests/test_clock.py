"""The clock and the zone."""

from datetime import UTC, datetime

import pytest

from quiz.clock import local_zone, now
from quiz.errors import UsageError


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


def test_a_zone_nobody_knows_falls_back_to_the_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Nowhere/Atlantis")
    assert datetime(2026, 1, 1, tzinfo=local_zone()).utcoffset() is not None
