"""Does the plan toward an interview know more on the day than plain FSRS, for the same minutes?

    python -m tests.simulations.interview [--learners 200] [--questions 74 300] [--days 10 21 42] [--json]

Made-up learners, whose true memory is known, study up to the day with the queue and the schedule themselves: 20 minutes
a day, 45 seconds a question, 12 new questions a day. The plan is held against

- plain: FSRS's due questions and the new ones; the sitting ends when there are no more;
- ahead: the same, and the minutes left over go to what is likeliest forgotten though not yet due;
- hungry: plain with as many new questions a day as there are (the limit on new ones is not what decides);

and the *thrifty* plan spends, in even parts, no more than plain did. Printed are the share truly known on the day, the
differences on the same learners (mean over learners ± standard error, in percent), and how often what was known on the
day lay within the band of four fifths that was forecast on the first day and after one and two thirds of the time.
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
from itertools import pairwise, product
from random import Random
from statistics import fmean, stdev

from quiz.memory.cards import Card
from quiz.memory.days import Moment, moment
from quiz.memory.habits import Habits
from quiz.memory.queue import new_allowance, queue
from quiz.memory.readiness import Share, readiness
from quiz.memory.schedule import Parameters, retrievability, review
from tests.memory.catalogue import Question
from tests.simulations.learners import FIRST, HARD_SHARE, LAWS, SLIP, Trace

START = datetime(2026, 5, 1, 18, tzinfo=UTC)
TODAY = moment(START, UTC).day
MINUTES, SECONDS, NEW_PER_DAY = 20, 45, 12
# A question that was missed comes back after so many others.
SPACING = 4
PLAIN = Parameters()


@dataclass(frozen=True)
class Course:
    """How many days are left for how many questions, to learners of which law of forgetting."""

    law: str
    questions: int
    days: int

    @property
    def plan(self) -> Parameters:
        """The schedule toward the day."""
        return Parameters(interview_day=TODAY + self.days)

    @property
    def forecast_after(self) -> tuple[int, ...]:
        """The days on which a forecast is made."""
        return 0, self.days // 3, 2 * self.days // 3


@dataclass
class Learner:
    """One learner's true memory, cards and what was noted along the way."""

    interview: int
    traces: dict[str, Trace]
    random: Random
    cards: dict[str, Card] = field(default_factory=dict)
    spent: list[int] = field(default_factory=list)
    tested: int = 0
    kept: int = 0
    predicted: float = 0.0

    def known(self) -> float:
        """The expected share known on the day."""
        return fmean(trace.known(self.interview) for trace in self.traces.values())

    def recalled(self) -> float:
        """The share that happens to be known on the day."""
        return fmean(self.random.random() < trace.known(self.interview) for trace in self.traces.values())

    def minutes(self) -> float:
        """Those spent a day."""
        return fmean(self.spent) / 60

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


def catalogue(count: int) -> list[Question]:
    """Four packs of ten lessons each; half the questions are a screen's."""
    depths = ("screen", "onsite", "screen", "research")
    return [
        Question(f"p{at % 4}/q{at}", f"p{at % 4}", f"l{at * 10 // count}", depths[at // 4 % 4], at)
        for at in range(count)
    ]


def new_learner(course: Course, seed: int) -> Learner:
    """The same learner for the same seed, whatever the policy and the time."""
    random = Random(f"{course.law} {course.questions} {seed}")
    make = LAWS[course.law](random)
    traces = {place.key: make() for place in catalogue(course.questions)}
    return Learner(TODAY + course.days, traces, Random(f"answers {course.law} {course.questions} {seed}"))


def study(
    learner: Learner, places: Sequence[Question], day: int, room: int, parameters: Parameters, style: str
) -> None:
    """One sitting of at most ``room`` seconds."""
    begin = moment(START + timedelta(days=day), UTC)
    new = len(places) if style == "hungry" else NEW_PER_DAY
    if parameters.interview_day is not None:
        new = new_allowance(len(places) - len(learner.cards), parameters.interview_day - begin.day, new)
    line = deque(queue(places, learner.cards, begin, new_per_day=new, introduced=0, parameters=parameters))
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


def run(course: Course, style: str, seed: int, rooms: Sequence[int] | None = None) -> Learner:
    """One learner up to the day."""
    learner, places = new_learner(course, seed), catalogue(course.questions)
    parameters = course.plan if style in ("plan", "thrifty") else PLAIN
    for day in range(course.days):
        study(learner, places, day, rooms[day] if rooms else MINUTES * 60, parameters, style)
    return learner


def even(total: int, days: int) -> list[int]:
    """The seconds shared out evenly, in whole questions; what does not fill one moves on to the next day."""
    ends = [total * day // days // SECONDS * SECONDS for day in range(days + 1)]
    return [after - before for before, after in pairwise(ends)]


def compared(course: Course, seed: int) -> dict[str, float]:
    """One learner under each way of studying."""
    plain = run(course, "plain", seed)
    ahead = run(course, "ahead", seed)
    found = {"plain": plain.known(), "plain minutes": plain.minutes()}
    found |= {"ahead": ahead.known(), "ahead minutes": ahead.minutes()}
    found["hungry"] = run(course, "hungry", seed).known()
    found["thrifty"] = run(course, "thrifty", seed, even(sum(plain.spent), course.days)).known()
    learner, places = new_learner(course, seed), catalogue(course.questions)
    plans: list[Share] = []
    for day in range(course.days):
        if day in course.forecast_after:
            forecast = readiness(
                places,
                learner.cards,
                moment(START + timedelta(days=day), UTC),
                parameters=course.plan,
                minutes=MINUTES,
                new_per_day=NEW_PER_DAY,
                introduced=0,
                found=learner.habits(),
            )
            plans.append(forecast.plan.overall)
            stop = forecast.stop.overall
            # On the first day there is nothing that could be known.
            if day:
                found[f"stop held {len(plans)}"] = stop.low <= learner.recalled() <= stop.high
        study(learner, places, day, MINUTES * 60, course.plan, "plan")
    found |= {"plan": learner.known(), "plan minutes": learner.minutes()}
    for number, share in enumerate(plans, 1):
        found[f"plan held {number}"] = share.low <= learner.recalled() <= share.high
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


def table(course: Course, rows: dict[str, tuple[float, float]]) -> str:
    """The figures of a course as lines of a table."""

    def percent(*names: str) -> str:
        return "".join(f"{100 * rows[name][0]:8.1f} ±{100 * rows[name][1]:4.1f}" for name in names)

    def held(kind: str) -> str:
        return " / ".join(f"{100 * mean:.0f}" for name, (mean, _) in rows.items() if name.startswith(f"{kind} held"))

    minutes = ", ".join(f"{one} {rows[f'{one} minutes'][0]:.1f}" for one in ("plain", "ahead", "plan"))
    return (
        f"\n{course.law}, {course.questions} questions, {course.days} days; minutes a day: {minutes}\n"
        f"  known     plain, ahead, hungry, thrifty, plan {percent('plain', 'ahead', 'hungry', 'thrifty', 'plan')}\n"
        f"  thrifty - plain; plan - plain, ahead, hungry  "
        f"{percent('thrifty - plain', 'plan - plain', 'plan - ahead', 'plan - hungry')}\n"
        f"  bands held, of 100: if stopped {held('stop')}; under the plan {held('plan')}\n"
    )


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description="Compare the plan toward an interview with plain FSRS.")
    parser.add_argument("--learners", type=int, default=200)
    parser.add_argument("--questions", type=int, nargs="+", default=[74, 300])
    parser.add_argument("--days", type=int, nargs="+", default=[10, 21, 42])
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    figures: dict[str, dict[str, tuple[float, float]]] = {}
    with ProcessPoolExecutor() as pool:
        for course in (Course(*one) for one in product(LAWS, asked.questions, asked.days)):
            one: Callable[[int], dict[str, float]] = partial(compared, course)
            rows = summary(list(pool.map(one, range(asked.learners), chunksize=5)))
            figures[f"{course.law} {course.questions} {course.days}"] = rows
            if not asked.json:
                sys.stdout.write(table(course, rows))
                sys.stdout.flush()
    if asked.json:
        sys.stdout.write(json.dumps(figures) + "\n")


if __name__ == "__main__":
    main()
