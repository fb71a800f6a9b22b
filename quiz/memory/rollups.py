"""Sums over the log that triggers keep in the transaction of each row, so that progress need not read the log.

Whoever appends to the log, a sitting, an undo or a merge, the sums follow by themselves. Taking an answer back
subtracts what it added, and a sum of nothing is deleted, so that nothing of it is left. All sums are in one table, and
the triggers are the connection's own, since the schema should fit in the first page of the file: only then can one that
is damaged be replaced (see `quiz.memory.salvage`). Where something was appended without the triggers, the sums are
seen to be incomplete and are made anew from the log.
"""

import sqlite3
from typing import NamedTuple

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
LAST_SITTINGS = 10
LAST_ANSWERS = 100


_KEYS = ("first", "second", "third")
_SUMS = ("n", "a", "b", "c", "d")


class _Figure(NamedTuple):
    """A kind of sum: the number by which its rows are known, and what its columns take from a row of the log.
    ``keys`` come first; of the ``sums``, the first counts; ``keeps`` is taken from the first row and stays."""

    number: int
    keys: tuple[str, ...]
    sums: tuple[str, ...]
    where: str = "1"
    keeps: str = ""

    @property
    def _keys(self) -> str:
        return ", ".join((str(self.number), *self.keys, *("0",) * (len(_KEYS) - len(self.keys))))

    @property
    def _rest(self) -> tuple[str, ...]:
        kept = (self.keeps,) if self.keeps else ()
        return (*kept, *("0",) * (len(_SUMS) - len(self.sums) - len(kept)))

    def add(self, row: str, sign: str) -> str:
        """Add what the row of the log counts for, or subtract it."""
        taken = ", ".join((*(f"{sign}({value})" for value in self.sums), *self._rest))
        summed = ", ".join(f"{name} = {name} + excluded.{name}" for name in _SUMS[: len(self.sums)])
        return (
            f"INSERT INTO rolled SELECT {self._keys}, {taken} FROM review WHERE id = {row} AND {_LIVE} AND {self.where}"
            f" ON CONFLICT DO UPDATE SET {summed}"
        )

    def clear(self, row: str) -> str:
        """Delete the sum to which the row of the log belonged, if nothing is left of it."""
        return (
            f"DELETE FROM rolled WHERE (figure, {', '.join(_KEYS)}) ="
            f" (SELECT {self._keys} FROM review WHERE id = {row}) AND n = 0"
        )

    @property
    def made_anew(self) -> str:
        """All of its sums, from the log."""
        taken = (*(f"sum({value})" for value in self.sums), *self._rest)
        # Beside min(id), SQLite takes what is not summed from the row of the smallest id.
        return (
            f"SELECT {self._keys}, {', '.join(taken)}, min(id) FROM review WHERE {_LIVE} AND {self.where} AND id NOT IN"
            " (SELECT undoes FROM review WHERE undoes IS NOT NULL) GROUP BY 1, 2, 3, 4"
        )


_ANSWERS = ("1", _RIGHT, "thinking_ms")
_COMPLETE, _DAY, _QUESTION, _SITTING, _PACE, _RATIOS, _SLIP = range(7)
_FIGURES = (
    _Figure(
        _DAY,
        ("day", "edition"),
        (*_ANSWERS, f"coalesce({_TESTED}, 0)", f"coalesce(({_TESTED}) AND rating > 1, 0)"),
    ),
    _Figure(_QUESTION, ("question",), _ANSWERS),
    _Figure(_SITTING, ("sitting",), _ANSWERS, keeps="instant"),
    _Figure(_PACE, ("edition", _PACE_BIN), ("1",)),
    _Figure(_RATIOS, (_RATIO_BIN,), ("1", "rating > 1", f"CAST({MILLION} * {_RATIO} AS INTEGER)"), where=_TESTED),
    _Figure(_SLIP, ("misconception", "question", "day"), ("1",), where="misconception IS NOT NULL"),
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
        BEGIN {"; ".join(f"{one.add('NEW.undoes', '-')}; {one.clear('NEW.undoes')}" for one in _FIGURES)}; END""",
    # The row of this figure names the row of the log up to which the sums are complete; it stops where one was missed.
    f"""CREATE TEMP TRIGGER roll_on AFTER INSERT ON main.review BEGIN
        INSERT INTO rolled SELECT {_COMPLETE}, 0, 0, 0, NEW.id, 0, 0, 0, 0
        WHERE (SELECT coalesce(max(id), 0) FROM review WHERE id < NEW.id) = {{through}}
        ON CONFLICT DO UPDATE SET n = NEW.id; END""",
)
_THROUGH = f"coalesce((SELECT n FROM rolled WHERE figure = {_COMPLETE}), 0)"


def follow(connection: sqlite3.Connection) -> None:
    """Have the sums follow all that this connection appends."""
    for trigger in _TRIGGERS:
        connection.execute(trigger.replace("{through}", _THROUGH))


class Day(NamedTuple):
    """A study day; of ``tested`` reviews of what was reviewed on an earlier day, ``kept`` were known."""

    day: int
    answered: int
    right: int
    spent_ms: int
    tested: int
    kept: int


class Counted(NamedTuple):
    """The answers to one question or pack."""

    answered: int
    right: int
    spent_ms: int


class SittingTotal(NamedTuple):
    """A sitting; ``began`` in microseconds since 1970."""

    began: int
    answered: int
    right: int
    spent_ms: int


class SlipTotal(NamedTuple):
    """How often a misconception showed in a question, and on which study day last."""

    misconception: str
    key: str
    slips: int
    last: int


class RatioTotal(NamedTuple):
    """Reviews after about the same share of the stability; ``ratios`` is the sum of those shares, in millionths."""

    tested: int
    kept: int
    ratios: int


class Totals(NamedTuple):
    """All sums. ``sittings`` are the newest, newest first; ``paces`` counts, by pack, the answers in each bin of
    seconds (see `seconds_of`); ``recent_ms`` are the times of the newest answers."""

    days: tuple[Day, ...]
    packs: dict[str, Counted]
    questions: dict[str, Counted]
    sittings: tuple[SittingTotal, ...]
    slips: tuple[SlipTotal, ...]
    ratios: tuple[RatioTotal, ...]
    paces: dict[str, dict[int, int]]
    recent_ms: tuple[int, ...]


def kept_totals(connection: sqlite3.Connection) -> Totals:
    """The sums; where they are incomplete, as after a migration, they are first made anew."""
    if not _are_complete(connection):
        # Only a copy in memory is read only, and that may be changed.
        (protected,) = connection.execute("PRAGMA query_only").fetchone()
        connection.execute("PRAGMA query_only = OFF")
        connection.execute("BEGIN IMMEDIATE")
        try:
            rebuild_rollups(connection)
            connection.execute("COMMIT")
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            connection.execute(f"PRAGMA query_only = {protected}")
    return _totals(connection)


def _totals(connection: sqlite3.Connection) -> Totals:
    def ask(columns: str, figure: int, rest: str = "") -> sqlite3.Cursor:
        return connection.execute(f"SELECT {columns} FROM rolled {rest.format(figure=f'figure = {figure}')}")

    of_edition = "JOIN edition ON edition.id = {key} WHERE {{figure}} GROUP BY {group}"
    of_question = "JOIN question ON question.id = {key} WHERE {{figure}} {group}"
    by_pack = of_edition.format(key="second", group="pack")
    by_key = of_question.format(key="first", group="")
    by_step = of_edition.format(key="first", group="pack, second")
    by_slip = of_question.format(key="second", group="GROUP BY first, second")
    newest = """SELECT thinking_ms FROM review WHERE act IS NULL AND undoes IS NULL AND NOT EXISTS
        (SELECT 1 FROM review AS undo WHERE undo.undoes = review.id) ORDER BY id DESC LIMIT ?"""
    paces: dict[str, dict[int, int]] = {}
    for pack, step, count in ask("pack, second, sum(n)", _PACE, by_step):
        paces.setdefault(pack, {})[step] = count
    return Totals(
        days=tuple(
            map(Day._make, ask("first, sum(n), sum(a), sum(b), sum(c), sum(d)", _DAY, "WHERE {figure} GROUP BY first"))
        ),
        packs={row[0]: Counted._make(row[1:]) for row in ask("pack, sum(n), sum(a), sum(b)", _DAY, by_pack)},
        questions={row[0]: Counted._make(row[1:]) for row in ask("key, n, a, b", _QUESTION, by_key)},
        sittings=tuple(
            map(
                SittingTotal._make,
                ask("c, n, a, b", _SITTING, f"WHERE {{figure}} ORDER BY c DESC, first DESC LIMIT {LAST_SITTINGS}"),
            )
        ),
        slips=tuple(map(SlipTotal._make, ask("first, key, sum(n), max(third)", _SLIP, by_slip))),
        ratios=tuple(map(RatioTotal._make, ask("n, a, b", _RATIOS, "WHERE {figure} ORDER BY first"))),
        paces=paces,
        recent_ms=tuple(row[0] for row in connection.execute(newest, (LAST_ANSWERS,))),
    )


def seconds_of(step: int) -> tuple[float, float]:
    """From how many seconds to how many a bin of pace reaches."""
    if step < 20:
        return step, step + 1
    if step < 28:
        return 20 + 5 * (step - 20), 25 + 5 * (step - 20)
    return 60 + 15 * (step - 28), 75 + 15 * (step - 28)


def _are_complete(connection: sqlite3.Connection) -> bool:
    through, last = connection.execute(f"SELECT {_THROUGH}, (SELECT coalesce(max(id), 0) FROM review)").fetchone()
    return bool(through == last)


def rebuild_rollups(connection: sqlite3.Connection) -> int:
    """Make all sums anew from the log, within a transaction of the caller's; the number of those that were wrong."""
    right = {(_COMPLETE, 0, 0, 0, last, 0, 0, 0, 0) for (last,) in connection.execute("SELECT max(id) FROM review")}
    right = {row for row in right if row[4]}
    for one in _FIGURES:
        right |= {row[:-1] for row in connection.execute(one.made_anew)}
    kept = set(connection.execute("SELECT * FROM rolled"))
    if right != kept:
        connection.execute("DELETE FROM rolled")
        connection.executemany(f"INSERT INTO rolled VALUES ({', '.join('?' * 9)})", sorted(right, key=repr))
    return len(right ^ kept)
