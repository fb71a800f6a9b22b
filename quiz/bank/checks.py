"""What the models cannot see: ids that clash, references to nothing, answers that are missing, names out of scope."""

import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from keyword import iskeyword
from typing import Literal, TypeAlias

from quiz.bank.expression import ExpressionError, parse
from quiz.bank.offsets import Source
from quiz.bank.pack import (
    AnyQuestion,
    Card,
    ChoiceQuestion,
    DivisorsOf,
    FromModel,
    Numeric,
    Open,
    Order,
    Pack,
    Shape,
    StageQuestion,
    TextQuestion,
)
from quiz.bank.parts import Broken
from quiz.bank.places import Path, Places
from quiz.bank.template import TemplateError, parse_template
from quiz.errors import Fault
from quiz.render.nearest import nearest

MAX_FAULTS = 200
# Of all questions of a file together.
MAX_FORMER = 200_000
Sort: TypeAlias = Literal["number", "condition"]


class _FullError(Exception):
    """More faults than anybody reads have been found."""


@dataclass(frozen=True, slots=True)
class _Report:
    """Gathers faults at the places of one file, and the indexes of the questions that have some or name what is
    broken, until there are more than anybody reads."""

    file: str
    places: Places
    source: Source
    broken: Broken
    faults: list[Fault] = field(default_factory=list)
    questions: set[int] = field(default_factory=set)

    def add(self, path: Path, rule: str, message: str, fix: str = "", *, at_key: bool = False) -> None:
        line, column = self.places.of_key(path) if at_key else self.places.of(path)[:2]
        self._append(path, Fault(self.file, line, column, rule, message, fix))

    def add_inside(self, path: Path, value: str, offset: int, rule: str, said: str) -> None:
        """A fault at a character of a text; what follows a semicolon in ``said`` is the fix."""
        line, column = self.source.locate(self.places.of(path), value, offset)
        message, _, fix = said.partition("; ")
        self._append(path, Fault(self.file, line, column, rule, message, fix))

    def _append(self, path: Path, fault: Fault) -> None:
        self.faults.append(fault)
        self.leave_out(path)
        if len(self.faults) > MAX_FAULTS:
            raise _FullError

    def leave_out(self, path: Path) -> None:
        """Note that the question at the path, if there is one, is not to be used."""
        if path[0] == "questions" and isinstance(path[1], int):
            self.questions.add(path[1])

    def line_of(self, path: Path) -> int:
        return self.places.of(path).line


def check(pack: Pack, places: Places, source: Source, file: str, broken: Broken) -> tuple[list[Fault], set[int]]:
    """The faults of a pack that the models accepted, at most one more than `MAX_FAULTS`, and the indexes of the
    questions that have some. ``broken`` is what the models did not accept: it is no fault to name it, but what does so
    is of no use without it, and among the questions."""
    report = _Report(file, places, source, broken)
    try:
        _check(pack, report)
    except _FullError:
        return report.faults, set(range(len(pack.questions)))
    return report.faults, report.questions


def _check(pack: Pack, report: _Report) -> None:
    if pack.pack == "models":
        report.add(("pack",), "reserved-name", "`models` is the name of the real models' numbers", "choose another id")
    lessons: dict[str, int] = {}
    for index, lesson in enumerate(pack.lessons):
        _claim("lesson", lesson.id, index, lessons, report)
        for position, source in enumerate(lesson.sources):
            _refer(source, pack.sources, "source", ("lessons", index, "sources", position), report)
    questions: dict[str, int] = {}
    former: list[tuple[str, int, int]] = []
    for index, question in enumerate(pack.questions):
        path: Path = ("questions", index)
        _claim("question", question.id, index, questions, report)
        if len(former) <= MAX_FORMER:
            former += [(old, index, position) for position, old in enumerate(question.was)]
        _check_references(question, path, pack, lessons, report)
        _check_answer(question, path, report)
        scope = _check_names(question, path, report)
        _check_expressions(question, path, scope, report)
        _check_texts(question, path, scope, report)
    _check_former(former, questions, report)


def _claim(what: str, name: str, index: int, first: dict[str, int], report: _Report) -> None:
    other, line = first.setdefault(name, index), report.broken.ids[f"{what}s"].get(name)
    if other != index or line is not None:
        message = f"the {what} {name!r} is already on line {line or report.line_of((f'{what}s', other, 'id'))}"
        report.add((f"{what}s", index, "id"), "duplicate-id", message, "give one of the two another id")


def _check_former(former: list[tuple[str, int, int]], questions: dict[str, int], report: _Report) -> None:
    """The former ids: each with the question that had it, and its position in `was`."""
    if len(former) > MAX_FORMER:
        _, index, position = former[MAX_FORMER]
        message = f"the file has over {MAX_FORMER:,} former ids"
        report.add(("questions", index, "was", position), "too-large", message, "split it into several files")
        return
    first: dict[str, Path] = {}
    for old, index, position in former:
        path: Path = ("questions", index, "was", position)
        if old in questions:
            line = report.line_of(("questions", questions[old], "id"))
            message = f"`was` names {old!r}, which is the id of the question on line {line}"
            report.add(path, "was-clash", message, "a former id belongs to no present question")
        elif old in first:
            message = f"{old!r} is already a former id on line {report.line_of(first[old])}"
            report.add(path, "was-clash", message, "one former id belongs to one question")
        first.setdefault(old, path)


def _check_references(question: AnyQuestion, path: Path, pack: Pack, lessons: Collection[str], report: _Report) -> None:
    if question.lesson is not None:
        _refer(question.lesson, lessons, "lesson", (*path, "lesson"), report)
    for position, source in enumerate(question.sources):
        _refer(source, pack.sources, "source", (*path, "sources", position), report)
    for below, idea in _ideas(question):
        if idea is not None:
            _refer(idea, pack.misconceptions, "misconception", (*path, *below, "misconception"), report)


def _ideas(question: AnyQuestion) -> Iterator[tuple[Path, str | None]]:
    if isinstance(question, Numeric | Shape):
        for position, mistake in enumerate(question.mistakes):
            yield ("mistakes", position), mistake.misconception
    elif isinstance(question, ChoiceQuestion):
        for position, choice in enumerate(question.choices):
            yield ("choices", position), choice.misconception


def _refer(name: str, known: Collection[str], what: str, path: Path, report: _Report) -> None:
    if name in known:
        return
    if report.broken.may_hold(f"{what}s", name):
        # A question is shown and judged without its lesson.
        if what != "lesson":
            report.leave_out(path)
        return
    close = nearest(name, known)
    listed = f"there are: {', '.join(sorted(known)[:12])}" if known else f"the pack has no {what}s"
    fix = f"did you mean {close!r}?" if close else listed
    report.add(path, f"unknown-{what}", f"there is no {what} {name!r}", fix)


def _check_answer(question: AnyQuestion, path: Path, report: _Report) -> None:
    match question:
        case Numeric() | Shape() if question.formula is None and question.solve is None:
            message = f"the question {question.id!r} has no answer"
            report.add((*path, "id"), "missing-answer", message, "give it a `formula`, or a `solve`, or both")
        case ChoiceQuestion():
            if not any(choice.right or choice.when for choice in question.choices):
                fix = "give one of them `right: true`, or `when:` with a condition"
                report.add((*path, "choices"), "no-right-choice", "no choice is right", fix)
            for position, choice in enumerate(question.choices):
                if choice.right and choice.when is not None:
                    message = "a choice has either `right` or `when`, not both"
                    report.add((*path, "choices", position, "when"), "right-and-when", message, "keep one", at_key=True)
        case Order():
            first: dict[str, int] = {}
            for position, item in enumerate(question.items):
                item = unicodedata.normalize("NFC", item).strip()
                if item in first:
                    line = report.line_of((*path, "items", first[item]))
                    message = f"this item stands on line {line} already, so no order is the right one"
                    report.add((*path, "items", position), "duplicate-item", message, "tell the two apart")
                first.setdefault(item, position)
    if isinstance(question, Numeric | Shape):
        for position, mistake in enumerate(question.mistakes):
            if isinstance(mistake.formula, tuple) is not isinstance(question, Shape):
                wanted = "a list of sizes" if isinstance(question, Shape) else "one expression"
                where = (*path, "mistakes", position, "formula")
                report.add(where, "wrong-type", f"a mistake of a {question.kind} question is {wanted}")


def _check_names(question: AnyQuestion, path: Path, report: _Report) -> frozenset[str] | None:
    """The names in scope; None where a model's fields bring in names that nobody can know here."""
    for name in question.let:
        if name in question.draw:
            line = report.line_of((*path, "draw", name))
            report.add((*path, "let", name), "name-clash", f"`{name}` is drawn on line {line} already", "", at_key=True)
    for below in ("draw", "let"):
        for name in getattr(question, below):
            if iskeyword(name):
                message = f"`{name}` cannot be a name: it is a word of the expression language"
                report.add((*path, below, name), "reserved-name", message, "choose another", at_key=True)
    from_models = [name for name, draw in question.draw.items() if isinstance(draw, FromModel)]
    for name in from_models[1:]:
        message = f"`{from_models[0]}` draws a model already, and the numbers of the two would overwrite each other"
        report.add((*path, "draw", name), "name-clash", message, "draw one model", at_key=True)
    if from_models:
        return None
    scope = frozenset(question.draw) | frozenset(question.let)
    for name, draw in question.draw.items():
        if isinstance(draw, DivisorsOf) and draw.divisors_of not in scope:
            close = nearest(draw.divisors_of, scope)
            fix = f"did you mean `{close}`?" if close else f"the names in scope: {', '.join(sorted(scope)[:12])}"
            where = (*path, "draw", name, "divisors_of")
            report.add(where, "unknown-name", f"unknown name `{draw.divisors_of}`", fix)
    return scope


def _check_expressions(question: AnyQuestion, path: Path, scope: frozenset[str] | None, report: _Report) -> None:
    for below, text, sort in _expressions(question):
        names = None if below[-1] == "where" else scope
        try:
            expression = parse(text, names)
            if expression.is_condition and sort == "number":
                raise ExpressionError("this is a condition where a number is needed", "not allowed", 1)
            if not expression.is_condition and sort == "condition":
                said = "this is a number where a condition is needed; compare it, as in `x > 0`"
                raise ExpressionError(said, "not allowed", 1)
        except ExpressionError as error:
            rule = "unknown-name" if error.kind == "unknown name" else "bad-expression"
            is_parted = isinstance(below[-1], int) and text.count("(") != text.count(")")
            said = f"{error.message}; {_COMMA}" if is_parted and "; " not in error.message else error.message
            report.add_inside((*path, *below), text, error.column - 1, rule, said)


_COMMA = "if a comma in [ ] ended it, put all of it in quotes"


def _expressions(question: AnyQuestion) -> Iterator[tuple[Path, str, Sort]]:
    for name, draw in question.draw.items():
        if isinstance(draw, FromModel) and draw.where is not None:
            yield ("draw", name, "where"), draw.where, "condition"
    for name, text in question.let.items():
        yield ("let", name), text, "number"
    for position, text in enumerate(question.require):
        yield ("require", position), text, "condition"
    if isinstance(question, ChoiceQuestion):
        for position, choice in enumerate(question.choices):
            if choice.when is not None:
                yield ("choices", position, "when"), choice.when, "condition"
    if isinstance(question, Numeric | Shape):
        if question.formula is not None:
            yield from _parts(("formula",), question.formula)
        for position, mistake in enumerate(question.mistakes):
            yield from _parts(("mistakes", position, "formula"), mistake.formula)


def _parts(path: Path, formula: str | tuple[str, ...]) -> Iterator[tuple[Path, str, Sort]]:
    if isinstance(formula, str):
        yield path, formula, "number"
        return
    for axis, text in enumerate(formula):
        yield (*path, axis), text, "number"


def _check_texts(question: AnyQuestion, path: Path, scope: frozenset[str] | None, report: _Report) -> None:
    for below, text in _texts(question):
        try:
            parse_template(text, scope, is_code=below == ("snippet",))
        except TemplateError as error:
            lines = text.split("\n")
            offset = sum(len(line) + 1 for line in lines[: error.line - 1]) + error.column - 1
            rule = "unknown-name" if error.kind == "unknown name" else "bad-template"
            report.add_inside((*path, *below), text, offset, rule, error.message)


def _texts(question: AnyQuestion) -> Iterator[tuple[Path, str]]:
    """Every text of a question in which numbers are filled."""
    yield ("prompt",), question.prompt
    yield from _listed("hints", question.hints)
    yield from _listed("steps", question.steps)
    match question:
        case Card():
            yield ("back",), question.back
        case ChoiceQuestion():
            for position, choice in enumerate(question.choices):
                yield ("choices", position, "text"), choice.text
                yield ("choices", position, "why"), choice.why
        case Numeric() | Shape():
            for position, mistake in enumerate(question.mistakes):
                if mistake.why is not None:
                    yield ("mistakes", position, "why"), mistake.why
        case StageQuestion():
            if question.snippet is not None:
                yield ("snippet",), question.snippet
            for stage, why in question.why.items():
                yield ("why", stage), why
        case TextQuestion():
            yield from _listed("accept", question.accept)
        case Order():
            yield from _listed("items", question.items)
        case Open():
            yield ("approach",), question.approach
            for position, point in enumerate(question.rubric):
                yield ("rubric", position, "point"), point.point
            yield from _listed("red_flags", question.red_flags)


def _listed(name: str, texts: tuple[str, ...]) -> Iterator[tuple[Path, str]]:
    for position, text in enumerate(texts):
        yield (name, position), text
