"""The card: what is remembered of one question, and when it should come back."""

from datetime import datetime, timedelta, tzinfo
from typing import Literal, NamedTuple, TypeAlias

from quiz.memory.days import ROLLOVER_HOUR, Moment, day_start

State: TypeAlias = Literal["new", "learning", "review", "relearning"]
# Numbered as FSRS does, which has no state for new cards.
STATES: tuple[State, ...] = ("new", "learning", "review", "relearning")


class Card(NamedTuple):
    """The memory state of a question.

    ``stability`` is in days, ``difficulty`` 1 to 10, ``step`` counts from 0. A card in (re)learning comes back at the
    instant ``due_at`` (UTC), one in review on the study day ``due_day``; the other of the two is None. ``last_day`` is
    the latest study day on which it was reviewed. ``lapses`` counts Again in review. A ``suspended`` card is not asked
    until it is resumed, one with a ``buried_day`` not on that study day; ``flagged`` is a mark for the learner alone.
    """

    key: str
    state: State = "new"
    step: int | None = None
    stability: float | None = None
    difficulty: float | None = None
    due_at: datetime | None = None
    due_day: int | None = None
    last_day: int | None = None
    reps: int = 0
    lapses: int = 0
    suspended: bool = False
    buried_day: int | None = None
    flagged: bool = False


def is_aside(card: Card, moment: Moment) -> bool:
    """Whether the card is not to be asked on this study day: suspended, or buried for it."""
    return card.suspended or card.buried_day == moment.day


def is_due(card: Card, moment: Moment) -> bool:
    """Whether it is time for the card; a new card is never due, nor one put aside."""
    if is_aside(card, moment):
        return False
    if card.due_at is not None:
        return card.due_at <= moment.instant
    return card.due_day is not None and card.due_day <= moment.day


def due_instant(card: Card, zone: tzinfo, rollover_hour: int = ROLLOVER_HOUR) -> datetime | None:
    """When the card comes back, in UTC: a review at the beginning of its study day. None for a new card."""
    if card.due_day is not None:
        return day_start(card.due_day, zone, rollover_hour)
    return card.due_at


def interval(card: Card, moment: Moment) -> timedelta:
    """How long a card reviewed at ``moment`` waits: the time of its step, or whole days."""
    if card.due_day is not None and card.last_day is not None:
        return timedelta(days=card.due_day - card.last_day)
    return card.due_at - moment.instant if card.due_at is not None else timedelta()
