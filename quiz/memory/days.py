"""Study days: local days that roll over in the small hours, numbered so that nothing later can renumber them."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

EPOCH = date(2000, 1, 1)
ROLLOVER = 4


@dataclass(frozen=True, slots=True)
class Moment:
    """An instant (aware, UTC) with what was local about it: the UTC offset in minutes and the study day, counted from
    2000-01-01. Both are stored with each review, so that travel and clock changes never move it to another day."""

    instant: datetime
    offset_minutes: int
    day: int


def moment(instant: datetime, zone: tzinfo, rollover: int = ROLLOVER) -> Moment:
    """The moment of an aware instant in a zone.

    Raises:
        ValueError: the instant is naive.
    """
    if instant.tzinfo is None:
        raise ValueError("an instant needs a time zone")
    local = instant.astimezone(zone)
    offset = local.utcoffset() or timedelta()
    return Moment(instant.astimezone(UTC), round(offset.total_seconds() / 60), study_day(instant, zone, rollover))


def study_day(instant: datetime, zone: tzinfo, rollover: int = ROLLOVER) -> int:
    """The study day of an aware instant. Reckoned on the wall clock, so a day is a day across summer time."""
    wall = instant.astimezone(zone).replace(tzinfo=None) - timedelta(hours=rollover)
    return (wall.date() - EPOCH).days


def day_start(day: int, zone: tzinfo, rollover: int = ROLLOVER) -> datetime:
    """The UTC instant at which a study day begins in a zone."""
    return datetime.combine(date_of(day), time(rollover), tzinfo=zone).astimezone(UTC)


def date_of(day: int) -> date:
    """The calendar date on which a study day begins."""
    return EPOCH + timedelta(days=day)
