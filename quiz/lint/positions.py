"""Choices that speak of where other choices stand, though these are shuffled."""

import re
from collections.abc import Iterator

from quiz.bank.pack import ChoiceQuestion
from quiz.errors import Fault
from quiz.lint.placed import Placed

_OTHERS = re.compile(r"\b(?:all|any|both|each|either|neither|none|some|two) of the (?:above|below|others?)\b", re.I)
_LETTERS = re.compile(r"(?:both |only |neither )?[A-I1-9](?:, [A-I1-9])*,? (?:and|or|nor) [A-I1-9](?: only)?\.?", re.I)


def position_advice(placed: Placed) -> Iterator[Fault]:
    """Where "all of the above" may come first, and where "A and C" means other choices at every showing."""
    question = placed.question
    if not isinstance(question, ChoiceQuestion):
        return
    for index, choice in enumerate(question.choices):
        text = choice.text.strip()
        if _LETTERS.fullmatch(text):
            message = f"{text!r} names other choices by letters or numbers, and these change with every showing"
            yield placed.fault("shuffled-choice", message, "say what they say", "choices", index, "text")
        elif _OTHERS.search(text) and not choice.last:
            message = f"{text!r} may be shown first, for choices are shuffled"
            yield placed.fault("shuffled-choice", message, "add `last: true`", "choices", index, "text")
