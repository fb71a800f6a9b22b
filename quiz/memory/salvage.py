"""Reading what can still be read of a damaged log, row by row, into another."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

from quiz.memory.kept import rebuild_cards
from quiz.memory.rows import AFTER, ANSWER, BEFORE, IllegibleError, Row, card_of, entry_of, moment_of
from quiz.memory.storage import wal_of

_PAGE = 4096
_STRETCH = 500
# After so many numbers in a row without a legible row, nothing more is expected.
_PATIENCE = 10_000
_READ = (
    *("id", "uuid", "undoes", "act", "question", "device", "sitting", "edition", "instant", "utc_offset", "day"),
    *(*ANSWER, *BEFORE, *AFTER),
)
_WRITTEN = ("previous", *_READ[1:])
_APPEND = f"INSERT INTO review ({', '.join(_WRITTEN)}) VALUES ({', '.join('?' * len(_WRITTEN))})"
# Columns of a later schema that cannot be null.
_ZERO = ("disputed", "suspended", "flagged")
# Stands for a sitting, or the edition of a pack, whose name is lost.
_NOWHEN, _NO_EDITION = str(UUID(int=0)), "0"
# What reading damaged bytes may end in; some of it is SQLite's, some comes of its messages not being text.
_ERRORS = (sqlite3.Error, UnicodeDecodeError, MemoryError, OverflowError)


class _Names(NamedTuple):
    """What the numbers in a log's rows stand for."""

    question: dict[int, str]
    device: dict[int, str]
    sitting: dict[int, str]
    edition: dict[int, tuple[str, str]]


def salvaged(damaged: Path, into: sqlite3.Connection, folder: Path) -> int:
    """Append the legible rows of a damaged log that the other lacks, and put its cards right; how many there were.

    The damaged file is read as a copy in ``folder``, and stays as it is.
    """
    rows: list[Row] = []
    names = _Names({}, {}, {}, {})
    for number, grafted, with_log in ((0, False, True), (1, True, True), (2, True, False)):
        copy = folder / f"damaged-{number}.db"
        shutil.copyfile(damaged, copy)
        log = wal_of(damaged)
        if with_log and log.exists():
            shutil.copyfile(log, wal_of(copy))
        if grafted:
            _graft(copy, into)
        with suppress(*_ERRORS), closing(sqlite3.connect(copy)) as connection:
            names = _names(connection)
            rows = list(_rows(connection))
        if rows:
            break
    into.execute("BEGIN IMMEDIATE")
    try:
        count = _append(rows, names, into)
        rebuild_cards(into)
        into.execute("COMMIT")
    except BaseException:
        into.execute("ROLLBACK")
        raise
    return count


def _graft(copy: Path, healthy: sqlite3.Connection) -> None:
    """Give a file whose beginning is damaged that of another log: all have their tables rooted in the same pages."""
    healthy.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    (name,) = (row[2] for row in healthy.execute("PRAGMA database_list") if row[1] == "main")
    with Path(name).open("rb") as file:
        first = bytearray(file.read(_PAGE))
    # The number of pages is this file's own; its unused ones need not be found.
    first[28:32] = (copy.stat().st_size // _PAGE).to_bytes(4, "big")
    first[32:40] = bytes(8)
    with copy.open("rb+") as file:
        file.write(first)


def _rows(connection: sqlite3.Connection) -> Iterator[Row]:
    there = {row[1] for row in connection.execute("PRAGMA table_info(review)")}
    # An older schema lacks some columns; they then hold what its migration would have put there.
    columns = (name if name in there else ("0" if name.endswith(_ZERO) else "NULL") for name in _READ)
    yield from _legible(connection, f"SELECT {', '.join(columns)} FROM review")


def _legible(connection: sqlite3.Connection, select: str) -> Iterator[Row]:
    """The rows that can be read, by number, past all that cannot."""
    number = missed = 0
    try:
        connection.execute(f"EXPLAIN {select}")
    except _ERRORS:
        # Not a matter of rows: the schema cannot be read.
        return
    while missed < _PATIENCE:
        try:
            found = connection.execute(
                f"{select} WHERE id > ? AND id <= ? ORDER BY id", (number, number + _STRETCH)
            ).fetchall()
        except _ERRORS:
            found = []
            for one in range(number + 1, number + _STRETCH + 1):
                with suppress(*_ERRORS):
                    found += connection.execute(f"{select} WHERE id = ?", (one,)).fetchall()
        missed = 0 if found else missed + _STRETCH
        number += _STRETCH
        yield from found


def _names(connection: sqlite3.Connection) -> _Names:
    def table(name: str, columns: str) -> dict[int, Any]:
        found = {row[0]: row[1:] for row in _legible(connection, f"SELECT id, {columns} FROM {name}")}
        legible = {number: row for number, row in found.items() if all(isinstance(value, str) for value in row)}
        return {number: row[0] if len(row) == 1 else row for number, row in legible.items()}

    return _Names(
        table("question", "key"), table("device", "uuid"), table("sitting", "uuid"), table("edition", "pack, version")
    )


def _append(rows: list[Row], names: _Names, into: sqlite3.Connection) -> int:
    own = _names(into)
    numbers = {uuid: number for number, uuid in into.execute("SELECT id, uuid FROM review")}
    if not numbers and 1 in names.device:
        into.execute("UPDATE device SET uuid = ? WHERE id = 1", (names.device[1],))
        own.device[1] = names.device[1]
    elif names.device.get(1) in (None, own.device[1]):
        # Of one lineage, and numbers are never given anew: so the names of the sound file are the better ones.
        names = _Names(
            {**names.question, **own.question},
            {**names.device, **own.device},
            {**names.sitting, **own.sitting},
            {**names.edition, **own.edition},
        )
    latest: dict[int, int] = dict(into.execute("SELECT question, max(id) FROM review GROUP BY question"))
    moved: dict[int, int] = {}
    count = 0
    for row in rows:
        values = dict(zip(_READ, row, strict=True))
        if values["uuid"] in numbers:
            moved[values["id"]] = numbers[values["uuid"]]
            continue
        try:
            named = _named(values, names, own, moved)
        except IllegibleError:
            continue
        question = _number(into, "question", {"key": named.key})
        edition = named.edition and _number(into, "edition", dict(zip(("pack", "version"), named.edition, strict=True)))
        changed = {
            "previous": latest.get(question),
            "undoes": named.undoes,
            "question": question,
            "device": _number(into, "device", {"uuid": named.device}),
            "sitting": _number(into, "sitting", {"uuid": named.sitting}),
            "edition": edition,
        }
        number = into.execute(_APPEND, tuple({**values, **changed}[name] for name in _WRITTEN)).lastrowid or 0
        latest[question] = moved[values["id"]] = numbers[values["uuid"]] = number
        count += 1
    return count


class _Named(NamedTuple):
    """A row's references, by name where the other log has numbers of its own."""

    key: str
    device: str
    sitting: str
    edition: tuple[str, str] | None
    undoes: int | None


def _named(values: dict[str, Any], names: _Names, own: _Names, moved: dict[int, int]) -> _Named:
    """What the row refers to.

    Raises:
        IllegibleError: the row holds what cannot be, or refers to what is lost.
    """
    key, undoes = names.question.get(values["question"]), values["undoes"]
    if key is None or not isinstance(values["uuid"], bytes) or len(values["uuid"]) != 16:
        raise IllegibleError("no question or no id")
    device = names.device.get(values["device"], own.device[1])
    sitting = names.sitting.get(values["sitting"], _NOWHEN)
    circumstances = [values[name] for name in ("instant", "utc_offset", "day")]
    cards = [[values[name] for name in columns] for columns in (BEFORE, AFTER)]
    if undoes is not None:
        if undoes not in moved:
            raise IllegibleError("it takes back what is lost")
        moment_of(*circumstances)
        for card in cards:
            card_of(key, tuple(card))
        return _Named(key, device, sitting, None, moved[undoes])
    edition = names.edition.get(values["edition"], (key.partition("/")[0], _NO_EDITION))
    head = [values["act"], values["uuid"], key, *edition, sitting, device, *circumstances]
    entry_of((*head, *(values[name] for name in ANSWER), *cards[0], *cards[1]))
    return _Named(key, device, sitting, edition if values["act"] is None else None, None)


def _number(into: sqlite3.Connection, table: str, values: dict[str, str]) -> int:
    columns, asked = ", ".join(values), tuple(values.values())
    into.execute(f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({', '.join('?' * len(asked))})", asked)
    where = " AND ".join(f"{name} = ?" for name in values)
    return int(into.execute(f"SELECT id FROM {table} WHERE {where}", asked).fetchone()[0])
