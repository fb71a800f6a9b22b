"""Misconceptions as they show in the log, and what repaired them."""

import sqlite3
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import date
from typing import TypeAlias

from quiz.memory.days import calendar_date
from quiz.memory.rollups import MISCONCEPTIONS, NAMES

# Of the questions in which a misconception showed, more than this help nobody.
MOST = 10
# So many questions are not all looked up.
MANY = 10 * MOST
_SEEN = f"SELECT count(*) FROM rolled AS seen WHERE seen.figure = {MISCONCEPTIONS} AND seen.first = rolled.first"
_NAMES = f"SELECT first, n, a, ({_SEEN}) FROM rolled WHERE figure = {NAMES} ORDER BY n DESC, first"
# What misconceptions say and what is true instead, of those that are known, by their ids.
Ideas: TypeAlias = Callable[[Collection[str]], Mapping[str, tuple[str, str]]]
# Of a question in which a misconception showed: how often, negative so that the commonest sort first; its key; on which
# study day last, and on which repaired.
_Found: TypeAlias = tuple[int, str, int, int | None]
# A card in review was known when it was last asked: what is missed leaves that state.
_IS_REPAIRED = "state = 2 AND last_day > a"
_QUESTIONS = f"""SELECT -n, key, a, CASE WHEN {_IS_REPAIRED} THEN last_day END
    FROM rolled CROSS JOIN card ON card.question = +rolled.second CROSS JOIN question ON question.id = card.question
    WHERE figure = {MISCONCEPTIONS} AND first = :name AND (n > :floor OR NOT ({_IS_REPAIRED}))"""


@dataclass(frozen=True, slots=True)
class Where:
    """A question in which the misconception showed. ``repaired`` is the day on which the question was last answered
    on a later day than that, and known; None if that has not happened."""

    key: str
    count: int
    last: date
    repaired: date | None


@dataclass(frozen=True, slots=True)
class Misconception:
    """A misconception: what it ``says`` and the ``truth``, in a pack's words; how often it showed, and on which day
    last; in how many questions it was ``seen`` and is still ``open``, with some of these ``questions``, open ones
    first, then the commonest. It is ``repaired`` once none is open; ``repaired_by`` names some that are not."""

    id: str
    says: str
    truth: str
    count: int
    last: date
    seen: int
    open: int
    questions: tuple[Where, ...]
    repaired: bool
    repaired_by: tuple[str, ...]


def misconceptions(connection: sqlite3.Connection, ideas: Ideas) -> tuple[Misconception, ...]:
    """The misconceptions, the commonest first. One whose pack is gone says its own name."""
    found = connection.execute(_NAMES).fetchall()
    known = ideas([name for name, *_ in found]) if found else {}
    return tuple(
        _misconception(connection, known.get(name, (name.replace("-", " "), "")), name, *counts)
        for name, *counts in found
    )


def _misconception(
    connection: sqlite3.Connection, idea: tuple[str, str], name: str, count: int, last: int, seen: int
) -> Misconception:
    # Of many questions, those well above the mean will do, if they are enough.
    opened, repaired = _questions(connection, name, 3 * count // (2 * seen) + 1 if seen > MANY else 0)
    if len(repaired) < MOST and len(opened) + len(repaired) < seen:
        opened, repaired = _questions(connection, name, 0)
    return Misconception(
        id=name,
        says=idea[0],
        truth=idea[1],
        count=count,
        last=calendar_date(last),
        seen=seen,
        open=len(opened),
        questions=tuple(_where(*one) for one in (opened + repaired)[:MOST]),
        repaired=not opened,
        repaired_by=tuple(key for _, key, _, _ in repaired[:MOST]),
    )


def _questions(connection: sqlite3.Connection, name: str, floor: int) -> tuple[list[_Found], list[_Found]]:
    """The questions in which it is open, and of the others those in which it showed more often than ``floor``."""
    found = sorted(connection.execute(_QUESTIONS, {"name": name, "floor": floor}))
    return [one for one in found if one[3] is None], [one for one in found if one[3] is not None]


def _where(minus: int, key: str, last: int, repaired: int | None) -> Where:
    return Where(key, -minus, calendar_date(last), None if repaired is None else calendar_date(repaired))
