"""FSRS-6 over study days, with learning steps in real time and a fuzz of our own.

The `fsrs` package counts elapsed time in blocks of 24 hours, which calls an evening and the next morning the same day.
It is therefore fed a clock that knows only study days; see `_clock`. Its fuzz is off: it overshoots its own band and
draws from a global random, so that the interval shown would not be the one applied.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from quiz.errors import UsageError
from quiz.memory.cards import Card, State
from quiz.memory.days import Moment

if TYPE_CHECKING:
    import fsrs

AGAIN, HARD, GOOD, EASY = RATINGS = (1, 2, 3, 4)
_ORIGIN = datetime(2000, 1, 1, tzinfo=UTC)
# The share of an interval that the fuzz may move, by stretch of days; as in FSRS and Anki.
_FUZZ = ((2.5, 7.0, 0.15), (7.0, 20.0, 0.1), (20.0, float("inf"), 0.05))


@dataclass(frozen=True, slots=True)
class Parameters:
    """``retention``: the share of due cards to have still known. ``maximum_interval`` in days.

    Raises:
        UsageError: a value FSRS cannot work with.
    """

    retention: float = 0.9
    maximum_interval: int = 3650

    def __post_init__(self) -> None:
        if not 0.7 <= self.retention <= 0.99:
            raise UsageError(f"retention is a share from 0.7 to 0.99, not {self.retention}")
        if not 1 <= self.maximum_interval <= 36_500:
            raise UsageError(f"the maximum interval is 1 to 36,500 days, not {self.maximum_interval}")


def review(
    card: Card, rating: int, moment: Moment, parameters: Parameters, day_start: Callable[[int], datetime]
) -> Card:
    """The card after a review. ``day_start`` gives the UTC instant at which a study day begins.

    A clock that went back counts as the day of the last review, so that nothing becomes due before it was asked.
    """
    return outcomes(card, moment, parameters, day_start)[rating - 1]


def outcomes(
    card: Card, moment: Moment, parameters: Parameters, day_start: Callable[[int], datetime]
) -> tuple[Card, Card, Card, Card]:
    """The card under each of the four ratings; what is shown on a key is what the key applies."""
    day = max(moment.day, card.last_day if card.last_day is not None else moment.day)
    raw = [_reviewed(card, rating, day, parameters) for rating in RATINGS]
    shortest, cards = 0, []
    for rating, (after, interval) in zip(RATINGS, raw, strict=True):
        if after.state == "review":
            fuzzed = _interval(card, rating, interval.days, day, parameters)
            # Hard ≤ good ≤ easy, whatever the rounding.
            shortest = max(shortest, fuzzed)
            due_day = day + shortest
            cards.append(replace(after, due_day=due_day, due_at=day_start(due_day)))
        else:
            cards.append(replace(after, due_at=moment.instant + interval))
    again, hard, good, easy = cards
    return again, hard, good, easy


def retrievability(card: Card, day: int) -> float:
    """The chance that the card is known on a study day: 0 for a new one, 1 on the day it was last seen.

    The power curve of FSRS-6, `R = (1 + f·t/S)^(−w20)` with `f = 0.9^(−1/w20) − 1`
    (open-spaced-repetition, "The Algorithm").
    """
    if card.stability is None or card.last_day is None:
        return 0.0
    decay = -_decay()
    factor = 0.9 ** (1 / decay) - 1
    elapsed = max(day - card.last_day, 0)
    return float((1 + factor * elapsed / card.stability) ** decay)


def fuzz_band(days: int, maximum: int) -> tuple[int, int]:
    """The shortest and longest interval that fuzz may make of ``days``; both ends can be drawn."""
    if days < 2.5:
        return days, days
    spread = 1.0 + sum(share * max(min(days, end) - start, 0.0) for start, end, share in _FUZZ)
    high = min(round(days + spread), maximum)
    return min(max(2, round(days - spread)), high), high


def _reviewed(card: Card, rating: int, day: int, parameters: Parameters) -> tuple[Card, timedelta]:
    """The card after the review, without its due day, and FSRS's own interval."""
    import fsrs

    before = fsrs.Card(
        card_id=1,
        state=_state(card),
        step=card.step if card.state != "new" else 0,
        stability=card.stability,
        difficulty=card.difficulty,
        due=_clock(day),
        last_review=_clock(card.last_day) if card.last_day is not None else None,
    )
    after, _ = _scheduler(parameters).review_card(before, fsrs.Rating(rating), _clock(day))
    stability, difficulty = after.stability, after.difficulty
    if card.state == "review" and rating != AGAIN and card.last_day == day and card.stability is not None:
        # Pressing Easy all evening is not evidence; FSRS would multiply the stability each time.
        stability = min(stability or card.stability, card.stability)
    changed = replace(
        card,
        state=_STATE_NAMES[after.state.value],
        step=after.step,
        stability=stability,
        difficulty=difficulty,
        due_day=None,
        due_at=None,
        last_day=day,
        reps=card.reps + 1,
        lapses=card.lapses + (card.state == "review" and rating == AGAIN),
    )
    return changed, after.due - _clock(day)


def _interval(card: Card, rating: int, days: int, day: int, parameters: Parameters) -> int:
    """The interval in days after fuzz: within the band, and no shorter than the last one where the band allows it."""
    if card.state == "review" and card.last_day == day and card.due_day is not None and rating != AGAIN:
        return max(card.due_day - day, 1)
    days = min(max(days, 1), parameters.maximum_interval)
    low, high = fuzz_band(days, parameters.maximum_interval)
    fuzzed = low + int(_chance(card) * (high - low + 1))
    if card.state == "review" and card.due_day is not None and card.last_day is not None and rating >= GOOD:
        previous = card.due_day - card.last_day
        if fuzzed < previous <= high:
            return previous
    return fuzzed


def _chance(card: Card) -> float:
    """A number from 0 up to 1 that is fixed for this review of this card."""
    digest = hashlib.sha256(f"{card.key}\n{card.reps}".encode()).digest()
    return int.from_bytes(digest[:6], "big") / 2**48


def _state(card: Card) -> "fsrs.State":
    import fsrs

    return {"review": fsrs.State.Review, "relearning": fsrs.State.Relearning}.get(card.state, fsrs.State.Learning)


_STATE_NAMES: dict[int, State] = {1: "learning", 2: "review", 3: "relearning"}


@lru_cache(maxsize=8)
def _scheduler(parameters: Parameters) -> "fsrs.Scheduler":
    import fsrs

    return fsrs.Scheduler(
        desired_retention=parameters.retention, maximum_interval=parameters.maximum_interval, enable_fuzzing=False
    )


@lru_cache(maxsize=1)
def _decay() -> float:
    import fsrs

    return fsrs.Scheduler(enable_fuzzing=False).parameters[20]


def _clock(day: int) -> datetime:
    """A UTC instant that encodes the study day and nothing else."""
    return _ORIGIN + timedelta(days=day)
