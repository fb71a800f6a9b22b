"""Reading cards by key: all of them, or what is pressing. The database finds that, for a queue of twenty need not read
a hundred thousand cards.
"""

import sqlite3

from quiz.memory.cards import Card
from quiz.memory.days import Moment
from quiz.memory.rows import CARD, card_of

_KEPT = "NOT suspended AND buried_day IS NOT :day"
_LEARNING = f"SELECT question AS id FROM card WHERE due_at IS NOT NULL AND {_KEPT}"
# The chance of knowing falls with the days since the last review, counted in stabilities, by one curve for all cards.
_REVIEWS = (
    f"SELECT question AS id FROM card WHERE due_day <= :day AND {_KEPT}"
    " ORDER BY (:day - last_day) / stability DESC LIMIT :most"
)
# The order of the joins is set, for SQLite would begin with all questions.
_CARDS = (
    f"SELECT key, {', '.join(CARD)} FROM ({{}}) AS some"
    " CROSS JOIN card ON card.question = some.id CROSS JOIN question ON question.id = some.id"
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
        rows = connection.execute(_CARDS.format(some), {"day": moment.day, "most": most})
        cards |= {row[0]: card_of(row[0], row[1:]) for row in rows}
    return cards
