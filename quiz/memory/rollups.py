"""Sums over the log that triggers keep in the transaction of each row, so that progress need not read the log.

Whoever appends to the log, a sitting, an undo or a merge, the sums follow by themselves. Taking an answer back
subtracts what it added, and a sum of nothing is deleted, so that nothing of it is left. All sums are in one table, and
the triggers are the connection's own, since the schema should fit in the first page of the file: only then can one that
is damaged be replaced (see `quiz.memory.salvage`). Where something was appended without the triggers, or by a version
of quiz that kept other sums, they are seen to be incomplete and are made anew from the log.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from quiz.memory.rows import Row

_LIVE = "act IS NULL AND undoes IS NULL AND edition IS NOT NULL"
_RIGHT = "CASE verdict WHEN 'judged' THEN rating > 1 ELSE verdict = 'right' END"
# A review of a later day than the one before, in the state of review: only such a one tests the memory model.
_TESTED = "before_state = 2 AND before_last_day < day AND before_stability > 0"
# The time since the review before, in units of the stability. On it alone the predicted chance depends, whatever the
# weights. The bins are so narrow that the chance changes by less than 0.01 within one; their sums are of whole
# millionths, since those of fractions would not be exact once something is subtracted.
_RATIO = "((day - before_last_day) / before_stability)"
_RATIO_BIN = f"CAST(CASE WHEN {_RATIO} < 2 THEN 20 * {_RATIO} ELSE min(40 + 2 * ({_RATIO} - 2), 76) END AS INTEGER)"
MILLION = 1_000_000
# Seconds to think, in steps that grow: of 1 up to 20, of 5 up to a minute, of 15 up to five minutes.
_PACE_BIN = """CASE WHEN thinking_ms < 20000 THEN thinking_ms / 1000
    WHEN thinking_ms < 60000 THEN 20 + (thinking_ms - 20000) / 5000
    ELSE min(28 + (thinking_ms - 60000) / 15000, 44) END"""
_KEYS = ("first", "second", "third")
_SUMS = ("n", "a", "b", "c", "d")


class _Extreme(NamedTuple):
    """The least or the greatest of something: ``pick`` is ``min`` or ``max``, ``of`` a column of the log. ``anew``
    finds it where the one that had it is taken back."""

    pick: str
    of: str
    anew: str


class _Figure(NamedTuple):
    """A kind of sum: the number by which its rows are known, and what its columns take from a row of the log.
    ``keys`` come first; of the ``sums``, the first counts; after them comes the ``extreme``, if there is one."""

    number: int
    keys: tuple[str, ...]
    sums: tuple[str, ...]
    where: str = "1"
    extreme: _Extreme | None = None

    @property
    def _keys(self) -> str:
        return ", ".join((str(self.number), *self.keys, *("0",) * (len(_KEYS) - len(self.keys))))

    @property
    def _rest(self) -> tuple[str, ...]:
        return ("0",) * (len(_SUMS) - len(self.sums) - bool(self.extreme))

    def add(self, row: str, sign: str) -> str:
        """Add what the row of the log counts for, or subtract it."""
        taken = [f"{sign}({value})" for value in self.sums]
        changes = [f"{name} = {name} + excluded.{name}" for name in _SUMS[: len(self.sums)]]
        if self.extreme:
            taken.append(self.extreme.of)
            changes.append("{0} = {1}({0}, excluded.{0})".format(_SUMS[len(self.sums)], self.extreme.pick))
        return (
            f"INSERT INTO rolled SELECT {self._keys}, {', '.join((*taken, *self._rest))} FROM review"
            f" WHERE id = {row} AND {_LIVE} AND {self.where} ON CONFLICT DO UPDATE SET {', '.join(changes)}"
        )

    def take_back(self, row: str) -> str:
        """Subtract what the row of the log counted for, and leave nothing that only it had made."""
        where = f"(figure, {', '.join(_KEYS)}) = (SELECT {self._keys} FROM review WHERE id = {row})"
        steps = [self.add(row, "-"), f"DELETE FROM rolled WHERE {where} AND n = 0"]
        if self.extreme:
            name = _SUMS[len(self.sums)]
            # There is none where the sums were incomplete before.
            steps.append(
                f"UPDATE rolled SET {name} = coalesce(({self.extreme.anew}), {name}) WHERE {where}"
                f" AND {name} = (SELECT {self.extreme.of} FROM review WHERE id = {row})"
            )
        return "; ".join(steps)

    @property
    def made_anew(self) -> str:
        """All of its sums, from the log."""
        taken = [f"sum({value})" for value in self.sums]
        if self.extreme:
            taken.append(f"{self.extreme.pick}({self.extreme.of})")
        return (
            f"SELECT {self._keys}, {', '.join((*taken, *self._rest))} FROM review WHERE {_LIVE} AND {self.where}"
            " AND id NOT IN (SELECT undoes FROM review WHERE undoes IS NOT NULL) GROUP BY 1, 2, 3, 4"
        )


_ANSWERS = ("1", _RIGHT, "thinking_ms")
_COMPLETE, DAY, QUESTION, SITTING, PACE, RATIOS, _SHOWING, MISCONCEPTIONS, NAMES = range(9)
# Other figures are not of the log; see `quiz.memory.spots`.
SUMMED = f"figure <= {NAMES}"
# Raise it whenever what is summed changes: all sums are then made anew.
_EDITION = 2
_FIRST_IN_SITTING = f"""SELECT min(instant) FROM review WHERE sitting = rolled.first AND {_LIVE}
    AND NOT EXISTS (SELECT 1 FROM review AS undo WHERE undo.undoes = review.id)"""


def _last_showing(*keys: str) -> _Extreme:
    same = " AND ".join(f"shown.{key} = rolled.{key}" for key in keys)
    return _Extreme(
        "max", "day", f"SELECT max(shown.third) FROM rolled AS shown WHERE shown.figure = {_SHOWING} AND {same}"
    )


_FIGURES = (
    _Figure(
        DAY,
        ("day", "edition"),
        (*_ANSWERS, f"coalesce({_TESTED}, 0)", f"coalesce(({_TESTED}) AND rating > 1, 0)"),
    ),
    _Figure(QUESTION, ("question",), _ANSWERS),
    _Figure(SITTING, ("sitting",), _ANSWERS, extreme=_Extreme("min", "instant", _FIRST_IN_SITTING)),
    _Figure(PACE, ("edition", _PACE_BIN), ("1",)),
    _Figure(RATIOS, (_RATIO_BIN,), ("1", "rating > 1", f"CAST({MILLION} * {_RATIO} AS INTEGER)"), where=_TESTED),
    _Figure(_SHOWING, ("misconception", "question", "day"), ("1",), where="misconception IS NOT NULL"),
    # After the one before, from which they take the last day once a later one is taken back.
    _Figure(
        MISCONCEPTIONS,
        ("misconception", "question"),
        ("1",),
        "misconception IS NOT NULL",
        _last_showing("first", "second"),
    ),
    _Figure(NAMES, ("misconception",), ("1",), "misconception IS NOT NULL", _last_showing("first")),
)
MIGRATION: tuple[str, ...] = (
    f"""CREATE TABLE rolled (figure INTEGER NOT NULL, {", ".join(f"{name} NOT NULL" for name in (*_KEYS, *_SUMS))},
        PRIMARY KEY (figure, {", ".join(_KEYS)})) WITHOUT ROWID""",
)
_UNDONE_ALREADY = "EXISTS (SELECT 1 FROM review WHERE undoes = NEW.undoes AND id < NEW.id)"
_TRIGGERS = (
    f"""CREATE TEMP TRIGGER roll_answer AFTER INSERT ON main.review WHEN NEW.undoes IS NULL AND NEW.act IS NULL
        BEGIN {"; ".join(one.add("NEW.id", "") for one in _FIGURES)}; END""",
    f"""CREATE TEMP TRIGGER roll_undo AFTER INSERT ON main.review WHEN NEW.undoes IS NOT NULL AND NOT {_UNDONE_ALREADY}
        BEGIN {"; ".join(one.take_back("NEW.undoes") for one in _FIGURES)}; END""",
    # The row of this figure names the row of the log up to which the sums are complete; it stops where one was missed.
    f"""CREATE TEMP TRIGGER roll_on AFTER INSERT ON main.review BEGIN
        INSERT INTO rolled SELECT {_COMPLETE}, {_EDITION}, 0, 0, NEW.id, 0, 0, 0, 0
        WHERE (SELECT coalesce(max(id), 0) FROM review WHERE id < NEW.id) = {{through}}
        ON CONFLICT DO UPDATE SET n = NEW.id; END""",
)
_THROUGH = f"coalesce((SELECT n FROM rolled WHERE figure = {_COMPLETE} AND first = {_EDITION}), 0)"


def follow(connection: sqlite3.Connection) -> None:
    """Have the sums follow all that this connection appends."""
    for trigger in _TRIGGERS:
        connection.execute(trigger.replace("{through}", _THROUGH))


def complete(connection: sqlite3.Connection) -> None:
    """Make the sums anew where they are incomplete, as after a migration."""
    if are_complete(connection):
        return
    with changing(connection):
        rebuild_rollups(connection)


@contextmanager
def changing(connection: sqlite3.Connection) -> Iterator[None]:
    """One transaction, or part of the one that is open, for what can be made again and is lost if the block fails."""
    if connection.in_transaction:
        yield
        return
    # Only a copy in memory is read only, and that may be changed.
    (protected,) = connection.execute("PRAGMA query_only").fetchone()
    connection.execute("PRAGMA query_only = OFF")
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        connection.execute(f"PRAGMA query_only = {protected}")


def are_complete(connection: sqlite3.Connection) -> bool:
    """Whether the sums are of the whole log."""
    through, last = connection.execute(f"SELECT {_THROUGH}, (SELECT coalesce(max(id), 0) FROM review)").fetchone()
    return bool(through == last)


def wrong_sums(connection: sqlite3.Connection) -> int:
    """How many sums are not what the log says. None are while they are incomplete: they are then made anew before
    anything is read of them."""
    return sum(len(right ^ kept) for _, right, kept in _compared(connection)) if are_complete(connection) else 0


def rebuild_rollups(connection: sqlite3.Connection) -> int:
    """Make all sums anew from the log, within a transaction of the caller's; the number of those that were wrong."""
    wrong = 0
    for figure, right, kept in _compared(connection):
        if right != kept:
            wrong += len(right ^ kept)
            connection.execute("DELETE FROM rolled WHERE figure = ?", (figure,))
            connection.executemany(f"INSERT INTO rolled VALUES ({', '.join('?' * 9)})", right)
    return wrong


def _compared(connection: sqlite3.Connection) -> Iterator[tuple[int, set[Row], set[Row]]]:
    """Each figure: its number, its rows as the log has them, and as they are kept."""
    last = "SELECT max(id) AS id FROM review"
    complete = f"SELECT {_COMPLETE}, {_EDITION}, 0, 0, id, 0, 0, 0, 0 FROM ({last}) WHERE id NOTNULL"
    for figure, made_anew in ((_COMPLETE, complete), *((one.number, one.made_anew) for one in _FIGURES)):
        kept = connection.execute("SELECT * FROM rolled WHERE figure = ?", (figure,))
        yield figure, set(connection.execute(made_anew)), set(kept)
