"""The figures of progress review, from the sums over the log and the cards. Nothing here reads a clock."""

import sqlite3
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, datetime, tzinfo
from functools import cache
from typing import Any

from quiz.memory.advice import Advice, advice
from quiz.memory.aside import Aside, aside
from quiz.memory.calibration import Calibration, calibration
from quiz.memory.days import Moment, calendar_date
from quiz.memory.load import Load, loads
from quiz.memory.misconceptions import Misconception, misconceptions
from quiz.memory.pace import Pace, pace
from quiz.memory.rollups import complete
from quiz.memory.rows import instant_of
from quiz.memory.schedule import DEFAULTS, Parameters
from quiz.memory.spots import Catalogue, Spot
from quiz.memory.standing import Stood, standing
from quiz.memory.topics import Stand, Topic, answers, stands, topic, topics
from quiz.memory.totals import Day, kept_totals
from quiz.memory.weakest import Weak, weakest

FORECAST_DAYS, LONG_FORECAST_DAYS = 14, 30
# Just over a year of weeks.
HEATMAP_DAYS = 371
RECENT_DAYS = 30
_PLAIN = (str, int, float, bool, type(None))


@dataclass(frozen=True, slots=True)
class States:
    """How many questions are in which state; ``learning`` counts relearning too, and whatever is ``suspended`` counts
    as nothing else."""

    new: int
    learning: int
    review: int
    suspended: int


@dataclass(frozen=True, slots=True)
class Sitting:
    """One sitting; ``seconds`` is the time spent thinking."""

    began: datetime
    answered: int
    right: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Studied:
    """A study day on which something was answered."""

    day: date
    answered: int
    right: int
    minutes: float


@dataclass(frozen=True, slots=True)
class Progress:
    """All figures.

    ``due_now`` are to be asked now, apart from new ones; ``asked_early`` of them, before an interview, are not due yet
    but worth it. The forecast is the schedule's and knows nothing of those.

    ``retention`` is the share of reviews due on a later day than the one before that were still known (None before the
    first), ``retention_30`` that of the last 30 days. ``streak`` counts study days in a row up to today, or yesterday
    while today is open. ``forecast`` and ``forecast_30`` start today with what is overdue, leave out what is suspended,
    and have what is buried return tomorrow; ``beyond`` is due after them. ``sittings`` come newest first,
    ``misconceptions`` commonest first, ``heatmap`` has the studied days of a year, ``weakest`` and ``leeches`` begin
    with the worst, ``next`` with the most urgent.
    """

    reviews: int
    studied_days: int
    due_now: int
    asked_early: int
    new_today: int
    cards: States
    aside: Aside
    topics: dict[str, Topic]
    lessons: dict[str, Stand]
    depths: dict[str, Stand]
    forecast: tuple[Load, ...]
    forecast_30: tuple[Load, ...]
    beyond: int
    streak: int
    longest_streak: int
    retention: float | None
    retention_30: float | None
    calibration: Calibration
    minutes: float
    minutes_30: float
    heatmap: tuple[Studied, ...]
    pace: Pace
    sittings: tuple[Sitting, ...]
    misconceptions: tuple[Misconception, ...]
    weakest: tuple[Weak, ...]
    leeches: tuple[Weak, ...]
    next: tuple[Advice, ...]


def progress(
    connection: sqlite3.Connection,
    spots: Sequence[Spot],
    catalogue: Catalogue,
    moment: Moment,
    zone: tzinfo,
    allowance: Callable[[int], tuple[int, int]],
    parameters: Parameters = DEFAULTS,
) -> Progress:
    """The figures as of ``moment``. What is remembered of questions that are no longer in the ``catalogue`` counts
    nowhere, since they cannot be asked; their reviews do.

    Args:
        spots: all of them, up to date; see `quiz.memory.spots`.
        allowance: by how many questions were ever met, how many new ones today brings and how many it already brought.
    """
    complete(connection)
    totals = kept_totals(connection)
    stood = standing(connection, spots, moment, parameters)
    cards, met = _states(stood), sum(one.met for one in stood)
    ahead = tuple(loads(connection, moment, zone, parameters.rollover_hour, LONG_FORECAST_DAYS))
    recent = [day for day in totals.days if day.day > moment.day - RECENT_DAYS]
    weak, leeches = weakest(connection, catalogue, moment, parameters)
    lessons, depths = stands(stood, answers(connection))
    due_now, early = sum(one.asked for one in stood), sum(one.wanted for one in stood)
    new_today = _new(stood, allowance(met))
    found, speed = calibration(totals.ratios, parameters), pace(totals)
    mistaken = misconceptions(connection, catalogue.ideas)
    topic_of = {one.key: one.topic for one in (*weak, *leeches)} | _open_topics(mistaken, catalogue)
    return Progress(
        reviews=sum(day.answered for day in totals.days),
        studied_days=len(totals.days),
        due_now=due_now,
        asked_early=early,
        new_today=new_today,
        cards=cards,
        aside=aside(connection, moment.day),
        topics=topics(stood, totals.packs),
        lessons=lessons,
        depths=depths,
        forecast=ahead[:FORECAST_DAYS],
        forecast_30=ahead,
        beyond=cards.learning + cards.review - sum(load.due for load in ahead),
        streak=_streak({day.day for day in totals.days}, moment.day),
        longest_streak=_longest([day.day for day in totals.days]),
        retention=_retention(totals.days),
        retention_30=_retention(recent),
        calibration=found,
        minutes=_minutes(totals.days),
        minutes_30=_minutes(recent),
        heatmap=tuple(
            Studied(calendar_date(day.day), day.answered, day.right, _minutes([day]))
            for day in totals.days
            if day.day > moment.day - HEATMAP_DAYS
        ),
        pace=speed,
        sittings=tuple(
            Sitting(instant_of(one.began), one.answered, one.right, one.spent_ms / 1000) for one in totals.sittings
        ),
        misconceptions=mistaken,
        weakest=weak,
        leeches=leeches,
        next=advice(due_now, early, new_today, cards.new, lessons, weak, leeches, mistaken, topic_of, found, speed),
    )


def progress_json(figures: Progress) -> dict[str, Any]:
    """The figures as plain JSON values; days as ISO dates, instants as ISO instants in UTC."""
    found: dict[str, Any] = plain(figures)
    return found


def _states(stood: Iterable[Stood]) -> States:
    new = suspended = known = reviews = 0
    for one in stood:
        new += one.new
        suspended += one.suspended
        known += one.known
        reviews += one.reviews
    return States(new=new, learning=known - reviews, review=reviews, suspended=suspended)


def _new(stood: Iterable[Stood], allowance: tuple[int, int]) -> int:
    """How many new questions today still brings; see `quiz.memory.queue`."""
    allowed, introduced = allowance
    return min(max(allowed - introduced, 0), sum(one.unseen - one.aside for one in stood))


def _open_topics(mistaken: Iterable[Misconception], catalogue: Catalogue) -> dict[str, str]:
    """The topics of the questions in which the commonest misconception is open, of those that can still be asked."""
    for misconception in mistaken:
        keys = [one.key for one in misconception.questions if one.repaired is None]
        if found := {place.key: topic(place) for place in catalogue.of(keys)}:
            return found
    return {}


def _minutes(days: Iterable[Day]) -> float:
    return round(sum(day.spent_ms for day in days) / 60_000, 1)


def _retention(days: Iterable[Day]) -> float | None:
    tested = kept = 0
    for day in days:
        tested += day.tested
        kept += day.kept
    return round(kept / tested, 4) if tested else None


def _streak(days: Collection[int], today: int) -> int:
    # Whoever flew east to west may have studied tomorrow already; days further off are of a clock that ran ahead.
    day = next((day for day in (today + 1, today, today - 1) if day in days), None)
    if day is None:
        return 0
    length = 1
    while day - length in days:
        length += 1
    return length


def _longest(days: Iterable[int]) -> int:
    longest = length = 0
    before: int | None = None
    for day in sorted(days):
        length = length + 1 if before is not None and day == before + 1 else 1
        longest, before = max(longest, length), day
    return longest


def plain(value: Any) -> Any:
    """The value as JSON has it."""
    kind = value.__class__
    if kind in _PLAIN:
        return value
    if kind is dict:
        return {name: plain(one) for name, one in value.items()}
    if kind is tuple:
        return [plain(one) for one in value]
    if names := _names(kind):
        held = [(name, getattr(value, name)) for name in names]
        return {name: one if one.__class__ in _PLAIN else plain(one) for name, one in held}
    return value.isoformat() if isinstance(value, date) else value


@cache
def _names(kind: type[Any]) -> tuple[str, ...]:
    """The fields of a data class; none of anything else."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()
