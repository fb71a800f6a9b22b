"""How topics, lessons and depths stand, and which questions are the weakest."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from heapq import nsmallest
from typing import NamedTuple

from quiz.memory.cards import Card, is_aside, is_due
from quiz.memory.days import Moment
from quiz.memory.leeches import is_leech
from quiz.memory.queue import Place
from quiz.memory.rollups import Counted
from quiz.memory.schedule import DEFAULTS, Parameters, retrievability

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
    today, 0 while it is being learned, ``topic`` what to study."""

    key: str
    topic: str
    answered: int
    missed: int
    right: float
    lapses: int
    chance: float


class Asked(NamedTuple):
    """A question as it stands: ``chance`` is that of knowing it today, 0 where it counts nothing in a strength (see
    `schedule.strength`)."""

    place: Place
    card: Card
    answers: Counted
    due: bool
    chance: float


def standing(
    places: Iterable[Place],
    cards: Mapping[str, Card],
    questions: Mapping[str, Counted],
    moment: Moment,
    parameters: Parameters = DEFAULTS,
) -> list[Asked]:
    """Every question as it stands."""
    found = []
    for place in places:
        card = cards.get(place.key)
        if card is None:
            found.append(Asked(place, Card(place.key), questions.get(place.key, _NONE), False, 0.0))
            continue
        chance = retrievability(card, moment.day, parameters) if card.state == "review" else 0.0
        found.append(Asked(place, card, questions.get(place.key, _NONE), is_due(card, moment), chance))
    return found


def topics(asked: Iterable[Asked], packs: Mapping[str, Counted], moment: Moment) -> dict[str, Topic]:
    """How each pack stands, in the order in which the packs come."""
    groups: dict[str, list[Asked]] = {}
    for one in asked:
        groups.setdefault(one.place.pack, []).append(one)
    return {
        pack: Topic(
            questions=len(held),
            due=sum(one.due for one in held),
            learning=sum(one.card.due_at is not None and not is_aside(one.card, moment) for one in held),
            new=sum(one.card.state == "new" for one in held),
            reviews=packs.get(pack, _NONE).answered,
            right=_share(packs.get(pack, _NONE)),
            strength=_strength(held),
        )
        for pack, held in groups.items()
    }


def stands(asked: Iterable[Asked]) -> tuple[dict[str, Stand], dict[str, Stand]]:
    """How each lesson (``pack/lesson``) and each depth stands."""
    lessons: dict[str, list[Asked]] = {}
    depths: dict[str, list[Asked]] = {}
    for one in asked:
        if one.place.lesson:
            lessons.setdefault(f"{one.place.pack}/{one.place.lesson}", []).append(one)
        depths.setdefault(one.place.depth, []).append(one)
    by_lesson, by_depth = ({name: _stand(held) for name, held in groups.items()} for groups in (lessons, depths))
    return by_lesson, by_depth


def weakest(asked: Iterable[Asked]) -> tuple[tuple[Weak, ...], tuple[Weak, ...]]:
    """The questions that were right least often of those ever missed, and the leeches; both the worst first. What is
    suspended is among neither."""
    missed = [one for one in asked if one.answers.right < one.answers.answered and not one.card.suspended]
    # As if each had been right once and missed once more, so that one slip alone does not lead the list.
    worst = nsmallest(
        WEAKEST, missed, key=lambda one: ((one.answers.right + 1) / (one.answers.answered + 2), one.card.key)
    )
    leeches = sorted((one for one in missed if is_leech(one.card)), key=lambda one: (-one.card.lapses, one.card.key))
    return tuple(map(_weak, worst)), tuple(map(_weak, leeches))


def _weak(one: Asked) -> Weak:
    count = one.answers
    return Weak(
        key=one.card.key,
        topic=topic(one.place),
        answered=count.answered,
        missed=count.answered - count.right,
        right=round(count.right / count.answered, 4),
        lapses=one.card.lapses,
        chance=round(one.chance, 4),
    )


def topic(place: Place) -> str:
    """What to study for this question: its lesson, or its pack where it has none."""
    return f"{place.pack}/{place.lesson}" if place.lesson else place.pack


def _stand(asked: list[Asked]) -> Stand:
    count = Counted(sum(one.answers.answered for one in asked), sum(one.answers.right for one in asked), 0)
    return Stand(
        questions=len(asked),
        due=sum(one.due for one in asked),
        new=sum(one.card.state == "new" for one in asked),
        reviews=count.answered,
        right=_share(count),
        strength=_strength(asked),
    )


def _strength(asked: list[Asked]) -> float:
    return round(sum(one.chance for one in asked) / len(asked), 4)


def _share(count: Counted) -> float | None:
    return round(count.right / count.answered, 4) if count.answered else None
