"""The text of an expression to Python's syntax tree, with its own words for what authors get wrong."""

import ast
import re
from itertools import accumulate

from quiz.errors import QuizError

MAX_CHARACTERS = 500
MAX_NODES = 120
MAX_DEPTH = 24
# Python's parser takes a millisecond for 200 brackets inside each other, and a file has room for many such.
MAX_BRACKETS = 48
_PYTHONS_LIMIT = 200


class ExpressionError(QuizError):
    """An expression that cannot be read or has no value. ``kind`` names the sort ("division by zero", "unknown name",
    "too large", "too long", "not allowed", "malformed", "empty", "domain", "arguments"); ``message`` is the text
    without the place; ``column`` counts characters of the expression from 1."""

    exit_code = 1

    def __init__(self, message: str, kind: str, column: int) -> None:
        self.message = message
        self.kind = kind
        self.column = column
        super().__init__(f"{message} (column {column})")


def read(text: str) -> tuple[str, int, ast.expr]:
    """The text with blanks for line breaks, where it starts (from 0), and the tree of what starts there.

    Raises:
        ExpressionError: it is empty, too long, too deep, or not an expression.
    """
    if len(text) > MAX_CHARACTERS:
        message = f"the expression has {len(text):,} characters; at most {MAX_CHARACTERS} are read"
        raise ExpressionError(message, "too long", MAX_CHARACTERS + 1)
    # One blank for each line break keeps the columns.
    flat = re.sub(r"\s", " ", text)
    start = len(flat) - len(flat.lstrip())
    if start == len(flat):
        raise ExpressionError("the expression is empty", "empty", 1)
    _check_signs(text)
    _check_brackets(text)
    tree = _syntax_tree(flat, start)
    _check_size(tree, start)
    return flat, start, tree


def _check_brackets(text: str) -> None:
    if text.count("(") + text.count("[") <= MAX_BRACKETS:
        return
    steps = ((sign in "([") - (sign in ")]") for sign in text)
    depths = list(accumulate(steps))
    # Beyond its own limit Python refuses at once.
    if MAX_BRACKETS < max(depths) <= _PYTHONS_LIMIT:
        column = depths.index(MAX_BRACKETS + 1) + 1
        raise ExpressionError("the expression is nested too deeply", "too long", column)


def _check_size(tree: ast.expr, start: int) -> None:
    """Level by level, so that a deep tree is judged without recursion."""
    level: list[ast.AST] = [tree]
    count = depth = 0
    while level:
        depth += 1
        count += len(level)
        if count > MAX_NODES or depth > MAX_DEPTH:
            limit = f"{MAX_NODES} parts" if count > MAX_NODES else f"{MAX_DEPTH} levels"
            raise ExpressionError(f"the expression has more than {limit}", "too long", start + 1)
        level = [child for one in level for child in ast.iter_child_nodes(one) if isinstance(child, ast.expr)]


# Slips that Python's parser would take for something else, or call by words that help nobody.
_SLIP = re.compile(
    r"""(?P<quote>["'])|(?P<control>[\x00-\x08\x0e-\x1b\x7f-\x9f])|(?P<comment>\#)|(?P<join>\\)|(?P<caret>\^)|(?P<both>&&)|(?P<either>\|\|)
    |(?P<sign>[×·÷−–≤≥≠²³√“”‘’])
    |(?P<based>(?<![\w.])0[xXbBoO]\w*)
    |(?P<run>(?<![\w.])(?>(?:\d[\d_]*+\.?+[\d_]*+|\.\d[\d_]*+)(?:[eE][-+]?\d[\d_]*+)?+)(?=[^\W\d])\w+)""",
    re.VERBOSE,
)
_SIGNS = {"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", "≤": "<=", "≥": ">=", "≠": "!=", "²": "**2", "³": "**3"}
_SIGNS |= {"√": "sqrt(x)"}
_SLIPS = {
    "quote": ("text has no place in an expression: only numbers, names and functions", "not allowed"),
    "control": ("a control character has no place in an expression", "malformed"),
    "comment": ("a comment has no place inside an expression", "malformed"),
    "join": ("`\\` has no place in an expression; a line break is just white space", "malformed"),
    "caret": ("`^` is not a power here; use ** for powers", "not allowed"),
    "both": ("write `and` for `&&`", "malformed"),
    "either": ("write `or` for `||`", "malformed"),
    "based": ("write the number in decimal", "not allowed"),
}


def _check_signs(text: str) -> None:
    slip = _SLIP.search(text)
    if slip is None:
        return
    found, column, name = slip[0], slip.start() + 1, str(slip.lastgroup)
    if name == "sign":
        better = _SIGNS.get(found)
        if better is None:
            raise ExpressionError(*_SLIPS["quote"], column)
        raise ExpressionError(f"`{found}` is not read here; write {better}", "malformed", column)
    if name == "run":
        if found[-1] in "jJ" and not found[-2:-1].isalpha():
            raise ExpressionError(f"`{found}` is a complex number; only real ones are allowed", "not allowed", column)
        raise ExpressionError(f"`{found}` runs a number into a name; is a * missing?", "malformed", column)
    raise ExpressionError(*_SLIPS[name], column)


def _syntax_tree(flat: str, start: int) -> ast.expr:
    try:
        return ast.parse(flat[start:], mode="eval").body
    except SyntaxError as error:
        # Python counts characters from 1, and says 0 for the end.
        column = start + error.offset if error.offset else len(flat.rstrip()) + 1
        said = error.msg
    except (RecursionError, MemoryError):
        said, column = _TOO_NESTED, start + 1
    except (ValueError, OverflowError):
        said, column = "", start + 1
    if _TOO_NESTED in said:
        raise ExpressionError("the expression is nested too deeply", "too long", column)
    if assignment := re.search(r"(?<![=!<>:])=(?!=)", flat):
        message = "an expression has a value and sets none; compare with =="
        raise ExpressionError(message, "malformed", assignment.start() + 1)
    if times := _TIMES.search(flat):
        raise ExpressionError("an x between two parts is no sign here; write *", "malformed", times.start(1) + 1)
    raise ExpressionError(_in_plain_words(said, flat[column - 1 :].strip()), "malformed", column)


def _in_plain_words(said: str, rest: str) -> str:
    if "leading zeros" in said:
        return "a number has no leading zeros"
    if "never closed" in said or "unmatched" in said or "does not match" in said:
        return f"the brackets do not match: {said}"
    if "expected 'else'" in said:
        return "`a if condition` lacks its `else b`"
    return f"the expression cannot be understood at `{rest[:20]}`" if rest else "the expression ends too early"


_TIMES = re.compile(r"[\w)]\s+([xX])\s+[\w(]")
_TOO_NESTED = "too many nested"
