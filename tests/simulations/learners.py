"""Learners whose memory is known, because it is made: three laws of forgetting, of which two are not FSRS."""

import math
from collections.abc import Callable
from random import Random
from typing import Protocol

from quiz.memory.model import DEFAULT_WEIGHTS, Model, model_of
from quiz.memory.schedule import AGAIN

# How often a question met for the first time is answered Again, Hard and Good. Easy is never proposed.
FIRST = ((1, 0.30), (2, 0.12), (3, 0.58))
# Of what is known on a later day, how often it was hard work; how often a repeat within a day fails.
HARD_SHARE, SLIP = 0.12, 0.05


class Trace(Protocol):
    """What is left of one question in a head."""

    def known(self, day: int) -> float:
        """The true chance of knowing it on that day; 0 before it was met."""

    def review(self, day: int, rating: int) -> None:
        """Answer it on that day."""


class FsrsTrace:
    """FSRS-6 under the learner's own weights; the question has a first stability and a difficulty of its own."""

    def __init__(self, model: Model, random: Random) -> None:
        self._model = model
        self._ease, self._harder = math.exp(random.gauss(0, 0.5)), random.gauss(0, 1.5)
        self._stability = self._difficulty = 0.0
        self._last: int | None = None

    def known(self, day: int) -> float:
        return 0.0 if self._last is None else self._model.recall(day - self._last, self._stability)

    def review(self, day: int, rating: int) -> None:
        if self._last is None:
            first = self._model.weights[4] - math.exp(self._model.weights[5] * (rating - 1)) + 1
            self._stability = self._model.weights[rating - 1] * self._ease
            self._difficulty = min(max(first + self._harder, 1.0), 10.0)
        elif day > self._last:
            recall = self.known(day)
            after = self._model.after_lapse if rating == AGAIN else self._model.after_success
            self._stability = after(self._difficulty, self._stability, recall)
            self._difficulty = self._model.harder(self._difficulty, rating)
        elif rating != AGAIN:
            self._stability = self._model.after_repeat(self._stability)
        self._last = day


class PowerTrace:
    """Forgetting by a steeper power, ``(1 + t / S) ** -d``; S grows by what was forgotten and shrinks by a lapse."""

    def __init__(self, decay: float, first: float, growth: float, random: Random) -> None:
        self._decay, self._growth = decay, growth
        self._first = first * math.exp(random.gauss(0, 0.5))
        self._stability = 0.0
        self._last: int | None = None

    def known(self, day: int) -> float:
        return 0.0 if self._last is None else float((1 + (day - self._last) / self._stability) ** -self._decay)

    def review(self, day: int, rating: int) -> None:
        if self._last is None:
            self._stability = self._first * (0.4 if rating == AGAIN else 1.0)
        elif day > self._last:
            grown = self._stability * (1 + self._growth * (1 - self.known(day)) / 0.3)
            self._stability = max(self._first, self._stability) * 0.4 if rating == AGAIN else grown
        self._last = day


class ActivationTrace:
    """ACT-R with a decay that depends on the activation at practice (Pavlik and Anderson 2005, Cognitive Science 29),
    with days for time: every practice leaves a trace, and the more active it still was, the faster the new one fades.
    """

    SOFTNESS = 0.3
    # A practice a moment ago has not decayed for ever.
    SOONEST = 0.02

    def __init__(self, scale: float, floor: float, threshold: float, random: Random) -> None:
        self._scale, self._floor = scale, floor
        self._threshold = threshold + random.gauss(0, 0.4)
        self._practices: list[tuple[int, float]] = []

    def known(self, day: int) -> float:
        if not self._practices:
            return 0.0
        return 1 / (1 + math.exp((self._threshold - self._activation(day)) / self.SOFTNESS))

    def review(self, day: int, rating: int) -> None:
        if not self._practices:
            self._practices.append((day, self._floor))
        elif self._practices[-1][0] < day:
            decay = self._scale * math.exp(self._activation(day)) + self._floor
            self._practices.append((day, decay))

    def _activation(self, day: int) -> float:
        return math.log(sum(max(day - when, self.SOONEST) ** -decay for when, decay in self._practices))


def fsrs_learner(random: Random) -> Callable[[], Trace]:
    """Each weight off by a fifth or so."""
    weights = [weight * math.exp(random.gauss(0, 0.2)) for weight in DEFAULT_WEIGHTS]
    weights[20] = min(max(weights[20], 0.1), 0.8)
    model = model_of(tuple(weights))
    return lambda: FsrsTrace(model, random)


def power_learner(random: Random) -> Callable[[], Trace]:
    """A decay of 0.35 instead of FSRS's 0.15: forgets more than FSRS expects."""
    decay, first, growth = (
        middle * math.exp(random.gauss(0, spread)) for middle, spread in ((0.35, 0.2), (3.0, 0.3), (1.0, 0.3))
    )
    return lambda: PowerTrace(decay, first, growth, random)


def activation_learner(random: Random) -> Callable[[], Trace]:
    """The published form; the numbers set so that about nine tenths are known after a day."""
    scale, floor = (middle * math.exp(random.gauss(0, 0.2)) for middle in (0.25, 0.18))
    threshold = -0.9 + random.gauss(0, 0.2)
    return lambda: ActivationTrace(scale, floor, threshold, random)


LAWS = {"fsrs": fsrs_learner, "power": power_learner, "activation": activation_learner}
