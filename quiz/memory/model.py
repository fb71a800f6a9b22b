"""FSRS-6's memory model as plain arithmetic, for whoever must look ahead over many cards.

`quiz.memory.schedule` lets the ``fsrs`` package decide what a review does; here the same formulas say what one *would*
do, a hundred times faster and without that import. A test holds the two against each other.
"""

import math
from functools import lru_cache
from typing import NamedTuple

DEFAULT_WEIGHTS = (
    *(0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796),
    *(1.4835, 0.0614, 0.2629, 1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542),
)
# The smallest and the largest that each may be. They are FSRS's own; its package is not asked, since a start would have
# to import it.
WEIGHT_BOUNDS = (
    (*(0.001,) * 4, 1.0, *(0.001,) * 3, 0.0, 0.0, *(0.001,) * 4, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.1),
    (*(100.0,) * 4, 10.0, 4.0, 4.0, 0.75, 4.5, 0.8, 3.5, 5.0, 0.25, 0.9, 4.0, 1.0, 6.0, 2.0, 2.0, 0.8, 0.8),
)
STABILITY_MIN = 0.001
_AGAIN, _GOOD, _EASY = 1, 3, 4


class Model(NamedTuple):
    """How a learner with these weights remembers. Stabilities and times are in days, difficulties 1 to 10.

    Forgetting follows ``(1 + factor · t / S) ** -decay``, in which ``factor`` makes it 0.9 at t = S.
    """

    weights: tuple[float, ...]
    decay: float
    factor: float

    def recall(self, elapsed: int, stability: float) -> float:
        """The chance of still knowing it, so many days after the last review."""
        return float((1 + self.factor * elapsed / stability) ** -self.decay)

    def interval(self, stability: float, retention: float) -> int:
        """The days after which the chance has fallen to this; one at least."""
        return max(round(float(stability / self.factor * (retention ** (-1 / self.decay) - 1))), 1)

    def after_success(self, difficulty: float, stability: float, recall: float) -> float:
        """The stability after a Good that had this chance."""
        w = self.weights
        growth = math.exp(w[8]) * (11 - difficulty) * stability ** -w[9] * math.expm1((1 - recall) * w[10])
        return float(stability * (1 + growth))

    def after_lapse(self, difficulty: float, stability: float, recall: float) -> float:
        """The stability after Again and the Good that follows it within the day."""
        w = self.weights
        slow = w[11] * difficulty ** -w[12] * ((stability + 1) ** w[13] - 1) * math.exp((1 - recall) * w[14])
        return self.after_repeat(max(min(slow, stability / math.exp(w[17] * w[18])), STABILITY_MIN))

    def after_repeat(self, stability: float) -> float:
        """The stability after another Good on the same day."""
        w = self.weights
        return float(stability * max(1.0, math.exp(w[17] * w[18]) * stability ** -w[19]))

    def after_first(self, known: bool) -> tuple[float, float]:
        """Stability and difficulty of a question met today, known or not, and taken through its two steps with Good."""
        rating = _GOOD if known else _AGAIN
        stability, difficulty = self.weights[rating - 1], _within(self._first_difficulty(rating))
        for _ in range(1 if known else 2):
            stability, difficulty = self.after_repeat(stability), self.harder(difficulty, _GOOD)
        return stability, difficulty

    def harder(self, difficulty: float, rating: int) -> float:
        """The difficulty after a review under this rating."""
        moved = difficulty - (10 - difficulty) * self.weights[6] * (rating - _GOOD) / 9
        pull = self.weights[7]
        return _within(pull * self._first_difficulty(_EASY) + (1 - pull) * moved)

    def _first_difficulty(self, rating: int) -> float:
        return self.weights[4] - math.exp(self.weights[5] * (rating - 1)) + 1


@lru_cache(maxsize=8)
def model_of(weights: tuple[float, ...] | None) -> Model:
    """The model with these weights, or FSRS-6's own."""
    weights = DEFAULT_WEIGHTS if weights is None else weights
    return Model(weights, weights[20], 0.9 ** (-1 / weights[20]) - 1)


def _within(difficulty: float) -> float:
    return min(max(difficulty, 1.0), 10.0)
