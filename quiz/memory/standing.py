"""How topics, lessons and depths stand, and which questions are the weakest."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from quiz.memory.cards import Card, is_aside, is_due
from quiz.memory.days import Moment
from quiz.memory.leeches import is_leech
from quiz.memory.queue import Place
from quiz.memory.rollups import Counted
from quiz.memory.schedule import DEFAULTS, Parameters, retrievability, strength

WEAKEST = 10
_NONE = Counted(0, 0, 0)


@dataclass(frozen=True, slots=True)
class Topic:
    """A pack. ``right`` is the share of its reviews that were right, None before the first; ``strength`` the mean
    chance of knowing one of its questions today (see `schedule.strength`); ``new`` counts all unseen ones."""

    questions: int
    due: int
    learning: int
    new: int
    reviews: int
    right: float | None
    strength: float


@dataclass(frozen=True, slots=True)
class Stand:
    """A lesson or a depth; its figures mean what those of a `Topic` do."""

    questions: int
    due: int
    new: int
    reviews: int
    right: float | None
    strength: float


@dataclass(frozen=True, slots=True)
class Weak:
    """A question that was missed: ``right`` is the share of its answers that were right, ``chance`` that of knowing it
    today, ``topic`` what to study."""

    key: str
    topic: str
    answered: int
    missed: int
    right: float
    lapses: int
    chance: float


def topics(
    places: Iterable[Place],
    cards: Mapping[str, Card],
    packs: Mapping[str, Counted],
    moment: Moment,
    parameters: Parameters = DEFAULTS,
) -> dict[str, Topic]:
    """How each pack stands, in the order in which the packs come."""
    groups: dict[str, list[Card]] = {}
    for place in places:
        groups.setdefault(place.pack, []).append(cards.get(place.key) or Card(place.key))
    return {
        pack: Topic(
            questions=len(held),
            due=sum(is_due(card, moment) for card in held),
            learning=sum(card.due_at is not None and not is_aside(card, moment) for card in held),
            new=sum(card.state == "new" for card in held),
            reviews=packs.get(pack, _NONE).answered,
            right=_share(packs.get(pack, _NONE)),
            strength=round(strength(held, moment.day, parameters), 4),
        )
        for pack, held in groups.items()
    }


def stands(
    places: Iterable[Place],
    cards: Mapping[str, Card],
    questions: Mapping[str, Counted],
    moment: Moment,
    parameters: Parameters = DEFAULTS,
) -> tuple[dict[str, Stand], dict[str, Stand]]:
    """How each lesson (``pack/lesson``) and each depth stands."""
    lessons: dict[str, list[Card]] = {}
    depths: dict[str, list[Card]] = {}
    for place in places:
        card = cards.get(place.key) or Card(place.key)
        if place.lesson:
            lessons.setdefault(f"{place.pack}/{place.lesson}", []).append(card)
        depths.setdefault(place.depth, []).append(card)
    by_lesson, by_depth = (
        {name: _stand(held, questions, moment, parameters) for name, held in groups.items()}
        for groups in (lessons, depths)
    )
    return by_lesson, by_depth


def weakest(
    places: Iterable[Place],
    cards: Mapping[str, Card],
    questions: Mapping[str, Counted],
    moment: Moment,
    parameters: Parameters = DEFAULTS,
) -> tuple[tuple[Weak, ...], tuple[Weak, ...]]:
    """The questions that were right least often of those ever missed, and the leeches; both the worst first. What is
    suspended is among neither."""
    missed: list[tuple[float, str, Place, Card, Counted]] = []
    for place in places:
        count, card = questions.get(place.key, _NONE), cards.get(place.key)
        if card is not None and not card.suspended and count.right < count.answered:
            # As if each had been right once and missed once more, so that one slip alone does not lead the list.
            missed.append(((count.right + 1) / (count.answered + 2), place.key, place, card, count))
    missed.sort(key=lambda one: one[:2])

    def weak(place: Place, card: Card, count: Counted) -> Weak:
        chance = round(retrievability(card, moment.day, parameters), 4)
        share = round(count.right / count.answered, 4)
        return Weak(place.key, topic(place), count.answered, count.answered - count.right, share, card.lapses, chance)

    leeches = sorted((one for one in missed if is_leech(one[3])), key=lambda one: (-one[3].lapses, one[1]))
    return tuple(weak(*one[2:]) for one in missed[:WEAKEST]), tuple(weak(*one[2:]) for one in leeches)


def topic(place: Place) -> str:
    """What to study for this question: its lesson, or its pack where it has none."""
    return f"{place.pack}/{place.lesson}" if place.lesson else place.pack


def _stand(cards: list[Card], questions: Mapping[str, Counted], moment: Moment, parameters: Parameters) -> Stand:
    counts = [questions.get(card.key, _NONE) for card in cards]
    count = Counted(sum(one.answered for one in counts), sum(one.right for one in counts), 0)
    return Stand(
        questions=len(cards),
        due=sum(is_due(card, moment) for card in cards),
        new=sum(card.state == "new" for card in cards),
        reviews=count.answered,
        right=_share(count),
        strength=round(strength(cards, moment.day, parameters), 4),
    )


def _share(count: Counted) -> float | None:
    return round(count.right / count.answered, 4) if count.answered else None
