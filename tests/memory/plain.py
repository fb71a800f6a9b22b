"""The figures of progress review by plain, slow computation: from every card and every answer, one at a time. What
SQLite sums is held against it."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from datetime import UTC, tzinfo
from functools import partial
from pathlib import Path
from typing import Any

from quiz.memory.cards import Card, is_aside, is_due
from quiz.memory.days import Moment, calendar_date, study_day
from quiz.memory.kept import KEEP
from quiz.memory.leeches import LAPSES, LEARNED
from quiz.memory.misconceptions import MOST
from quiz.memory.progress import Progress, progress
from quiz.memory.queue import Place, due_counts
from quiz.memory.reviews import Review, ReviewLog
from quiz.memory.rollups import MISCONCEPTIONS, QUESTION
from quiz.memory.rows import card_values
from quiz.memory.schedule import DEFAULTS, Parameters, retrievability
from quiz.memory.spots import Catalogue
from quiz.memory.totals import LAST_SITTINGS
from quiz.memory.weakest import WEAKEST

_MONTH = 30


def held_as(folder: Path, cards: Iterable[Card], reviews: Sequence[Review], at: Moment) -> ReviewLog:
    """A log of these reviews whose cards are these, whatever the reviews would lead to, and new for other questions."""
    log = ReviewLog.open(folder / "quiz.db")
    log.union().take_in(reviews, at, "a merge")
    with closing(sqlite3.connect(folder / "quiz.db")) as file, file:
        new = {key: Card(key) for (key,) in file.execute("SELECT key FROM question")}
        for key, card in (new | {card.key: card for card in cards}).items():
            file.execute("INSERT OR IGNORE INTO question (key) VALUES (?)", (key,))
            (question,) = file.execute("SELECT id FROM question WHERE key = ?", (key,)).fetchone()
            file.execute(KEEP, (question, 0, *card_values(card)))
    return log


def figures_of(
    log: ReviewLog,
    catalogue: Catalogue,
    at: Moment,
    *,
    new_per_day: int,
    introduced: int,
    zone: tzinfo = UTC,
    parameters: Parameters = DEFAULTS,
) -> Progress:
    """The figures as the product finds them."""
    read = partial(
        progress,
        catalogue=catalogue,
        moment=at,
        zone=zone,
        allowance=lambda _: (new_per_day, introduced),
        parameters=parameters,
    )
    return log.by_spot(catalogue, read)


def sums_by_key(path: Path) -> list[tuple[object, ...]]:
    """The sums over single questions: how often each was answered and known, and each of its misconceptions."""
    with closing(sqlite3.connect(path)) as file:
        answers = file.execute(
            "SELECT key, n, a, b FROM rolled JOIN question ON id = first WHERE figure = ? ORDER BY key", (QUESTION,)
        )
        mistaken = file.execute(
            "SELECT key, first, n, a FROM rolled JOIN question ON id = second WHERE figure = ? ORDER BY 1, 2",
            (MISCONCEPTIONS,),
        )
        return [*answers, *mistaken]


def plain_progress(
    catalogue: Catalogue,
    cards: Mapping[str, Card],
    reviews: Sequence[Review],
    moment: Moment,
    *,
    new_per_day: int,
    introduced: int,
    parameters: Parameters = DEFAULTS,
) -> dict[str, Any]:
    """The figures that depend on cards, on single questions or on sittings, as `progress_json` has them; study days in
    UTC, rolling over at four."""
    places = catalogue.entries()
    held = [(place, cards.get(place.key, Card(place.key))) for place in places]
    asked = [card for _, card in held if not card.suspended]
    known = [card for card in asked if card.state != "new"]
    counted = partial(
        due_counts,
        cards=cards,
        moment=moment,
        new_per_day=new_per_day,
        introduced=introduced,
        parameters=parameters,
    )
    counts = counted(places).values()
    due = [_comes(card, moment, study_day(card.due_at, UTC) if card.due_at else None) for card in known]
    month = [
        {"day": calendar_date(day).isoformat(), "due": due.count(day)} for day in range(moment.day, moment.day + _MONTH)
    ]
    answers = _by(reviews, lambda review: review.key)
    packs = list(dict.fromkeys(place.pack for place in places))
    lessons = list(dict.fromkeys((place.pack, place.lesson) for place in places if place.lesson))
    depths = list(dict.fromkeys(place.depth for place in places))

    def stand(some: list[tuple[Place, Card]], given: Sequence[Review] | None = None) -> dict[str, Any]:
        of_them = [one for place, _ in some for one in answers.get(place.key, ())] if given is None else given
        return {
            "questions": len(some),
            "due": sum(count.due for count in counted([place for place, _ in some]).values()),
            "new": sum(card.state == "new" and not card.suspended for _, card in some),
            "reviews": len(of_them),
            "right": round(sum(one.right for one in of_them) / len(of_them), 4) if of_them else None,
            "strength": round(sum(_chance(card, moment, parameters) for _, card in some) / len(some), 4),
        }

    def topic(pack: str) -> dict[str, Any]:
        some = [(place, card) for place, card in held if place.pack == pack]
        learning = sum(card.due_at is not None and not is_aside(card, moment) for _, card in some)
        return {**stand(some, [one for one in reviews if one.pack == pack]), "learning": learning}

    missed = [
        (place, card, answers[place.key])
        for place, card in held
        if not card.suspended and not all(one.right for one in answers.get(place.key, ()))
    ]
    missed.sort(key=lambda one: ((_right(one[2]) + 1) / (len(one[2]) + 2), one[1].key))
    leeches = [one for one in missed if one[1].lapses >= LAPSES and (one[1].stability or 0) < LEARNED]
    leeches.sort(key=lambda one: (-one[1].lapses, one[1].key))

    def weak(place: Place, card: Card, given: Sequence[Review]) -> dict[str, Any]:
        return {
            "key": card.key,
            "topic": f"{place.pack}/{place.lesson}" if place.lesson else place.pack,
            "answered": len(given),
            "missed": len(given) - _right(given),
            "right": round(_right(given) / len(given), 4),
            "lapses": card.lapses,
            "chance": round(_chance(card, moment, parameters), 4),
        }

    return {
        "reviews": len(reviews),
        "studied_days": len({one.moment.day for one in reviews}),
        "due_now": sum(count.due for count in counts),
        "asked_early": sum(count.due for count in counts) - sum(is_due(card, moment) for card in known),
        "aside": {
            "suspended": sorted(card.key for _, card in held if card.suspended),
            "buried": sorted(card.key for card in asked if card.buried_day == moment.day),
            "flagged": sorted(card.key for _, card in held if card.flagged),
        },
        "new_today": sum(count.new for count in counts),
        "cards": {
            "new": len(asked) - len(known),
            "learning": sum(card.state != "review" for card in known),
            "review": sum(card.state == "review" for card in known),
            "suspended": len(held) - len(asked),
        },
        "topics": {pack: topic(pack) for pack in packs},
        "lessons": {
            f"{pack}/{lesson}": stand([one for one in held if (one[0].pack, one[0].lesson) == (pack, lesson)])
            for pack, lesson in lessons
        },
        "depths": {depth: stand([one for one in held if one[0].depth == depth]) for depth in depths},
        "forecast": month[:14],
        "forecast_30": month,
        "beyond": sum(day >= moment.day + _MONTH for day in due),
        "sittings": _sittings(reviews),
        "misconceptions": _misconceptions(reviews, cards),
        "weakest": [weak(*one) for one in missed[:WEAKEST]],
        "leeches": [weak(*one) for one in leeches],
    }


def _chance(card: Card, moment: Moment, parameters: Parameters) -> float:
    return retrievability(card, moment.day, parameters) if card.state == "review" else 0.0


def _comes(card: Card, moment: Moment, step: int | None) -> int:
    day = card.due_day if step is None else step
    return max(moment.day if day is None else day, moment.day + is_aside(card, moment))


def _right(reviews: Iterable[Review]) -> int:
    return sum(one.right for one in reviews)


def _by(reviews: Iterable[Review], name: Any) -> dict[str, list[Review]]:
    groups: dict[str, list[Review]] = {}
    for one in reviews:
        groups.setdefault(name(one), []).append(one)
    return groups


def _sittings(reviews: Sequence[Review]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [
        {
            "began": min(one.moment.instant for one in held).isoformat(),
            "answered": len(held),
            "right": _right(held),
            "seconds": sum(one.thinking_ms for one in held) / 1000,
        }
        for held in _by(reviews, lambda review: review.sitting).values()
    ]
    return sorted(found, key=lambda one: one["began"], reverse=True)[:LAST_SITTINGS]


def _misconceptions(reviews: Sequence[Review], cards: Mapping[str, Card]) -> list[dict[str, Any]]:
    mistaken = [one for one in reviews if one.misconception is not None]
    found = []
    for name, held in _by(mistaken, lambda review: review.misconception).items():
        where = []
        for key, some in _by(held, lambda review: review.key).items():
            last = max(one.moment.day for one in some)
            card = cards.get(key, Card(key))
            repaired = card.last_day if card.state == "review" and (card.last_day or 0) > last else None
            where.append((repaired is not None, -len(some), key, last, repaired))
        where.sort()
        closed = [one[2] for one in where if one[0]]
        found.append(
            {
                "id": name,
                "says": name if name == "n" else f"{name} says",
                "truth": "" if name == "n" else f"{name} is wrong",
                "count": len(held),
                "last": calendar_date(max(one.moment.day for one in held)).isoformat(),
                "seen": len(where),
                "open": len(where) - len(closed),
                "questions": [
                    {
                        "key": key,
                        "count": -minus,
                        "last": calendar_date(last).isoformat(),
                        "repaired": None if day is None else calendar_date(day).isoformat(),
                    }
                    for _, minus, key, last, day in where[:MOST]
                ],
                "repaired": len(closed) == len(where),
                "repaired_by": closed[:MOST],
            }
        )
    return sorted(found, key=lambda one: (-one["count"], one["id"]))
