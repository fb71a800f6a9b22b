"""Mending a log that is damaged or gone: set it aside, restore the newest good backup, salvage what is newer."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from quiz.errors import StorageError
from quiz.memory.backups import UNFINISHED, backups, folder_of, newest_instant, verified
from quiz.memory.checking import check_intact
from quiz.memory.opening import Opened, is_gone
from quiz.memory.salvage import salvaged
from quiz.memory.storage import DamagedError, open_database, suspicion, told

# SQLite's files of one database: their names' endings after the first's.
_BESIDE = ("", "-wal", "-shm", "-journal")


def mended(path: Path) -> Opened:
    """The log at ``path``, damaged or gone, once it is mended.

    Raises:
        StorageError: it cannot be; what there was of it then still lies there.
    """
    try:
        with _alone(path):
            return _mend(path)
    except OSError as error:
        raise StorageError(f"{path} is damaged and cannot be mended: {error}") from None


def _mend(path: Path) -> Opened:
    gone = is_gone(path)
    if not gone:
        # Another window may have mended it while this one waited.
        with suppress(DamagedError):
            connection = open_database(path)
            try:
                check_intact(connection, path)
            except DamagedError:
                connection.close()
            else:
                suspicion(path).unlink(missing_ok=True)
                return Opened(connection, "", False)
    with TemporaryDirectory(prefix=UNFINISHED, dir=folder_of(path)) as name:
        folder = Path(name)
        restored, backup = _newest_good(path, folder)
        with closing(open_database(restored)) as connection:
            rows = 0 if gone else salvaged(path, connection, folder)
            held = connection.execute("SELECT count(*) FROM review WHERE undoes IS NULL AND act IS NULL").fetchone()[0]
            until = newest_instant(connection)
        aside = None if gone else _set_aside(path)
        for ending in _BESIDE[1:]:
            path.with_name(path.name + ending).unlink(missing_ok=True)
        restored.replace(path)
    suspicion(path).unlink(missing_ok=True)
    return Opened(open_database(path), _notice(path, gone, backup, rows, held, until, aside), False)


def _newest_good(path: Path, folder: Path) -> tuple[Path, datetime | None]:
    """A copy of the newest backup that is whole, and when it was made; without one a path where nothing is yet."""
    for backup in backups(path):
        with suppress(StorageError):
            return verified(backup.path, folder), backup.made
    return folder / "new.db", None


def _set_aside(path: Path) -> Path:
    """Copy the file, and those SQLite keeps beside it, to a name after the time of its last change.

    A copy, so that at no instant the log has neither its old file nor its new one.
    """
    stamp = datetime.fromtimestamp(path.stat().st_mtime, UTC).strftime("%Y%m%dT%H%M%SZ")
    number = 1
    while (aside := path.with_name(f"{path.stem}.damaged-{stamp}{f'-{number}' if number > 1 else ''}.db")).exists():
        number += 1
    for ending in reversed(_BESIDE):
        with suppress(FileNotFoundError):
            shutil.copy2(path.with_name(path.name + ending), aside.with_name(aside.name + ending))
    return aside


def _notice(
    path: Path, gone: bool, backup: datetime | None, rows: int, held: int, until: datetime | None, aside: Path | None
) -> str:
    what = f"{path.name} was {'gone or empty' if gone else 'damaged'}"
    source = f"the backup of {backup:%Y-%m-%d %H:%M} UTC" if backup is not None else ""
    if rows:
        source += f"{' and ' if source else ''}what could still be read of the file"
    if source and until is not None:
        back = f"{held:,} {'answer is' if held == 1 else 'answers are'} back from {source}"
        back += f", the last of {until:%Y-%m-%d %H:%M} UTC"
    else:
        back = "nothing could be read of it, so it begins anew"
    return f"{what}: {back}." + (f" The damaged file is kept as {aside}." if aside is not None else "")


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Keep other windows from mending the same file; SQLite's locks end with the process, whatever ends it."""
    folder = folder_of(path)
    folder.mkdir(parents=True, exist_ok=True)
    lock = folder / "mending.lock"
    with told(lock), closing(sqlite3.connect(lock, timeout=600, isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        yield
