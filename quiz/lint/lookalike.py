"""Choices and items that differ only in what the eye does not tell apart: case, blanks, Unicode form."""

import unicodedata
from collections.abc import Iterator, Sequence

from quiz.bank.pack import ChoiceQuestion, Order
from quiz.bank.template import parse_template
from quiz.errors import Fault
from quiz.lint.placed import Placed, at, spread
from quiz.problem.space import Space

_MOST_LOOKED_AT = 200
# 10² is not 102: these forms stay what they are.
_TELLING = ("<super>", "<sub>", "<fraction>")


def lookalike_faults(placed: Placed, space: Space) -> Iterator[Fault]:
    """At most one: the first pair that looks alike for some tuple that can be shown."""
    question = placed.question
    if isinstance(question, ChoiceQuestion):
        part, written = "choices", [choice.text for choice in question.choices]
    elif isinstance(question, Order):
        part, written = "items", list(question.items)
    else:
        return
    names = space.rows[0].keys() if space.rows else ()
    texts = [parse_template(text, names) for text in written]
    for givens in spread(space.sound, _MOST_LOOKED_AT):
        shown = [text.fill(givens) for text in texts]
        if pair := _alike(shown):
            first, second = pair
            message = f"{shown[first]!r} and {shown[second]!r} look alike{at(givens)}"
            fix = "tell them apart by more than case, blanks or the form of a letter"
            yield placed.fault("look-alike", message, fix, part, second)
            return


def _alike(texts: Sequence[str]) -> tuple[int, int] | None:
    seen: dict[str, int] = {}
    for index, text in enumerate(texts):
        first = seen.setdefault(_as_seen(text), index)
        if first != index:
            return first, index
    return None


def _as_seen(text: str) -> str:
    if text.isascii():
        return " ".join(text.split()).casefold()
    plain = "".join(
        mark if unicodedata.decomposition(mark).startswith(_TELLING) else unicodedata.normalize("NFKC", mark)
        for mark in unicodedata.normalize("NFC", text)
        if unicodedata.category(mark) != "Cf"
    )
    return " ".join(plain.split()).casefold()
