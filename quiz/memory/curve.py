"""The learning curve of one question: each answer to it, and what was remembered when it was asked."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from quiz.memory.days import calendar_date
from quiz.memory.review import Review
from quiz.memory.schedule import DEFAULTS, Parameters, retrievability


@dataclass(frozen=True, slots=True)
class Point:
    """One answer. ``chance`` is that of knowing it when it was asked, as the schedule had it, None the first time;
    ``stability`` is in days, after the answer; ``due`` the day on which it was to come back, None within the day."""

    day: date
    rating: int
    right: bool
    seconds: float
    chance: float | None
    stability: float | None
    due: date | None
    misconception: str | None


def curve(reviews: Iterable[Review], parameters: Parameters = DEFAULTS) -> tuple[Point, ...]:
    """The points of these answers to one question, in their order."""
    return tuple(_point(review, parameters) for review in reviews)


def _point(review: Review, parameters: Parameters) -> Point:
    before, after = review.before, review.after
    chance = round(retrievability(before, review.moment.day, parameters), 4) if before.state != "new" else None
    return Point(
        day=calendar_date(review.moment.day),
        rating=review.rating,
        right=review.right,
        seconds=review.thinking_ms / 1000,
        chance=chance,
        stability=None if after.stability is None else round(after.stability, 2),
        due=None if after.due_day is None else calendar_date(after.due_day),
        misconception=review.misconception,
    )
