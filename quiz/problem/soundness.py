"""Which tuples of a table may be shown: those in which no two answers could be confused.

Says the same as `Judge.confusion` of each tuple, but a column at a time, and on whole numbers.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from math import lcm
from typing import Any

from quiz.attention.quantities import QUANTITIES
from quiz.bank.expression import Expression, ExpressionError
from quiz.bank.pack import Numeric, Shape
from quiz.bank.template import parse_template
from quiz.errors import SolveError
from quiz.problem.judge import Judge, Nearness
from quiz.problem.table import Table, Value
from quiz.problem.variant import Number, Sizes


def is_sound(judge: Judge, givens: Mapping[str, Value]) -> bool:
    """Whether the answer can be worked out and no two answers of this tuple could be confused."""
    try:
        return judge.confusion(givens) is None
    except (ExpressionError, SolveError):
        return False


def sound_rows(judge: Judge, table: Table) -> list[bool]:
    """For every tuple, whether the answer can be worked out and no two answers could be confused.

    Raises:
        TemplateError: the text of a choice cannot be filled.
        UsageError: the quantity is unknown, or needs a given that is missing.
    """
    if judge.choices:
        return table.each(_names_of_choices(judge, table), lambda givens: is_sound(judge, givens))
    if isinstance(judge.question, Shape):
        return [None not in row and len(set(row)) == len(row) for row in zip(*answers(judge, table), strict=True)]
    if isinstance(judge.question, Numeric):
        return list(_numbers_apart(judge, answers(judge, table)))
    return [True] * table.size


def answers(judge: Judge, table: Table) -> list[list[Any]]:
    """The column of the right answers, then that of each mistake; None where there is none."""
    return [expected(judge, table), *(_column(judge, rule.parts, table) for rule in judge.mistakes)]


def expected(judge: Judge, table: Table) -> list[Any]:
    """The column of the right answers, as `Judge.expected` gives them; None where there is none.

    Raises:
        UsageError: the quantity is unknown, or needs a given that is missing.
    """
    return _column(judge, judge.formula, table) if judge.formula else solved(judge, table)


def solved(judge: Judge, table: Table) -> list[Number | Sizes | None]:
    """What the solver measures for every tuple, done once for all that give it the same; None where it refuses.

    Raises:
        UsageError: as above.
    """
    quantity = QUANTITIES.get(judge.solves or "")
    names = {given.name for given in quantity.givens} if quantity else set()
    return table.each(names, lambda givens: _measured(judge, givens))


def _measured(judge: Judge, givens: Mapping[str, Value]) -> Number | Sizes | None:
    try:
        return judge.right(givens)
    except SolveError:
        return None


def _names_of_choices(judge: Judge, table: Table) -> set[str]:
    names: set[str] = set()
    for rule in judge.choices:
        names |= parse_template(rule.text.text, table.columns.keys()).names
        names |= rule.when.names if rule.when else set()
    return names


def _column(judge: Judge, parts: tuple[Expression, ...], table: Table) -> list[Any]:
    if any(part.is_condition for part in parts):
        return [None] * table.size
    columns = [table.values(part) for part in parts]
    if not isinstance(judge.question, Shape):
        return columns[0]
    return [_sizes(row) for row in zip(*columns, strict=True)]


def _sizes(row: tuple[Any, ...]) -> Sizes | None:
    return row if all(type(size) is int and size >= 0 for size in row) else None


def _numbers_apart(judge: Judge, columns: list[list[Any]]) -> Iterator[bool]:
    kinds = {kind for column in columns for kind in set(map(type, column))}
    whole, broken = judge.nearness(1), judge.nearness(Fraction(1, 2))
    rows = zip(*columns, strict=True)
    if kinds <= {int}:
        for row in rows:
            yield _apart(row, whole)
        return
    for row in rows:
        if None in row:
            yield False
        elif any(isinstance(value, tuple) for value in row):
            # A question whose quantity is a shape; the check refuses it elsewhere.
            yield len(set(row)) == len(row)
        else:
            # All times the same whole number that leaves no fraction: much faster to compare, and just as far apart.
            common = lcm(*(value.denominator for value in row))
            above, below, least = whole if isinstance(row[0], int) else broken
            scaled = tuple(value.numerator * (common // value.denominator) for value in row)
            yield _apart(scaled, (above, below, least * common))


def _apart(row: tuple[int, ...], nearness: Nearness) -> bool:
    above, below, least = nearness
    ordered = sorted(row)
    low = ordered[0]
    if low < 0:
        return not any(
            abs(one - other) * below <= max(above * max(abs(one), abs(other)), least)
            for one, other in combinations(ordered, 2)
        )
    # The reach grows with the larger of the two: if any two are near each other, two neighbours are.
    for high in ordered[1:]:
        reach = above * high
        if (high - low) * below <= (reach if reach > least else least):
            return False
        low = high
    return True
