"""Reading cards by key: all of them, or what is pressing. The database finds that, for a queue of twenty need not read
a hundred thousand cards.
"""

import sqlite3

from quiz.memory.cards import Card
from quiz.memory.days import Moment
from quiz.memory.rows import CARD, card_of

_COLUMNS = f"question AS id, {', '.join(CARD)}"
_KEPT = "NOT suspended AND buried_day IS NOT :day"
_LEARNING = f"SELECT {_COLUMNS} FROM card WHERE due_at IS NOT NULL AND {_KEPT}"
# The chance of knowing falls with the days since the last review, counted in stabilities, by one curve for all cards.
_REVIEWS = (
    f"SELECT {_COLUMNS} FROM card WHERE due_day <= :day AND {_KEPT}"
    " ORDER BY (:day - last_day) / stability DESC LIMIT :most"
)


def used(connection: sqlite3.Connection) -> dict[str, Card]:
    """The cards that are not as good as new.

    Raises:
        IllegibleError: a card was never written so.
    """
    rows = connection.execute(
        f"SELECT key, {', '.join(CARD)} FROM card JOIN question ON question.id = card.question"
        " WHERE state > 0 OR suspended OR flagged OR buried_day IS NOT NULL"
    ).fetchall()
    return {row[0]: card_of(row[0], row[1:]) for row in rows}


def pressing(connection: sqlite3.Connection, moment: Moment, most: int) -> dict[str, Card]:
    """The cards in learning, due or not, and of the reviews that are due the ``most`` likeliest to be forgotten.

    Raises:
        IllegibleError: a card was never written so.
    """
    cards: dict[str, Card] = {}
    for some in (_LEARNING, _REVIEWS):
        query = f"SELECT key, some.* FROM ({some}) AS some JOIN question USING (id)"
        for key, _, *values in connection.execute(query, {"day": moment.day, "most": most}):
            cards[key] = card_of(key, tuple(values))
    return cards


def met(connection: sqlite3.Connection, day: int) -> set[str]:
    """The keys of all questions that were ever answered, or are put aside on that study day."""
    query = "SELECT key FROM card JOIN question ON id = question WHERE state > 0 OR suspended OR buried_day = ?"
    return {key for (key,) in connection.execute(query, (day,))}
