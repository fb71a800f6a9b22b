"""The figures of progress review, from the reviews that count and the cards. Pure: the moment comes from outside."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from quiz.memory.cards import Card
from quiz.memory.days import Moment, date_of
from quiz.memory.queue import Place, due_counts, is_due
from quiz.memory.reviews import Review

FORECAST_DAYS = 14
LAST_SITTINGS = 10


def progress(
    places: Sequence[Place], cards: Mapping[str, Card], reviews: Sequence[Review], moment: Moment
) -> dict[str, Any]:
    """Everything `quiz progress --json` prints. Shares are 0 to 1; ``forecast`` starts today, with what is overdue."""
    known = [cards[place.key] for place in places if place.key in cards]
    states = Counter(card.state for card in known)
    return {
        "reviews": len(reviews),
        "studied_days": len({review.moment.day for review in reviews}),
        "due_now": sum(is_due(card, moment) for card in known),
        "cards": {
            "new": len(places) - sum(states[state] for state in ("learning", "relearning", "review")),
            "learning": states["learning"] + states["relearning"],
            "review": states["review"],
            "suspended": 0,
        },
        "topics": _topics(places, cards, reviews, moment),
        "forecast": _forecast(known, moment),
        "streak": _streak(reviews, moment),
        "retention": _retention(reviews),
        "minutes": round(sum(review.seconds for review in reviews) / 60, 1),
        "sittings": _sittings(reviews),
        "misconceptions": _misconceptions(reviews),
    }


def _topics(
    places: Sequence[Place], cards: Mapping[str, Card], reviews: Sequence[Review], moment: Moment
) -> dict[str, dict[str, Any]]:
    answered: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for review in reviews:
        pack = review.key.partition("/")[0]
        answered[pack] += 1
        right[pack] += _was_known(review)
    return {
        pack: {
            "questions": counts.total,
            "due": counts.due,
            "new": counts.new,
            "learning": counts.learning,
            "reviews": answered[pack],
            "right": round(right[pack] / answered[pack], 4) if answered[pack] else None,
            "strength": round(counts.strength, 4),
        }
        for pack, counts in due_counts(places, cards, moment).items()
    }


def _forecast(cards: Sequence[Card], moment: Moment) -> list[dict[str, Any]]:
    days: Counter[int] = Counter()
    for card in cards:
        if card.state in ("learning", "relearning"):
            days[moment.day] += 1
        elif card.due_day is not None:
            days[max(card.due_day, moment.day)] += 1
    span = range(moment.day, moment.day + FORECAST_DAYS)
    return [{"day": date_of(day).isoformat(), "due": days[day]} for day in span]


def _streak(reviews: Sequence[Review], moment: Moment) -> int:
    """Study days in a row up to today, or up to yesterday while today is still open."""
    days = {review.moment.day for review in reviews}
    day = moment.day if moment.day in days else moment.day - 1
    length = 0
    while day - length in days:
        length += 1
    return length


def _retention(reviews: Sequence[Review]) -> float | None:
    """The share that was still known of the reviews of cards past learning, seen on an earlier day."""
    later = [
        review
        for review in reviews
        if review.before and review.before.state == "review" and review.before.last_day != review.moment.day
    ]
    return round(sum(review.rating > 1 for review in later) / len(later), 4) if later else None


def _sittings(reviews: Sequence[Review]) -> list[dict[str, Any]]:
    """The last sittings, newest first."""
    grouped: dict[str, list[Review]] = {}
    for review in reviews:
        grouped.setdefault(review.sitting, []).append(review)
    newest = sorted(grouped.values(), key=lambda sitting: sitting[0].moment.instant, reverse=True)[:LAST_SITTINGS]
    return [
        {
            "began": sitting[0].moment.instant.isoformat(),
            "answered": len(sitting),
            "right": sum(_was_known(review) for review in sitting),
            "seconds": round(sum(review.seconds for review in sitting), 1),
        }
        for sitting in newest
    ]


def _misconceptions(reviews: Sequence[Review]) -> list[dict[str, Any]]:
    """Named wrong ideas by how often they showed, with the study day of the last time."""
    counted = Counter(review.misconception for review in reviews if review.misconception)
    last = {review.misconception: review.moment.day for review in reviews if review.misconception}
    return [
        {"id": name, "count": count, "last": date_of(last[name]).isoformat()} for name, count in counted.most_common()
    ]


def _was_known(review: Review) -> bool:
    return review.rating > 1 if review.verdict == "shown" else review.verdict == "right"
