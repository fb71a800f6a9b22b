"""Tuples of givens by the column: what is the same for many of them is worked out once."""

from array import array
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import compress, repeat
from typing import Any, TypeAlias, TypeVar, overload

from quiz.bank.arithmetic import RefusedError
from quiz.bank.expression import Expression, ExpressionError
from quiz.bank.quick import is_quick, quick
from quiz.problem.variant import Number

Value: TypeAlias = Number | str
Made = TypeVar("Made")
# So many values are remembered while they are worked out: if there are more, few of them come again.
_REMEMBERED = 20_000


class Table:
    """So many tuples; every column has one value for each of them."""

    def __init__(self, columns: Mapping[str, list[Value]], size: int) -> None:
        self.columns = dict(columns)
        self.size = size
        self._is_quick: dict[str, bool] = {}

    def row(self, index: int) -> dict[str, Value]:
        """One tuple."""
        return {name: column[index] for name, column in self.columns.items()}

    def rows(self) -> Iterator[dict[str, Value]]:
        """All tuples, with the names in the order of the columns."""
        if not self.columns:
            return iter([{} for _ in range(self.size)])
        return map(dict, map(zip, repeat(tuple(self.columns)), zip(*self.columns.values(), strict=True)))

    def add(self, name: str, column: list[Value]) -> None:
        """Give every tuple one value more."""
        self.columns[name] = column
        self._is_quick.pop(name, None)

    def multiplied(self, new: Sequence[str], lists: Sequence[Sequence[tuple[Value, ...]]]) -> "Table":
        """Every tuple once for each item of its list; the items are the values of the new names."""
        size = sum(map(len, lists))
        columns = {
            name: [value for value, items in zip(column, lists, strict=True) for _ in items]
            for name, column in self.columns.items()
        }
        for position, name in enumerate(new):
            columns[name] = [item[position] for items in lists for item in items]
        return Table(columns, size)

    def chosen(self, indexes: Sequence[int]) -> "Table":
        """The tuples with these indexes."""
        columns = {name: list(map(column.__getitem__, indexes)) for name, column in self.columns.items()}
        return Table(columns, len(indexes))

    def only(self, kept: Sequence[bool]) -> "Table":
        """The tuples marked as kept."""
        if all(kept):
            return self
        columns = {name: list(compress(column, kept)) for name, column in self.columns.items()}
        return Table(columns, sum(kept))

    def put_first(self, names: Sequence[str]) -> None:
        """Let every tuple begin with these names."""
        self.columns = {name: self.columns[name] for name in names if name in self.columns} | self.columns

    def values(self, expression: Expression) -> list[Any]:
        """What an expression comes to for every tuple; None where it has no value."""
        form = quick(expression.text)
        if form is not None:
            names, function = form
            if all(map(self._has_quick, names)):
                # A tuple without a value: find out which, the slow way.
                with suppress(ZeroDivisionError, RefusedError):
                    return function(*(self.columns[name] for name in names))
        return self.each(expression.names, lambda givens: _evaluated(expression, givens))

    def each(self, names: Collection[str], work: Callable[[dict[str, Value]], Made]) -> list[Made]:
        """What ``work`` makes of every tuple, done once for all that agree in the names it looks at."""
        used = [name for name in self.columns if name in names]
        if not used:
            return [work({})] * self.size if self.size else []
        found: dict[tuple[Value, ...], Made] = {}
        made: list[Made] = []
        for row in zip(*(self.columns[name] for name in used), strict=True):
            if row in found:
                made.append(found[row])
                continue
            made.append(work(dict(zip(used, row, strict=True))))
            if len(found) < _REMEMBERED:
                found[row] = made[-1]
        return made

    def _has_quick(self, name: str) -> bool:
        if name not in self._is_quick:
            self._is_quick[name] = name in self.columns and is_quick(self.columns[name])
        return self._is_quick[name]


class Rows(Sequence[dict[str, Value]]):
    """Some tuples of a table, each made when it is asked for: two hundred thousand of them take much memory."""

    def __init__(self, table: Table, indexes: Sequence[int] | None = None) -> None:
        self._table = table
        self._indexes: Sequence[int] = range(table.size) if indexes is None else indexes

    def __len__(self) -> int:
        return len(self._indexes)

    @overload
    def __getitem__(self, index: int) -> dict[str, Value]: ...
    @overload
    def __getitem__(self, index: slice) -> "Rows": ...
    def __getitem__(self, index: int | slice) -> "dict[str, Value] | Rows":
        if isinstance(index, slice):
            return Rows(self._table, self._indexes[index])
        return self._table.row(self._indexes[index])

    def __iter__(self) -> Iterator[dict[str, Value]]:
        return self.table().rows()

    def table(self) -> Table:
        """These tuples as a table of their own."""
        return self._table if self._indexes == range(self._table.size) else self._table.chosen(self._indexes)

    def only(self, kept: Sequence[bool]) -> "Rows":
        """Those marked as kept."""
        return self if all(kept) else Rows(self._table, array("I", compress(self._indexes, kept)))


def _evaluated(expression: Expression, givens: Mapping[str, Value]) -> Number | None:
    try:
        return expression.evaluate(givens)
    except ExpressionError:
        return None
