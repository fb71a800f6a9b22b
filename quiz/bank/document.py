"""YAML text to plain data, with the place of every value: YAML 1.2 core scalars, and nothing that can bite.

Read from the parser's events rather than its nodes: half the time, and aliases, anchors and tags are seen where they
stand. Sequences become tuples, as the strict models want them. What is unbounded elsewhere is bounded here: a file
can hold only so many values, and one question, lesson or source only so many of those.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import yaml

from quiz.bank.slips import MAX_DEPTH, explain
from quiz.errors import Fault, PackError

MAX_NODES = 3_000_000
MAX_ITEMS = 200_000
# Of one question, lesson or source, and of all else that stands below one key of the file.
MAX_VALUES = 50_000
MAX_KEYS = 1_000
MAX_FAULTS = 100

_Loader: type[yaml.CSafeLoader] | type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufeff\ufffe\uffff]")
# What an escape can make: NUL and, in PyYAML's own scanner, half a surrogate pair.
_ODD_BLANK = re.compile("[\u00a0\u2007\u200b\u202f\ufeff]")
_UNWELCOME = re.compile("[\0\ud800-\udfff]")
# What a plain scalar can begin with if it is not text; all others are spared the patterns below.
_MAYBE_NUMBER = frozenset("+-.0123456789")
_CONSTANTS: dict[str, bool | None] = {"": None, "~": None}
_CONSTANTS |= dict.fromkeys(("null", "Null", "NULL"))
_CONSTANTS |= dict.fromkeys(("true", "True", "TRUE"), True) | dict.fromkeys(("false", "False", "FALSE"), False)
_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,99})")
_BASED = re.compile(r"0o[0-7]{1,99}|0x[0-9a-fA-F]{1,99}")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_INFINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_LEADING_ZERO = re.compile(r"[-+]?0[0-9]+")
# libyaml compares every one of these with all before it.
_TAG_DIRECTIVE = re.compile("(?:^|[\n\r\x85\u2028\u2029])(%TAG)[ \t]")

Scalar: TypeAlias = str | int | float | bool | None
# Takes an item of a section: the section, the item's index or key, its value and place, and the place of its key. What
# it returns is kept in place of the value.
Take: TypeAlias = Callable[[str, str | int, Any, "Place", tuple[int, int]], Any]


class Place(NamedTuple):
    """Where a value begins (line and column from 1), how it is written (plain, ', ", |, >, or flow and block for
    collections), and the places inside it: by index for a list; for a mapping by key, ``keys`` being where keys are."""

    line: int
    column: int
    style: str
    items: "list[Place] | dict[str, Place] | None" = None
    keys: dict[str, tuple[int, int]] | None = None


@dataclass(slots=True)
class _Open:
    """A collection being read. In a mapping, ``key`` is the one whose value comes next."""

    place: Place
    values: Any
    key: str | None = None
    wants_key: bool = False
    is_key: bool = False


def read_document(text: str, file: str, sections: Collection[str] = (), take: Take | None = None) -> tuple[Any, Place]:
    """The data of the one document in the text, and its places.

    ``sections`` are the keys below which stand many items; ``take`` is handed each of them as soon as it is read, until
    something is wrong with the YAML itself.

    Raises:
        PackError: the text is not YAML, or YAML of a sort that packs do not use.
    """
    text = text.removeprefix("\ufeff")
    _check_characters(text, file)
    builder = _Builder(file, sections, take)
    loader = _Loader(text)
    try:
        while not builder.is_done:
            builder.take(loader.get_event())
    except yaml.MarkedYAMLError as error:
        builder.faults.append(explain(error, text, file))
    except (yaml.YAMLError, ValueError, RecursionError, MemoryError) as error:
        builder.faults.append(Fault(file, 1, 1, "yaml-syntax", f"this is not YAML: {error}"))
    finally:
        loader.dispose()
    if builder.faults:
        raise PackError(builder.faults)
    if builder.root is None:
        raise PackError([Fault(file, 1, 1, "empty-file", "the file is empty", "begin with `format: 1`")])
    return builder.data, builder.root


def _check_characters(text: str, file: str) -> None:
    if directive := _TAG_DIRECTIVE.search(text):
        line, column = _line_and_column(text, directive.start(1))
        message = "`%TAG` would name a sort of tags, which packs do not use"
        raise PackError([Fault(file, line, column, "yaml-tag", message, "remove the line")])
    found = _FORBIDDEN.search(text)
    if found is None:
        return
    line, column = _line_and_column(text, found.start())
    name = "a NUL" if found[0] == "\0" else f"the control character U+{ord(found[0]):04X}"
    fix = "remove it; in double quotes an escape such as \\e may stand for it" if found[0] != "\0" else "remove it"
    raise PackError([Fault(file, line, column, "control-character", f"the text contains {name}", fix)])


def _line_and_column(text: str, position: int) -> tuple[int, int]:
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)


class _Builder:
    """Takes the events one by one."""

    def __init__(self, file: str, sections: Collection[str], take: Take | None) -> None:
        self.file = file
        self._sections = sections
        self._take = take
        self.faults: list[Fault] = []
        self.data: Any = None
        self.root: Place | None = None
        self.is_done = False
        self._open: list[_Open] = []
        self._nodes = 0
        self._nodes_before = 0
        self._documents = 0

    def take(self, event: Any) -> None:
        kind = type(event)
        if kind is yaml.ScalarEvent:
            self._scalar(event)
        elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
            self._begin(event, kind is yaml.MappingStartEvent)
        elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            self._end()
        elif kind is yaml.AliasEvent:
            self._alias(event)
        elif kind is yaml.DocumentStartEvent:
            self._documents += 1
            if self._documents > 1:
                self._fault(event, "yaml-documents", "a second document begins here", "one file holds one pack")
                self.is_done = True
        elif kind is yaml.StreamEndEvent:
            self.is_done = True

    def _fault(self, event: Any, rule: str, message: str, fix: str = "") -> None:
        mark = event.start_mark
        self.faults.append(Fault(self.file, mark.line + 1, mark.column + 1, rule, message, fix))
        if len(self.faults) >= MAX_FAULTS:
            self.is_done = True

    def _count(self, event: Any) -> None:
        self._nodes += 1
        if self._nodes > MAX_NODES or self._nodes - self._nodes_before > MAX_VALUES:
            place = Place(event.start_mark.line + 1, event.start_mark.column + 1, "plain")
            what, most = ("the file", MAX_NODES) if self._nodes > MAX_NODES else ("this part", MAX_VALUES)
            self._too_large(place, f"{what} has over {most:,} values")
        if event.anchor is not None:
            message = f"`&{_brief(event.anchor)}` would name an anchor, which packs do not use"
            self._fault(event, "yaml-anchor", message, "put text that begins with & in quotes")
        if event.tag is not None:
            message = f"`{_brief(event.tag)}` would be a tag, which packs do not use"
            self._fault(event, "yaml-tag", message, "put text that begins with ! in quotes")

    def _too_large(self, place: Place, message: str) -> None:
        fix = "split it into several files"
        self.faults.append(Fault(self.file, place.line, place.column, "too-large", message, fix))
        self.is_done = True

    def _alias(self, event: Any) -> None:
        message = f"`*{_brief(event.anchor)}` would name an alias, which packs do not use"
        self._fault(event, "yaml-alias", message, "put text that begins with * in quotes")
        self._store(None, Place(event.start_mark.line + 1, event.start_mark.column + 1, "plain"))

    def _scalar(self, event: Any) -> None:
        self._count(event)
        text: str = event.value
        mark = event.start_mark
        style = event.style or "plain"
        value: Scalar = text
        if style == "plain":
            value = self._plain(event, text)
        elif style == '"' and _UNWELCOME.search(text):
            self._fault(event, "control-character", "the text contains a NUL or half a surrogate pair", "remove it")
        top = self._open[-1] if self._open else None
        if top is not None and top.wants_key:
            self._key(event, top, text, value)
            return
        self._store(value, Place(mark.line + 1, mark.column + 1, style))

    def _plain(self, event: Any, text: str) -> Scalar:
        if text[:1] not in _MAYBE_NUMBER:
            return _CONSTANTS.get(text, text)
        if _INT.fullmatch(text):
            return int(text)
        if _LEADING_ZERO.fullmatch(text):
            bare = text.lstrip("+-").lstrip("0") or "0"
            message = f"{_brief(text)} is one number to some programs and another to others"
            self._fault(event, "yaml-octal", message, f'write {_brief(bare)}, or "{_brief(text)}" for text')
        elif _BASED.fullmatch(text):
            return int(text, 0)
        elif _FLOAT.fullmatch(text):
            return float(text)
        elif _INFINITE.fullmatch(text):
            return float(text.replace(".", ""))
        return text

    def _key(self, event: Any, top: _Open, text: str, value: Scalar) -> None:
        line, column = event.start_mark.line + 1, event.start_mark.column + 1
        top.wants_key, top.key = False, text
        if not isinstance(value, str):
            what = f"`{_brief(text)}`" if text else "an empty key"
            self._fault(event, "yaml-key", f"a key must be text, and {what} is not", "put it in quotes")
        elif text == "<<" and not event.style:
            self._fault(event, "yaml-merge", "`<<` would merge mappings, which packs do not use", "write the keys out")
        elif not text.isascii() and _ODD_BLANK.search(text):
            self._fault(event, "yaml-nbsp", "there is a no-break or zero-width blank before or in this key", _BLANKS)
        elif text in top.values:
            first = top.place.keys[text][0] if top.place.keys else 0
            message = f"the key `{_brief(text)}` stands twice in this mapping: first on line {first}"
            self._fault(event, "yaml-duplicate-key", message, "keep one of the two")
        if top.place.keys is not None:
            top.place.keys.setdefault(text, (line, column))
            most = MAX_KEYS if len(self._open) == 1 else MAX_ITEMS
            if len(top.place.keys) > most:
                self._too_large(top.place, f"this mapping has over {most:,} keys")

    def _begin(self, event: Any, is_mapping: bool) -> None:
        self._count(event)
        top = self._open[-1] if self._open else None
        is_key = top is not None and top.wants_key
        if is_key:
            message = "a key must be text, and here it is a mapping or a list"
            self._fault(event, "yaml-key", message, "put text that begins with { or [ in quotes")
        if len(self._open) >= MAX_DEPTH:
            self._fault(event, "too-deep", f"nested over {MAX_DEPTH} levels deep", "no pack needs that")
            self.is_done = True
        line, column = event.start_mark.line + 1, event.start_mark.column + 1
        style = "flow" if event.flow_style else "block"
        if is_mapping:
            self._open.append(_Open(Place(line, column, style, {}, {}), {}, wants_key=True, is_key=is_key))
        else:
            self._open.append(_Open(Place(line, column, style, []), [], is_key=is_key))

    def _end(self) -> None:
        ended = self._open.pop()
        if ended.is_key:
            self._open[-1].wants_key, self._open[-1].key = False, None
            return
        values = ended.values
        self._store(tuple(values) if isinstance(values, list) else values, ended.place)

    def _taken(self, value: Any, place: Place) -> Any:
        """The value, or what is kept in its place if it is an item of a section."""
        section = self._open[0].key
        if section is None or (len(self._open) == 2 and section not in self._sections):
            return value
        self._nodes_before = self._nodes
        if len(self._open) == 1 or self._take is None or self.faults:
            return value
        top = self._open[1]
        if isinstance(top.values, list):
            return self._take(section, len(top.values), value, place, (place.line, place.column))
        if top.key is None or top.place.keys is None:
            return value
        return self._take(section, top.key, value, place, top.place.keys[top.key])

    def _store(self, value: Any, place: Place) -> None:
        if 1 <= len(self._open) <= 2:
            value = self._taken(value, place)
        if not self._open:
            self.data, self.root = value, place
            return
        top = self._open[-1]
        if isinstance(top.values, list):
            top.values.append(value)
            if len(top.values) > MAX_ITEMS:
                self._too_large(top.place, f"this list has over {MAX_ITEMS:,} items")
            top.place.items.append(place)  # type: ignore[union-attr]  # a list, as the values are
        elif top.wants_key:
            top.wants_key, top.key = False, None
        else:
            if top.key is not None:
                top.values.setdefault(top.key, value)
                top.place.items.setdefault(top.key, place)  # type: ignore[union-attr]  # a dict, likewise
            top.wants_key = True


_BLANKS = "use ordinary blanks; editors insert the others when text is pasted"


def _brief(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"
