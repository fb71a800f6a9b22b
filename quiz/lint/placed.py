"""A question in its file: where its parts are written, and the faults found there."""

from collections.abc import Sequence
from dataclasses import dataclass

from quiz.bank.pack import AnyQuestion, Numeric, PackHead
from quiz.bank.reader import Located
from quiz.errors import Fault
from quiz.problem.space import Givens
from quiz.problem.variant import Number, Sizes
from quiz.render.numbers import show_number, show_quantity, show_shape


@dataclass(frozen=True, slots=True)
class Placed:
    """One question of a pack that was read."""

    located: Located
    index: int
    question: AnyQuestion

    @property
    def pack(self) -> PackHead:
        """The pack around it."""
        return self.located.pack

    @property
    def key(self) -> str:
        """``pack/question``."""
        return f"{self.pack.pack}/{self.question.id}"

    def fault(self, rule: str, message: str, fix: str, *part: str | int) -> Fault:
        """A fault at a part of the question, such as ``"mistakes", 0, "formula"``; without one, at its id."""
        line, column = self.located.where("questions", self.index, *(part or ("id",)))
        return Fault(self.located.file, line, column, rule, f"{self.question.id}: {message}", fix)


def spread(rows: Sequence[Givens], most: int) -> list[Givens]:
    """At most so many of the rows, evenly spread, the first and the last among them."""
    if len(rows) <= most:
        return list(rows)
    return [rows[index * (len(rows) - 1) // (most - 1)] for index in range(most)]


def show_value(value: Number | Sizes, question: AnyQuestion) -> str:
    """An answer or a mistake as the learner sees it."""
    if isinstance(value, tuple):
        return show_shape(value)
    return show_quantity(value, question.unit if isinstance(question, Numeric) else None)


def show_givens(givens: Givens) -> str:
    """``num_heads = 32, head_dim = 128``; without a draw, nothing."""
    return ", ".join(
        f"{name} = {value if isinstance(value, str) else show_number(value)}" for name, value in givens.items()
    )


def at(givens: Givens) -> str:
    """`` with num_heads = 32``, to end a sentence with; empty without a draw."""
    return f" with {show_givens(givens)}" if givens else ""
