"""How the questions stand, summed by their spots (see `quiz.memory.spots`): SQLite reads the cards, and of a hundred
thousand only a few dozen rows come from it."""

import math
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import islice, repeat, zip_longest
from typing import NamedTuple

from quiz.memory.days import Moment
from quiz.memory.model import model_of
from quiz.memory.queue import interview_ahead
from quiz.memory.rows import ticks
from quiz.memory.schedule import DEFAULTS, Parameters
from quiz.memory.spots import HELD, LOST, Spot
from quiz.memory.worth import SWEEP_DAYS, WORTHWHILE, gain_of

_ASIDE = "(suspended OR buried_day IS :day)"
_CHANCE = "CASE WHEN state = 2 THEN pow(1 + :factor * max(0, :day - last_day) / stability, -:decay) ELSE 0.0 END"
_COUNTED = (
    *("state > 0", f"state = 0 AND {_ASIDE}", "suspended", "state > 0 AND NOT suspended"),
    *("state = 2 AND NOT suspended", f"due_day <= :day AND NOT {_ASIDE}"),
    *(f"due_at <= :now AND NOT {_ASIDE}", f"due_at > :now AND NOT {_ASIDE}"),
)
_STANDING = f"""SELECT held.first, {", ".join(f"count(*) FILTER (WHERE {what})" for what in _COUNTED)}, sum({_CHANCE})
    FROM rolled AS held CROSS JOIN card ON card.question = +held.second WHERE {HELD} GROUP BY held.first"""
# Reviews that are not due and not of today.
_AHEAD = f"""SELECT held.first, stability, difficulty, last_day
    FROM rolled AS held CROSS JOIN card ON card.question = +held.second
    WHERE {HELD} AND state = 2 AND NOT {_ASIDE} AND due_day > :day AND last_day < :day"""


class Stood(NamedTuple):
    """The questions of a spot as they stand.

    ``met`` are no longer new, ``aside`` are new but put aside today; ``known`` are met and not suspended, of which
    ``reviews`` are through their steps. ``due`` are reviews to be asked today, ``wanted`` those of an interview at hand
    that are worth asking ahead of time. Of what is being learned, ``ready`` is to be asked now, ``waiting`` later.
    ``chances`` is the sum of the chances of knowing each today. One that is unseen or not yet through its learning
    steps counts nothing: it was on screen minutes ago, which says little about tomorrow.
    """

    spot: Spot
    wanted: int = 0
    met: int = 0
    aside: int = 0
    suspended: int = 0
    known: int = 0
    reviews: int = 0
    due: int = 0
    ready: int = 0
    waiting: int = 0
    chances: float = 0.0

    @property
    def asked(self) -> int:
        """How many are to be asked now, apart from new ones."""
        return self.due + self.ready + self.wanted

    @property
    def new(self) -> int:
        """How many were never answered and are not suspended."""
        return self.spot.questions - self.suspended - self.known

    @property
    def unseen(self) -> int:
        """How many were never answered."""
        return self.spot.questions - self.met


def standing(
    connection: sqlite3.Connection, spots: Iterable[Spot], moment: Moment, parameters: Parameters = DEFAULTS
) -> list[Stood]:
    """How the questions of each spot stand."""
    _have_powers(connection)
    model = model_of(parameters.weights)
    asked = {"day": moment.day, "now": ticks(moment.instant), "factor": model.factor, "decay": model.decay}
    rows = {row[0]: row[1:] for row in connection.execute(_STANDING, asked)}
    wanted = _wanted(connection, moment, parameters)
    return [Stood(spot, wanted.get(spot.number, 0), *rows.get(spot.number, ())) for spot in spots]


def new_in_turns(stood: Iterable[Stood], limit: int) -> Counter[str]:
    """How many of so many new questions come from each pack where no interview is ahead. The packs then take turns, as
    in `quiz.memory.queue.queue`, so that nobody need look which questions they are."""
    unseen = Counter[str]()
    for one in stood:
        unseen[one.spot.pack] += one.unseen - one.aside
    turns = zip_longest(*(repeat(pack, count) for pack, count in unseen.items()))
    return Counter(islice((pack for turn in turns for pack in turn if pack is not None), max(limit, 0)))


def due_by(connection: sqlite3.Connection, _: object, day: int) -> int:
    """How many questions are due by that study day, as far as is known today; those being learned are left out."""
    query = f"SELECT count(*) FROM card WHERE NOT suspended AND due_day <= ? AND question NOT IN ({LOST})"
    return int(connection.execute(query, (day,)).fetchone()[0])


def _have_powers(connection: sqlite3.Connection) -> None:
    try:
        connection.execute("SELECT pow(1, 1)")
    except sqlite3.OperationalError:
        # Some builds of SQLite have no mathematics.
        connection.create_function("pow", 2, math.pow, deterministic=True)


def _wanted(connection: sqlite3.Connection, moment: Moment, parameters: Parameters) -> Mapping[int, int]:
    """How many reviews are worth asking ahead of time, by spot: none but shortly before an interview."""
    found = Counter[int]()
    interview, model = interview_ahead(moment, parameters), model_of(parameters.weights)
    if interview is None or interview - moment.day > SWEEP_DAYS:
        return found
    for spot, stability, difficulty, last_day in connection.execute(_AHEAD, {"day": moment.day}):
        gained, _ = gain_of(model, stability, difficulty, last_day, moment.day, interview)
        found[spot] += gained >= WORTHWHILE
    return found
