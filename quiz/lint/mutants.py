"""Expressions with one thing changed: an operator, a number, a name or a function."""

import ast
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from quiz.bank.syntax import ExpressionError, read

# Other names tried in the place of one.
MOST_NAMES = 8


class Mutant(NamedTuple):
    """The changed expression, and what was changed, for people."""

    text: str
    change: str


class _Change(NamedTuple):
    node: ast.AST
    fields: dict[str, Any]
    said: str


_SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.And: "and",
    ast.Or: "or",
}
_OTHERS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
_FUNCTIONS = {
    "ceil": "floor",
    "floor": "ceil",
    "round": "floor",
    "min": "max",
    "max": "min",
    "gcd": "lcm",
    "lcm": "gcd",
    "log2": "ln",
    "ln": "log2",
    "sqrt": "abs",
}


def mutants(text: str, names: Sequence[str]) -> Iterator[Mutant]:
    """The expression with one thing changed at a time; ``names`` are those that could stand for one another.

    Raises:
        ExpressionError: the text is no expression.
    """
    tree = read(text)[2]
    nodes = list(ast.walk(tree))
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    for node in nodes:
        for change in _changes(node, id(node) in called, names):
            before = {name: getattr(change.node, name) for name in change.fields}
            _set(change.node, change.fields)
            changed = ast.unparse(tree)
            _set(change.node, before)
            if _is_readable(changed):
                yield Mutant(changed, change.said)


def _set(node: ast.AST, fields: dict[str, Any]) -> None:
    for name, value in fields.items():
        setattr(node, name, value)


def _is_readable(text: str) -> bool:
    try:
        read(text)
    except ExpressionError:
        return False
    return True


def _changes(node: ast.AST, is_function: bool, names: Sequence[str]) -> Iterator[_Change]:
    match node:
        case ast.BinOp() | ast.BoolOp():
            kind = type(node.op)
            if kind in _OTHERS:
                yield _Change(node, {"op": _OTHERS[kind]()}, _becomes(_SIGNS[kind], _SIGNS[_OTHERS[kind]]))
        case ast.Compare():
            for index, sign in enumerate(node.ops):
                if type(sign) in _OTHERS:
                    other = _OTHERS[type(sign)]
                    signs = [*node.ops[:index], other(), *node.ops[index + 1 :]]
                    yield _Change(node, {"ops": signs}, _becomes(_SIGNS[type(sign)], _SIGNS[other]))
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            yield _Change(node, {"value": value + 1}, _becomes(str(value), str(value + 1)))
        case ast.IfExp():
            yield _Change(node, {"body": node.orelse, "orelse": node.body}, "the two sides of `if` change places")
        case ast.Name(id=name) if is_function:
            if name in _FUNCTIONS:
                yield _Change(node, {"id": _FUNCTIONS[name]}, _becomes(name, _FUNCTIONS[name]))
        case ast.Name(id=name):
            for other_name in [other for other in names if other != name][:MOST_NAMES]:
                yield _Change(node, {"id": other_name}, _becomes(name, other_name))


def _becomes(before: str, after: str) -> str:
    return f"`{before}` becomes `{after}`"
