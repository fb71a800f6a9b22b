"""The figures of progress review, from the sums over the log and the cards. Nothing here reads a clock."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, datetime, tzinfo
from typing import Any

from quiz.memory.advice import Advice, advice
from quiz.memory.calibration import Calibration, calibration
from quiz.memory.cards import Card
from quiz.memory.days import Moment, calendar_date
from quiz.memory.load import Load, beyond, loads
from quiz.memory.pace import Pace, pace
from quiz.memory.queue import Place, due_counts
from quiz.memory.rollups import Day, Totals
from quiz.memory.rows import instant_of
from quiz.memory.schedule import DEFAULTS, Parameters
from quiz.memory.slips import Slip, slips
from quiz.memory.standing import Stand, Topic, Weak, standing, stands, topic, topics, weakest

FORECAST_DAYS, LONG_FORECAST_DAYS = 14, 30
# Just over a year of weeks.
HEATMAP_DAYS = 371
RECENT_DAYS = 30


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
    new_today: int
    cards: States
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
    misconceptions: tuple[Slip, ...]
    weakest: tuple[Weak, ...]
    leeches: tuple[Weak, ...]
    next: tuple[Advice, ...]


def progress(
    places: Iterable[Place],
    cards: Mapping[str, Card],
    totals: Totals,
    moment: Moment,
    zone: tzinfo,
    *,
    new_per_day: int,
    introduced: int,
    parameters: Parameters = DEFAULTS,
) -> Progress:
    """The figures as of ``moment``. Cards of questions that are no longer in ``places`` count nowhere, since they
    cannot be asked; their reviews do."""
    held = list(places)
    stood = standing(held, cards, totals.questions, moment, parameters)
    asked = [one.card for one in stood if not one.card.suspended]
    known = [card for card in asked if card.state != "new"]
    learning = sum(card.state != "review" for card in known)
    counts = due_counts(held, cards, moment, new_per_day=new_per_day, introduced=introduced, parameters=parameters)
    ahead = loads(known, moment, zone, parameters.rollover_hour, LONG_FORECAST_DAYS)
    recent = [day for day in totals.days if day.day > moment.day - RECENT_DAYS]
    weak, leeches = weakest(stood)
    lessons, depths = stands(stood)
    due_now, new_today = sum(count.due for count in counts.values()), sum(count.new for count in counts.values())
    found, speed, misconceptions = calibration(totals.ratios, parameters), pace(totals), slips(totals.slips, cards)
    topic_of = {one.card.key: topic(one.place) for one in stood}
    return Progress(
        reviews=sum(day.answered for day in totals.days),
        studied_days=len(totals.days),
        due_now=due_now,
        new_today=new_today,
        cards=States(
            new=len(asked) - len(known),
            learning=learning,
            review=len(known) - learning,
            suspended=len(held) - len(asked),
        ),
        topics=topics(stood, totals.packs, moment),
        lessons=lessons,
        depths=depths,
        forecast=ahead[:FORECAST_DAYS],
        forecast_30=ahead,
        beyond=beyond(known, ahead),
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
        misconceptions=misconceptions,
        weakest=weak,
        leeches=leeches,
        next=advice(due_now, new_today, lessons, weak, leeches, misconceptions, topic_of, found, speed),
    )


def progress_json(figures: Progress) -> dict[str, Any]:
    """The figures as plain JSON values; days as ISO dates, instants as ISO instants in UTC."""
    found: dict[str, Any] = plain(figures)
    return found


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
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple):
        return [plain(one) for one in value]
    return value.isoformat() if isinstance(value, date) else value
