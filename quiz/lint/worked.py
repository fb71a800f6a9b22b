"""The worked examples of lessons, against the solver with the model's own numbers."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from quiz.attention.quantities import QUANTITIES
from quiz.attention.solver import Solution, solve
from quiz.bank.expression import ExpressionError, parse
from quiz.bank.pack import Worked
from quiz.bank.reader import Located
from quiz.errors import Fault, SolveError, UsageError
from quiz.problem.space import Models
from quiz.problem.variant import Number, Sizes
from quiz.render.nearest import nearest
from quiz.render.numbers import show_quantity, show_shape

# A lesson may round what is no whole number to three digits.
_ROUNDED = Fraction(1, 200)


def worked_faults(located: Located, models: Models) -> Iterator[Fault]:
    """Worked examples that name nothing known, or whose value is not what the solver measures."""
    for lesson_index, lesson in enumerate(located.pack.lessons):
        for index, example in enumerate(lesson.worked):
            found = _wrong(example, models)
            if found:
                part, rule, message, fix = found
                line, column = located.where("lessons", lesson_index, "worked", index, part)
                yield Fault(located.file, line, column, rule, f"{lesson.id}: {message}", fix)


def _wrong(example: Worked, models: Models) -> tuple[str, str, str, str] | None:
    """The part at fault, the rule, the message and the fix; None if all is well."""
    fields = models.get(example.model)
    if fields is None:
        fix = _meant(example.model, models) or f"there are {', '.join(sorted(models)[:12]) or 'none'}"
        return "model", "unknown-model", f"there is no model {example.model!r}", fix
    if example.quantity not in QUANTITIES:
        fix = _meant(example.quantity, QUANTITIES) or "`quiz quantities` lists them"
        return "quantity", "unknown-quantity", f"no quantity is called {example.quantity!r}", fix
    try:
        solution = solve(example.quantity, fields)
    except UsageError as error:
        return "quantity", "missing-given", f"{example.model}: {error}", "choose a model that has it"
    except SolveError as error:
        return "quantity", "solver-refuses", f"{example.model}: {error}", "choose another model or quantity"
    try:
        said = _value(example, fields)
    except ExpressionError as error:
        return "value", "bad-expression", str(error), "write the number itself"
    if _agrees(said, solution):
        return None
    measured = solution.value
    shown = show_shape(measured) if isinstance(measured, tuple) else show_quantity(measured, solution.unit)
    message = f"{example.quantity} of {example.model} is {shown}"
    return "value", "worked-example-wrong", message, "correct the value, or the model"


def _meant(name: str, known: Mapping[str, object]) -> str:
    close = nearest(name, known)
    return f"did you mean {close!r}?" if close else ""


def _value(example: Worked, fields: Mapping[str, Number | str]) -> Number | tuple[Number, ...]:
    if isinstance(example.value, tuple):
        return tuple(parse(text).number(fields) for text in example.value)
    return parse(example.value).number(fields)


def _agrees(said: Number | tuple[Number, ...], solution: Solution) -> bool:
    measured: Number | Sizes = solution.value
    if isinstance(said, tuple) or isinstance(measured, tuple | int):
        return said == measured
    return abs(Fraction(said) - measured) <= abs(measured) * _ROUNDED
