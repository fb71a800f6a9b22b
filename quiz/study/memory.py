"""What a sitting needs of the log and the schedule: cards, and a place where its reviews are kept."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from quiz.memory.acts import Deed, Entry
from quiz.memory.cards import Card
from quiz.memory.days import Moment
from quiz.memory.review import Review
from quiz.problem.mark import Mark
from quiz.problem.variant import Variant
from quiz.study.rating import Rating


class Memory(Protocol):
    """Where reviews go and cards come from; see `quiz.memory.reviews` and `quiz.memory.schedule`."""

    def preview(self, card: Card, moment: Moment) -> tuple[Card, ...]:
        """What the card would become under each rating, in their order."""

    def record(self, answered: "Answered", moment: Moment) -> Card:
        """Put the review on disk; return the new card only when it is there."""

    def card(self, key: str) -> Card:
        """The card as it stands."""

    def act(self, key: str, deed: Deed, moment: Moment) -> Card:
        """Put the deed on disk; return the card only when it is there."""

    def undo(self, moment: Moment) -> Entry | None:
        """Take back the newest answer or deed that still counts; None if there is none."""

    def last(self, key: str) -> Review | None:
        """The newest review of the question that still counts; None if there is none."""


@dataclass(frozen=True, slots=True)
class Answered:
    """One answered variant, with everything the log keeps of it. ``before`` is its card when it was marked; ``credit``
    the share of the rubric ticked, for an open question, where a mark carries its own; ``disputed``: the learner holds
    that the mark is wrong."""

    variant: Variant
    before: Card
    typed: str
    mark: Mark | None
    proposed: Rating
    rating: Rating
    seconds: float
    hints: int
    credit: Fraction = Fraction(0)
    disputed: bool = False
