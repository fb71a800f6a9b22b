"""Holding a log against itself: are its pages whole, its links right, its cards what the rows lead to."""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from quiz.memory import schedule
from quiz.memory.acts import Act, Entry, acted, replayed
from quiz.memory.cards import Card
from quiz.memory.kept import cards_of
from quiz.memory.reading import JOINED
from quiz.memory.review import Review
from quiz.memory.rollups import wrong_sums
from quiz.memory.rows import ANSWER, BEFORE, CARD, ENTRY, IllegibleError, Row, card_of, card_values, entry_of, moment_of
from quiz.memory.schedule import Parameters
from quiz.memory.storage import DamagedError, columns_of, expected_columns, told

_LINKS = "review.id, undoes, previous, question, key"
_LEFT_JOINED = JOINED.replace(" JOIN ", " LEFT JOIN ").replace("LEFT LEFT", "LEFT")
_PAGE = 1000
_Verdict: TypeAlias = Literal["fine", "rescheduled", "wrong", "detached", "unlinked", "illegible"]


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found. The log holds ``answers``, ``acts`` and the taking back of ``undone`` of them, about so many
    ``questions``.

    ``damage`` is what SQLite finds fault with, in its words. ``illegible`` rows hold what cannot be. In ``unlinked``
    ones the card before is not the one that the row before left; in ``wrong`` ones the card after is not what the
    answer or act leads to. ``rescheduled`` ones differ from a replay in strength or day alone, as they do once the
    retention, the weights or FSRS itself were changed: nothing is wrong with them. ``cards`` and ``sums`` count those
    that are not what the log says; to rebuild them is enough.
    """

    answers: int
    acts: int
    undone: int
    questions: int
    damage: tuple[str, ...]
    illegible: int
    unlinked: int
    wrong: int
    rescheduled: int
    cards: int
    sums: int

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not (self.damage or self.illegible or self.unlinked or self.wrong or self.cards or self.sums)


class _Last(NamedTuple):
    """The row before of the same question, and the card it left."""

    row: int
    card: Row


def check(connection: sqlite3.Connection, parameters: Parameters) -> Report:
    """Read the whole log and replay it, one row at a time."""
    damage = [row[0] for row in connection.execute("PRAGMA integrity_check(20)") if row[0] != "ok"]
    damage += [
        f"row {row[1]} of {row[0]} refers to no {row[2]}" for row in connection.execute("PRAGMA foreign_key_check")
    ]
    found = Counter[_Verdict]()
    latest: dict[int, _Last] = {}
    # Rows taken in from another device begin with the card as it was there. After them stands a merge, which links on.
    strangers: dict[int, list[_Verdict]] = {}
    for row in _rows(connection):
        verdict = _verdict(connection, row, latest.get(row[3]), parameters)
        if verdict == "detached" or (row[1] is not None and verdict in ("wrong", "rescheduled")):
            strangers.setdefault(row[3], []).append("unlinked" if verdict == "detached" else verdict)
        else:
            found[verdict] += 1
        if row[5] == "merge":
            strangers.pop(row[3], None)
        latest[row[3]] = _Last(row[0], row[-len(CARD) :])
    for verdicts in strangers.values():
        found.update(verdicts)
    answers, acts, undone = connection.execute(
        "SELECT count(*) FILTER (WHERE act IS NULL AND undoes IS NULL), count(act), count(undoes) FROM review"
    ).fetchone()
    return Report(
        answers=answers,
        acts=acts,
        undone=undone,
        questions=len(latest),
        damage=tuple(damage),
        illegible=found["illegible"],
        unlinked=found["unlinked"],
        wrong=found["wrong"],
        rescheduled=found["rescheduled"],
        cards=len(cards_of(connection)[1]),
        sums=wrong_sums(connection),
    )


def check_intact(connection: sqlite3.Connection, path: Path) -> None:
    """Look for damage alone: read every page, and every row of the log.

    Raises:
        DamagedError: SQLite finds fault with a page, or a row holds what cannot be.
    """
    with told(path):
        if columns_of(connection) != expected_columns():
            raise DamagedError(f"{path} is damaged: its tables are not those of quiz")
        found = connection.execute("PRAGMA integrity_check(1)").fetchone()
        if found is None or found[0] != "ok":
            raise DamagedError(f"{path} is damaged: {found and found[0]}")
        if connection.execute("PRAGMA foreign_key_check").fetchone():
            raise DamagedError(f"{path} is damaged: a row refers to what is not there")
        seen = 0
        for row in _rows(connection):
            _legible(row)
            seen += 1
        if seen != connection.execute("SELECT count(*) FROM review").fetchone()[0]:
            raise DamagedError(f"{path} is damaged: rows of the log cannot be read")


def _legible(row: Row) -> tuple[Card, Card, Entry | None]:
    """The card before and after, and the entry unless the row takes one back.

    Raises:
        IllegibleError: the row holds what cannot be.
    """
    if row[1] is None:
        entry = entry_of(row[5:])
        return entry.before, entry.after, entry
    key, cards = row[4], row[-2 * len(CARD) :]
    moment_of(*row[-2 * len(CARD) - len(ANSWER) - 3 : -2 * len(CARD) - len(ANSWER)])
    return card_of(key, cards[: len(CARD)]), card_of(key, cards[len(CARD) :]), None


def _rows(connection: sqlite3.Connection) -> Iterator[Row]:
    """All rows, oldest first, with what `_verdict` looks at; those that SQLite cannot read are left out."""
    select = f"SELECT {_LINKS}, {ENTRY} FROM {_LEFT_JOINED}"
    last = connection.execute("SELECT max(id) FROM review").fetchone()[0] or 0
    for start in range(0, last, _PAGE):
        try:
            yield from connection.execute(
                f"{select} WHERE review.id > ? AND review.id <= ? ORDER BY review.id", (start, start + _PAGE)
            ).fetchall()
        except (sqlite3.Error, UnicodeDecodeError):
            for number in range(start + 1, start + _PAGE + 1):
                with suppress(sqlite3.Error, UnicodeDecodeError):
                    yield from connection.execute(f"{select} WHERE review.id = ?", (number,)).fetchall()


def _verdict(connection: sqlite3.Connection, row: Row, last: _Last | None, parameters: Parameters) -> _Verdict:
    number, undoes, previous, _, key = row[:5]
    try:
        before, after, entry = _legible(row)
    except IllegibleError:
        return "illegible"
    if previous != (last and last.row):
        return "unlinked"
    if not (isinstance(entry, Act) and entry.act == "merge") and card_values(before) != (
        last.card if last else card_values(Card(key))
    ):
        return "detached"
    if entry is not None:
        return _compared(after, _outcome(before, entry, parameters))
    undone = connection.execute(
        f"SELECT {', '.join(BEFORE)} FROM review WHERE id = ? AND question = ?", (undoes, row[3])
    ).fetchone()
    if undone is None or undoes >= number:
        return "unlinked"
    if undone == card_values(after):
        return "fine"
    # Something else had come since what was taken back.
    return _compared(after, replayed(key, _live(connection, row[3], number), parameters))


def _live(connection: sqlite3.Connection, question: int, until: int) -> list[Entry]:
    """What counted of a question once the row ``until`` stood."""
    rows = connection.execute(
        f"SELECT {ENTRY} FROM {JOINED} WHERE review.question = ? AND review.id < ? AND review.undoes IS NULL AND NOT"
        " EXISTS (SELECT 1 FROM review AS undo WHERE undo.undoes = review.id AND undo.id <= ?) ORDER BY review.id",
        (question, until, until),
    )
    found = []
    for row in rows:
        with suppress(IllegibleError):
            found.append(entry_of(row))
    return found


def _outcome(before: Card, entry: Entry, parameters: Parameters) -> Card:
    if isinstance(entry, Review):
        return schedule.review(before, entry.rating, entry.moment, parameters)
    return entry.after if entry.act == "merge" else acted(before, entry.act, entry.moment, parameters)


def _compared(stored: Card, expected: Card) -> _Verdict:
    if stored == expected:
        return "fine"
    # Which day, and how strong, depends on settings that may have been others then; nothing else does.
    same = expected._replace(
        stability=stored.stability,
        difficulty=stored.difficulty,
        due_day=stored.due_day,
    )
    return "rescheduled" if same == stored else "wrong"
