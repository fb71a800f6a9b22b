"""Reading the log: the links between the rows of a question, and what counts, page by page."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from quiz.memory.acts import Entry
from quiz.memory.rows import CARD, ENTRY, IllegibleError, Row, entry_of
from quiz.memory.storage import DamagedError, told

JOINED = """review JOIN question ON question.id = review.question JOIN sitting ON sitting.id = review.sitting
    JOIN device ON device.id = review.device LEFT JOIN edition ON edition.id = review.edition"""
LIVE = "review.undoes IS NULL AND NOT EXISTS (SELECT 1 FROM review AS undo WHERE undo.undoes = review.id)"
# A question, its newest row in the log, its card; the latter two null before the first.
FIND = (
    f"SELECT question.id, latest, {', '.join(CARD)} FROM question LEFT JOIN card ON card.question = question.id"
    " WHERE key = ?"
)
_PAGE = 1000
# What was made here: on this device, or, whatever device it names, after the newest merge of what others did.
_HERE = """(review.device = (SELECT min(id) FROM device)
    OR review.id > (SELECT coalesce(max(id), 0) FROM review WHERE act = 'merge'))"""


class Link(NamedTuple):
    """One row of a question's history; ``live`` if it is an answer or an act that was not taken back."""

    id: int
    undoes: int | None
    act: str | None
    live: bool


def links(connection: sqlite3.Connection, path: Path, latest: int | None) -> Iterator[Link]:
    """The rows of a question, newest first, each found from the one after it.

    Raises:
        DamagedError: the chain is broken.
    """
    while latest is not None:
        found = connection.execute(
            f"SELECT previous, undoes, act, {LIVE} FROM review WHERE id = ?", (latest,)
        ).fetchone()
        if found is None or (found[0] is not None and not 0 < found[0] < latest):
            raise DamagedError(f"{path} is damaged: row {latest} is not linked to the one before")
        previous, undoes, act, live = found
        yield Link(latest, undoes, act, bool(live))
        latest = previous


def entry(connection: sqlite3.Connection, path: Path, row: int) -> Entry:
    """The answer or act in that row.

    Raises:
        DamagedError: it is lost or illegible.
    """
    found = connection.execute(f"SELECT {ENTRY} FROM {JOINED} WHERE review.id = ?", (row,)).fetchone()
    if found is None:
        raise DamagedError(f"{path} is damaged: row {row} is lost")
    return entry_of(found)


def newest(connection: sqlite3.Connection, sitting: str | None) -> tuple[int, int, int, Entry] | None:
    """Row, device and sitting, and the newest answer or act of this device that still counts, of one sitting or of any.

    Raises:
        IllegibleError: it was never written so.
    """
    found = connection.execute(
        f"SELECT review.id, review.device, review.sitting, {ENTRY} FROM {JOINED}"
        f" WHERE {LIVE} AND review.act IS NOT 'merge' AND {_HERE}"
        f"{' AND sitting.uuid = ?' if sitting is not None else ''} ORDER BY review.id DESC LIMIT 1",
        () if sitting is None else (sitting,),
    ).fetchone()
    return None if found is None else (*found[:3], entry_of(found[3:]))


def pages(connection: sqlite3.Connection, path: Path, where: str) -> Iterator[Entry | None]:
    """What counts of the rows that ``where`` lets pass, its parameter being the last row already had; None for each row
    that is illegible, for one must not hide all others.

    Raises:
        StorageError: the file cannot be read.
    """
    last = 0
    # Page by page, since an open cursor would keep the write-ahead log from being folded in.
    while True:
        with told(path):
            rows = connection.execute(
                f"SELECT review.id, {ENTRY} FROM {JOINED} WHERE {where} AND {LIVE} ORDER BY review.id LIMIT ?",
                (last, _PAGE),
            ).fetchall()
        yield from (legible(row[1:]) for row in rows)
        if len(rows) < _PAGE:
            return
        last = rows[-1][0]


def legible(row: Row) -> Entry | None:
    """The entry of a row; None if it is illegible."""
    try:
        return entry_of(row)
    except IllegibleError:
        return None
