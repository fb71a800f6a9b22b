"""How far the questions of each pack have been met, so that a search for new ones need not pass a hundred thousand old
ones.

The questions of a pack and depth are met by place. Their frontier is one before which all have been answered. It is
kept beside the log under the stamp of the pack's content; a trigger forgets all frontiers once a row makes any question
new again, and so does whoever makes cards anew.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from quiz.errors import StorageError
from quiz.memory.storage import told, writing

# Older builds of SQLite take no more values in one statement.
_AT_ONCE = 900


class Frontier:
    """The frontiers, and which questions were met, on a study day. Its methods raise `StorageError` where the file
    cannot be read."""

    def __init__(self, connection: sqlite3.Connection, path: Path, day: int) -> None:
        self._connection = connection
        self._path = path
        self._day = day
        self._newest = self._newest_row()

    def met(self, keys: Sequence[str]) -> Mapping[str, bool]:
        """Those of the keys that cannot be new today: True if ever answered, False if only put aside."""
        query = (
            "SELECT key, state > 0 FROM question JOIN card ON id = question"
            " WHERE key IN ({}) AND (state > 0 OR suspended OR buried_day = ?)"
        )
        found: dict[str, bool] = {}
        with told(self._path):
            for first in range(0, len(keys), _AT_ONCE):
                some = keys[first : first + _AT_ONCE]
                rows = self._connection.execute(query.format(", ".join("?" * len(some))), (*some, self._day))
                found |= {key: bool(answered) for key, answered in rows}
        return found

    def reached(self, pack: str, depth: str, stamp: str) -> tuple[int, int]:
        """A place before which all questions were answered; the beginning if none is known."""
        with told(self._path):
            found = self._connection.execute(
                "SELECT start, position FROM frontier WHERE pack = ? AND depth = ? AND stamp = ?", (pack, depth, stamp)
            ).fetchone()
        return found or (0, 0)

    def reach(self, pack: str, depth: str, stamp: str, place: tuple[int, int]) -> None:
        """Keep how far the questions were met. It is left out where that cannot be written, or where something was
        appended since: it may have made one of them new again."""
        with suppress(StorageError), writing(self._connection, self._path):
            if self._newest_row() == self._newest:
                row = (pack, depth, stamp, *place)
                self._connection.execute("INSERT OR REPLACE INTO frontier VALUES (?, ?, ?, ?, ?)", row)

    def _newest_row(self) -> int:
        with told(self._path):
            return int(self._connection.execute("SELECT coalesce(max(id), 0) FROM review").fetchone()[0])
