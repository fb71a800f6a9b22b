"""From a mark, the time and the help to a rating, with the reason where the mark alone does not tell."""

from fractions import Fraction

import pytest

from quiz.study.rating import Proposal, Rating, propose, propose_for_rubric


def test_right_is_good_and_wrong_is_again() -> None:
    assert propose("numeric", True, 20) == Proposal(Rating.GOOD)
    assert propose("numeric", False, 20) == Proposal(Rating.AGAIN)


def test_help_and_long_thought_make_it_hard_and_are_named() -> None:
    assert propose("numeric", True, 20, "a hint was shown") == Proposal(Rating.HARD, "a hint was shown")
    assert propose("numeric", True, 180).rating == Rating.GOOD
    assert propose("numeric", True, 181) == Proposal(Rating.HARD, "it took over 3 min")
    assert propose("text", True, 61) == Proposal(Rating.HARD, "it took over 1 min")


def test_help_does_not_make_a_wrong_answer_better() -> None:
    assert propose("choice", False, 500, "a hint was shown").rating == Rating.AGAIN


@pytest.mark.parametrize(
    ("share", "rating"),
    [
        (Fraction(0), Rating.AGAIN),
        (Fraction(49, 100), Rating.AGAIN),
        (Fraction(1, 2), Rating.HARD),
        (Fraction(79, 100), Rating.HARD),
        (Fraction(4, 5), Rating.GOOD),
        (Fraction(1), Rating.GOOD),
    ],
)
def test_the_ticked_share_of_a_rubric_is_the_rating(share: Fraction, rating: Rating) -> None:
    proposal = propose_for_rubric(share)
    assert proposal.rating == rating
    assert bool(proposal.why) == (rating != Rating.GOOD)
