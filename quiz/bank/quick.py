"""An expression over whole columns of small whole numbers, as one piece of compiled Python.

Nothing is checked while it runs, because nothing can go wrong unseen: only operations that keep whole numbers whole are
taken, and the bits that each of them can need are added up beforehand. Everything else is left to `Expression.number`.
"""

import ast
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import gcd
from typing import Any

from quiz.bank.arithmetic import BITS, divides, is_power_of_two
from quiz.bank.syntax import read

# The names stand for numbers of at most so many bits; the sign apart.
NAME_BITS = 63

Columns = tuple[tuple[str, ...], Callable[..., list[Any]]]


@lru_cache(maxsize=1024)
def quick(text: str) -> Columns | None:
    """The names of an expression that can be read, and a function from their columns to the column of its values; None
    if it is not of the sort that is quick. The function raises `ZeroDivisionError` or `RefusedError` if a row has no
    value.
    """
    compiler = _Compiler()
    try:
        body = compiler.translate(read(text)[2])
    except _SlowError:
        return None
    names = tuple(compiler.names)
    if not names:
        return None
    local = [ast.Name(compiler.names[name], ast.Load()) for name in names]
    target = [ast.Name(compiler.names[name], ast.Store()) for name in names]
    rows = ast.Call(ast.Name("zip", ast.Load()), list(local), [])
    row = ast.comprehension(ast.Tuple(list(target), ast.Store()), rows, [], 0)
    arguments = ast.arguments([], [ast.arg(one.id) for one in local], None, [], [], None, [])
    tree = ast.fix_missing_locations(ast.Expression(ast.Lambda(arguments, ast.ListComp(body, [row]))))
    function: Callable[..., list[Any]] = eval(compile(tree, "<columns>", "eval"), dict(_GLOBALS))
    return names, function


def is_quick(column: Sequence[Any]) -> bool:
    """Whether all values of a column are whole numbers small enough."""
    return set(map(type, column)) <= {int} and (
        not column or (min(column) > -(1 << NAME_BITS) and max(column) < 1 << NAME_BITS)
    )


def _divide(first: int, second: int) -> int | Fraction:
    return first // second if first % second == 0 else Fraction(first, second)


_GLOBALS: dict[str, Any] = {
    "__builtins__": {},
    "zip": zip,
    "min": min,
    "max": max,
    "abs": abs,
    "gcd": gcd,
    "divide": _divide,
    "divides": divides,
    "is_power_of_two": is_power_of_two,
}
_COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)


class _SlowError(Exception):
    """The expression is not of the sort that is quick."""


class _Compiler:
    """Rebuilds a syntax tree, node by node, with names of its own; ``names`` are the author's and ours."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}

    def translate(self, node: ast.expr) -> ast.expr:
        """The tree of a number or a condition."""
        match node:
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                return self._test(node)
            case ast.Call(func=ast.Name(id="is_power_of_two")):
                return self._test(node)
            case ast.BinOp(op=ast.Div()):
                # What comes out may be a fraction, so nothing can be done with it but hand it on.
                return _call("divide", self._number(node.left)[0], self._number(node.right)[0])
        return self._number(node)[0]

    def _number(self, node: ast.expr) -> tuple[ast.expr, int]:
        """The tree of a whole number, and how many bits it may need."""
        match node:
            case ast.Constant(value=bool()):
                raise _SlowError
            case ast.Constant(value=int() as value):
                return _bounded(ast.Constant(value), value.bit_length())
            case ast.Name():
                return ast.Name(self.names.setdefault(node.id, f"n{len(self.names)}"), ast.Load()), NAME_BITS
            case ast.UnaryOp(op=ast.USub()):
                inner, bits = self._number(node.operand)
                return ast.UnaryOp(ast.USub(), inner), bits
            case ast.UnaryOp(op=ast.UAdd()):
                return self._number(node.operand)
            case ast.BinOp():
                return self._binary(node)
            case ast.IfExp():
                test = self._test(node.test)
                (body, some), (other, more) = self._number(node.body), self._number(node.orelse)
                return ast.IfExp(test, body, other), max(some, more)
            case ast.Call(func=ast.Name(id=name), keywords=[]):
                return self._call(name, [self._number(argument) for argument in node.args])
        raise _SlowError

    def _binary(self, node: ast.BinOp) -> tuple[ast.expr, int]:
        left, bits = self._number(node.left)
        if isinstance(node.op, ast.Pow):
            match node.right:
                case ast.Constant(value=int() as exponent) if 0 < exponent <= BITS:
                    return _bounded(ast.BinOp(left, ast.Pow(), ast.Constant(int(exponent))), bits * exponent)
            raise _SlowError
        right, more = self._number(node.right)
        match node.op:
            case ast.Add() | ast.Sub():
                bits = max(bits, more) + 1
            case ast.Mult():
                bits += more
            case ast.FloorDiv():
                # Rounding down may add one to the size of a negative quotient.
                bits += 1
            case ast.Mod():
                bits = more
            case _:
                raise _SlowError
        return _bounded(ast.BinOp(left, node.op, right), bits)

    def _call(self, name: str, arguments: list[tuple[ast.expr, int]]) -> tuple[ast.expr, int]:
        bits = max((bits for _, bits in arguments), default=0)
        trees = [tree for tree, _ in arguments]
        match name, len(trees):
            case ("ceil" | "floor" | "round" | "min" | "max", 1):
                return trees[0], bits
            case ("abs", 1) | ("min" | "max" | "gcd", 2 | 3 | 4 | 5 | 6 | 7 | 8):
                return _call(name, *trees), bits
        raise _SlowError

    def _test(self, node: ast.expr) -> ast.expr:
        match node:
            case ast.BoolOp():
                return ast.BoolOp(node.op, [self._test(value) for value in node.values])
            case ast.UnaryOp(op=ast.Not()):
                return ast.UnaryOp(ast.Not(), self._test(node.operand))
            case ast.Compare():
                return self._compare(node)
            case ast.Call(func=ast.Name(id="is_power_of_two"), args=[argument], keywords=[]):
                return _call("is_power_of_two", self._number(argument)[0])
        raise _SlowError

    def _compare(self, node: ast.Compare) -> ast.expr:
        left = self._number(node.left)[0]
        if all(isinstance(kind, _COMPARISONS) for kind in node.ops):
            return ast.Compare(left, node.ops, [self._number(value)[0] for value in node.comparators])
        match node.ops, node.comparators:
            case [ast.In() | ast.NotIn()], [ast.List(elts=items) | ast.Tuple(elts=items)]:
                among = ast.Tuple([self._number(item)[0] for item in items], ast.Load())
                return ast.Compare(left, node.ops, [among])
            case [ast.In()], [ast.Call(func=ast.Name(id="divisors"), args=[whole], keywords=[])]:
                return _call("divides", left, self._number(whole)[0])
        raise _SlowError


def _bounded(tree: ast.expr, bits: int) -> tuple[ast.expr, int]:
    if bits > BITS:
        raise _SlowError
    return tree, bits


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])
