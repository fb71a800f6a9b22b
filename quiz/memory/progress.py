"""The figures of progress review, from the reviews that count and the cards. Nothing here reads a clock."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import date, datetime, tzinfo
from typing import Any

from quiz.memory.cards import Card, is_aside
from quiz.memory.days import Moment, calendar_date, study_day
from quiz.memory.queue import Counts, Place, due_counts
from quiz.memory.review import Review
from quiz.memory.schedule import DEFAULTS, Parameters, strength

FORECAST_DAYS = 14
LAST_SITTINGS = 10


@dataclass(frozen=True, slots=True)
class States:
    """How many questions are in which state; ``learning`` counts relearning too, and whatever is ``suspended`` counts
    as nothing else."""

    new: int
    learning: int
    review: int
    suspended: int


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
class Load:
    """How many questions are due on a day, as far as is known today."""

    day: date
    due: int


@dataclass(frozen=True, slots=True)
class Sitting:
    """One sitting; ``seconds`` is the time spent thinking."""

    began: datetime
    answered: int
    right: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Slip:
    """A misconception: how often it showed, and on which day last."""

    id: str
    count: int
    last: date


@dataclass(frozen=True, slots=True)
class Progress:
    """All figures. ``retention`` is the share of reviews due on a later day than the one before that were still known
    (None before the first); ``streak`` counts study days in a row up to today, or yesterday while today is open;
    ``forecast`` starts today with what is overdue, leaves out what is suspended, and has what is buried return
    tomorrow; ``sittings`` come newest first, ``misconceptions`` commonest first.
    """

    reviews: int
    studied_days: int
    due_now: int
    new_today: int
    cards: States
    topics: dict[str, Topic]
    forecast: tuple[Load, ...]
    streak: int
    retention: float | None
    minutes: float
    sittings: tuple[Sitting, ...]
    misconceptions: tuple[Slip, ...]


class _Tally:
    """What one pass over the reviews gathers."""

    def __init__(self) -> None:
        self.answered = Counter[str]()
        self.right = Counter[str]()
        self.days: set[int] = set()
        self.milliseconds = 0
        self.tested = self.kept = 0
        self.sittings: dict[str, list[Any]] = {}
        self.slips: dict[str, tuple[int, int]] = {}

    def add(self, review: Review) -> None:
        day = review.moment.day
        self.answered[review.pack] += 1
        self.right[review.pack] += review.right
        self.days.add(day)
        self.milliseconds += review.thinking_ms
        if review.before.state == "review" and review.before.last_day is not None and review.before.last_day < day:
            self.tested += 1
            self.kept += review.rating > 1
        sitting = self.sittings.setdefault(review.sitting, [review.moment.instant, 0, 0, 0])
        sitting[1] += 1
        sitting[2] += review.right
        sitting[3] += review.thinking_ms
        if review.misconception is not None:
            count, last = self.slips.get(review.misconception, (0, day))
            self.slips[review.misconception] = (count + 1, max(last, day))


def progress(
    places: Iterable[Place],
    cards: Mapping[str, Card],
    reviews: Iterable[Review],
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
    tally = _Tally()
    for review in reviews:
        tally.add(review)
    asked = [card for place in held if not (card := cards.get(place.key) or Card(place.key)).suspended]
    known = [card for card in asked if card.state != "new"]
    learning = sum(card.state != "review" for card in known)
    counts = due_counts(held, cards, moment, new_per_day=new_per_day, introduced=introduced, parameters=parameters)
    return Progress(
        reviews=tally.answered.total(),
        studied_days=len(tally.days),
        due_now=sum(count.due for count in counts.values()),
        new_today=sum(count.new for count in counts.values()),
        cards=States(
            new=len(asked) - len(known),
            learning=learning,
            review=len(known) - learning,
            suspended=len(held) - len(asked),
        ),
        topics=_topics(held, cards, moment, counts, tally, parameters),
        forecast=_forecast(known, moment, zone, parameters.rollover_hour),
        streak=_streak(tally.days, moment.day),
        retention=round(tally.kept / tally.tested, 4) if tally.tested else None,
        minutes=round(tally.milliseconds / 60_000, 1),
        sittings=_sittings(tally),
        misconceptions=_slips(tally),
    )


def progress_json(figures: Progress) -> dict[str, Any]:
    """The figures as plain JSON values; days as ISO dates, instants as ISO instants in UTC."""
    plain: dict[str, Any] = _plain(asdict(figures))
    return plain


def _topics(
    places: list[Place],
    cards: Mapping[str, Card],
    moment: Moment,
    counts: Mapping[str, Counts],
    tally: _Tally,
    parameters: Parameters,
) -> dict[str, Topic]:
    packs: dict[str, list[Card]] = {}
    for place in places:
        packs.setdefault(place.pack, []).append(cards.get(place.key) or Card(place.key))
    return {
        pack: Topic(
            questions=len(held),
            due=counts[pack].due,
            learning=sum(card.due_at is not None and not is_aside(card, moment) for card in held),
            new=sum(card.state == "new" for card in held),
            reviews=tally.answered[pack],
            right=round(tally.right[pack] / tally.answered[pack], 4) if tally.answered[pack] else None,
            strength=round(strength(held, moment.day, parameters), 4),
        )
        for pack, held in packs.items()
    }


def _forecast(known: Iterable[Card], moment: Moment, zone: tzinfo, rollover_hour: int) -> tuple[Load, ...]:
    due = Counter[int]()
    for card in known:
        day = card.due_day
        if day is None:
            day = moment.day if card.due_at is None else study_day(card.due_at, zone, rollover_hour)
        due[max(day, moment.day + is_aside(card, moment))] += 1
    return tuple(Load(calendar_date(day), due[day]) for day in range(moment.day, moment.day + FORECAST_DAYS))


def _streak(days: Collection[int], today: int) -> int:
    # Whoever flew east to west may have studied tomorrow already; days further off are of a clock that ran ahead.
    day = next((day for day in (today + 1, today, today - 1) if day in days), None)
    if day is None:
        return 0
    length = 1
    while day - length in days:
        length += 1
    return length


def _sittings(tally: _Tally) -> tuple[Sitting, ...]:
    newest = sorted(tally.sittings.values(), key=lambda sitting: sitting[0], reverse=True)[:LAST_SITTINGS]
    return tuple(Sitting(began, answered, right, spent / 1000) for began, answered, right, spent in newest)


def _slips(tally: _Tally) -> tuple[Slip, ...]:
    slips = [Slip(name, count, calendar_date(last)) for name, (count, last) in tally.slips.items()]
    return tuple(sorted(slips, key=lambda slip: (-slip.count, slip.id)))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return value.isoformat() if isinstance(value, date) else value
