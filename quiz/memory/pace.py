"""How fast answers come, against the learner's own median: what is slow will be slow before an interviewer too."""

from collections import Counter
from dataclasses import dataclass
from statistics import median

from quiz.memory.totals import Totals, seconds_of

# So many answers tell a median from chance.
ENOUGH = 10
# A topic this much slower than the learner's median is worth a drill.
SLOW = 1.5


@dataclass(frozen=True, slots=True)
class Pace:
    """Median seconds to an answer: of all, of the newest hundred, and by pack; None, or left out, while there are few.
    ``slowest`` is the pack that is half as slow again as all, or slower, if there is one."""

    median: float | None
    recent: float | None
    topics: dict[str, float]
    slowest: str | None


def pace(totals: Totals) -> Pace:
    """The pace that the log shows."""
    every = Counter[int]()
    for steps in totals.paces.values():
        every.update(steps)
    overall = _median(every)
    topics = {pack: found for pack, steps in totals.paces.items() if (found := _median(Counter(steps))) is not None}
    slowest = max(topics, key=lambda pack: topics[pack], default=None)
    if slowest is None or overall is None or topics[slowest] < SLOW * overall:
        slowest = None
    recent = totals.recent_ms
    return Pace(overall, round(median(recent) / 1000, 1) if len(recent) >= ENOUGH else None, topics, slowest)


def _median(steps: Counter[int]) -> float | None:
    """The median of what is counted in bins, taken as spread evenly within its bin."""
    half = steps.total() / 2
    if steps.total() < ENOUGH:
        return None
    passed = 0
    for step in sorted(steps):
        if passed + steps[step] >= half:
            low, high = seconds_of(step)
            return round(low + (high - low) * (half - passed) / steps[step], 1)
        passed += steps[step]
    return None
