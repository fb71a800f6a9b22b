"""Does the memory model foretell this learner: what it predicted against what was still known."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from quiz.memory.model import model_of
from quiz.memory.rollups import MILLION
from quiz.memory.schedule import DEFAULTS, Parameters
from quiz.memory.totals import RatioTotal

# Where reviews crowd, the bins are narrow.
EDGES = (0.0, 0.5, 0.7, 0.8, 0.85, 0.9, 0.95, 1.0)
# Fewer reviews than this prove nothing about a model.
ENOUGH = 50


@dataclass(frozen=True, slots=True)
class Bin:
    """The reviews with a predicted chance from ``low`` to ``high``: how many were ``tested``, which share of them the
    model ``predicted`` to be known and which was ``kept``, the latter two None where there is none."""

    low: float
    high: float
    tested: int
    predicted: float | None
    kept: float | None


@dataclass(frozen=True, slots=True)
class Calibration:
    """All reviews of a later day than the one before, together and by predicted chance, surest last."""

    tested: int
    predicted: float | None
    kept: float | None
    bins: tuple[Bin, ...]

    @property
    def gap(self) -> float:
        """How much more was kept than predicted; 0 while too few reviews tell."""
        if self.tested < ENOUGH or self.kept is None or self.predicted is None:
            return 0.0
        return self.kept - self.predicted


def calibration(ratios: Iterable[RatioTotal], parameters: Parameters = DEFAULTS) -> Calibration:
    """The prediction of the forgetting curve of these parameters against what was kept."""
    model = model_of(parameters.weights)
    found = [[0, 0, 0.0] for _ in EDGES[1:]]
    for total in ratios:
        chance = model.recall(total.ratios, MILLION * total.tested)
        index = next(index for index, high in enumerate(EDGES[1:]) if chance <= high)
        found[index][0] += total.tested
        found[index][1] += total.kept
        found[index][2] += chance * total.tested
    tested, kept, predicted = (sum(sums) for sums in zip(*found, strict=True))
    return Calibration(
        int(tested),
        _share(predicted, tested),
        _share(kept, tested),
        tuple(
            Bin(low, high, int(count), _share(chances, count), _share(known, count))
            for (low, high), (count, known, chances) in zip(pairwise(EDGES), found, strict=True)
        ),
    )


def _share(part: float, of: float) -> float | None:
    return round(part / of, 4) if of else None
