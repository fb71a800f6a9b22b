"""What to ask next: what was got wrong a moment ago, what is about to be forgotten, then something new."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Protocol, TypeVar

from quiz.memory.cards import Card
from quiz.memory.days import Moment
from quiz.memory.schedule import retrievability

Item = TypeVar("Item")


class Place(Protocol):
    """Where a question stands: all that memory knows of it. Places come in teaching order."""

    @property
    def key(self) -> str:
        """``pack/question``."""

    @property
    def pack(self) -> str:
        """The pack's id."""


@dataclass(frozen=True, slots=True)
class Counts:
    """A topic at a glance. ``due`` includes learning cards whose time has come; ``learning`` are those still to come
    back today; ``strength`` is the mean chance of knowing a question of it today, unseen ones counting nothing."""

    due: int = 0
    new: int = 0
    learning: int = 0
    total: int = 0
    strength: float = 0.0


def is_due(card: Card, moment: Moment) -> bool:
    """Whether a card waits to be asked: by the clock while learning, by the study day in review."""
    if card.state in ("learning", "relearning"):
        return card.due_at is not None and card.due_at <= moment.instant
    return card.state == "review" and card.due_day is not None and card.due_day <= moment.day


def plan(places: Sequence[Place], cards: Mapping[str, Card], moment: Moment, new_limit: int) -> list[str]:
    """The keys to ask, in order.

    First the learning cards whose time has come, oldest first; then reviews, the likeliest to be forgotten first, with
    up to ``new_limit`` new questions spread among them in teaching order. Packs take turns, so that a sitting mixes
    topics and siblings do not follow each other.
    """
    learning, reviews, new = [], [], []
    for place in places:
        card = cards.get(place.key) or Card(place.key)
        if card.state == "new":
            new.append((place, 0.0))
        elif is_due(card, moment):
            if card.state == "review":
                reviews.append((place, retrievability(card, moment.day)))
            else:
                learning.append((place, card.due_at.timestamp() if card.due_at else 0.0))
    first = [place.key for place, _ in sorted(learning, key=lambda pair: pair[1])]
    known = _take_turns([place for place, _ in sorted(reviews, key=lambda pair: pair[1])])
    unseen = _take_turns([place for place, _ in new])[: max(new_limit, 0)]
    return first + _spread(known, unseen)


def due_counts(places: Iterable[Place], cards: Mapping[str, Card], moment: Moment) -> dict[str, Counts]:
    """How each pack stands."""
    found: dict[str, list[Card]] = {}
    for place in places:
        found.setdefault(place.pack, []).append(cards.get(place.key) or Card(place.key))
    return {pack: _counts(cards_of, moment) for pack, cards_of in found.items()}


def _counts(cards: Sequence[Card], moment: Moment) -> Counts:
    due = sum(is_due(card, moment) for card in cards)
    waiting = [card for card in cards if card.state in ("learning", "relearning") and not is_due(card, moment)]
    strength = sum(retrievability(card, moment.day) for card in cards) / len(cards)
    return Counts(due, sum(card.state == "new" for card in cards), len(waiting), len(cards), strength)


def _take_turns(places: Sequence[Place]) -> list[str]:
    """Packs in turn, each in the order given."""
    by_pack: dict[str, list[str]] = {}
    for place in places:
        by_pack.setdefault(place.pack, []).append(place.key)
    return [key for turn in zip_longest(*by_pack.values()) for key in turn if key is not None]


def _spread(many: Sequence[Item], few: Sequence[Item]) -> list[Item]:
    """Both lists in their own order, mixed evenly."""
    placed = [((index + 0.5) / len(many), 0, item) for index, item in enumerate(many)]
    placed += [((index + 0.5) / len(few), 1, item) for index, item in enumerate(few)]
    return [item for _, _, item in sorted(placed, key=lambda one: one[:2])]
