"""The judgement on an answer, and the lines of feedback that every kind of question shares."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from quiz.problem.variant import Variant

Verdict: TypeAlias = Literal["right", "wrong", "unreadable"]
NEAR_MISS = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Mark:
    """The judgement on an answer. ``credit`` is 0 to 1; ``reading`` says how the text was understood (empty if it was
    not); ``misconception`` is the id of the named wrong idea; ``feedback`` is plain text for the learner; ``answer``
    is the right answer as displayed, also of an unreadable one, for which it should not be shown yet."""

    verdict: Verdict
    credit: Fraction
    reading: str
    misconception: str | None
    feedback: str
    answer: str


def right(variant: Variant, reading: str, *lines: str) -> Mark:
    """Full credit, with these lines of feedback."""
    return Mark("right", Fraction(1), reading, None, joined(*lines), variant.answer.display)


def wrong(
    variant: Variant, reading: str, *lines: str, credit: Fraction = Fraction(0), misconception: str | None = None
) -> Mark:
    """Not right; the worked steps follow the lines of feedback."""
    feedback = joined(*lines, *worked(variant))
    return Mark("wrong", credit, reading, misconception, feedback, variant.answer.display)


def idea_lines(variant: Variant, misconception: str) -> tuple[str, ...]:
    """What the misconception says and what is so; nothing if the pack does not spell it out."""
    idea = variant.ideas.get(misconception)
    return (f"The slip: {idea.says}", f"In fact: {idea.truth}") if idea else ()


def worked(variant: Variant) -> tuple[str, ...]:
    """The variant's worked steps, one a line."""
    return ("Worked:", *(f"  {step}" for step in variant.steps)) if variant.steps else ()


def joined(*lines: str) -> str:
    """The lines that say something, as one text."""
    return "\n".join(line.rstrip() for line in lines if line.strip())
