"""Which questions are the weakest, and which are leeches."""

import sqlite3
from dataclasses import dataclass

from quiz.memory.days import Moment
from quiz.memory.leeches import IS_LEECH
from quiz.memory.model import model_of
from quiz.memory.rollups import QUESTION
from quiz.memory.schedule import DEFAULTS, Parameters
from quiz.memory.spots import LOST, Catalogue
from quiz.memory.topics import topic

WEAKEST = 10
_SELECT = "SELECT key, n, a, lapses, stability, last_day, state = 2"
_MISSED = f"a < n AND NOT suspended AND card.question NOT IN ({LOST})"
_KEY = "CROSS JOIN question ON question.id = card.question"
# As if each had been right once and missed once more, so that one slip alone does not lead the list.
_WEAKEST = f"""{_SELECT} FROM rolled CROSS JOIN card ON card.question = +rolled.first {_KEY}
    WHERE figure = {QUESTION} AND {_MISSED} ORDER BY (a + 1.0) / (n + 2), key LIMIT {WEAKEST}"""
_LEECHES = f"""{_SELECT} FROM card CROSS JOIN rolled ON figure = {QUESTION} AND rolled.first = +card.question
    AND second = 0 AND third = 0 {_KEY} WHERE {IS_LEECH} AND {_MISSED} ORDER BY lapses DESC, key"""


@dataclass(frozen=True, slots=True)
class Weak:
    """A question that was missed: ``right`` is the share of its answers that were right, ``chance`` that of knowing it
    today, 0 while it is being learned, ``topic`` what to study."""

    key: str
    topic: str
    answered: int
    missed: int
    right: float
    lapses: int
    chance: float


def weakest(
    connection: sqlite3.Connection,
    catalogue: Catalogue,
    moment: Moment,
    parameters: Parameters = DEFAULTS,
) -> tuple[tuple[Weak, ...], tuple[Weak, ...]]:
    """The questions that were right least often of those ever missed, and the leeches; both the worst first. What is
    suspended is among neither."""
    worst, leeches = (connection.execute(query).fetchall() for query in (_WEAKEST, _LEECHES))
    topic_of = {place.key: topic(place) for place in catalogue.of([row[0] for row in (*worst, *leeches)])}
    model = model_of(parameters.weights)

    def weak(
        key: str, answered: int, right: int, lapses: int, stability: float, last_day: int, is_review: bool
    ) -> Weak:
        chance = model.recall(max(0, moment.day - last_day), stability) if is_review else 0.0
        missed, share = answered - right, round(right / answered, 4)
        # Another window may have taken its pack away just now.
        about = topic_of.get(key) or key.partition("/")[0]
        return Weak(key, about, answered, missed, share, lapses, round(chance, 4))

    return tuple(weak(*row) for row in worst), tuple(weak(*row) for row in leeches)
