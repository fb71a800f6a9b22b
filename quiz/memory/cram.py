"""Study of a topic of which nothing is due: what comes back next, asked ahead of time.

This does the schedule no harm. A review ahead of time counts by the days that have passed, so it strengthens the less
the earlier it comes, and a success never brings a question back earlier than it would have come (see
`quiz.memory.schedule`).
"""

from collections.abc import Iterable, Mapping

from quiz.memory.cards import Card, is_aside
from quiz.memory.days import Moment
from quiz.memory.queue import Place
from quiz.memory.schedule import DEFAULTS, Parameters, retrievability

# A sitting's worth.
MOST = 20


def next_due(
    places: Iterable[Place], cards: Mapping[str, Card], moment: Moment, parameters: Parameters = DEFAULTS
) -> tuple[str, ...]:
    """Questions that are not due, the likeliest to be forgotten first; then those that come back within minutes, the
    soonest first; last those asked today already, which once more changes nothing. None that is new, suspended or
    buried."""
    held = [card for place in places if (card := cards.get(place.key)) is not None]
    asked = [card for card in held if card.state != "new" and not is_aside(card, moment)]

    def order(card: Card) -> tuple[int, float, str]:
        if card.due_at is not None:
            return 1, card.due_at.timestamp(), card.key
        return 2 * (card.last_day == moment.day), retrievability(card, moment.day, parameters), card.key

    return tuple(card.key for card in sorted(asked, key=order)[:MOST])
