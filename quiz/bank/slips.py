"""What a YAML scanner's complaint most likely means in a pack, in the words of an author."""

import re

import yaml

from quiz.bank.flow_slips import item_around
from quiz.bank.indentation import misplaced_key
from quiz.errors import Fault

MAX_DEPTH = 12
_QUOTES = "put the text in quotes, or below a `|`"
# A line: its indentation, dashes, key, and the value after them.
_LINE = re.compile(r"(?P<before>[ ]*(?:-[ ]+)*(?:[\w.\-]+[ ]*:[ ]+)?)(?P<value>.*)", re.DOTALL)
_BLOCK_HEADER = re.compile(r"[|>](?:[+-]?[1-9]?|[1-9][+-])(?:[ \t]+#.*|[ \t]*)$")
_CLOSED = re.compile(r'"(?:[^"\\]|\\.)*"' + r"|'(?:[^']|'')*'")
_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
# How much of a line, and of what stands above it, is looked at: a pattern may need 100 bytes for a character.
_WINDOW = 20_000
_TOO_DEEP = re.compile(rf"(?:[\[{{][ ]*+){{{MAX_DEPTH + 1}}}")
_BRACKET_BEFORE = re.compile(r"[:,]\s{1,9}([{\[])[^{}\[\]]*[}\]]\s*$")
# No key of a pack begins with a capital letter.
_SENTENCE = re.compile(r"(?<![\w.\-])[A-Z][\w.\-]*[ ]*(?P<colon>:)[ ]+$")
_COLON_IN_TEXT = "a colon and a blank inside a text start a mapping"
_TIGHT_COLON = re.compile(r"[A-Za-z_][\w\-]*:(?=[^\s/:])")
_STARTS = {
    "@": ("yaml-quote", "a text cannot begin with @"),
    "`": ("yaml-quote", "a text cannot begin with a backtick"),
    "%": ("yaml-quote", "a text cannot begin with %"),
    "*": ("yaml-alias", "a text that begins with * would name an alias, which packs do not use"),
    "&": ("yaml-anchor", "a text that begins with & would name an anchor, which packs do not use"),
    "!": ("yaml-tag", "a text that begins with ! would be a tag, which packs do not use"),
    "]": ("yaml-quote", "a text cannot begin with ]"),
    "}": ("yaml-quote", "a text cannot begin with }"),
    ",": ("yaml-quote", "a text cannot begin with a comma"),
    "{": ("yaml-quote", "a text that begins with { is read as a mapping"),
    "[": ("yaml-quote", "a text that begins with [ is read as a list"),
}


def explain(error: yaml.MarkedYAMLError, text: str, file: str) -> Fault:
    """The fault behind the scanner's or parser's complaint, where the author made it."""
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    problem, context = error.problem or "", error.context or ""
    if "quoted scalar" in context and error.context_mark and ("end of stream" in problem or "document" in problem):
        start = error.context_mark
        message = "this quote is never closed"
        return Fault(file, start.line + 1, start.column + 1, "yaml-quote", message, "close it on the same line")
    if "escape" in problem and mark:
        # PyYAML's own scanner points behind the backslash, libyaml at it.
        column -= text[mark.index - 1 : mark.index] == "\\" and text[mark.index : mark.index + 1] != "\\"
        fix = "use single quotes or a `|`, where \\ is a plain character, or write \\\\"
        return Fault(file, line, column, "yaml-escape", "this escape after \\ is unknown in double quotes", fix)
    if "could not find expected ':'" in problem and error.context_mark:
        line, column = error.context_mark.line + 1, error.context_mark.column + 1
    in_flow = "flow" in context
    if mark and (fault := _slip_near(text, mark, file, in_flow)):
        return fault
    if "could not find expected ':'" in problem:
        fix = "write `key: value`; text of several lines is indented below a `|`"
        return Fault(file, line, column, "yaml-syntax", "a key, its colon and a blank are expected here", fix)
    if "anchor" in problem or "alias" in context:
        return Fault(file, line, column, *_STARTS["*"], _QUOTES)
    fix = "compare its indentation and its brackets and quotes with the lines above"
    return Fault(file, line, column, "yaml-syntax", "this does not fit what stands above it", fix)


def _slip_near(text: str, mark: yaml.Mark, file: str, in_flow: bool) -> Fault | None:
    """The slip in the line complained of, or in the last one above it that is not blank, noticed late."""
    if mark.column > _WINDOW:
        return None
    above, here = _lines_around(text, mark)
    number = mark.line + 1
    slips = [
        (number, _slip_inside(here, mark.column) if in_flow else _misplaced(above, here)),
        (number, _slip_in(here)),
    ]
    slips += [(number, _slip_inside(here, mark.column))]
    distance = next((distance for distance, source in enumerate(reversed(above), start=1) if source.strip()), 0)
    if distance:
        slips.append((number - distance, _slip_in(above[-distance])))
    for line, slip in slips:
        if slip:
            at, rule, message, fix = slip
            return Fault(file, line, at, rule, message, fix)
    return None


def _lines_around(text: str, mark: yaml.Mark) -> tuple[list[str], str]:
    """The lines above the one complained of, as far as they are looked at, and that line itself."""
    start = mark.index - mark.column
    first = max(0, start - _WINDOW)
    here = _BREAK.split(text[start : start + _WINDOW], maxsplit=1)[0]
    above = _BREAK.split(text[first:start])[:-1]
    # The window may open in the middle of a line.
    return above[1:] if first else above, here


def _misplaced(above: list[str], source: str) -> tuple[int, str, str, str] | None:
    columns = misplaced_key(above, source)
    if columns is None:
        return None
    message = f"this key begins in column {columns[0]}, and its neighbours above in column {columns[1]}"
    fix = "give keys that belong together the same indentation; text that goes on from above is put in quotes"
    return columns[0], "yaml-indentation", message, fix


def _slip_in(source: str) -> tuple[int, str, str, str] | None:
    """Column, rule, message and fix of the slip in a line, if it has one of those we know."""
    indentation = re.match(r"\s*(?:-\s+)*", source)
    blanks = indentation[0] if indentation else ""
    if "\t" in blanks:
        return blanks.index("\t") + 1, "yaml-tab", "this line is indented with a tab", "use blanks"
    if other := re.search(r"[^ \-]", blanks):
        return other.start() + 1, "yaml-nbsp", "this line is indented with no-break blanks", "use ordinary blanks"
    if deep := _TOO_DEEP.search(source):
        return deep.end(), "too-deep", f"nested over {MAX_DEPTH} levels deep", "no pack needs that"
    match = _LINE.match(source)
    value = match["value"] if match else ""
    column = len(source) - len(value) + 1
    if not value:
        return None
    if value[0] in ">|":
        if _BLOCK_HEADER.match(value):
            return None
        return column, "yaml-quote", f"a text that begins with {value[0]} is read as a block of lines", _QUOTES
    if value[0] in "{[" and _brackets_match(value):
        return None
    if value[0] in "{[" and (comment := re.search(r"\s#", _CLOSED.sub(lambda quoted: "x" * len(quoted[0]), value))):
        message = "# begins a comment here, which hides the end of the bracket"
        return column + comment.start() + 1, "yaml-comment", message, _QUOTES
    if value[0] in _STARTS and match and (sentence := _SENTENCE.search(match["before"])):
        return sentence.start("colon") + 1, "yaml-colon", _COLON_IN_TEXT, _QUOTES
    if value[0] in _STARTS:
        rule, message = _STARTS[value[0]]
        return column, rule, message, f"{_QUOTES}; or close the bracket" if value[0] in "{[" else _QUOTES
    if (colon := _TIGHT_COLON.match(value)) and column == len(blanks) + 1:
        return column + colon.end() - 1, "yaml-colon", "a blank is missing after this colon", "write `key: value`"
    return _slip_in_text(value, column)


def _slip_in_text(value: str, column: int) -> tuple[int, str, str, str] | None:
    """The slip in a text, after its key."""
    if value[0] in "\"'":
        return _quoted_slip(value, column)
    if value[0] == ":":
        return column, "yaml-key", "the key before this colon is missing", _QUOTES
    if re.match(r"[-?](?:\s|$)", value):
        return column, "yaml-quote", f"a text cannot begin with {value[0]} and a blank", _QUOTES
    if colon := re.search(r":(?=\s|$)", re.split(r"\s#", value, maxsplit=1)[0]):
        return column + colon.start(), "yaml-colon", _COLON_IN_TEXT, _QUOTES
    return None


def _slip_inside(source: str, column: int) -> tuple[int, str, str, str] | None:
    """The slip in a text between brackets, where the scanner stopped."""
    if bracket := _BRACKET_BEFORE.search(source, 0, column):
        rule, message = _STARTS[bracket[1]]
        return bracket.start(1) + 1, rule, message, _QUOTES
    item = item_around(source, column)
    if item is None or not item[0]:
        return None
    value, start = item
    if value[0] in "@`%|>":
        return start + 1, "yaml-quote", f"a text cannot begin with {value[0]}", _QUOTES
    if value[0] not in "\"'" and source[column : column + 1] in ("{", "[") and column > start:
        message = f"between brackets, a text cannot go on with {source[column]}"
        return column + 1, "yaml-quote", message, "put the text in quotes"
    return _slip_in_text(value, start + 1)


def _quoted_slip(value: str, column: int) -> tuple[int, str, str, str] | None:
    closed = _CLOSED.match(value)
    if closed is None or not value[closed.end() :].strip() or value[closed.end() :].lstrip().startswith("#"):
        return None
    mark = value[0]
    fix = "put the whole text in quotes of the other sort, or below a `|`"
    if mark == "'" and value[closed.end() : closed.end() + 1].isalpha():
        fix = "an apostrophe in single quotes is written twice: ''"
    return column + closed.end(), "yaml-quote", f"the text goes on after the closing {mark}", fix


def _brackets_match(value: str) -> bool:
    """Whether a flow mapping or list ends with its line, as far as a glance can tell."""
    bare = re.sub(r"\s#.*", "", _CLOSED.sub("", value)).rstrip()
    return bare.count("{") == bare.count("}") and bare.count("[") == bare.count("]") and bare[-1:] in "}]"
