"""Where the questions of the log stand in the catalogue, kept beside the log: then SQLite can sum by pack, lesson and
depth, and nobody need read a hundred thousand cards to say how many are due.

Questions of one lesson and depth share a spot. Spots, and which questions they hold, are rows of the table of sums that
count nothing. They are kept under the stamp of the catalogue and made anew once it has another; triggers forget them
where the number of a question comes to mean another one.
"""

import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeAlias, TypeVar

from quiz.memory.queue import Place
from quiz.memory.rollups import SUMMED, changing

_T = TypeVar("_T")
_Family: TypeAlias = tuple[str, str, str]

_SPOT, _HELD, _CATALOGUE = 100, 101, 102
# Holds the questions of the log that are no longer in the catalogue.
_NOWHERE = 0
# Rows of ``held`` that put the question ``held.second`` on the spot ``held.first``; the questions that are on none.
HELD = f"held.figure = {_HELD} AND held.first > {_NOWHERE}"
LOST = f"SELECT second FROM rolled WHERE figure = {_HELD} AND first = {_NOWHERE}"
_STAMP = f"SELECT first, n FROM rolled WHERE figure = {_CATALOGUE}"
_KEEP = "INSERT INTO rolled VALUES (?, ?, ?, ?, ?, ?, 0, 0, 0)"
_FORGET = f"DELETE FROM rolled WHERE figure = {_CATALOGUE}"
_TRIGGERS = tuple(
    f"CREATE TEMP TRIGGER {name} AFTER {what} ON main.question BEGIN {_FORGET}; END"
    for name, what in (("forget_renamed", "UPDATE OF key"), ("forget_deleted", "DELETE"))
)


class Catalogue(Protocol):
    """All questions that can be asked."""

    def stamp(self) -> str:
        """Another one once any question has come, gone or moved."""

    def entries(self) -> Sequence[Place]:
        """All of them, in teaching order."""

    def of(self, keys: Collection[str]) -> Sequence[Place]:
        """Those with these keys, as far as they are there."""

    def ideas(self, misconceptions: Collection[str]) -> Mapping[str, tuple[str, str]]:
        """What these misconceptions say and what is true instead, as far as a pack knows them."""


class Spot(NamedTuple):
    """The ``questions`` of a lesson, or of those without one, that have the same depth. Spots are numbered in teaching
    order of their first questions."""

    number: int
    pack: str
    lesson: str | None
    depth: str
    questions: int


def follow(connection: sqlite3.Connection) -> None:
    """Have the spots forgotten once a question of this connection's log has another key, or none."""
    for trigger in _TRIGGERS:
        connection.execute(trigger)


def forget(connection: sqlite3.Connection) -> None:
    """Have the spots made anew before they are next used."""
    connection.execute(_FORGET)


def by_spot(
    connection: sqlite3.Connection, catalogue: Catalogue, read: Callable[[sqlite3.Connection, list[Spot]], _T]
) -> _T:
    """What ``read`` finds, given the spots, once they are up to date. Where that cannot be written, it finds it all the
    same."""
    # Another window may change the catalogue meanwhile: then what is kept under this stamp is made anew next time.
    stamp = catalogue.stamp()
    if _is_up_to_date(connection, stamp):
        return read(connection, _spots(connection))
    found: list[_T] = []
    try:
        with changing(connection):
            # Another window may have been first.
            if not _is_up_to_date(connection, stamp):
                _bring_up_to_date(connection, catalogue, stamp)
            found.append(read(connection, _spots(connection)))
    except sqlite3.OperationalError:
        if not found:
            raise
    return found[0]


def lost(connection: sqlite3.Connection, _: object) -> int:
    """How many questions of the log are no longer in the catalogue."""
    found = connection.execute(f"SELECT count(DISTINCT question) FROM review WHERE question IN ({LOST})").fetchone()
    return int(found[0])


def _is_up_to_date(connection: sqlite3.Connection, stamp: str) -> bool:
    return bool(connection.execute(_STAMP).fetchone() == (stamp, _last(connection)))


def _last(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT coalesce(max(id), 0) FROM question").fetchone()[0])


def _spots(connection: sqlite3.Connection) -> list[Spot]:
    rows = connection.execute(f"SELECT n, first, second, third, a FROM rolled WHERE figure = {_SPOT} ORDER BY n")
    return [Spot(number, pack, lesson or None, depth, questions) for number, pack, lesson, depth, questions in rows]


def _bring_up_to_date(connection: sqlite3.Connection, catalogue: Catalogue, stamp: str) -> None:
    kept, through = connection.execute(_STAMP).fetchone() or (None, 0)
    if kept != stamp:
        through = 0
        connection.execute(f"DELETE FROM rolled WHERE NOT ({SUMMED})")
        places: Sequence[Place] = catalogue.entries()
        spots = _counted(places)
        rows = [(_SPOT, *family, spot.number, spot.questions) for family, spot in spots.items()]
        connection.executemany(_KEEP, rows)
    else:
        spots = {_family(spot): spot for spot in _spots(connection)}
        new = connection.execute("SELECT key FROM question WHERE id > ?", (through,))
        places = catalogue.of([key for (key,) in new])
    number_of = {place.key: spots[_family(place)].number for place in places if _family(place) in spots}
    held = connection.execute("SELECT key, id FROM question WHERE id > ?", (through,)).fetchall()
    connection.executemany(_KEEP, [(_HELD, number_of.get(key, _NOWHERE), question, 0, 0, 0) for key, question in held])
    forget(connection)
    connection.execute(_KEEP, (_CATALOGUE, stamp, 0, 0, _last(connection), 0))


def _counted(places: Sequence[Place]) -> dict[_Family, Spot]:
    """The spots of all these questions."""
    found: dict[_Family, Spot] = {}
    for place in places:
        family = _family(place)
        spot = found.get(family) or Spot(len(found) + 1, place.pack, place.lesson, place.depth, 0)
        found[family] = spot._replace(questions=spot.questions + 1)
    return found


def _family(one: Place | Spot) -> _Family:
    return one.pack, one.lesson or "", one.depth
