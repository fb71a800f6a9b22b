"""After a named mistake, the numbers shown next must give the mistake away if it is made again."""

from fractions import Fraction

from quiz.problem.contrast import reveals
from quiz.problem.variant import Answer, KnownMistake, Sizes, Variant


def variant(answer: int | Sizes | None, **mistakes: int | Sizes | Fraction) -> Variant:
    known = tuple(KnownMistake(value, name) for name, value in mistakes.items())
    return Variant("p/q", 0, "1", "numeric", "screen", None, "?", Answer(answer, ""), {"n": 1}, mistakes=known)


def test_a_mistake_far_from_the_answer_is_revealed() -> None:
    assert reveals(variant(64, multiplied=4096), "multiplied")


def test_a_mistake_within_a_tenth_of_the_answer_may_be_a_slip_of_the_pen() -> None:
    assert not reveals(variant(100, off=109), "off")
    assert not reveals(variant(100, off=110), "off")
    assert reveals(variant(100, off=111), "off")


def test_two_mistakes_with_the_same_number_do_not_tell_which_was_made() -> None:
    both = variant(64, multiplied=4096, squared=4096)
    assert not reveals(both, "multiplied")
    assert not reveals(both, "squared")


def test_a_mistake_that_the_question_does_not_know_is_never_revealed() -> None:
    assert not reveals(variant(64, multiplied=4096), "divided")
    assert not reveals(variant(None), "divided")


def test_shapes_are_revealed_by_any_other_size() -> None:
    assert reveals(variant((2, 8, 16), swapped=(2, 16, 8)), "swapped")
    assert not reveals(variant((2, 8, 8), swapped=(2, 8, 8)), "swapped")
