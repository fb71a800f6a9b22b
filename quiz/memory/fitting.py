"""Fitting the memory model to the learner: 21 weights, from the learner's own reviews.

The newest fifth of the reviews is held out. Weights fitted on the rest are worth applying only if they foretell what
was held out better than those in use, by more than chance would.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from math import log, sqrt
from statistics import fmean, stdev
from typing import Any, NamedTuple

from quiz.errors import UsageError
from quiz.memory.model import DEFAULT_WEIGHTS, model_of
from quiz.memory.review import Review
from quiz.memory.schedule import AGAIN, Parameters

# Reviews of a later day than the one before. Below, a fifth of them is too few to tell an improvement from luck (with
# 80, the difference of two log-losses is known to about 0.02), and 21 weights have too little to go by.
ENOUGH = 400
HELD_OUT = 0.2
# The improvement must be as large as its own standard error: five times in six it is then real.
ERRORS = 1.0
_INSTALL = "fitting needs the package fsrs-rs-python: pip install 'attention-quiz[optimize]'"
_SURE = 1e-4


class Sample(NamedTuple):
    """A review that tests the model: the ratings and waits in days of its question until then, its own wait, whether
    it was known."""

    history: tuple[tuple[int, int], ...]
    wait: int
    known: bool


@dataclass(frozen=True, slots=True)
class Fit:
    """What fitting found. ``reviews`` test the model, of which ``held_out`` were held out; on those the log-loss was
    ``loss_before`` with the weights in use and ``loss_after`` with the fitted ones; their difference is known to
    ``error``. ``weights`` is None while there are too few reviews, or where they cannot be used."""

    reviews: int
    held_out: int
    weights: tuple[float, ...] | None = None
    loss_before: float | None = None
    loss_after: float | None = None
    error: float | None = None

    @property
    def improves(self) -> bool:
        """Whether the fitted weights should be applied."""
        if self.weights is None or self.loss_before is None or self.loss_after is None or self.error is None:
            return False
        return self.loss_before - self.loss_after > ERRORS * self.error


def fit(reviews: Iterable[Review], in_use: tuple[float, ...] | None) -> Fit:
    """Fit weights to these reviews, the oldest first.

    Raises:
        UsageError: the package that fits is not installed.
    """
    fsrs = _fsrs()
    tests = samples(reviews)
    held = round(len(tests) * HELD_OUT)
    if len(tests) < ENOUGH:
        return Fit(len(tests), held)
    old, new = tests[:-held], tests[-held:]
    items = [_item(fsrs, (*one.history, (3 if one.known else AGAIN, one.wait))) for one in old]
    fitted = tuple(float(weight) for weight in fsrs.FSRS([]).compute_parameters(items))
    try:
        Parameters(weights=fitted)
    except UsageError:
        return Fit(len(tests), held)
    before, after = _losses(fsrs, new, in_use or DEFAULT_WEIGHTS), _losses(fsrs, new, fitted)
    differences = [one - other for one, other in zip(before, after, strict=True)]
    error = stdev(differences) / sqrt(held)
    return Fit(len(tests), held, fitted, fmean(before), fmean(after), error)


def samples(reviews: Iterable[Review]) -> list[Sample]:
    """The reviews that test the model, in the order given."""
    found: list[Sample] = []
    histories: dict[str, list[tuple[int, int]]] = {}
    last: dict[str, int] = {}
    for review in reviews:
        day = review.moment.day
        if review.before.state == "new" or review.key not in last:
            # Met for the first time, or made new again.
            histories[review.key], last[review.key] = [(review.rating, 0)], day
            continue
        wait = max(day - last[review.key], 0)
        history = histories[review.key]
        if wait:
            found.append(Sample(tuple(history), wait, review.rating > AGAIN))
        elif review.before.state == "review" and review.rating > AGAIN:
            # The schedule does not count it either.
            continue
        history.append((review.rating, wait))
        last[review.key] = max(day, last[review.key])
    return found


def _losses(fsrs: Any, tests: Sequence[Sample], weights: tuple[float, ...]) -> list[float]:
    """The log-loss of each review under these weights."""
    model = model_of(weights)
    states = fsrs.FSRS(list(weights)).memory_state_batch([_item(fsrs, one.history) for one in tests])
    losses = []
    for one, state in zip(tests, states, strict=True):
        chance = min(max(model.recall(one.wait, state.stability), _SURE), 1 - _SURE)
        losses.append(-log(chance if one.known else 1 - chance))
    return losses


def _item(fsrs: Any, history: Iterable[tuple[int, int]]) -> Any:
    return fsrs.FSRSItem([fsrs.FSRSReview(rating, wait) for rating, wait in history])


def _fsrs() -> Any:
    try:
        return import_module("fsrs_rs_python")
    except ImportError:
        raise UsageError(_INSTALL) from None
