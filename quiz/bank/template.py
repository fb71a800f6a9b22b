"""Text with numbers in it: ``{name}``, ``{expression}``, ``{name:,}``, ``{name:bytes}``; ``{{`` and ``}}`` are braces.

In code, fenced or between backticks, braces are code: there only ``{name}`` and ``{name:FORMAT}`` of a known name are
filled, and everything else stays as it is.
"""

import re
from bisect import bisect_right
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from quiz.bank.expression import Expression, ExpressionError, parse
from quiz.errors import QuizError
from quiz.render.numbers import group_digits, show_number

_FORMATS = ("", ",", "bytes")
_PREFIXES = ("KiB", "MiB", "GiB", "TiB", "PiB", "EiB")
_LONGEST_FRACTION = 20
_BRACE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
# Braces doubled on both sides are left alone: they are a template of the code's own.
_IN_CODE = re.compile(r"\{(?:(?<!\{\{)|(?![^{}]*\}\}))([A-Za-z_][A-Za-z0-9_]*)(?::(,|bytes))?\}")
_FENCE = re.compile(r"^ {0,3}(`{3,}(?=[^`\n]*$)|~{3,}).*$", re.MULTILINE)
_BACKTICKS = re.compile(r"`+|\n[ \t]*(?=\n)")


class TemplateError(QuizError):
    """A text whose braces cannot be filled. Line and column count from 1 inside the text; ``message`` leaves the
    place out; ``kind`` is that of the expression at fault, or "malformed"."""

    exit_code = 1

    def __init__(self, message: str, line: int, column: int, kind: str = "malformed") -> None:
        self.message = message
        self.line = line
        self.column = column
        self.kind = kind
        super().__init__(f"{message} (line {line}, column {column})")


@dataclass(frozen=True, slots=True)
class _Slot:
    """What is filled in. ``raw`` stands where the name turns out to be unknown; only slots in code have one."""

    expression: Expression
    form: str
    start: int
    raw: str | None = None


@dataclass(frozen=True, slots=True)
class Template:
    """A parsed text: its source, the names it needs, and its parts."""

    text: str
    names: frozenset[str]
    _parts: tuple[str | _Slot, ...] = field(repr=False, compare=False)

    def fill(self, givens: Mapping[str, int | Fraction | str]) -> str:
        """The text with every number in its place.

        Raises:
            TemplateError: an expression has no value for these givens.
        """
        if not self._parts:
            return self.text
        return "".join([part if isinstance(part, str) else self._filled(part, givens) for part in self._parts])

    def pieces(self) -> "tuple[Template, ...]":
        """The text in pieces, with at most one number in each; filled and joined, they are the text filled."""
        return tuple(
            Template(self.text, frozenset() if isinstance(part, str) else part.expression.names, (part,))
            for part in self._parts or (self.text,)
        )

    def _filled(self, slot: _Slot, givens: Mapping[str, int | Fraction | str]) -> str:
        name = slot.expression.text.strip()
        if slot.raw is not None and name not in givens:
            return slot.raw
        value = givens.get(name)
        try:
            if isinstance(value, str) and not slot.form:
                return value
            return _shown(slot.expression.number(givens), slot.form)
        except ExpressionError as error:
            raise _at(self.text, slot.start + error.column - 1, error.message, error.kind) from None


def parse_template(text: str, names: Collection[str] | None = None, *, is_code: bool = False) -> Template:
    """Read a text. ``names`` are those that may be used (None: any); ``is_code`` says that all of it is code.

    Raises:
        TemplateError: a brace, an expression or a name in the prose of the text is wrong.
    """
    if "{" not in text and "}" not in text:
        return Template(text, frozenset(), ())
    return _parse(text, None if names is None else frozenset(names), is_code)


# A text of ten thousand braces takes a tenth of a megabyte.
@lru_cache(maxsize=256)
def _parse(text: str, names: frozenset[str] | None, is_code: bool) -> Template:
    parts: list[str | _Slot] = []
    needed: set[str] = set()
    position = 0
    for start, end in [(0, len(text))] if is_code else _code_spans(text):
        _read_prose(text, position, start, names, parts)
        _read_code(text, start, end, names, parts)
        position = end
    _read_prose(text, position, len(text), names, parts)
    for part in parts:
        if isinstance(part, _Slot) and (part.raw is None or names is not None):
            needed |= part.expression.names
    return Template(text, frozenset(needed), tuple(parts))


def _read_prose(text: str, start: int, end: int, names: frozenset[str] | None, parts: list[str | _Slot]) -> None:
    position = start
    for found in _BRACE.finditer(text, start, end):
        parts.append(text[position : found.start()])
        position = found.end()
        if found[0] in ("{{", "}}"):
            parts.append(found[0][0])
        elif found[1] is None:
            raise _at(text, found.start(), f"a lone `{found[0]}`; write `{found[0] * 2}` for a brace")
        else:
            parts.append(_slot(text, found.start(1), found[1], names))
    parts.append(text[position:end])


def _read_code(text: str, start: int, end: int, names: frozenset[str] | None, parts: list[str | _Slot]) -> None:
    position = start
    for found in _IN_CODE.finditer(text, start, end):
        if names is None or found[1] in names:
            parts.append(text[position : found.start()])
            parts.append(_Slot(parse(found[1]), found[2] or "", found.start(1), found[0]))
            position = found.end()
    parts.append(text[position:end])


def _slot(text: str, start: int, inside: str, names: frozenset[str] | None) -> _Slot:
    written, colon, form = inside.partition(":")
    if form not in _FORMATS or (colon and not form):
        place = start + len(written) + 1
        raise _at(text, place, f"unknown format `:{form}`; there are `:,` and `:bytes`; {_LITERAL}")
    if misplaced := _FORM_WITHOUT_COLON.fullmatch(inside):
        name, comma, _ = misplaced.groups()
        message = f"a format follows a colon: write `{{{name}:{',' if comma else 'bytes'}}}`"
        raise _at(text, start + misplaced.end(1), message)
    try:
        expression = parse(written, names)
        if expression.is_condition:
            raise ExpressionError("a condition cannot be shown; write `{a if condition else b}`", "not allowed", 1)
    except ExpressionError as error:
        message = f"in braces: {error.message}; {_LITERAL}"
        raise _at(text, start + error.column - 1, message, error.kind) from None
    return _Slot(expression, form, start)


_FORM_WITHOUT_COLON = re.compile(r"\s*(\w+)\s*(?:(,)|\s(bytes))\s*")
_LITERAL = "for literal braces write `{{` and `}}`"


def _at(text: str, offset: int, message: str, kind: str = "malformed") -> TemplateError:
    before = text[:offset]
    return TemplateError(message, before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1, kind)


def _code_spans(text: str) -> list[tuple[int, int]]:
    """Where code is, as CommonMark sees it: fenced blocks, then runs of backticks closed by a run of equal length."""
    spans: list[tuple[int, int]] = []
    position = 0
    for start, end in _fenced(text):
        spans += _inline(text, position, start)
        spans.append((start, end))
        position = end
    return spans + _inline(text, position, len(text))


def _fenced(text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    opening: re.Match[str] | None = None
    for line in _FENCE.finditer(text):
        if opening is None:
            opening = line
        elif line[1].startswith(opening[1]) and line[0].strip() == line[1]:
            spans.append((opening.start(), line.end()))
            opening = None
    # A fence that nobody closes runs to the end.
    return spans if opening is None else [*spans, (opening.start(), len(text))]


def _inline(text: str, start: int, end: int) -> list[tuple[int, int]]:
    runs = [(run.start(), run.end(), run[0][0] == "`") for run in _BACKTICKS.finditer(text, start, end)]
    closers: dict[int, list[int]] = {}
    blanks = [run[0] for run in runs if not run[2]]
    for opened, closed, is_run in runs:
        if is_run:
            closers.setdefault(closed - opened, []).append(opened)
    spans: list[tuple[int, int]] = []
    position = start
    for opened, closed, is_run in runs:
        if not is_run or opened < position:
            continue
        candidates = closers[closed - opened]
        index = bisect_right(candidates, opened)
        paragraph = bisect_right(blanks, opened)
        limit = blanks[paragraph] if paragraph < len(blanks) else end
        if index < len(candidates) and candidates[index] < limit:
            position = candidates[index] + closed - opened
            spans.append((opened, position))
    return spans


def _shown(value: int | Fraction, form: str) -> str:
    if form == "bytes":
        return _shown_bytes(value)
    if isinstance(value, int) and not form:
        return str(value)
    text = _grouped(value)
    return text if form else text.replace(",", "")


def _grouped(value: int | Fraction) -> str:
    """Whole numbers and short decimals exactly; other fractions as a/b, or rounded where that would be long."""
    if isinstance(value, int):
        return group_digits(value)
    written = f"{value.numerator}/{value.denominator}"
    if 10**10 % value.denominator == 0 or len(written) > _LONGEST_FRACTION:
        return show_number(value)
    return f"{group_digits(value.numerator)}/{group_digits(value.denominator)}"


def _shown_bytes(value: int | Fraction) -> str:
    """Bytes with the largest binary prefix that divides them: 131072 is ``128 KiB``, 131073 is ``131,073 B``."""
    shown, unit = value, "B"
    for prefix in _PREFIXES:
        if not isinstance(shown, int) or not shown or shown % 1024:
            break
        shown, unit = shown // 1024, prefix
    return f"{_grouped(shown)} {unit}"
