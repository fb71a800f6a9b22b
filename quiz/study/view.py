"""What a front room is shown of a sitting: one frozen value, from which everything on screen follows."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from quiz.memory.cards import Card
from quiz.problem.mark import Mark
from quiz.problem.variant import Variant
from quiz.study.rating import Rating

Phase: TypeAlias = Literal["asking", "marked", "finished"]


@dataclass(frozen=True, slots=True)
class Saved:
    """What the last rating did. ``card`` is the card after it."""

    key: str
    rating: Rating
    card: Card


@dataclass(frozen=True, slots=True)
class Offer:
    """A rating the learner may give, and how many seconds until the card would come back."""

    rating: Rating
    seconds: float


@dataclass(frozen=True, slots=True)
class Tally:
    """The sitting so far. ``left`` counts questions not yet shown, ``returning`` those that will come back in it."""

    answered: int = 0
    right: int = 0
    left: int = 0
    returning: int = 0


@dataclass(frozen=True, slots=True)
class View:
    """All that a screen needs to show the sitting. ``again`` marks a question that was asked earlier in it;
    ``flagged`` one with a flag; ``because`` says why
    less is proposed than the answer alone deserves;
    ``disputed`` says that the learner holds the mark to be wrong;
    ``resumes_in`` is, at the end, how many seconds until something learned in it comes back;
    ``misses`` counts how often the question was missed in this sitting when it should be said, and is 0 else.
    No rating is proposed for a rubric of which nothing is ticked."""

    phase: Phase
    tally: Tally
    variant: Variant | None = None
    typed: str = ""
    hints: tuple[str, ...] = ()
    mark: Mark | None = None
    disputed: bool = False
    ticked: frozenset[int] = frozenset()
    proposed: Rating | None = None
    because: str = ""
    offers: tuple[Offer, ...] = ()
    saved: Saved | None = None
    notice: str = ""
    again: bool = False
    flagged: bool = False
    resumes_in: float | None = None
    misses: int = 0

    @property
    def passed(self) -> bool:
        """Whether the learner said that they do not know."""
        return self.mark is not None and self.mark.verdict == "wrong" and not self.mark.reading

    @property
    def disputable(self) -> bool:
        """Whether there is a mark that the learner may hold to be wrong."""
        return self.mark is not None and self.mark.verdict == "wrong" and not self.passed
