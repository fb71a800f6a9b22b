"""The mark of who does not know: the answer and why, and nothing about a mistake."""

from fractions import Fraction

import pytest

from quiz.problem.marking import mark
from quiz.problem.passing import passed_on
from quiz.problem.variant import Answer, Choice, Variant

CHOICES = (Choice("A", True, "so it is"), Choice("B", False, "no", misconception="slip"))


def variant(kind: str, answer: Answer, **more: object) -> Variant:
    return Variant("p/q", 1, "1.0", kind, "screen", None, "?", answer, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (variant("numeric", Answer(64, "64"), steps=("4096 / 64 = 64.",)), "4096 / 64 = 64."),
        (variant("choice", Answer((1,), "1"), choices=CHOICES), "Right: so it is"),
        (variant("order", Answer((2, 1), "2, 1"), choices=CHOICES), "  1. B"),
        (variant("stage", Answer("forward", "forward"), why={"forward": "sizes differ"}), "forward: sizes differ"),
        (variant("text", Answer("latent", "latent"), accept=("latent",)), "latent"),
    ],
)
def test_every_kind_tells_its_answer_and_why(asked: Variant, reason: str) -> None:
    passed = passed_on(asked)
    assert (passed.verdict, passed.credit, passed.reading, passed.misconception) == ("wrong", Fraction(0), "", None)
    assert f"You passed on it; the answer is {asked.answer.display}" in passed.feedback
    assert reason in passed.feedback


def test_no_answer_that_can_be_read_is_taken_for_passing() -> None:
    choice = variant("choice", Answer((1,), "1"), choices=CHOICES)
    assert mark(choice, "2").reading
    assert mark(choice, "").verdict == "unreadable"
