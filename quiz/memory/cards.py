"""The memory state of a question."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

State: TypeAlias = Literal["new", "learning", "review", "relearning"]


@dataclass(frozen=True, slots=True)
class Card:
    """What FSRS keeps of a question. ``stability`` is in days, ``difficulty`` from 1 to 10, ``step`` the learning step.

    While learning or relearning ``due_at`` is a real instant some minutes ahead; in review the card is due on the study
    day ``due_day``, and ``due_at`` is when that day begins. ``last_day`` is the study day of the last review, never
    earlier than the one before it, whatever the clock said. ``lapses`` counts Agains in review.
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
