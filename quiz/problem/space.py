"""The finite space of a draw: every tuple of givens, the sound ones among them, and the one a seed picks.

Nothing is sampled and nothing is redrawn: the tuples that satisfy ``require`` are enumerated in a fixed order, those in
which two answers could be confused are left out, and a hash of key and seed points at one of the rest.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, lru_cache
from graphlib import CycleError, TopologicalSorter
from itertools import compress, repeat
from math import isqrt
from typing import Any, TypeAlias, TypeVar

from quiz.bank.expression import Expression, ExpressionError
from quiz.bank.pack import AnyQuestion, DivisorsOf, Draw, FromModel, PowersOfTwo, Range
from quiz.errors import QuizError
from quiz.problem.judge import Judge, judge_of
from quiz.problem.recent import Recent
from quiz.problem.soundness import is_sound as is_sound
from quiz.problem.soundness import sound_rows
from quiz.problem.table import Rows, Table
from quiz.problem.variant import Number

Value = TypeVar("Value")
Values = TypeVar("Values", bound=Sequence[object])
Givens: TypeAlias = dict[str, Number | str]
Models: TypeAlias = Mapping[str, Mapping[str, Number | str]]
LIMIT = 200_000
# Tuples times formulas, and so about the work and the memory that a space can take.
MOST_WORK = 4_000_000
# Worth so many other formulas: a root or a logarithm in one, and one whose values are kept.
_SLOW = {"sqrt": 4, "ln": 20, "log2": 20}
_WORDS = re.compile(r"[a-z][a-z0-9]*")
_LET_WEIGHT = 4


class SpaceError(QuizError):
    """The draw cannot be enumerated: it goes in circles, is empty, or is too large. ``rule`` is the lint rule;
    ``place`` is where in the question the fault is written, such as ``"let", "num_heads"``."""

    exit_code = 1

    def __init__(self, message: str, rule: str, *place: str | int) -> None:
        self.rule = rule
        self.place = place
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Space:
    """All tuples of a question's draw. ``rows`` satisfy ``require``; ``sound`` are the rows that may be shown, and
    ``unsound`` the others; ``starved`` counts, for each ``require`` rule, the tuples that it alone would turn away."""

    enumerated: int
    rows: Rows
    sound: Rows
    unsound: Rows
    starved: tuple[int, ...]

    def pick(self, key: str, seed: int) -> Givens:
        """The tuple that this key and seed stand for, on every machine.

        Raises:
            SpaceError: no tuple is sound.
        """
        if not self.sound:
            raise SpaceError(f"{key}: no sound variant can be drawn", "no-variants")
        return self.sound[draw_hash(key, seed) % len(self.sound)]


def draw_hash(key: str, seed: int) -> int:
    """The first 8 bytes of SHA-256 of key and seed, as a whole number."""
    return int.from_bytes(_digest(key, seed)[:8], "big")


def shuffle_hash(key: str, seed: int) -> int:
    """The next 8 bytes of the same digest: what shuffles choices and items."""
    return int.from_bytes(_digest(key, seed)[8:16], "big")


def _digest(key: str, seed: int) -> bytes:
    return hashlib.sha256(f"{key}\n{seed}".encode()).digest()


def space_of(question: AnyQuestion, models: Models) -> tuple[Judge, Space]:
    """The question's judge and space, worked out once for all questions that draw alike, whatever their prose.

    Raises:
        SpaceError, ExpressionError, TemplateError: as `explore` and `judge_of`.
    """
    if any(isinstance(draw, FromModel) for draw in question.draw.values()):
        return _space_of(_drawn(question, models))
    return _space_of(_known.find(id(question), lambda: _drawn(question, {})))


def _drawn(question: AnyQuestion, models: Models) -> "_Drawn":
    known = vars(question)
    fields = [_plain(known.get(name)) for name in _DRAWN]
    used = sorted((name, sorted(model.items())) for name, model in models.items())
    return _Drawn(repr((fields, used)), question, models)


def _plain(value: object) -> object:
    """A part of a question as built-in types, which are written down much faster."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return {name: _plain(item) for name, item in (value if isinstance(value, dict) else vars(value)).items()}


_DRAWN = ("kind", "draw", "let", "require", "formula", "solve", "unit", "tolerance", "mistakes", "choices")


@dataclass(frozen=True, slots=True)
class _Drawn:
    """What decides a question's space, as the text that tells two of them apart."""

    fingerprint: str
    question: AnyQuestion = field(compare=False)
    models: Models = field(compare=False)


def _weight(drawn: _Drawn, found: tuple[Judge, Space]) -> int:
    rows = found[1].rows
    return 16_000 + len(drawn.fingerprint) + len(rows) * len(rows[0] if rows else ())


# Writing down what decides a space takes longer than drawing from it, so a question is first known by its identity; it
# is kept beside that, or another could come to have the same.
_known: Recent[int, _Drawn] = Recent(1_000_000, lambda _, drawn: 16_000 + len(drawn.fingerprint))
_spaces: Recent[_Drawn, tuple[Judge, Space]] = Recent(2_000_000, _weight)


def _space_of(drawn: _Drawn) -> tuple[Judge, Space]:
    def make() -> tuple[Judge, Space]:
        judge = judge_of(drawn.question)
        return judge, explore(judge, drawn.models)

    return _spaces.find(drawn, make)


def explore(judge: Judge, models: Models) -> Space:
    """Enumerate the question's draw and keep the sound tuples.

    Raises:
        SpaceError: the draws depend on each other in a circle, there are over 200,000 tuples, or a ``let``, ``where``
            or ``require`` has no value for some tuple.
    """
    table = _tuples(judge, models)
    verdicts = [_column(table, rule, "require", index) for index, rule in enumerate(judge.require)]
    valid, starved = table, [0] * len(verdicts)
    if verdicts:
        for row in zip(*verdicts, strict=True):
            if row.count(False) == 1:
                starved[row.index(False)] += 1
        valid = table.only([all(row) for row in zip(*verdicts, strict=True)])
    rows, sound = Rows(valid), sound_rows(judge, valid)
    return Space(table.size, rows, rows.only(sound), rows.only([not one for one in sound]), tuple(starved))


def table_of(rows: Sequence[Givens]) -> Table:
    """Tuples by the column, with the names that all of them have."""
    if isinstance(rows, Rows):
        return rows.table()
    names = [name for name in (rows[0] if rows else ()) if all(name in row for row in rows)]
    return Table({name: [row[name] for row in rows] for name in names}, len(rows))


def _column(table: Table, expression: Expression, part: str, name: str | int) -> list[Any]:
    """What a ``let`` or a ``require`` comes to for every tuple."""
    is_let = part == "let"
    column = table.values(expression)
    if table.size and (expression.is_condition is is_let or None in column):
        # Say what is wrong with the first tuple that has no value.
        givens = table.row(column.index(None) if None in column else 0)
        _worked(expression.number if is_let else expression.holds, givens, part, name)
    return column


def _worked(work: Callable[[Givens], Value], givens: Givens, *place: str | int) -> Value:
    try:
        return work(givens)
    except ExpressionError as error:
        raise SpaceError(error.message, "no-value", *place) from None


def _tuples(judge: Judge, models: Models) -> Table:
    """All tuples of the draw, those that ``require`` will turn away among them."""
    draws, lets = judge.question.draw, judge.lets
    limit = _limit(judge)
    table = Table({}, 1)
    for name in _order(draws, {name: rule.names for name, rule in lets.items()}):
        if not table.size:
            break
        if name in lets:
            table.add(name, _column(table, lets[name], "let", name))
            continue
        new, lists = _lists(judge, name, draws[name], models, table, limit)
        table = table.multiplied(new, lists)
    table.put_first([*draws, *lets])
    return table


def _limit(judge: Judge) -> int:
    """How many tuples the question may have: the fewer, the more has to be worked out for each."""
    rules = [*judge.require, *judge.formula, *(part for mistake in judge.mistakes for part in mistake.parts)]
    rules += [choice.when for choice in judge.choices if choice.when]
    weight = sum(map(_weight_of, rules)) + _LET_WEIGHT * sum(map(_weight_of, judge.lets.values()))
    weight += sum(text.count("{") for text in (judge.question.prompt, *(one.text.text for one in judge.choices)))
    return min(LIMIT, MOST_WORK // max(1, weight))


def _weight_of(rule: Expression) -> int:
    return 1 + len(rule.text) // 50 + sum(_SLOW.get(word, 0) for word in _WORDS.findall(rule.text))


def _lists(
    judge: Judge, name: str, draw: Draw, models: Models, table: Table, limit: int
) -> tuple[list[str], list[list[tuple[Number | str, ...]]]]:
    """What a draw adds to every tuple: the names, and for each tuple the list of their values."""
    if isinstance(draw, FromModel):
        chosen = [_models(judge, name, models, table.row(index)) for index in range(table.size)]
        fields = [set(fields) for some in chosen for fields in some]
        common = set.intersection(*fields) - {"title", "note"} if fields else set()
        chosen = _within(limit, chosen)
        shared = [field for some in chosen[:1] for field in (some[0] if some else ()) if field in common]
        return [name, *shared], [
            [(str(fields["title"]), *(fields[field] for field in shared)) for fields in some] for some in chosen
        ]
    if isinstance(draw, DivisorsOf):
        whole = draw.divisors_of
        column = table.columns.get(whole, [None] * table.size)
        lists = _within(limit, (_values(name, draw, {whole: one}) for one in column))
    else:
        lists = _within(limit, repeat(_values(name, draw, {}), table.size))
    # Lists that are the same object stay so.
    wrapped: dict[int, list[tuple[Number | str, ...]]] = {}
    for values in lists:
        if id(values) not in wrapped:
            wrapped[id(values)] = [(value,) for value in values]
    return [name], [wrapped[id(values)] for values in lists]


def _within(limit: int, lists: Iterable[Values]) -> list[Values]:
    """The lists, if all together they are no longer than the limit."""
    kept: list[Values] = []
    total = 0
    for values in lists:
        total += len(values)
        if total > limit:
            why = "" if limit == LIMIT else ", the most for one of so many formulas"
            raise SpaceError(f"the draw has over {limit:,} tuples{why}; shorten its lists", "space-too-large", "draw")
        kept.append(values)
    return kept


def _order(draws: Mapping[str, Draw], lets: Mapping[str, frozenset[str]]) -> list[str]:
    """Draws and lets, each after what it needs; otherwise as written, model draws first (their fields are needed)."""
    models_first = sorted(draws, key=lambda name: not isinstance(draws[name], FromModel))
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for name in (*models_first, *lets):
        needs: set[str] = set()
        draw = draws.get(name)
        if isinstance(draw, DivisorsOf):
            needs = {draw.divisors_of}
        elif name in lets:
            needs = set(lets[name])
        sorter.add(name, *sorted(needs & (draws.keys() | lets.keys())))
    try:
        return list(sorter.static_order())
    except CycleError as error:
        circle = error.args[1]
        place = ("let" if circle[0] in lets else "draw", circle[0])
        raise SpaceError(f"these names need each other: {' → '.join(circle)}", "draw-cycle", *place) from None


def _values(name: str, draw: Draw, givens: Mapping[str, Number | str | None]) -> Sequence[Number]:
    match draw:
        case Range():
            if (draw.last - draw.first) // draw.step > LIMIT:
                raise SpaceError(f"`{name}` alone has over {LIMIT:,} values", "space-too-large", "draw", name)
            if draw.last < draw.first:
                raise SpaceError(f"`{name}` runs from {draw.first} to {draw.last}: empty", "draw-range", "draw", name)
            return range(draw.first, draw.last + 1, draw.step)
        case PowersOfTwo():
            low, high = draw.powers_of_two
            if not 0 < low <= high < 2**64:
                raise SpaceError(f"`{name}`: powers_of_two needs 0 < first ≤ last < 2^64", "draw-range", "draw", name)
            return [2**exponent for exponent in range(64) if low <= 2**exponent <= high]
        case DivisorsOf():
            whole = givens.get(draw.divisors_of)
            if not isinstance(whole, int) or not 0 < whole <= 10**9:
                raise SpaceError(
                    f"`{name}`: divisors_of needs a whole number from 1 to 10^9, and {draw.divisors_of} is {whole}",
                    "draw-range",
                    "draw",
                    name,
                )
            return _divisors(whole)
        case tuple():
            return list(dict.fromkeys(_exact(value) for value in draw))
        case _:
            raise TypeError(f"not a draw of numbers: {draw!r}")


def _models(judge: Judge, name: str, models: Models, givens: Givens) -> list[Mapping[str, Number | str]]:
    """The real models that have every field the condition names and satisfy it."""
    condition = judge.where[name]
    return [
        fields
        for fields in models.values()
        if condition is None
        or (
            condition.names <= fields.keys() | givens.keys()
            and _worked(condition.holds, {**givens, **fields}, "draw", name, "where")
        )
    ]


@lru_cache(maxsize=256)
def _divisors(whole: int) -> list[int]:
    found, rest = [1], whole
    for prime in _primes():
        if prime * prime > rest:
            break
        powers = [1]
        while rest % prime == 0:
            rest //= prime
            powers.append(powers[-1] * prime)
        found = [divisor * power for divisor in found for power in powers]
    if rest > 1:
        found += [divisor * rest for divisor in found]
    return sorted(found)


@cache
def _primes() -> list[int]:
    """Those whose squares are at most 10^9."""
    most = isqrt(10**9)
    is_prime = bytearray([1]) * (most + 1)
    for number in range(2, isqrt(most) + 1):
        if is_prime[number]:
            is_prime[number * number :: number] = bytes(len(range(number * number, most + 1, number)))
    return list(compress(range(2, most + 1), is_prime[2:]))


def _exact(value: float) -> Number:
    exact = value if isinstance(value, int) else Fraction(repr(value))
    return exact.numerator if exact.denominator == 1 else exact
