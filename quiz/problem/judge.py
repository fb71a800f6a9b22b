"""What is right for a tuple of givens: the solver's measurement or the formula, and what it could be confused with."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TypeAlias
from unicodedata import normalize

from quiz.attention.quantities import QUANTITIES
from quiz.attention.solver import Solution, solve
from quiz.bank.expression import Expression, ExpressionError, parse
from quiz.bank.pack import Absolute, AnyQuestion, ChoiceQuestion, FromModel, Mistake, Numeric, Shape
from quiz.bank.template import Template, parse_template
from quiz.errors import QuizError, UsageError
from quiz.problem.units import convert, unit_of
from quiz.problem.variant import Number, Sizes, Tolerance

PREFIXED = Fraction(1, 100)
# Two answers are near each other if their distance times ``below`` is at most ``above`` times the larger of the two, or
# at most ``least``: (above, below, least). Whole numbers are much faster than fractions.
Nearness: TypeAlias = tuple[int, int, Number]


class DisagreementError(QuizError):
    """The formula of a question says something else than the solver measured."""

    exit_code = 1


@dataclass(frozen=True, slots=True)
class Confusion:
    """Two answers of one tuple that come within tolerance of each other. They are "answer" or names of mistakes; of a
    choice question two choices as they are written, that read the same."""

    first: str
    second: str


@dataclass(frozen=True, slots=True)
class MistakeRule:
    """A mistake's formula: one expression, or one per axis. ``name`` is its misconception, with a number where the
    question has several mistakes of one."""

    name: str
    parts: tuple[Expression, ...]
    misconception: str
    why: str
    is_shape: bool

    def value(self, givens: Mapping[str, Number | str]) -> Number | Sizes:
        """What somebody with this misconception would answer.

        Raises:
            ExpressionError: the formula has no value for these givens, or a size of a shape is no whole number.
        """
        return _sizes(self.parts, givens) if self.is_shape else self.parts[0].number(givens)


@dataclass(frozen=True, slots=True)
class ChoiceRule:
    """A choice with its text as a template and, where the givens decide, its condition."""

    text: Template
    right: bool
    when: Expression | None

    def is_right(self, givens: Mapping[str, Number | str]) -> bool:
        """Whether the choice is right for these givens."""
        return self.when.holds(givens) if self.when else self.right


@dataclass(frozen=True, slots=True)
class Judge:
    """A question's expressions, parsed once."""

    question: AnyQuestion
    lets: Mapping[str, Expression]
    require: tuple[Expression, ...]
    where: Mapping[str, Expression | None]
    formula: tuple[Expression, ...]
    solves: str | None
    mistakes: tuple[MistakeRule, ...]
    choices: tuple[ChoiceRule, ...]

    def by_formula(self, givens: Mapping[str, Number | str]) -> Number | Sizes | None:
        """What the author's formula says, or None where there is none.

        Raises:
            ExpressionError: it has no value for these givens, or a size of a shape is no whole number.
        """
        if not self.formula:
            return None
        return _sizes(self.formula, givens) if isinstance(self.question, Shape) else self.formula[0].number(givens)

    def by_solver(self, givens: Mapping[str, Number | str]) -> Solution | None:
        """What the solver measures, in the quantity's own unit, or None where the question names no quantity."""
        return solve(self.solves, givens) if self.solves else None

    def measured(self, givens: Mapping[str, Number | str]) -> Number | Sizes | None:
        """What the solver measures, in the question's unit."""
        if not self.solves:
            return None
        quantity = QUANTITIES.get(self.solves)
        if quantity is None:
            raise UsageError(f"no quantity is called {self.solves!r}")
        # As `solve` does, without the words for its steps: a whole space is measured like this.
        value, _ = quantity.measure(**quantity.numbers(givens))
        if isinstance(value, tuple):
            return value
        unit = self.question.unit if isinstance(self.question, Numeric) else None
        return convert(value, quantity.unit, unit or quantity.unit)

    def right(self, givens: Mapping[str, Number | str]) -> Number | Sizes:
        """The right answer: the measurement where there is one, else the formula.

        Raises:
            DisagreementError: both are there and differ.
        """
        measured, said = self.measured(givens), self.by_formula(givens)
        if measured is not None and said is not None and not self._agree(measured, said):
            shown = ", ".join(f"{name} = {value}" for name, value in givens.items())
            raise DisagreementError(f"the formula says {said} but the solver measured {measured} ({shown})")
        value = measured if measured is not None else said
        if value is None:
            raise DisagreementError("there is neither a formula nor a quantity to solve")
        return value

    def _agree(self, measured: Number | Sizes, said: Number | Sizes) -> bool:
        if measured == said or isinstance(measured, tuple) or isinstance(said, tuple):
            return measured == said
        # Roots and logarithms are cut off after 30 digits, so the two may differ in the last of them.
        return _magnitude(measured - said) <= _magnitude(Fraction(measured)) / 10**25

    def tolerance(self, right: Number) -> Tolerance:
        """How far off still counts: as the author says, else exact for whole numbers and 1 % for others."""
        stated = self.question.tolerance if isinstance(self.question, Numeric) else 0
        if isinstance(stated, Absolute):
            return Tolerance(absolute=Fraction(repr(stated.absolute)))
        if stated is not None:
            return Tolerance(relative=Fraction(repr(stated)))
        return Tolerance() if isinstance(right, int) else Tolerance(relative=Fraction(1, 100))

    def expected(self, givens: Mapping[str, Number | str]) -> Number | Sizes:
        """The right answer, by the formula where there is one: solver and formula agree (that is checked elsewhere),
        and the formula is faster over a whole space."""
        said = self.by_formula(givens)
        return said if said is not None else self.right(givens)

    def answers(self, givens: Mapping[str, Number | str]) -> list[tuple[str, Number | Sizes]]:
        """The right answer, named "answer", then every mistake by its name."""
        return [("answer", self.expected(givens)), *((rule.name, rule.value(givens)) for rule in self.mistakes)]

    def confusion(self, givens: Mapping[str, Number | str]) -> Confusion | None:
        """The first two answers of this tuple that could be taken for each other, or None if it is sound."""
        return next(self.confusions(givens), None)

    def confusions(self, givens: Mapping[str, Number | str]) -> Iterator[Confusion]:
        """Every two answers of this tuple that could be taken for each other."""
        if self.choices:
            yield from self._choice_confusions(givens)
        elif isinstance(self.question, Numeric | Shape):
            yield from self._answer_confusions(self.answers(givens))

    def nearness(self, right: Number | Sizes) -> Nearness:
        """How near to each other two answers may come without being told apart, where this one is right."""
        tolerance = Tolerance() if isinstance(right, tuple) else self.tolerance(right)
        relative = tolerance.relative
        if isinstance(self.question, Numeric) and unit_of(self.question.unit).dimension == "B":
            relative = max(relative, PREFIXED)
        least = tolerance.absolute * relative.denominator
        return relative.numerator, relative.denominator, least.numerator if least.denominator == 1 else least

    def _answer_confusions(self, answers: Sequence[tuple[str, Number | Sizes]]) -> Iterator[Confusion]:
        nearness = self.nearness(answers[0][1])
        for (first, one), (second, other) in combinations(answers, 2):
            if are_near(one, other, nearness):
                yield Confusion(first, second)

    def _choice_confusions(self, givens: Mapping[str, Number | str]) -> Iterator[Confusion]:
        texts = [normalize("NFC", rule.text.fill(givens)).strip() for rule in self.choices]
        for (one, first), (other, second) in combinations(zip(texts, self.choices, strict=True), 2):
            if one == other:
                yield Confusion(first.text.text.strip(), second.text.text.strip())
        if not any(rule.is_right(givens) for rule in self.choices):
            yield Confusion("no right choice", "no right choice")


def are_near(one: Number | Sizes, other: Number | Sizes, nearness: Nearness) -> bool:
    """Whether two answers could be taken for each other."""
    if one == other:
        return True
    above, below, least = nearness
    if isinstance(one, tuple) or isinstance(other, tuple) or not (above or least):
        return False
    return _magnitude(one - other) * below <= max(above * max(_magnitude(one), _magnitude(other)), least)


def _magnitude(value: Number) -> Number:
    return value if value >= 0 else -value


def _sizes(parts: tuple[Expression, ...], givens: Mapping[str, Number | str]) -> Sizes:
    sizes = []
    for part in parts:
        size = part.number(givens)
        if not isinstance(size, int) or size < 0:
            raise ExpressionError(f"the size `{part.text.strip()}` is {size}, not a whole number", "domain", 1)
        sizes.append(size)
    return tuple(sizes)


def judge_of(question: AnyQuestion) -> Judge:
    """Parse a question's expressions.

    Raises:
        ExpressionError, TemplateError: something cannot be parsed.
    """
    formula = question.formula if isinstance(question, Numeric | Shape) else None
    parts = (formula,) if isinstance(formula, str) else formula or ()
    mistakes = question.mistakes if isinstance(question, Numeric | Shape) else ()
    choices = question.choices if isinstance(question, ChoiceQuestion) else ()
    return Judge(
        question=question,
        lets={name: parse(text) for name, text in question.let.items()},
        require=tuple(parse(text) for text in question.require),
        where={
            name: parse(draw.where) if draw.where else None
            for name, draw in question.draw.items()
            if isinstance(draw, FromModel)
        },
        formula=tuple(parse(text) for text in parts),
        solves=question.solve if isinstance(question, Numeric | Shape) else None,
        mistakes=tuple(_mistake_rules(mistakes, isinstance(question, Shape))),
        choices=tuple(
            ChoiceRule(parse_template(choice.text), choice.right, parse(choice.when) if choice.when else None)
            for choice in choices
        ),
    )


def _mistake_rules(mistakes: Sequence[Mistake], is_shape: bool) -> Iterator[MistakeRule]:
    seen: Counter[str] = Counter()
    for mistake in mistakes:
        idea = mistake.misconception
        seen[idea] += 1
        name = idea if seen[idea] == 1 else f"{idea} ({seen[idea]})"
        parts = (mistake.formula,) if isinstance(mistake.formula, str) else mistake.formula
        yield MistakeRule(name, tuple(parse(text) for text in parts), idea, mistake.why or "", is_shape)
