"""Where a sitting stands: what is on screen, what is still to come, and the steps from one to the next."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

from quiz.memory.acts import Entry
from quiz.memory.cards import Card
from quiz.memory.days import Moment
from quiz.memory.review import Review
from quiz.problem.mark import Mark
from quiz.problem.variant import Variant
from quiz.study.rating import Rating
from quiz.study.view import Phase, Saved

# So many other questions come before one that was wrong is asked again; twice as many at each further miss, so that a
# handful of hard questions cannot hold up the rest of the sitting.
SPACING = 3


@dataclass(frozen=True, slots=True)
class Return:
    """A question that comes back in this sitting. ``due`` in seconds since 1970; ``missed`` if it was wrong."""

    key: str
    due: float
    after: int
    missed: bool


class State(NamedTuple):
    """The sitting between two calls. ``card`` is that of the ``variant``, as it stood when last looked at; ``began`` in
    seconds since 1970, ``thought`` in seconds; ``seen``: the answer was on screen before; ``misses`` counts Again by
    question; ``early`` once the learner asked for what comes back later; ``hurried`` once they were told that it comes
    back before its time.
    """

    queue: tuple[str, ...]
    phase: Phase = "finished"
    returning: tuple[Return, ...] = ()
    variant: Variant | None = None
    card: Card | None = None
    again: bool = False
    began: float = 0.0
    thought: float = 0.0
    typed: str = ""
    hints: int = 0
    seen: bool = False
    mark: Mark | None = None
    disputed: bool = False
    ticked: frozenset[int] = frozenset()
    answered: int = 0
    right: int = 0
    misses: Mapping[str, int] = MappingProxyType({})
    saved: Saved | None = None
    notice: str = ""
    early: bool = False
    hurried: bool = False
    resumes_in: float | None = None


def next_key(state: State, now: float) -> tuple[str, State, bool] | None:
    """The next key, the state without it, and whether it was asked in this sitting before."""
    spaced = [one for one in state.returning if one.after <= state.answered and (one.missed or one.due <= now)]
    if spaced:
        return _take_back(state, min(spaced, key=lambda one: one.after))
    if state.queue:
        return state.queue[0], state._replace(queue=state.queue[1:]), False
    missed = [one for one in state.returning if one.missed or one.due <= now or state.early]
    return _take_back(state, min(missed, key=lambda one: one.after)) if missed else None


def comes_early(state: State, key: str, now: float) -> bool:
    """Whether the question comes back before its time, as nothing else is left; not if the learner asked for that."""
    due = next((one.due for one in state.returning if one.key == key), now)
    return due > now and not state.queue and not state.early


def _take_back(state: State, one: Return) -> tuple[str, State, bool]:
    left = tuple(other for other in state.returning if other is not one)
    return one.key, state._replace(returning=left), True


def finished(state: State, moment: Moment) -> State:
    """The state at the end of the sitting, with nothing on screen."""
    dues = [one.due for one in state.returning]
    return state._replace(
        phase="finished",
        variant=None,
        card=None,
        mark=None,
        disputed=False,
        typed="",
        hints=0,
        ticked=frozenset(),
        early=False,
        resumes_in=max(min(dues) - seconds(moment), 0.0) if dues else None,
    )


def asking_again(state: State, moment: Moment, notice: str) -> State:
    """The state in which its question is asked once more, with what was done to it taken back."""
    return state._replace(
        phase="asking",
        typed="",
        mark=None,
        disputed=False,
        ticked=frozenset(),
        seen=state.seen or state.phase == "marked",
        began=seconds(moment),
        notice=notice,
    )


def comes_back(state: State, card: Card, rating: Rating) -> tuple[Return, ...]:
    """A question that was wrong, or that is still being learned, comes back in this sitting."""
    if card.due_at is None:
        return ()
    missed = rating == Rating.AGAIN
    spacing = SPACING * 2 ** min(state.misses.get(card.key, 0), 5)
    return (Return(card.key, card.due_at.timestamp(), state.answered + 1 + spacing, missed),)


def is_of(state: State, taken: Entry) -> bool:
    """Whether the state is that in which this was done."""
    if state.variant is None or state.variant.key != taken.key:
        return False
    return not isinstance(taken, Review) or state.variant.seed == taken.seed


def ticked_share(state: State) -> Fraction:
    """The share of the rubric's points that are ticked; 0 where there is no rubric."""
    rubric = state.variant.rubric if state.variant else ()
    earned = sum(point.weight for index, point in enumerate(rubric) if index in state.ticked)
    return Fraction(earned, sum(point.weight for point in rubric)) if rubric else Fraction(0)


def seconds(moment: Moment) -> float:
    """The instant in seconds since 1970."""
    return moment.instant.timestamp()
