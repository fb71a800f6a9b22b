"""Does the plan toward an interview know more on the day than plain FSRS, for the same minutes?

    python -m tests.simulations.interview [--learners 200] [--questions 74 300] [--json]

Made-up learners, whose true memory is known, study three weeks with the queue and the schedule themselves: 20 minutes a
day, 45 seconds a question, 12 new questions a day. The plan is held against

- plain: FSRS's due questions and the new ones; the sitting ends when there are no more;
- ahead: the same, and the minutes left over go to what is likeliest forgotten though not yet due;
- hungry: plain with as many new questions a day as there are (the limit on new ones is not what decides);

and the *thrifty* plan spends, in even parts, no more than plain did. Printed are the expected share truly known on the
day (mean over learners, standard error), the difference of the plan to each on the same learners, and how often what
was known on the day lay within the band of four fifths that was forecast.
"""

import argparse
import json
import math
import sys
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import pairwise
from random import Random
from statistics import fmean, stdev

from quiz.memory.cards import Card
from quiz.memory.days import Moment, moment
from quiz.memory.habits import Habits
from quiz.memory.queue import new_allowance, queue
from quiz.memory.readiness import Share, readiness
from quiz.memory.schedule import Parameters, retrievability, review
from tests.simulations.learners import FIRST, HARD_SHARE, LAWS, SLIP, Trace

START = datetime(2026, 5, 1, 18, tzinfo=UTC)
TODAY = moment(START, UTC).day
DAYS, MINUTES, SECONDS, NEW_PER_DAY = 21, 20, 45, 12
# A question that was missed comes back after so many others.
SPACING = 4
PLAIN = Parameters()
PLAN = Parameters(interview_day=TODAY + DAYS)
FORECAST_AFTER = (0, 7, 14)


@dataclass(frozen=True)
class Spot:
    """A place in a catalogue."""

    key: str
    pack: str
    lesson: str | None
    depth: str
    position: int


@dataclass
class Learner:
    """One learner's true memory, cards and what was noted along the way."""

    traces: dict[str, Trace]
    random: Random
    cards: dict[str, Card] = field(default_factory=dict)
    spent: list[int] = field(default_factory=list)
    tested: int = 0
    kept: int = 0
    predicted: float = 0.0

    def known(self) -> float:
        """The expected share known on the day."""
        return fmean(trace.known(TODAY + DAYS) for trace in self.traces.values())

    def recalled(self) -> float:
        """The share that happens to be known on the day."""
        return fmean(self.random.random() < trace.known(TODAY + DAYS) for trace in self.traces.values())

    def habits(self) -> Habits:
        """What the reviews so far tell."""
        predicted = self.predicted / self.tested if self.tested else 0.0
        return Habits(seconds=SECONDS, tested=self.tested, kept=self.kept, predicted=predicted)

    def answer(self, key: str, at: Moment, parameters: Parameters) -> Card:
        """Answer a question as well as it is known."""
        trace, card = self.traces[key], self.cards.get(key) or Card(key)
        if card.state == "new":
            rating = self.random.choices([rating for rating, _ in FIRST], [share for _, share in FIRST])[0]
        else:
            later = card.last_day is not None and card.last_day < at.day
            known = self.random.random() < (trace.known(at.day) if later else 1 - SLIP)
            rating = 1 if not known else 2 if self.random.random() < HARD_SHARE else 3
            if later and card.state == "review":
                self.tested += 1
                self.kept += known
                self.predicted += retrievability(card, at.day)
        trace.review(at.day, rating)
        self.cards[key] = review(card, rating, at, parameters)
        return self.cards[key]


def catalogue(count: int) -> list[Spot]:
    """Four packs of ten lessons each; half the questions are a screen's."""
    depths = ("screen", "onsite", "screen", "research")
    return [
        Spot(f"p{at % 4}/q{at}", f"p{at % 4}", f"l{at * 10 // count}", depths[at // 4 % 4], at) for at in range(count)
    ]


def new_learner(law: str, count: int, seed: int) -> Learner:
    """The same learner for the same seed, whatever the policy."""
    random = Random(f"{law} {count} {seed}")
    make = LAWS[law](random)
    return Learner({spot.key: make() for spot in catalogue(count)}, Random(f"answers {law} {count} {seed}"))


def study(learner: Learner, spots: Sequence[Spot], day: int, room: int, parameters: Parameters, style: str) -> None:
    """One sitting of at most ``room`` seconds."""
    begin = moment(START + timedelta(days=day), UTC)
    new = len(spots) if style == "hungry" else NEW_PER_DAY
    if parameters.interview_day is not None:
        new = new_allowance(len(spots) - len(learner.cards), parameters.interview_day - begin.day, new)
    line = deque(queue(spots, learner.cards, begin, new_per_day=new, introduced=0, parameters=parameters))
    if style == "ahead":
        early = [card for card in learner.cards.values() if card.due_day is not None and card.due_day > begin.day]
        early.sort(key=lambda card: (retrievability(card, begin.day), card.key))
        line.extend(card.key for card in early)
    returning: deque[tuple[int, str]] = deque()
    answered = 0
    while (answered + 1) * SECONDS <= room and (line or returning):
        back = returning and (returning[0][0] <= answered or not line)
        key = returning.popleft()[1] if back else line.popleft()
        answered += 1
        at = moment(begin.instant + timedelta(seconds=SECONDS * answered), UTC)
        if learner.answer(key, at, parameters).due_at is not None:
            returning.append((answered + SPACING, key))
    learner.spent.append(answered * SECONDS)


def run(law: str, count: int, style: str, seed: int, rooms: Sequence[int] | None = None) -> Learner:
    """Three weeks of one learner."""
    learner, spots = new_learner(law, count, seed), catalogue(count)
    parameters = PLAN if style in ("plan", "thrifty") else PLAIN
    for day in range(DAYS):
        study(learner, spots, day, rooms[day] if rooms else MINUTES * 60, parameters, style)
    return learner


def even(total: int) -> list[int]:
    """The seconds shared out evenly, in whole questions; what does not fill one moves on to the next day."""
    ends = [total * day // DAYS // SECONDS * SECONDS for day in range(DAYS + 1)]
    return [after - before for before, after in pairwise(ends)]


def compared(law: str, count: int, seed: int) -> dict[str, float]:
    """One learner under each way of studying."""
    plain = run(law, count, "plain", seed)
    found = {"plain": plain.known(), "minutes": sum(plain.spent) / 60 / DAYS}
    found["ahead"] = run(law, count, "ahead", seed).known()
    found["hungry"] = run(law, count, "hungry", seed).known()
    found["thrifty"] = run(law, count, "thrifty", seed, even(sum(plain.spent))).known()
    learner, spots = new_learner(law, count, seed), catalogue(count)
    plans: list[tuple[int, Share]] = []
    for day in range(DAYS):
        if day in FORECAST_AFTER:
            forecast = readiness(
                spots,
                learner.cards,
                moment(START + timedelta(days=day), UTC),
                parameters=PLAN,
                minutes=MINUTES,
                new_per_day=NEW_PER_DAY,
                introduced=0,
                found=learner.habits(),
            )
            plans.append((day, forecast.plan.overall))
            stop = forecast.stop.overall
            found[f"stop {day} off"] = stop.known - learner.known()
            found[f"stop {day} held"] = stop.low <= learner.recalled() <= stop.high
        study(learner, spots, day, MINUTES * 60, PLAN, "plan")
    found["plan"] = learner.known()
    for day, share in plans:
        found[f"plan {day} off"] = share.known - learner.known()
        found[f"plan {day} held"] = share.low <= learner.recalled() <= share.high
    return found


def mean_error(values: Sequence[float]) -> tuple[float, float]:
    """Mean and its standard error."""
    return fmean(values), stdev(values) / math.sqrt(len(values))


def summary(found: Sequence[dict[str, float]]) -> dict[str, tuple[float, float]]:
    """Means with standard errors, and those of the plan's differences."""
    rows = {name: mean_error([one[name] for one in found]) for name in found[0]}
    for other in ("plain", "ahead", "hungry"):
        rows[f"plan - {other}"] = mean_error([one["plan"] - one[other] for one in found])
    rows["thrifty - plain"] = mean_error([one["thrifty"] - one["plain"] for one in found])
    return rows


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description="Compare the plan toward an interview with plain FSRS.")
    parser.add_argument("--learners", type=int, default=200)
    parser.add_argument("--questions", type=int, nargs="+", default=[74, 300])
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    figures: dict[str, dict[str, tuple[float, float]]] = {}
    with ProcessPoolExecutor() as pool:
        for count in asked.questions:
            for law in LAWS:
                one: Callable[[int], dict[str, float]] = partial(compared, law, count)
                figures[f"{law} {count}"] = summary(list(pool.map(one, range(asked.learners), chunksize=5)))
                if not asked.json:
                    sys.stdout.write(f"\n{count} questions, {law}\n")
                    for name, (mean, error) in figures[f"{law} {count}"].items():
                        sys.stdout.write(f"  {name:16} {mean:8.4f} ± {error:.4f}\n")
                    sys.stdout.flush()
    if asked.json:
        sys.stdout.write(json.dumps(figures) + "\n")


if __name__ == "__main__":
    main()
