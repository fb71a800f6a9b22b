"""From a mark and the time it took to a proposed rating."""

from enum import IntEnum
from fractions import Fraction


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


def propose(kind: str, right: bool, seconds: float, helped: bool) -> Rating:
    """The rating a marked answer deserves: wrong is Again; right is Good, or Hard where it took help or long.

    ``helped``: a hint was shown, or the answer had been seen and the answer before it taken back.

    Easy is never proposed: quick is not the same as known for good, and only the learner can tell.
    """
    if not right:
        return Rating.AGAIN
    return Rating.HARD if helped or seconds > SLOW[kind] else Rating.GOOD


def propose_for_rubric(share: Fraction) -> Rating:
    """The rating for an open answer from the share of points the learner ticked: under half Again, under 4/5 Hard."""
    if share < Fraction(1, 2):
        return Rating.AGAIN
    return Rating.HARD if share < Fraction(4, 5) else Rating.GOOD
