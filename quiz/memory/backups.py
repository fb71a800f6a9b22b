"""Rolling backups of the log: whole copies in a folder beside it, thinned as they age."""

import os
import re
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

from quiz.errors import StorageError, UsageError
from quiz.memory.checking import check_intact
from quiz.memory.days import ROLLOVER_HOUR, study_day
from quiz.memory.rows import IllegibleError, moment_of
from quiz.memory.storage import APPLICATION_ID, DamagedError, open_database, told, wal_of

# Of the backups older than this all but one of each day, week or month go: the youngest of it stays.
ALL_FOR, DAILY_FOR, WEEKLY_FOR = timedelta(days=2), timedelta(weeks=2), timedelta(days=60)
# All backups together, in bytes; the oldest go first, the two newest always stay.
ROOM = 512 * 2**20
# How names of files and folders begin that count for nothing until they have another one.
UNFINISHED = "unfinished-"
_STAMP = "%Y%m%dT%H%M%SZ"
_NAME = re.compile(r"quiz-([0-9]{8}T[0-9]{6}Z)(?:-([0-9]+))?(?:-was-([0-9]{8}T[0-9]{6}Z(?:-[0-9]+)?))?\.db")


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup file; ``made`` is in UTC, ``number`` counts those of one second from 1, ``size`` is in bytes. ``was`` is
    the name that it had from a clock that ran ahead."""

    path: Path
    made: datetime
    number: int
    size: int
    was: str = ""


def folder_of(path: Path) -> Path:
    """The folder of backups of the log at ``path``."""
    return path.parent / "backups"


def backups(path: Path) -> list[Backup]:
    """The backups of the log at ``path``, newest first. Nothing is opened."""
    found = []
    with suppress(OSError):
        for file in folder_of(path).iterdir():
            if named := _NAME.fullmatch(file.name):
                with suppress(ValueError, OSError):
                    made = datetime.strptime(named[1], _STAMP).replace(tzinfo=UTC)
                    was = f"quiz-{named[3]}.db" if named[3] else ""
                    found.append(Backup(file, made, int(named[2] or 1), file.stat().st_size, was))
    return sorted(found, key=lambda backup: (backup.made, backup.number), reverse=True)


def named(path: Path, name: str) -> Path:
    """The backup of the log at ``path`` that has this name, else the one that had it, else the file of this name.

    Raises:
        UsageError: there is none of these.
    """
    held = backups(path)
    found = [one for one in held if one.path.name == name] or [one for one in held if one.was == name]
    if found:
        return found[0].path
    if Path(name).is_file():
        return Path(name)
    raise UsageError(f"there is no backup and no file {name}; `quiz data restore` lists the backups")


def roll(path: Path, now: datetime, zone: tzinfo, rollover_hour: int = ROLLOVER_HOUR) -> Path | None:
    """Back up the log at ``path`` if it has grown since the newest backup and that is of another study day; thin the
    backups out. The new backup, or None where none was needed or there is no room for it. An empty log needs none.

    It opens the file itself, so it may run in a thread of its own beside an open log, or when that is closed.

    Raises:
        StorageError: the log cannot be read or the backup not be written.
    """
    held = _set_right(path, now)
    if held and study_day(held[0].made, zone, rollover_hour) == study_day(now, zone, rollover_hour):
        return None
    newest = _newest(path) if path.exists() else None
    if newest is None or (held and newest == _newest(held[0].path)):
        return None
    if shutil.disk_usage(path.parent).free < 3 * path.stat().st_size:
        return None
    made = back_up(path, now)
    for backup in superfluous(backups(path), now):
        with suppress(OSError):
            backup.path.unlink()
    _sweep(made)
    return made


def back_up(path: Path, now: datetime) -> Path:
    """Back up the log at ``path``, whatever its schema, as of ``now``.

    Raises:
        StorageError: the log cannot be read or the backup not be written.
    """
    with told(path), closing(sqlite3.connect(path)) as source:
        return save(source, path, now)


def save(source: sqlite3.Connection, path: Path, now: datetime) -> Path:
    """Write all that an open connection holds into a new backup of the log at ``path``.

    Raises:
        StorageError: it cannot be written.
    """
    folder = folder_of(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        unfinished = folder / f"{UNFINISHED}{os.getpid()}"
        unfinished.unlink(missing_ok=True)
        with told(unfinished), closing(sqlite3.connect(unfinished)) as target:
            # It is synced once, below; until it has its name it counts for nothing.
            target.execute("PRAGMA synchronous = OFF")
            source.backup(target)
            # One file that can be carried away; a write-ahead log would be a second.
            target.execute("PRAGMA journal_mode = DELETE")
        with unfinished.open("rb+") as file:
            os.fsync(file.fileno())
        backup = _unused(folder, now)
        unfinished.replace(backup)
    except OSError as error:
        raise StorageError(f"no backup could be written to {folder}: {error.strerror}") from None
    return backup


def superfluous(held: Sequence[Backup], now: datetime) -> list[Backup]:
    """Those of the backups, given newest first, that may go: all of the last 2 days stay, for 2 weeks one a day, for 60
    days one a week, then one a month, as far as there is `ROOM`. One from the future, of a clock that ran ahead, stays.
    """
    kept: set[tuple[str, int, int]] = set()
    gone, size = [], 0
    for number, backup in enumerate(held):
        age, week = now - backup.made, backup.made.isocalendar()
        if age <= ALL_FOR:
            slot = ("all", number, 0)
        elif age <= DAILY_FOR:
            slot = ("day", backup.made.toordinal(), 0)
        elif age <= WEEKLY_FOR:
            slot = ("week", week.year, week.week)
        else:
            slot = ("month", backup.made.year, backup.made.month)
        if number >= 2 and (slot in kept or size + backup.size > ROOM):
            gone.append(backup)
            continue
        kept.add(slot)
        size += backup.size
    return gone


def verified(path: Path, folder: Path) -> Path:
    """A copy of a backup in ``folder``, found whole and brought forward to the present schema.

    Raises:
        StorageError: it is no whole backup, or of a newer version.
    """
    copy = folder / "verified.db"
    try:
        shutil.copyfile(path, copy)
        # A database that was copied while it was in use has its newest rows in a second file.
        with suppress(FileNotFoundError):
            shutil.copyfile(wal_of(path), wal_of(copy))
    except OSError as error:
        raise StorageError(f"{path} cannot be read: {error.strerror}") from None
    try:
        with told(copy), closing(sqlite3.connect(copy)) as connection:
            # An empty one would pass for a new log.
            (mark,) = connection.execute("PRAGMA application_id").fetchone()
        if mark != APPLICATION_ID:
            raise StorageError(f"{path} is no backup of quiz")
        with closing(open_database(copy)) as connection, told(copy):
            check_intact(connection, copy)
    except DamagedError:
        raise DamagedError(f"{path} is damaged, or no backup of quiz; it was not restored") from None
    except StorageError as error:
        raise StorageError(str(error).replace(str(copy), str(path))) from None
    return copy


def _newest(path: Path) -> tuple[int, bytes] | None:
    """What tells whether a log has grown: the newest row's number and id; None where it cannot be read."""
    try:
        with closing(sqlite3.connect(path)) as connection:
            found: tuple[int, bytes] | None = connection.execute(
                "SELECT id, uuid FROM review ORDER BY id DESC LIMIT 1"
            ).fetchone()
            return found
    except sqlite3.Error:
        return None


def _sweep(made: Path) -> None:
    """Delete what a process that was killed left unfinished, on any day but that of the backup just made."""
    with suppress(OSError):
        day_before = made.stat().st_mtime - timedelta(days=1).total_seconds()
        for left in made.parent.glob(f"{UNFINISHED}*"):
            with suppress(OSError):
                if left.stat().st_mtime < day_before:
                    shutil.rmtree(left) if left.is_dir() else left.unlink()


def _set_right(path: Path, now: datetime) -> list[Backup]:
    """The backups, newest first, once those of a clock that ran ahead have been given the present in place of a time to
    come: they would pass for the newest until then. The name that the learner was told stays a part of theirs."""
    held = backups(path)
    ahead = [backup for backup in held if backup.made > now + timedelta(days=1)]
    for backup in reversed(ahead):
        with suppress(OSError):
            backup.path.replace(_unused(folder_of(path), now, f"-was-{_stamp(backup.made, backup.number)}"))
    return backups(path) if ahead else held


def newest_instant(connection: sqlite3.Connection) -> datetime | None:
    """Up to when the log goes: the instant of its newest legible row; None for an empty log."""
    for row in connection.execute("SELECT instant, utc_offset, day FROM review ORDER BY id DESC LIMIT 100"):
        with suppress(IllegibleError):
            return moment_of(*row).instant
    return None


def _unused(folder: Path, now: datetime, was: str = "") -> Path:
    number = 1
    while any(folder.glob(f"quiz-{_stamp(now, number)}.db")) or any(
        folder.glob(f"quiz-{_stamp(now, number)}-was-*.db")
    ):
        number += 1
    return folder / f"quiz-{_stamp(now, number)}{was}.db"


def _stamp(at: datetime, number: int) -> str:
    return f"{at.astimezone(UTC).strftime(_STAMP)}{f'-{number}' if number > 1 else ''}"
