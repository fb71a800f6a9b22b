"""What time it is, and where: the only place that asks the machine."""

import os
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from quiz.errors import UsageError


def now() -> datetime:
    """The instant it is, in UTC; ``QUIZ_NOW`` (an ISO instant) replaces the clock.

    Raises:
        UsageError: ``QUIZ_NOW`` is not an ISO instant with a zone.
    """
    said = os.environ.get("QUIZ_NOW")
    if not said:
        return datetime.now(UTC)
    try:
        instant = datetime.fromisoformat(said)
        utc = instant.astimezone(UTC)
    except (ValueError, OverflowError):
        instant = None
    if instant is None or instant.tzinfo is None:
        raise UsageError(
            f"QUIZ_NOW must be an ISO instant with a zone, such as 2026-11-29T09:00:00+00:00, not {said!r}"
        )
    return utc


def local_zone() -> tzinfo:
    """The zone of this machine, as ``TZ`` or the system says, with its rules for summer time."""
    name = os.environ.get("TZ", "").lstrip(":") or _system_zone()
    if name:
        try:
            return ZoneInfo(name)
        except (ValueError, OSError, KeyError):
            pass
    return _NamelessZone()


class _NamelessZone(tzinfo):
    """The rules that the C library has where they go by no name: of a copied file, or written out in ``TZ``."""

    def utcoffset(self, when: datetime | None) -> timedelta | None:
        return None if when is None else when.replace(tzinfo=None).astimezone().utcoffset()

    def dst(self, _: datetime | None) -> timedelta | None:
        return None

    def tzname(self, when: datetime | None) -> str | None:
        return None if when is None else when.replace(tzinfo=None).astimezone().tzname()

    def fromutc(self, when: datetime) -> datetime:
        return datetime.fromtimestamp(when.replace(tzinfo=UTC).timestamp()).replace(tzinfo=self)


def _system_zone() -> str:
    """The IANA name of the system's zone where a link tells it, as on Linux and macOS."""
    try:
        # Asked at every key: the first link mostly tells it, and a Path, or following it to its end, takes far longer.
        target = os.readlink("/etc/localtime")  # noqa: PTH115
        if "/zoneinfo/" not in target:
            target = os.path.realpath("/etc/localtime")
    except OSError:
        return ""
    return target.partition("/zoneinfo/")[2]
