"""The arithmetic that pack authors may write: parsed by Python's own grammar, compiled from a whitelist of its nodes.

An expression becomes a tree of closures once and is then evaluated often. It only ever sees ``int`` and ``Fraction``,
and cannot run long or grow: see the limits below and `quiz.bank.arithmetic`.
"""

import ast
import operator
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from quiz.bank.arithmetic import (
    BOUND,
    FUNCTIONS,
    Number,
    RefusedError,
    decimal_number,
    divide,
    divides,
    exact,
    floor_divide,
    is_power_of_two,
    power,
    remainder,
)
from quiz.bank.syntax import ExpressionError, read
from quiz.render.nearest import nearest

__all__ = ["Expression", "ExpressionError", "parse"]

Givens: TypeAlias = Mapping[str, int | Fraction | str]
Work: TypeAlias = Callable[[Givens], Number]
Test: TypeAlias = Callable[[Givens], bool]
Binary: TypeAlias = Callable[[Number, Number], Number]


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed expression: its text, the names it needs, and how to work it out."""

    text: str
    names: frozenset[str]
    _work: Work | None = field(repr=False, compare=False)
    _test: Test | None = field(repr=False, compare=False)
    _places: Mapping[str, int] = field(repr=False, compare=False)

    @property
    def is_condition(self) -> bool:
        """Whether it says yes or no, rather than how many."""
        return self._work is None

    def evaluate(self, givens: Givens) -> int | Fraction | bool:
        """Its value: a number (an int where it is whole) or, for a condition, a bool.

        Raises:
            ExpressionError: it has no value for these givens.
        """
        return self.number(givens) if self._work else self.holds(givens)

    def number(self, givens: Givens) -> int | Fraction:
        """Its value as a number.

        Raises:
            ExpressionError: it has no value for these givens, or is a condition.
        """
        if self._work is None:
            raise ExpressionError(f"`{self.text.strip()}` is a condition where a number is needed", "not allowed", 1)
        return self._work(givens)

    def holds(self, givens: Givens) -> bool:
        """Whether it holds.

        Raises:
            ExpressionError: it has no value for these givens, or is a number.
        """
        if self._test is None:
            text = self.text.strip()
            message = f"`{text}` is a number where a condition is needed; compare it, as in `{text} > 0`"
            raise ExpressionError(message, "not allowed", 1)
        return self._test(givens)


def parse(text: str, names: Collection[str] | None = None) -> Expression:
    """Read an expression. ``names`` are those in scope; None allows any.

    Raises:
        ExpressionError: it is not arithmetic of the allowed sort, or uses a name that is not in scope.
    """
    expression = _parse(text)
    if names is not None:
        for name, column in expression._places.items():
            if name not in names:
                raise _unknown(name, column, names)
    return expression


@lru_cache(maxsize=1024)
def _parse(text: str) -> Expression:
    flat, start, tree = read(text)
    compiler = _Compiler(flat, start)
    work, test = compiler.top(tree)
    return Expression(text, frozenset(compiler.places), work, test, compiler.places)


def _unknown(name: str, column: int, known: Collection[str]) -> ExpressionError:
    if name in FUNCTIONS or name in _CONDITIONS:
        return ExpressionError(f"`{name}` is a function; call it, as in `{name}(x)`", "unknown name", column)
    close = nearest(name, known)
    names = ", ".join(sorted(known)[:12]) or "none"
    hint = f"did you mean `{close}`?" if close else f"the names in scope: {names}"
    return ExpressionError(f"unknown name `{name}`; {hint}", "unknown name", column)


_CONDITIONS = ("is_power_of_two", "divisors")
_OPERATIONS: dict[type[ast.operator], tuple[Binary | None, Binary]] = {
    ast.Add: (operator.add, operator.add),
    ast.Sub: (operator.sub, operator.sub),
    ast.Mult: (operator.mul, operator.mul),
    ast.FloorDiv: (operator.floordiv, floor_divide),
    ast.Mod: (operator.mod, remainder),
    ast.Div: (None, divide),
    ast.Pow: (None, power),
}
_COMPARISONS: dict[type[ast.cmpop], Callable[[Number, Number], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_DIVISIONS = (ast.Div, ast.FloorDiv, ast.Mod)
_WORDS: dict[type[ast.AST], str] = {
    ast.Attribute: "`.` (attributes)",
    ast.Subscript: "`[ ]` after a value",
    ast.Lambda: "lambda",
    ast.ListComp: "a comprehension",
    ast.GeneratorExp: "a comprehension",
    ast.NamedExpr: "`:=`",
    ast.List: "a list (except after `in`)",
    ast.Tuple: "a list (except after `in`)",
    ast.Await: "await",
    ast.Starred: "`*` before a value",
    ast.Dict: "`{ }`",
    ast.Set: "`{ }`",
    ast.BinOp: "this operator",
    ast.UnaryOp: "this operator",
    ast.Compare: "this comparison",
}


class _Compiler:
    """Walks one syntax tree; ``places`` gathers the names met, each with the column of its first use."""

    def __init__(self, flat: str, start: int) -> None:
        self.places: dict[str, int] = {}
        self._encoded = flat[start:].encode("utf-8", "replace")
        self._start = start

    def top(self, node: ast.expr) -> tuple[Work | None, Test | None]:
        return (None, self.test(node)) if _is_condition(node) else (self.work(node), None)

    def work(self, node: ast.expr) -> Work:
        """The closure of a number."""
        match node:
            case ast.Constant(value=bool() | None):
                raise self._refusal(node, f"`{node.value!r}` is not a number")
            case ast.Constant(value=int() | float()):
                return self._constant(node)
            case ast.Name():
                return self._name(node)
            case ast.BinOp() if type(node.op) in _OPERATIONS:
                return self._binary(node)
            case ast.UnaryOp(op=ast.USub()):
                negated = self.work(node.operand)
                return lambda givens: -negated(givens)
            case ast.UnaryOp(op=ast.UAdd()):
                return self.work(node.operand)
            case ast.IfExp():
                test, body, other = self.test(node.test), self.work(node.body), self.work(node.orelse)
                return lambda givens: body(givens) if test(givens) else other(givens)
            case ast.Call():
                return self._call(node)
        if _is_condition(node):
            raise self._refusal(node, "a condition stands where a number is needed; use `a if condition else b`")
        raise self._refusal(node)

    def test(self, node: ast.expr) -> Test:
        """The closure of a condition."""
        match node:
            case ast.Compare():
                return self._compare(node)
            case ast.BoolOp(op=ast.And()):
                every = tuple(self.test(value) for value in node.values)
                return lambda givens: all(one(givens) for one in every)
            case ast.BoolOp():
                some = tuple(self.test(value) for value in node.values)
                return lambda givens: any(one(givens) for one in some)
            case ast.UnaryOp(op=ast.Not()):
                denied = self.test(node.operand)
                return lambda givens: not denied(givens)
            case ast.IfExp():
                test, body, other = self.test(node.test), self.test(node.body), self.test(node.orelse)
                return lambda givens: body(givens) if test(givens) else other(givens)
            case ast.Call(func=ast.Name(id="is_power_of_two")):
                (argument,) = self._arguments(node, "is_power_of_two", 1, 1)
                return lambda givens: is_power_of_two(argument(givens))
        self.work(node)
        raise self._refusal(node, "a number stands where a condition is needed; compare it, as in `x > 0`")

    def _constant(self, node: ast.Constant) -> Work:
        value = node.value
        try:
            number = decimal_number(self._text(node)) if isinstance(value, float) else exact(int(str(value)))
        except RefusedError as refused:
            raise ExpressionError(str(refused), refused.kind, self._column(node)) from None
        return lambda givens: number  # noqa: ARG005 - a constant looks at no givens

    def _name(self, node: ast.Name) -> Work:
        name, column = node.id, self._column(node)
        written = self._text(node)
        if not (name.isascii() and name == written):
            message = f"unknown name `{written}`; a name has the letters a to z, digits and _"
            raise ExpressionError(message, "unknown name", column)
        self.places.setdefault(name, column)

        def work(givens: Givens) -> Number:
            try:
                value = givens[name]
            except KeyError:
                raise _unknown(name, column, givens.keys()) from None
            if type(value) is int and -BOUND < value < BOUND:
                return value
            return _given(name, value, column)

        return work

    def _binary(self, node: ast.BinOp) -> Work:
        left, right = self.work(node.left), self.work(node.right)
        quick, careful = _OPERATIONS[type(node.op)]
        is_division = isinstance(node.op, _DIVISIONS)
        column = self._column(node.right if is_division else node)
        written = self._text(node)
        divisor = self._text(node.right) if is_division else written

        def work(givens: Givens) -> Number:
            first, second = left(givens), right(givens)
            if quick and second and type(first) is int and type(second) is int:
                value = quick(first, second)
                if -BOUND < value < BOUND:
                    return value
            try:
                return exact(careful(first, second))
            except RefusedError as refused:
                shown = divisor if refused.kind == "division by zero" else written
                raise _located(refused, column, shown, givens) from None

        return work

    def _call(self, node: ast.Call) -> Work:
        name = self._function(node)
        if name == "is_power_of_two":
            raise self._refusal(node, "a condition stands where a number is needed; use `a if condition else b`")
        if name == "divisors":
            raise self._refusal(node, "divisors is a list: it stands after `in`, as in `x in divisors(n)`")
        function, least, most = FUNCTIONS[name]
        arguments = self._arguments(node, name, least, most)
        column, written = self._column(node), self._text(node)

        def work(givens: Givens) -> Number:
            values = [argument(givens) for argument in arguments]
            try:
                return function(*values)
            except RefusedError as refused:
                raise _located(refused, column, written, givens) from None

        return work

    def _function(self, node: ast.Call) -> str:
        if not isinstance(node.func, ast.Name):
            raise self._refusal(node.func, "only the named functions can be called")
        name = node.func.id
        if name not in FUNCTIONS and name not in _CONDITIONS:
            known = [*FUNCTIONS, *_CONDITIONS]
            close = nearest(name, known)
            hint = f"did you mean `{close}`?" if close else f"there are {', '.join(known)}"
            raise self._refusal(node.func, f"there is no function `{name}`; {hint}")
        return name

    def _arguments(self, node: ast.Call, name: str, least: int, most: int | None) -> tuple[Work, ...]:
        if node.keywords:
            raise self._refusal(node.keywords[0].value, f"{name} takes no named arguments")
        count = len(node.args)
        if count < least or (most is not None and count > most):
            wanted = f"{least} or more" if most is None else str(least) if most == least else f"{least} or {most}"
            raise ExpressionError(f"{name} takes {wanted} arguments, not {count}", "arguments", self._column(node))
        return tuple(self.work(argument) for argument in node.args)

    def _compare(self, node: ast.Compare) -> Test:
        if isinstance(node.ops[0], ast.In | ast.NotIn) and len(node.ops) == 1:
            return self._membership(node, wanted=isinstance(node.ops[0], ast.In))
        for comparison in node.ops:
            if isinstance(comparison, ast.In | ast.NotIn):
                raise self._refusal(node, "`in` does not chain with other comparisons; join them with `and`")
            if type(comparison) not in _COMPARISONS:
                raise self._refusal(node, "`is` is not allowed; compare with ==")
        first, *others = (self.work(value) for value in (node.left, *node.comparators))
        links = tuple((_COMPARISONS[type(kind)], value) for kind, value in zip(node.ops, others, strict=True))
        if len(links) == 1:
            ((compare, other),) = links
            return lambda givens: compare(first(givens), other(givens))

        def test(givens: Givens) -> bool:
            low = first(givens)
            for compare, value in links:
                high = value(givens)
                if not compare(low, high):
                    return False
                low = high
            return True

        return test

    def _membership(self, node: ast.Compare, wanted: bool) -> Test:
        value, among = self.work(node.left), node.comparators[0]
        if isinstance(among, ast.List | ast.Tuple):
            items = tuple(self.work(item) for item in among.elts)

            def listed(givens: Givens) -> bool:
                sought = value(givens)
                return any(item(givens) == sought for item in items) is wanted

            return listed
        if not (isinstance(among, ast.Call) and self._function(among) == "divisors"):
            raise self._refusal(among, "`in` is followed by a list, as in `x in [1, 2]`, or by divisors(n)")
        (whole,) = self._arguments(among, "divisors", 1, 1)
        column, written = self._column(among), self._text(among)

        def divisor(givens: Givens) -> bool:
            try:
                return divides(value(givens), whole(givens)) is wanted
            except RefusedError as refused:
                raise _located(refused, column, written, givens) from None

        return divisor

    def _column(self, node: ast.AST) -> int:
        """The node's column in characters; Python counts bytes."""
        offset = getattr(node, "col_offset", 0)
        return self._start + len(self._encoded[:offset].decode("utf-8", "ignore")) + 1

    def _text(self, node: ast.expr) -> str:
        return self._encoded[node.col_offset : node.end_col_offset].decode()

    def _refusal(self, node: ast.expr, message: str = "") -> ExpressionError:
        said = message or f"{_WORDS.get(type(node), 'this')} is not allowed in an expression"
        return ExpressionError(said, "not allowed", self._column(node))


def _is_condition(node: ast.expr) -> bool:
    match node:
        case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
            return True
        case ast.IfExp():
            return _is_condition(node.body)
        case ast.Call(func=ast.Name(id="is_power_of_two")):
            return True
    return False


def _given(name: str, value: object, column: int) -> Number:
    """A given that is not a small int: a fraction, or something that no arithmetic takes."""
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        try:
            return exact(value)
        except RefusedError as refused:
            raise ExpressionError(f"`{name}` is too large: {refused}", refused.kind, column) from None
    what = f"the text {value!r}" if isinstance(value, str) else f"a {type(value).__name__}"
    raise ExpressionError(f"`{name}` is {what}, not a number", "domain", column)


def _located(refused: RefusedError, column: int, written: str, givens: Givens) -> ExpressionError:
    """The refusal in its place, with the values of the names in the part of the text that caused it."""
    names = dict.fromkeys(re.findall(r"[A-Za-z_]\w*", written))
    shown = ", ".join(f"{name} = {_brief(givens[name])}" for name in names if name in givens)
    return ExpressionError(f"{refused} with {shown}" if shown else str(refused), refused.kind, column)


def _brief(value: object) -> str:
    text = str(value)
    return text if len(text) <= 40 else f"{text[:12]}… ({len(text)} characters)"
