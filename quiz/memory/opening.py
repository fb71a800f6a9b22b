"""Opening the log, whatever became of its file. What only damage calls for is imported only then."""

import os
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from quiz.errors import StorageError
from quiz.memory.storage import DamagedError, open_database, open_read_only, suspicion

_EFFECTIVE = os.access in os.supports_effective_ids


class Opened(NamedTuple):
    """An open log; ``notice`` is a sentence for the learner, empty where there is nothing to say."""

    connection: sqlite3.Connection
    notice: str
    read_only: bool


def open_log(path: Path) -> Opened:
    """The log at ``path``: as it is, created where there is nothing of it, else mended.

    Raises:
        StorageError: it is of a newer version or of another program, is not to be read, or cannot be mended; it is then
            left as it was.
    """
    if is_gone(path):
        return _mended(path)
    try:
        connection = open_database(path, _before_migration)
    except DamagedError:
        return _mended(path)
    except StorageError:
        # A folder that cannot be written holds up SQLite even where it need only read.
        if not path.is_file() or os.access(path.parent, os.W_OK, effective_ids=_EFFECTIVE):
            raise
        return _to_read(path)
    if not os.access(path, os.W_OK, effective_ids=_EFFECTIVE):
        connection.close()
        return _to_read(path)
    if suspicion(path).exists():
        connection.close()
        return _mended(path)
    return Opened(connection, "", False)


def _to_read(path: Path) -> Opened:
    return Opened(open_read_only(path), f"{path} may not be written, so nothing will be saved.", True)


def is_gone(path: Path) -> bool:
    """Whether the file was deleted or emptied by something else: it is not there, but backups of it are."""
    try:
        # A single byte too is nothing to SQLite: it would write a new database over it.
        empty = path.stat().st_size <= 1
    except FileNotFoundError:
        empty = True
    except OSError:
        return False
    if not empty or not (path.parent / "backups").is_dir():
        return False
    from quiz.memory.backups import backups

    return bool(backups(path))


def _mended(path: Path) -> Opened:
    from quiz.memory.mending import mended

    return mended(path)


def _before_migration(path: Path) -> None:
    from quiz.memory.backups import back_up

    back_up(path, datetime.fromtimestamp(path.stat().st_mtime, UTC))
