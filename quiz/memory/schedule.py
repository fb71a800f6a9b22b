"""FSRS-6 over study days, with a fuzz of our own.

The memory model is the ``fsrs`` package. It counts blocks of 24 hours; people forget by nights. So it is given clocks
that only encode the study day, and real time decides only the steps of a few minutes.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from quiz.errors import UsageError
from quiz.memory.cards import STATES, Card
from quiz.memory.days import ROLLOVER_HOUR, Moment
from quiz.memory.model import DEFAULT_WEIGHTS, WEIGHT_BOUNDS, model_of

if TYPE_CHECKING:
    import fsrs

AGAIN, HARD, GOOD, EASY = 1, 2, 3, 4
LEARNING_STEPS = (timedelta(minutes=1), timedelta(minutes=10))
RELEARNING_STEPS = (timedelta(minutes=10),)
LONGEST_INTERVAL = 36_500
# As the Rust implementation of FSRS has it; py-fsrs would let it grow for ever.
STABILITY_MAX = 36_500.0
WEIGHTS = 21
_CLOCK_ZERO = datetime(2000, 1, 1, tzinfo=UTC)
# Days from, days to, and the share of the days between them that the fuzz may move an interval (FSRS, as in Anki).
_FUZZ_BANDS = ((2.5, 7.0, 0.15), (7.0, 20.0, 0.1), (20.0, math.inf, 0.05))


@dataclass(frozen=True, slots=True)
class Parameters:
    """How cards are scheduled. ``desired_retention``: the share of due cards that should still be known;
    ``maximum_interval`` in days; ``weights``: the 21 of FSRS-6, None for its defaults; ``interview_day``: the study day
    toward which the queue works, None if there is none. It means nothing to the schedule, so that all is as it would
    have been once the day is over; until then `quiz.memory.queue.brought_forward` says when a card comes back.

    Raises:
        UsageError: a value out of its range.
    """

    desired_retention: float = 0.9
    maximum_interval: int = LONGEST_INTERVAL
    weights: tuple[float, ...] | None = None
    rollover_hour: int = ROLLOVER_HOUR
    interview_day: int | None = None

    def __post_init__(self) -> None:
        if not 0.5 <= self.desired_retention <= 0.995:
            raise UsageError(f"the desired retention is a number from 0.5 to 0.995, not {self.desired_retention}")
        if not 1 <= self.maximum_interval <= LONGEST_INTERVAL:
            raise UsageError(f"the maximum interval is 1 to {LONGEST_INTERVAL} days, not {self.maximum_interval}")
        if not 0 <= self.rollover_hour <= 23:
            raise UsageError(f"the rollover hour is 0 to 23, not {self.rollover_hour}")
        if self.weights is not None:
            _check_weights(self.weights)


DEFAULTS = Parameters()


def review(card: Card, rating: int, moment: Moment, parameters: Parameters = DEFAULTS) -> Card:
    """The card after a review under ``rating`` (1 Again, 2 Hard, 3 Good, 4 Easy).

    Where the clock went back, the card is scheduled as if it were still its last day. A success on the day of an
    earlier review adds a repetition and changes nothing else: repeats within a day would stretch FSRS without limit. A
    card that was buried is no longer; it stays suspended or flagged.

    Raises:
        UsageError: no such rating.
    """
    if rating not in (AGAIN, HARD, GOOD, EASY):
        raise UsageError(f"a rating is 1 (Again), 2 (Hard), 3 (Good) or 4 (Easy), not {rating}")
    # Only the successes below bear on its interval, so the other ratings are not worked out.
    ratings = range(HARD, rating + 1) if rating > AGAIN else (AGAIN,)
    return _outcomes(card, ratings, moment, parameters)[-1]


def preview(card: Card, moment: Moment, parameters: Parameters = DEFAULTS) -> tuple[Card, Card, Card, Card]:
    """The card after Again, Hard, Good and Easy: exactly what `review` would give."""
    again, hard, good, easy = _outcomes(card, range(AGAIN, EASY + 1), moment, parameters)
    return again, hard, good, easy


def replay(key: str, reviews: Iterable[tuple[int, Moment]], parameters: Parameters = DEFAULTS) -> Card:
    """The card after these ratings at these moments, from nothing."""
    card = Card(key)
    for rating, moment in reviews:
        card = review(card, rating, moment, parameters)
    return card


def retrievability(card: Card, day: int, parameters: Parameters = DEFAULTS) -> float:
    """The chance that the card is known on that study day: FSRS-6's forgetting curve ``(1 + F·t/S) ** -w20``, in which
    F makes it 0.9 at t = S. 0 for a new card."""
    if card.stability is None or card.last_day is None:
        return 0.0
    return model_of(parameters.weights).recall(max(0, day - card.last_day), card.stability)


def fuzz_band(interval: int, maximum: int) -> tuple[int, int]:
    """The shortest and longest interval, in days, that may stand in for ``interval``."""
    if interval < 2.5:
        return interval, interval
    reach = 1.0 + sum(share * max(min(interval, end) - start, 0.0) for start, end, share in _FUZZ_BANDS)
    longest = min(round(interval + reach), maximum)
    return min(max(2, round(interval - reach)), longest), longest


def _outcomes(card: Card, ratings: Iterable[int], moment: Moment, parameters: Parameters) -> list[Card]:
    """The card after each of the ascending ratings; no success waits less than the success below it."""
    day = moment.day if card.last_day is None else max(card.last_day, moment.day)
    outcomes: list[Card] = []
    shortest = 1
    for rating in ratings:
        if card.due_day is not None and card.last_day == day and rating != AGAIN:
            kept = min(card.due_day, day + parameters.maximum_interval)
            after = card._replace(due_day=kept, reps=card.reps + 1, buried_day=None)
        else:
            after, step = _after(card, rating, day, range(shortest, parameters.maximum_interval + 1), parameters)
            if step is not None:
                after = after._replace(due_at=moment.instant + step)
        if after.due_day is not None:
            shortest = after.due_day - day
        outcomes.append(after)
    return outcomes


# The keys show what each would do, and a moment later one of them does it.
@lru_cache(maxsize=16)
def _after(card: Card, rating: int, day: int, waits: range, parameters: Parameters) -> tuple[Card, timedelta | None]:
    """The card after a review that moves its memory, and the step that it waits in learning; None as a review, which
    waits a number of days in that range."""
    import fsrs

    now = _clock(day)
    found, _ = _scheduler(parameters).review_card(_to_fsrs(card), fsrs.Rating(rating), now)
    state, wait = STATES[found.state], found.due - now
    is_review = state == "review"
    after = Card(
        card.key,
        state,
        found.step,
        None if found.stability is None else min(found.stability, STABILITY_MAX),
        None if found.difficulty is None else float(found.difficulty),
        due_day=day + max(_spread(card, wait.days, waits.stop - 1), waits.start) if is_review else None,
        last_day=day,
        reps=card.reps + 1,
        lapses=card.lapses + (card.state == "review" and rating == AGAIN),
        suspended=card.suspended,
        flagged=card.flagged,
    )
    return after, None if is_review else wait


def _spread(card: Card, interval: int, maximum: int) -> int:
    """The interval moved within its band, every day of it equally likely, by a hash of the key and its repetitions.

    The same card always gets the same day, so what was previewed is applied and an undone answer can be repeated. A
    success (Again leads to the steps, not here) never shortens an interval that lies within the band, except at the
    maximum: there all would pile up.
    """
    interval = min(interval, maximum)
    low, high = fuzz_band(interval, maximum)
    if card.due_day is not None and card.last_day is not None:
        previous = card.due_day - card.last_day
        if low <= previous <= high and interval < maximum:
            low = previous
    return low + _lot(card.key, card.reps) * (high - low + 1) // 2**64


# All successes of a review draw the same.
@lru_cache(maxsize=1)
def _lot(key: str, reps: int) -> int:
    from hashlib import sha256  # brings OpenSSL along, which a start has no need of

    return int.from_bytes(sha256(f"{key}\n{reps}".encode()).digest()[:8], "big")


def _clock(day: int) -> datetime:
    return _CLOCK_ZERO + timedelta(days=day)


def _to_fsrs(card: Card) -> "fsrs.Card":
    import fsrs

    return fsrs.Card(
        card_id=0,
        state=fsrs.State(STATES.index(card.state) or STATES.index("learning")),
        step=card.step,
        stability=card.stability,
        difficulty=card.difficulty,
        due=_CLOCK_ZERO,
        last_review=None if card.last_day is None else _clock(card.last_day),
    )


@lru_cache(maxsize=8)
def _scheduler(parameters: Parameters) -> "fsrs.Scheduler":
    import fsrs

    return fsrs.Scheduler(
        parameters=parameters.weights or DEFAULT_WEIGHTS,
        desired_retention=parameters.desired_retention,
        learning_steps=LEARNING_STEPS,
        relearning_steps=RELEARNING_STEPS,
        maximum_interval=parameters.maximum_interval,
        enable_fuzzing=False,
    )


def _check_weights(weights: tuple[float, ...]) -> None:
    if len(weights) != WEIGHTS:
        raise UsageError(f"FSRS-6 has {WEIGHTS} weights, not {len(weights)}; sets of 17 or 19 are of older versions")
    for index, (weight, low, high) in enumerate(zip(weights, *WEIGHT_BOUNDS, strict=True)):
        if not isinstance(weight, int | float):
            raise UsageError(f"these weights cannot be used: w{index} is {weight!r}, which is no number")
        if not low <= weight <= high:
            raise UsageError(f"these weights cannot be used: w{index} = {weight} is out of bounds, {low} to {high}")
