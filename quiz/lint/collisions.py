"""Tuples in which two answers could be confused, pair by pair, and the rule that would keep such tuples out."""

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any, TypeAlias

from quiz.errors import QuizError
from quiz.problem.judge import Judge
from quiz.problem.space import Givens, Space

Compare: TypeAlias = Callable[[Givens], bool]


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
    sound = set(map(id, space.sound))
    pairs: dict[tuple[str, str], list[Givens]] = {}
    failed: list[tuple[Givens, str]] = []
    for givens in space.rows:
        if id(givens) in sound:
            continue
        try:
            found = {(confusion.first, confusion.second) for confusion in judge.confusions(givens)}
        except QuizError as error:
            failed.append((givens, str(error)))
            continue
        for pair in found:
            pairs.setdefault(pair, []).append(givens)
    ordered = sorted(pairs.items(), key=lambda item: (-len(item[1]), item[0]))
    return Unsound(
        tuple(Collision(*pair, len(rows), rows[0], *constraint(space.rows, rows)) for pair, rows in ordered),
        tuple(failed),
    )


def constraint(valid: Sequence[Givens], colliding: Sequence[Givens]) -> tuple[str | None, int]:
    """The comparison that no colliding tuple satisfies and most others do, and how many valid tuples it removes.

    None if it would cost far more than the collisions, which are never shown anyway.
    """
    best: tuple[str | None, int] = (None, 0)
    for text, holds in _candidates(valid):
        if any(holds(givens) for givens in colliding):
            continue
        removes = sum(not holds(givens) for givens in valid)
        is_fair = removes < len(valid) and (4 * removes <= len(valid) or removes <= 2 * len(colliding))
        if is_fair and (best[0] is None or removes < best[1]):
            best = text, removes
    return best


def _candidates(valid: Sequence[Givens]) -> Iterator[tuple[str, Compare]]:
    """``a < b``, ``a != b`` and ``a > 1`` over the numbers that vary, in the order in which one would try them."""
    names = [
        name
        for name, first in valid[0].items()
        # Fields of a model may be missing in some tuples, or be text.
        if all(isinstance(givens.get(name), int | Fraction) for givens in valid)
        and any(givens[name] != first for givens in valid)
    ]
    for first, second in permutations(names, 2):
        yield f"{first} < {second}", _comparison(operator.lt, first, second)
    for first, second in combinations(names, 2):
        yield f"{first} != {second}", _comparison(operator.ne, first, second)
    for name in names:
        yield f"{name} > 1", _above_one(name)


def _comparison(compare: Callable[[Any, Any], bool], first: str, second: str) -> Compare:
    return lambda givens: compare(givens[first], givens[second])


def _above_one(name: str) -> Compare:
    return lambda givens: givens[name] > 1  # type: ignore[operator]  # only names of numbers are tried
