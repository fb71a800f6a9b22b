"""Proofs over a question's variants: solver and formula agree, and what is shown is marked as what it is."""

from collections.abc import Iterator, Mapping
from typing import Any

from quiz.attention.quantities import QUANTITIES
from quiz.bank.expression import ExpressionError
from quiz.bank.pack import Numeric, Shape
from quiz.bank.template import TemplateError, parse_template
from quiz.errors import Fault, QuizError, SolveError, UsageError
from quiz.lint.placed import Placed, at, show_value, spread
from quiz.problem.drawing import build
from quiz.problem.judge import DisagreementError, Judge
from quiz.problem.marking import mark
from quiz.problem.space import Givens, Space, SpaceError
from quiz.problem.units import UnitError
from quiz.problem.variant import Variant
from quiz.render.nearest import nearest

MOST_SOLVED = 200_000
MOST_SHOWN = 2_000
# Every mistake that is shown is compared with all the others.
FEWEST_SHOWN = 200
MOST_COMPARED = 72_000
_LONGEST = 400


def quantity_faults(placed: Placed) -> Iterator[Fault]:
    """The quantity to solve does not exist."""
    question = placed.question
    if not isinstance(question, Numeric | Shape) or question.solve is None or question.solve in QUANTITIES:
        return
    close = nearest(question.solve, QUANTITIES)
    fix = f"did you mean {close!r}?" if close else "`quiz quantities` lists them"
    yield placed.fault("unknown-quantity", f"no quantity is called {question.solve[:80]!r}", fix, "solve")


def solver_faults(placed: Placed, judge: Judge, space: Space) -> Iterator[Fault]:
    """At most one fault: the quantity does not fit the question, or solver and formula differ for some tuple."""
    if judge.solves is None:
        return
    # Tuples that give solver and formula the same numbers are looked at once.
    names = {given.name for given in QUANTITIES[judge.solves].givens}.union(*(part.names for part in judge.formula))
    seen: set[tuple[object, ...]] = set()
    for givens in spread(space.sound or space.rows, MOST_SOLVED):
        numbers = tuple([givens.get(name) for name in names])
        if numbers in seen:
            continue
        seen.add(numbers)
        try:
            right = judge.right(givens)
        except ExpressionError:
            continue
        except QuizError as error:
            yield refusal(placed, error, givens)
            return
        if isinstance(right, tuple) is not isinstance(placed.question, Shape):
            found, wanted = ("a shape", "a number") if isinstance(right, tuple) else ("a number", "sizes")
            message = f"{judge.solves} is {found}, and this question asks for {wanted}"
            yield placed.fault("wrong-quantity", message, "change the kind or the quantity", "solve")
            return


def refusal(placed: Placed, error: QuizError, givens: Givens) -> Fault:
    """What was raised while a question was worked out, as a fault at the part that caused it."""
    # A message may quote what the author wrote, and that may be long.
    message = str(error) if len(str(error)) <= _LONGEST else f"{str(error)[:_LONGEST]}…"
    match error:
        case SpaceError():
            return placed.fault(error.rule, message, _SPACE_FIXES.get(error.rule, ""), *error.place)
        case DisagreementError():
            solved = QUANTITIES.get(getattr(placed.question, "solve", None) or "")
            fix = f"the solver's formula is {solved.formula}" if solved else ""
            return placed.fault("solver-disagrees", message, fix, "formula")
        case UsageError():
            return placed.fault("missing-given", message, "draw it, or work it out under `let`", "solve")
        case UnitError():
            return placed.fault("wrong-unit", message, "name a unit of the quantity's own kind", "unit")
        case SolveError():
            message = f"the solver refuses{at(givens)}: {message}"
            return placed.fault("solver-refuses", message, "add a `require` that keeps such tuples out", "solve")
        case TemplateError():
            return _template_fault(placed, givens, error)
        case _:
            return placed.fault("no-value", f"{message}{at(givens)}", "correct the formula")


_SPACE_FIXES = {
    "space-too-large": "shorten the lists, or draw less",
    "draw-cycle": "let one of them be drawn on its own",
    "draw-range": "give it another range",
    "no-value": "correct it, or draw only numbers for which it has a value",
}


def shown_faults(placed: Placed, judge: Judge, space: Space) -> Iterator[Fault]:
    """What is shown, typed back: the answer is right and every mistake is that mistake. One fault of each sort."""
    reported: set[tuple[str, int]] = set()
    most = min(MOST_SHOWN, max(FEWEST_SHOWN, MOST_COMPARED // (1 + len(judge.mistakes)) ** 2))
    for seed, givens in enumerate(spread(space.sound, most)):
        try:
            variant = build(placed.pack, placed.question, judge, givens, seed)
        except QuizError as error:
            yield refusal(placed, error, givens)
            return
        if variant.kind in ("card", "open"):
            continue
        for sort, fault in (*_answer_fault(placed, variant), *_mistake_faults(placed, variant)):
            if sort not in reported:
                reported.add(sort)
                yield fault


def _answer_fault(placed: Placed, variant: Variant) -> Iterator[tuple[tuple[str, int], Fault]]:
    display = variant.answer.display
    judged = mark(variant, display)
    if judged.verdict != "right":
        message = (
            f"the answer is shown as {display[:80]!r}, and that is marked {judged.verdict}{at(dict(variant.givens))}"
        )
        fix = "state a tolerance, or ask for a value that can be typed"
        part = {"text": "accept", "order": "items", "choice": "choices"}.get(variant.kind, "formula")
        yield ("answer", 0), placed.fault("display-not-right", message, fix, part)


def _mistake_faults(placed: Placed, variant: Variant) -> Iterator[tuple[tuple[str, int], Fault]]:
    for index, mistake in enumerate(variant.mistakes):
        shown = show_value(mistake.value, placed.question)
        judged = mark(variant, shown)
        if judged.verdict != "wrong" or judged.misconception != mistake.misconception:
            taken = judged.misconception or judged.verdict
            where = at(dict(variant.givens))
            message = f"{shown} is the mistake {mistake.misconception!r}, but it is marked {taken!r}{where}"
            fix = "add a `require` that keeps such tuples out"
            fault = placed.fault("mistake-not-recognised", message, fix, "mistakes", index, "formula")
            yield ("mistake", index), fault


def _template_fault(placed: Placed, givens: Givens, raised: TemplateError) -> Fault:
    """The text that cannot be filled for this tuple."""
    fix = "correct the braces in this text"
    for part, text in _texts(placed.question.model_dump(by_alias=True)):
        try:
            parse_template(text, givens.keys(), is_code=part == ("snippet",)).fill(givens)
        except TemplateError as error:
            rule = "unknown-name" if error.kind == "unknown name" else "bad-template"
            return placed.fault(rule, f"{error}{at(givens)}", fix, *part)
    return placed.fault("bad-template", str(raised), fix, "prompt")


def _texts(value: Any, *part: str | int) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if isinstance(value, str):
        if part[-1] not in ("formula", "when", "solve", "unit") and part[0] not in ("let", "require", "draw"):
            yield part, value
    elif isinstance(value, Mapping):
        for name, item in value.items():
            yield from _texts(item, *part, name)
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _texts(item, *part, index)
