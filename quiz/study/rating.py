"""From a mark and the time it took to a proposed rating."""

from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction

from quiz.render.durations import show_span


class Rating(IntEnum):
    """How well it was remembered, as FSRS and Anki number it."""

    AGAIN = 1
    HARD = 2
    GOOD = 3
    EASY = 4


# Seconds after which a right answer was hard work: about twice what a prepared person needs for the kind.
SLOW = {
    "card": 60,
    "choice": 90,
    "text": 60,
    "stage": 90,
    "shape": 120,
    "order": 120,
    "numeric": 180,
    "open": 600,
}


@dataclass(frozen=True, slots=True)
class Proposal:
    """A rating, and why it is less than the answer alone would deserve; empty if it is not."""

    rating: Rating
    why: str = ""


def propose(kind: str, right: bool, seconds: float, helped: str = "") -> Proposal:
    """The rating an answer deserves: wrong is Again; right is Good, or Hard where it took help or long.

    ``helped`` says which help: a hint, or that the answer had been seen and the answer before it taken back.

    Easy is never proposed: quick is not the same as known for good, and only the learner can tell.
    """
    if not right:
        return Proposal(Rating.AGAIN)
    if helped:
        return Proposal(Rating.HARD, helped)
    if seconds > SLOW[kind]:
        return Proposal(Rating.HARD, f"it took over {show_span(SLOW[kind])}")
    return Proposal(Rating.GOOD)


def propose_for_rubric(share: Fraction) -> Proposal:
    """The rating for an open answer from the share of points the learner ticked: under half Again, under 4/5 Hard."""
    if share < Fraction(1, 2):
        return Proposal(Rating.AGAIN, "under half of the points")
    if share < Fraction(4, 5):
        return Proposal(Rating.HARD, "under four fifths of the points")
    return Proposal(Rating.GOOD)
