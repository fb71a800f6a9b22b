"""The review: one answered variant, with everything the log keeps of it."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias
from uuid import uuid4

from quiz.memory.cards import Card
from quiz.memory.days import Moment

Verdict: TypeAlias = Literal["right", "wrong", "judged"]
Givens: TypeAlias = Mapping[str, int | Fraction | str]


class Review(NamedTuple):
    """One answered variant. ``id`` is a UUID; ``givens`` is the drawn tuple itself, so that the variant can be shown
    whatever became of its pack; ``typed`` is what was typed, letter for letter; the verdict ``judged`` is the learner's
    own, of a card or an open question; ratings are 1 (Again) to 4 (Easy); ``before`` and ``after`` are the card;
    ``disputed`` if the learner disagreed with the mark.
    """

    id: str
    key: str
    seed: int
    pack: str
    pack_version: str
    givens: Givens
    moment: Moment
    typed: str
    verdict: Verdict
    credit: Fraction
    misconception: str | None
    proposed: int
    rating: int
    thinking_ms: int
    hints: int
    sitting: str
    device: str
    before: Card
    after: Card
    disputed: bool = False

    @property
    def right(self) -> bool:
        """Whether it was known: marked right, or judged better than Again."""
        return self.rating > 1 if self.verdict == "judged" else self.verdict == "right"


def new_id() -> str:
    """A fresh UUID, for a review or a sitting."""
    return str(uuid4())
