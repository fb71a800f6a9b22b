"""What the learner's own reviews say about their pace, and about how far the memory model can be believed."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp
from statistics import median

from quiz.memory.model import DEFAULT_WEIGHTS, model_of
from quiz.memory.review import Review
from quiz.memory.schedule import DEFAULTS, Parameters, retrievability
from quiz.memory.worth import KNOWN_AT_FIRST

# Until the learner's own pace is known: read, work out, type, read why.
SECONDS = 45.0
# Fewer reviews than this say little about a pace.
ENOUGH = 20
# From one answer to the next; what takes longer was a pause.
LONGEST_GAP = 600.0
# Days over which the minutes a day are told.
LATELY = 14
# By which factor (its logarithm) a learner forgets faster or slower than the model, before any of it was seen.
PRIOR_SPREAD = 1.0


@dataclass(frozen=True, slots=True)
class Habits:
    """``seconds`` is the median time from one question to the next; ``known_at_first`` the share of questions known
    when first met. Of ``tested`` reviews on a later day than the one before, ``kept`` were known, and the model had
    ``predicted`` this share of them. ``decay`` is the exponent of the model's forgetting curve."""

    seconds: float = SECONDS
    known_at_first: float = KNOWN_AT_FIRST
    tested: int = 0
    kept: int = 0
    predicted: float = 0.0
    decay: float = DEFAULT_WEIGHTS[20]


def habits(reviews: Iterable[Review], parameters: Parameters = DEFAULTS) -> Habits:
    """The habits that show in these reviews, oldest first; the last few thousand say enough.

    The time of a question reaches from the answer before it, in the same sitting, to its own, so that reading the
    explanation counts; the first of a sitting does not. With few reviews the pace is `SECONDS`, and the share known
    at first keeps near `KNOWN_AT_FIRST`.
    """
    gaps: list[float] = []
    first = known = tested = kept = 0
    predicted = 0.0
    before: Review | None = None
    for review in reviews:
        if before is not None and before.sitting == review.sitting:
            gap = (review.moment.instant - before.moment.instant).total_seconds()
            if 0 < gap <= LONGEST_GAP:
                gaps.append(gap)
        before = review
        card = review.before
        if card.state == "new":
            first += 1
            known += review.rating > 1
        elif card.state == "review" and card.last_day is not None and card.last_day < review.moment.day:
            tested += 1
            kept += review.rating > 1
            predicted += retrievability(card, review.moment.day, parameters)
    return Habits(
        seconds=median(gaps) if len(gaps) >= ENOUGH else SECONDS,
        # As if as many questions had been met before, known as often as is usual.
        known_at_first=(known + ENOUGH * KNOWN_AT_FIRST) / (first + ENOUGH),
        tested=tested,
        kept=kept,
        predicted=predicted / tested if tested else 0.0,
        decay=model_of(parameters.weights).decay,
    )


def minutes_a_day(reviews: Iterable[Review], today: int, seconds: float) -> int | None:
    """How many minutes a day were studied lately, at so many seconds an answer: whole ones, at least one, the mean
    since the first of the reviews within `LATELY` days before today; None if there are none."""
    days = [review.moment.day for review in reviews if 0 < today - review.moment.day <= LATELY]
    return max(round(len(days) * seconds / 60 / (today - min(days))), 1) if days else None


def bias(found: Habits) -> tuple[float, float]:
    """How much slower than the model says the learner forgets, as the logarithm of a factor of time, and how uncertain
    that is (standard deviation): the likeliest under a normal prior around 0 of spread `PRIOR_SPREAD`, and the
    curvature there."""
    if not found.tested:
        return 0.0, PRIOR_SPREAD
    predicted = min(max(found.predicted, 0.01), 0.99)
    low, high = -10.0, 10.0
    # The slope falls wherever it matters, so halving finds where it is nothing.
    for _ in range(40):
        shift = (low + high) / 2
        chance, steepness = shifted(predicted, shift, found.decay), _steepness(predicted, shift, found.decay)
        slope = (found.kept - found.tested * chance) / (chance * (1 - chance)) * steepness - shift / PRIOR_SPREAD**2
        low, high = (shift, high) if slope > 0 else (low, shift)
    chance, steepness = shifted(predicted, low, found.decay), _steepness(predicted, low, found.decay)
    return low, (found.tested * steepness**2 / (chance * (1 - chance)) + PRIOR_SPREAD**-2) ** -0.5


def shifted(chance: float, shift: float, decay: float) -> float:
    """The chance for a learner who forgets slower by this logarithm of a factor, on a curve of this decay; none and
    certainty stay what they are."""
    if not 0 < chance < 1:
        return chance
    return float((1 + exp(-shift) * (chance ** (-1 / decay) - 1)) ** -decay)


def _steepness(chance: float, shift: float, decay: float) -> float:
    """By how much the shifted chance grows with the shift."""
    faded = exp(-shift) * (chance ** (-1 / decay) - 1)
    return float(decay * faded * (1 + faded) ** (-decay - 1))
