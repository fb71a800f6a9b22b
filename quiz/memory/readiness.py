"""Ready on the day: the share of questions that will be known at the interview, and the minutes a day it takes.

A question that was never asked, or is still in its first steps, counts as unknown on the day, though a learner may know
it from elsewhere: the figures speak of what was shown to be known.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, sqrt

from quiz.errors import UsageError
from quiz.memory.ahead import Chance, by_key, if_kept_to, if_stopped, is_learned, start
from quiz.memory.cards import Card
from quiz.memory.days import Moment
from quiz.memory.habits import Habits, bias, habits, shifted
from quiz.memory.queue import Place, interview_ahead
from quiz.memory.schedule import DEFAULTS, Parameters

GOAL = 0.9
# The minutes a day that are played through; between them the share is taken to rise evenly.
MINUTES = (0, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180)
BAND = 0.8
# The middle four fifths of a normal distribution lie within so many standard deviations.
_REACH = 1.2816
# As `PRIOR_SPREAD`, but of a forecast of days ahead where the model fitted the reviews so far. The two are set so that
# of the bands in ``tests/simulations/interview.py``, over learners of three laws of forgetting, four in five held.
_DRIFT = 1.0


@dataclass(frozen=True, slots=True)
class Share:
    """The expected share of ``questions`` known on the day, and the band in which the true one lies with a chance of
    `BAND`. ``unlearned`` of them, today, were never asked or are in their first steps."""

    questions: int
    unlearned: int
    known: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Outlook:
    """The share known on the day: of all questions, by pack and by depth."""

    overall: Share
    topics: Mapping[str, Share]
    depths: Mapping[str, Share]


@dataclass(frozen=True, slots=True)
class Readiness:
    """How the interview stands.

    ``stop``: if nothing is studied any more. ``plan``: if ``minutes`` are studied on each of the ``days`` before the
    interview, today among them: as many as lately if that is ``usual``, else what the goal needs. ``needed``: the
    fewest minutes a day, whole ones, after which the share ``goal`` of the questions of the chosen depths is expected
    to be known; None if even `MINUTES`' most do not get there, and then ``most`` is the share they lead to. ``most`` is
    always given. ``curve`` has the share for each of `MINUTES`.
    """

    days: int
    minutes: int
    usual: bool
    stop: Outlook
    plan: Outlook
    goal: float
    needed: int | None
    most: float
    curve: tuple[tuple[int, float], ...]


def readiness(
    places: Iterable[Place],
    cards: Mapping[str, Card],
    moment: Moment,
    *,
    parameters: Parameters = DEFAULTS,
    minutes: int | None = None,
    done_today: float = 0.0,
    goal: float = GOAL,
    depths: Collection[str] = (),
    new_per_day: int,
    introduced: int,
    found: Habits | None = None,
) -> Readiness:
    """The forecast for the interview day of the ``parameters``.

    Args:
        places: what may be asked; suspended questions count nowhere.
        cards: their memory, by key.
        moment: now.
        parameters: as the queue and the schedule have them.
        minutes: of study a day; None means what the goal needs, or the most there is if that does not get there.
        done_today: minutes studied today.
        goal: the share to be known.
        depths: which questions the goal is about; none means all. All are studied, in any case.
        new_per_day: as the queue has it.
        introduced: questions met today for the first time.
        found: the learner's habits, see `quiz.memory.habits.habits`.

    Raises:
        UsageError: there is no interview ahead, or nothing to ask in these depths.
    """
    day = interview_ahead(moment, parameters)
    if day is None:
        raise UsageError("no interview is ahead")
    found = found or habits((), parameters)
    asked = [place for place in places if not (card := cards.get(place.key)) or not card.suspended]
    if not any(_counts(place, depths) for place in asked):
        raise UsageError("no questions of these depths" if depths else "there are no questions to be ready for")
    held = by_key(asked, cards)
    stop = if_stopped(held, day, found, parameters)
    begin = start(asked, held, moment, parameters)

    def play(per_day: float) -> list[Chance]:
        return if_kept_to(
            begin,
            moment.day,
            day,
            per_day,
            done_today=done_today,
            new_per_day=new_per_day,
            introduced=introduced,
            found=found,
            parameters=parameters,
        )

    curve = [stop] + [play(per_day) for per_day in MINUTES[1:]] if day > moment.day else [stop] * len(MINUTES)
    shares = [_mean(chances, [_counts(place, depths) for place in asked]) for chances in curve]
    # Whoever has more minutes may leave some unused, so more never do harm.
    best = [max(range(at + 1), key=lambda one: (shares[one], -one)) for at in range(len(MINUTES))]
    needed = _needed([shares[one] for one in best], goal)
    usual = minutes is not None
    if minutes is None:
        minutes = MINUTES[-1] if needed is None else needed
    at = max(at for at, per_day in enumerate(MINUTES) if per_day <= minutes)
    part = 0.0
    if at + 1 < len(MINUTES):
        part = (minutes - MINUTES[at]) / (MINUTES[at + 1] - MINUTES[at])
    here = _outlook(asked, held, curve[best[at]], found)
    plan = here if not part else _between(here, _outlook(asked, held, curve[best[at + 1]], found), part)
    return Readiness(
        days=day - moment.day,
        minutes=minutes,
        usual=usual,
        stop=_outlook(asked, held, stop, found),
        plan=plan,
        goal=goal,
        needed=needed,
        most=shares[best[-1]],
        curve=tuple((per_day, shares[one]) for per_day, one in zip(MINUTES, best, strict=True)),
    )


def _counts(place: Place, depths: Collection[str]) -> bool:
    return not depths or place.depth in depths


def _mean(chances: Iterable[Chance], counts: Sequence[bool]) -> float:
    weighed = [chance for chance in chances if counts[chance.index]]
    return sum(chance.stands_for * chance.known for chance in weighed) / sum(chance.stands_for for chance in weighed)


def _needed(shares: Sequence[float], goal: float) -> int | None:
    """The fewest whole minutes whose share reaches the goal."""
    if shares[0] >= goal:
        return 0
    for at in range(1, len(MINUTES)):
        if shares[at] >= goal:
            part = (goal - shares[at - 1]) / (shares[at] - shares[at - 1])
            return ceil(MINUTES[at - 1] + part * (MINUTES[at] - MINUTES[at - 1]) - 1e-9)
    return None


def _outlook(places: Sequence[Place], cards: Sequence[Card], chances: Sequence[Chance], found: Habits) -> Outlook:
    topics: dict[str, list[int]] = {}
    depths: dict[str, list[int]] = {}
    for index, place in enumerate(places):
        topics.setdefault(place.pack, []).append(index)
        depths.setdefault(place.depth, []).append(index)
    at = {chance.index: chance for chance in chances}
    _, doubt = bias(found)
    spread = sqrt(doubt**2 + _DRIFT**2)

    def share(group: Sequence[int]) -> Share:
        unlearned = sum(not is_learned(cards[index]) for index in group)
        return _share(len(group), unlearned, [at[index] for index in group if index in at], spread, found.decay)

    return Outlook(
        overall=share(range(len(places))),
        topics={name: share(group) for name, group in topics.items()},
        depths={name: share(group) for name, group in depths.items()},
    )


def _share(questions: int, unlearned: int, chances: Sequence[Chance], spread: float, decay: float) -> Share:
    """The share with its band: the spread of as many coins as there are questions, and that of the model, which is
    wrong about all of them together."""
    total = sum(chance.stands_for for chance in chances)

    def mean(shift: float) -> float:
        return sum(chance.stands_for * shifted(chance.known, shift, decay) for chance in chances) / total

    known = mean(0.0)
    coins = sum(chance.stands_for * chance.known * (1 - chance.known) for chance in chances) / total**2
    low = known - sqrt((known - mean(-_REACH * spread)) ** 2 + _REACH**2 * coins)
    high = known + sqrt((mean(_REACH * spread) - known) ** 2 + _REACH**2 * coins)
    # Never more than all that can be known at all.
    most = sum(chance.stands_for for chance in chances if chance.known > 0) / total
    return Share(questions, unlearned, known, max(low, 0.0), min(high, most))


def _between(one: Outlook, other: Outlook, part: float) -> Outlook:
    def share(left: Share, right: Share) -> Share:
        known, low, high = (
            here + part * (there - here)
            for here, there in ((left.known, right.known), (left.low, right.low), (left.high, right.high))
        )
        return Share(left.questions, left.unlearned, known, low, high)

    return Outlook(
        overall=share(one.overall, other.overall),
        topics={name: share(held, other.topics[name]) for name, held in one.topics.items()},
        depths={name: share(held, other.depths[name]) for name, held in one.depths.items()},
    )
