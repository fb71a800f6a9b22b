"""Sums over the log that triggers keep in the transaction of each row, so that progress need not read the log.

Whoever appends to the log, a sitting, an undo or a merge, the sums follow by themselves. Taking an answer back
subtracts what it added, and a sum of nothing is deleted, so that nothing of it is left.
"""

import sqlite3
from dataclasses import dataclass
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


class _Rollup(NamedTuple):
    """A table of sums. ``keys`` and ``sums`` name its columns, each with what it takes from a row of the log; the
    first of the sums counts. ``keeps`` are taken from the first row and stay."""

    name: str
    keys: dict[str, str]
    sums: dict[str, str]
    where: str = "1"
    keeps: tuple[str, ...] = ()

    @property
    def create(self) -> str:
        columns = ", ".join(f"{name} INTEGER NOT NULL" for name in (*self.keys, *self.keeps, *self.sums))
        columns = columns.replace("misconception INTEGER", "misconception TEXT")
        return f"CREATE TABLE {self.name} ({columns}, PRIMARY KEY ({', '.join(self.keys)})) WITHOUT ROWID"

    def add(self, row: str, sign: str) -> str:
        """Add what the row of the log counts for, or subtract it."""
        taken = [*self.keys.values(), *self.keeps, *(f"{sign}({value})" for value in self.sums.values())]
        return (
            f"INSERT INTO {self.name} SELECT {', '.join(taken)} FROM review"
            f" WHERE id = {row} AND {_LIVE} AND {self.where} ON CONFLICT DO UPDATE SET "
            + ", ".join(f"{name} = {name} + excluded.{name}" for name in self.sums)
        )

    def clear(self, row: str) -> str:
        """Delete the sum to which the row of the log belonged, if nothing is left of it."""
        counted = next(iter(self.sums))
        return (
            f"DELETE FROM {self.name} WHERE ({', '.join(self.keys)}) ="
            f" (SELECT {', '.join(self.keys.values())} FROM review WHERE id = {row}) AND {counted} = 0"
        )

    @property
    def made_anew(self) -> str:
        """All sums, from the log."""
        # Beside min(id), SQLite takes what is not summed from the row of the smallest id.
        taken = [*self.keys.values(), *self.keeps, *(f"sum({value})" for value in self.sums.values())]
        named = [f"{value} AS '{name}'" for value, name in zip(taken, self.columns, strict=True)]
        grouped = ", ".join(str(index + 1) for index in range(len(self.keys)))
        return (
            f"SELECT {', '.join(self.columns)} FROM (SELECT {', '.join(named)}, min(id) FROM review"
            f" WHERE {_LIVE} AND {self.where} AND id NOT IN (SELECT undoes FROM review WHERE undoes IS NOT NULL)"
            f" GROUP BY {grouped})"
        )

    @property
    def columns(self) -> tuple[str, ...]:
        return (*self.keys, *self.keeps, *self.sums)


_ANSWERS = {"answered": "1", "correct": _RIGHT, "spent_ms": "thinking_ms"}
_TESTS = {"tested": f"coalesce({_TESTED}, 0)", "kept": f"coalesce(({_TESTED}) AND rating > 1, 0)"}
_ROLLUPS = (
    _Rollup("rolled_day", {"day": "day", "edition": "edition"}, _ANSWERS | _TESTS),
    _Rollup("rolled_question", {"question": "question"}, _ANSWERS),
    _Rollup("rolled_sitting", {"sitting": "sitting"}, _ANSWERS, keeps=("instant",)),
    _Rollup("rolled_pace", {"edition": "edition", "bin": _PACE_BIN}, {"answered": "1"}),
    _Rollup(
        "rolled_calibration",
        {"bin": _RATIO_BIN},
        {"tested": "1", "kept": "rating > 1", "ratios": f"CAST({MILLION} * {_RATIO} AS INTEGER)"},
        where=_TESTED,
    ),
    _Rollup(
        "rolled_slip",
        {"misconception": "misconception", "question": "question", "day": "day"},
        {"slips": "1"},
        where="misconception IS NOT NULL",
    ),
)
_UNDONE_ALREADY = "EXISTS (SELECT 1 FROM review WHERE undoes = NEW.undoes AND id < NEW.id)"
# ``rolled`` names the row up to which the sums are complete; it stops where one was missed.
MIGRATION: tuple[str, ...] = (
    "CREATE TABLE rolled (through INTEGER NOT NULL)",
    *(one.create for one in _ROLLUPS),
    f"""CREATE TRIGGER roll_answer AFTER INSERT ON review WHEN NEW.undoes IS NULL AND NEW.act IS NULL
        BEGIN {"; ".join(one.add("NEW.id", "") for one in _ROLLUPS)}; END""",
    f"""CREATE TRIGGER roll_undo AFTER INSERT ON review WHEN NEW.undoes IS NOT NULL AND NOT {_UNDONE_ALREADY}
        BEGIN {"; ".join(f"{one.add('NEW.undoes', '-')}; {one.clear('NEW.undoes')}" for one in _ROLLUPS)}; END""",
    """CREATE TRIGGER roll_on AFTER INSERT ON review BEGIN UPDATE rolled SET through = NEW.id
        WHERE through = (SELECT coalesce(max(id), 0) FROM review WHERE id < NEW.id); END""",
    "INSERT INTO rolled SELECT 0",
)


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


@dataclass(frozen=True, slots=True)
class Totals:
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
    ask = connection.execute
    paces: dict[str, dict[int, int]] = {}
    for pack, step, count in ask(
        "SELECT pack, bin, sum(answered) FROM rolled_pace JOIN edition ON edition.id = edition GROUP BY pack, bin"
    ):
        paces.setdefault(pack, {})[step] = count
    by_day = "SELECT day, sum(answered), sum(correct), sum(spent_ms), sum(tested), sum(kept) FROM rolled_day GROUP BY 1"
    by_pack = """SELECT pack, sum(answered), sum(correct), sum(spent_ms) FROM rolled_day
        JOIN edition ON edition.id = edition GROUP BY pack"""
    by_key = """SELECT key, answered, correct, spent_ms FROM rolled_question
        JOIN question ON question.id = question"""
    by_sitting = "SELECT instant, answered, correct, spent_ms FROM rolled_sitting ORDER BY instant DESC, sitting DESC"
    by_slip = """SELECT misconception, key, sum(slips), max(day) FROM rolled_slip
        JOIN question ON question.id = question GROUP BY misconception, question"""
    newest = """SELECT thinking_ms FROM review WHERE act IS NULL AND undoes IS NULL AND NOT EXISTS
        (SELECT 1 FROM review AS undo WHERE undo.undoes = review.id) ORDER BY id DESC"""
    return Totals(
        days=tuple(map(Day._make, ask(by_day))),
        packs={row[0]: Counted._make(row[1:]) for row in ask(by_pack)},
        questions={row[0]: Counted._make(row[1:]) for row in ask(by_key)},
        sittings=tuple(map(SittingTotal._make, ask(f"{by_sitting} LIMIT {LAST_SITTINGS}"))),
        slips=tuple(map(SlipTotal._make, ask(by_slip))),
        ratios=tuple(map(RatioTotal._make, ask("SELECT tested, kept, ratios FROM rolled_calibration ORDER BY bin"))),
        paces=paces,
        recent_ms=tuple(row[0] for row in ask(f"{newest} LIMIT {LAST_ANSWERS}")),
    )


def seconds_of(step: int) -> tuple[float, float]:
    """From how many seconds to how many a bin of pace reaches."""
    if step < 20:
        return step, step + 1
    if step < 28:
        return 20 + 5 * (step - 20), 25 + 5 * (step - 20)
    return 60 + 15 * (step - 28), 75 + 15 * (step - 28)


def _are_complete(connection: sqlite3.Connection) -> bool:
    """Whether, at a glance, the sums are complete."""
    through = connection.execute("SELECT through FROM rolled").fetchall()
    return through == connection.execute("SELECT coalesce(max(id), 0) FROM review").fetchall()


def rebuild_rollups(connection: sqlite3.Connection) -> int:
    """Make all sums anew from the log, within a transaction of the caller's; the number of tables that were wrong."""
    wrong = 0
    for one in _ROLLUPS:
        columns = ", ".join(one.columns)
        right = connection.execute(one.made_anew).fetchall()
        kept = connection.execute(f"SELECT {columns} FROM {one.name}").fetchall()
        if sorted(right) != sorted(kept):
            wrong += 1
            connection.execute(f"DELETE FROM {one.name}")
            marks = ", ".join("?" * len(one.columns))
            connection.executemany(f"INSERT INTO {one.name} ({columns}) VALUES ({marks})", right)
    connection.execute("DELETE FROM rolled")
    connection.execute("INSERT INTO rolled SELECT coalesce(max(id), 0) FROM review")
    return wrong
