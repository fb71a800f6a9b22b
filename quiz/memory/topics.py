"""How topics, lessons and depths stand."""

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from quiz.memory.queue import Place
from quiz.memory.rollups import QUESTION
from quiz.memory.spots import HELD, Spot
from quiz.memory.standing import Stood
from quiz.memory.totals import Counted

_NONE = Counted(0, 0, 0)
_ANSWERS = f"""SELECT held.first, sum(answers.n), sum(answers.a)
    FROM rolled AS held CROSS JOIN rolled AS answers ON answers.figure = {QUESTION} AND answers.first = held.second
    AND answers.second = 0 AND answers.third = 0 WHERE {HELD} GROUP BY held.first"""


@dataclass(frozen=True, slots=True)
class Topic:
    """A pack. ``due`` are to be asked now, apart from new ones; see `Stood.asked`. ``right`` is the share of its
    reviews that were right, None before the first; ``strength`` the mean chance of knowing one of its questions today
    (see `standing.Stood`); ``new`` counts all unseen ones that are not suspended."""

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


def answers(connection: sqlite3.Connection) -> dict[int, Counted]:
    """The answers to the questions of each spot, by its number."""
    return {spot: Counted(answered, right, 0) for spot, answered, right in connection.execute(_ANSWERS)}


def topics(stood: Iterable[Stood], packs: Mapping[str, Counted]) -> dict[str, Topic]:
    """How each pack stands, in the order in which the packs come."""
    return {
        pack: Topic(
            questions=_questions(held),
            due=sum(one.asked for one in held),
            learning=sum(one.ready + one.waiting for one in held),
            new=sum(one.new for one in held),
            reviews=packs.get(pack, _NONE).answered,
            right=_share(packs.get(pack, _NONE)),
            strength=_strength(held),
        )
        for pack, held in _grouped(stood, lambda spot: spot.pack).items()
    }


def stands(stood: Sequence[Stood], answered: Mapping[int, Counted]) -> tuple[dict[str, Stand], dict[str, Stand]]:
    """How each lesson (``pack/lesson``) and each depth stands."""
    lessons = _grouped((one for one in stood if one.spot.lesson), topic)
    depths = _grouped(stood, lambda spot: spot.depth)
    by_lesson, by_depth = (
        {name: _stand(held, answered) for name, held in groups.items()} for groups in (lessons, depths)
    )
    return by_lesson, by_depth


def topic(place: Place | Spot) -> str:
    """What to study for a question there: its lesson, or its pack where it has none."""
    return f"{place.pack}/{place.lesson}" if place.lesson else place.pack


def _grouped(stood: Iterable[Stood], name: Callable[[Spot], str]) -> dict[str, list[Stood]]:
    groups: dict[str, list[Stood]] = {}
    for one in stood:
        groups.setdefault(name(one.spot), []).append(one)
    return groups


def _stand(stood: Sequence[Stood], answered: Mapping[int, Counted]) -> Stand:
    counts = [answered.get(one.spot.number, _NONE) for one in stood]
    count = Counted(sum(one.answered for one in counts), sum(one.right for one in counts), 0)
    return Stand(
        questions=_questions(stood),
        due=sum(one.asked for one in stood),
        new=sum(one.new for one in stood),
        reviews=count.answered,
        right=_share(count),
        strength=_strength(stood),
    )


def _questions(stood: Iterable[Stood]) -> int:
    return sum(one.spot.questions for one in stood)


def _strength(stood: Sequence[Stood]) -> float:
    return round(sum(one.chances for one in stood) / _questions(stood), 4)


def _share(count: Counted) -> float | None:
    return round(count.right / count.answered, 4) if count.answered else None
