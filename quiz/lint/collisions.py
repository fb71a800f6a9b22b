"""Tuples in which two answers could be confused, pair by pair, and the rule that would keep such tuples out."""

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, compress, permutations
from typing import Any, TypeAlias

from quiz.errors import QuizError
from quiz.problem.judge import Judge, are_near
from quiz.problem.soundness import answers
from quiz.problem.space import Givens, Space, table_of
from quiz.problem.table import Table

Compare: TypeAlias = Callable[..., bool]


@dataclass(frozen=True, slots=True)
class Collision:
    """Two answers that come within tolerance of each other in ``count`` tuples, ``example`` being the first of them.

    ``constraint`` as a further ``require`` rule would remove them all, and ``removes`` tuples altogether; None where no
    comparison of two numbers does so at a fair price.
    """

    first: str
    second: str
    count: int
    example: Givens
    constraint: str | None
    removes: int


@dataclass(frozen=True, slots=True)
class Unsound:
    """Why tuples cannot be shown: the colliding pairs, the most frequent first, and the tuples for which a formula has
    no value, each with what it says."""

    collisions: tuple[Collision, ...]
    without_value: tuple[tuple[Givens, str], ...]


def unsound_of(judge: Judge, space: Space) -> Unsound:
    """Look into every tuple that satisfies ``require`` and yet is not sound."""
    rows = space.unsound
    if not rows:
        return Unsound((), ())
    failed: list[tuple[Givens, str]] = []
    find = _confused_choices if judge.choices else _confused_answers
    pairs = [(pair, colliding) for pair, colliding in find(judge, rows, failed) if colliding]
    valid = table_of(space.rows)
    collisions = [
        Collision(*pair, len(colliding), colliding[0], *_constraint(valid, table_of(colliding)))
        for pair, colliding in pairs
    ]
    collisions.sort(key=lambda one: (-one.count, one.first, one.second))
    return Unsound(tuple(collisions), tuple(failed))


def _confused_answers(
    judge: Judge, rows: Sequence[Givens], failed: list[tuple[Givens, str]]
) -> Iterator[tuple[tuple[str, str], list[Givens]]]:
    """Pair by pair, so that a question with many mistakes does not hold all its collisions at once."""
    columns = answers(judge, table_of(rows))
    with_value = [None not in row for row in zip(*columns, strict=True)]
    failed += [(givens, _refusal(judge, givens)) for givens, has in zip(rows, with_value, strict=True) if not has]
    kept = list(compress(rows, with_value))
    columns = [list(compress(column, with_value)) for column in columns]
    whole, broken = judge.nearness(1), judge.nearness(Fraction(1, 2))
    nearness = [whole if isinstance(right, int) else broken for right in columns[0]]
    names = ["answer", *(rule.name for rule in judge.mistakes)]
    for (first, ones), (second, others) in combinations(zip(names, columns, strict=True), 2):
        yield (first, second), list(compress(kept, map(are_near, ones, others, nearness)))


def _refusal(judge: Judge, givens: Givens) -> str:
    try:
        judge.answers(givens)
    except QuizError as error:
        return str(error)
    return "an answer has no value"


def _confused_choices(
    judge: Judge, rows: Sequence[Givens], failed: list[tuple[Givens, str]]
) -> Iterator[tuple[tuple[str, str], list[Givens]]]:
    pairs: dict[tuple[str, str], list[Givens]] = {}
    for givens in rows:
        try:
            found = {(confusion.first, confusion.second) for confusion in judge.confusions(givens)}
        except QuizError as error:
            failed.append((givens, str(error)))
            continue
        for pair in found:
            pairs.setdefault(pair, []).append(givens)
    yield from pairs.items()


def constraint(valid: Sequence[Givens], colliding: Sequence[Givens]) -> tuple[str | None, int]:
    """The comparison that no colliding tuple satisfies and most others do, and how many valid tuples it removes.

    None if it would cost far more than the collisions, which are never shown anyway.
    """
    return _constraint(table_of(valid), table_of(colliding))


def _constraint(valid: Table, colliding: Table) -> tuple[str | None, int]:
    best: tuple[str | None, int] = (None, 0)
    for text, compare, *names in _candidates(valid):
        if any(map(compare, *(colliding.columns[name] for name in names))):
            continue
        removes = valid.size - sum(map(compare, *(valid.columns[name] for name in names)))
        is_fair = removes < valid.size and (4 * removes <= valid.size or removes <= 2 * colliding.size)
        if is_fair and (best[0] is None or removes < best[1]):
            best = text, removes
    return best


def _candidates(valid: Table) -> Iterator[tuple[str, Compare, *tuple[str, ...]]]:
    """``a < b``, ``a != b`` and ``a > 1`` over the numbers that vary, in the order in which one would try them."""
    names = [
        name
        for name, column in valid.columns.items()
        if set(map(type, column)) <= {int, Fraction} and column.count(column[0]) < len(column)
    ]
    for first, second in permutations(names, 2):
        yield f"{first} < {second}", operator.lt, first, second
    for first, second in combinations(names, 2):
        yield f"{first} != {second}", operator.ne, first, second
    for name in names:
        yield f"{name} > 1", _above_one, name


def _above_one(value: Any) -> bool:
    return bool(value > 1)
