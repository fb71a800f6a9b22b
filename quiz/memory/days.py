"""Study days: local days that begin at the rollover hour, numbered safely across zones and summer time."""

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import NamedTuple

from quiz.errors import UsageError

EPOCH = date(2000, 1, 1)
ROLLOVER_HOUR = 4
# Outside these years a local day may not exist as a datetime, or a due day may not.
FIRST_YEAR, LAST_YEAR = 1900, 9000


class Moment(NamedTuple):
    """An instant as the learner lived it: in UTC, the offset of their clock in minutes, their study day."""

    instant: datetime
    offset_minutes: int
    day: int


def study_day(instant: datetime, zone: tzinfo, rollover_hour: int = ROLLOVER_HOUR) -> int:
    """The number of the study day, in days since 2000-01-01: of all days begun by ``instant``, the last.

    Raises:
        ValueError: ``instant`` has no time zone.
    """
    if instant.tzinfo is None:
        raise ValueError("an instant needs a time zone")
    wall = instant.astimezone(zone).replace(tzinfo=None)
    day = ((wall - timedelta(hours=rollover_hour)).date() - EPOCH).days
    # Where clocks change across the rollover, the wall clock alone could tell a day twice.
    if instant < day_start(day, zone, rollover_hour):
        return day - 1
    return day + 1 if instant >= day_start(day + 1, zone, rollover_hour) else day


def day_start(day: int, zone: tzinfo, rollover_hour: int = ROLLOVER_HOUR) -> datetime:
    """The UTC instant at which the study day begins: when a local clock first shows the rollover hour, or passes it."""
    return datetime.combine(calendar_date(day), time(rollover_hour), zone).astimezone(UTC)


def calendar_date(day: int) -> date:
    """The date on which the study day begins."""
    return EPOCH + timedelta(days=day)


def day_of(day: date) -> int:
    """The number of the study day that begins on this date."""
    return (day - EPOCH).days


def moment(instant: datetime, zone: tzinfo, rollover_hour: int = ROLLOVER_HOUR) -> Moment:
    """The instant together with its place in the learner's days.

    Raises:
        UsageError: the clock shows a year in which nobody studies.
        ValueError: ``instant`` has no time zone.
    """
    if not FIRST_YEAR <= instant.year < LAST_YEAR:
        raise UsageError(f"the clock shows the year {instant.year}; set it right first")
    offset = instant.astimezone(zone).utcoffset() or timedelta()
    return Moment(instant.astimezone(UTC), offset // timedelta(minutes=1), study_day(instant, zone, rollover_hour))
