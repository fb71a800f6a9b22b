"""YAML text to plain data: YAML 1.2 core scalars, and nothing that can bite.

Read from the parser's events rather than its nodes: half the time, and aliases, anchors and tags are seen where they
stand. Sequences become tuples, as the strict models want them. The items of the large sections are handed on one by
one, so that nobody need hold them all. What is unbounded elsewhere is bounded here: a file can hold only so many
values, and one question, lesson or source only so many of those.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Never, TypeAlias

import yaml

from quiz.bank.places import LOADER, Place, Places, Section, begin_of
from quiz.bank.slips import MAX_DEPTH, explain
from quiz.errors import Fault, PackError

MAX_NODES = 3_000_000
# Of one question, lesson or source, and of all else that stands below one key of the file.
MAX_VALUES = 50_000
MAX_KEYS = 1_000
MAX_FAULTS = 100

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
# Takes an item of a section: the section, the item's index or key, its value, and the places known by then. What it
# returns is kept in place of the value.
Take: TypeAlias = Callable[[str, str | int, Any, Places], Any]
_NO_SECTIONS: Mapping[str, int] = {}


def read_document(
    text: str, file: str, sections: Mapping[str, int] = _NO_SECTIONS, take: Take | None = None
) -> tuple[Any, Places]:
    """The data of the one document in the text, and its places.

    ``sections`` are the keys below which stand many items, and how many at most; ``take`` is handed each of them as
    soon as it is read, until something is wrong with the YAML itself.

    Raises:
        PackError: the text is not YAML, or YAML of a sort that packs do not use.
    """
    text = text.removeprefix("\ufeff")
    _check_characters(text, file)
    loader = LOADER(text)
    reader = _Reader(loader.get_event, file, sections, take, Places(text))
    try:
        data = reader.document()
    except yaml.MarkedYAMLError as error:
        reader.faults.append(explain(error, text, file))
    except (yaml.YAMLError, ValueError, RecursionError, MemoryError) as error:
        reader.faults.append(Fault(file, 1, 1, "yaml-syntax", f"this is not YAML: {error}"))
    finally:
        loader.dispose()
    if reader.faults:
        raise PackError(reader.faults)
    return data, reader.places


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


class _Reader:
    """Makes values of the events, one after the other."""

    def __init__(
        self, next_event: Callable[[], Any], file: str, sections: Mapping[str, int], take: Take | None, places: Places
    ) -> None:
        self.faults: list[Fault] = []
        self.places = places
        self._next = next_event
        self._file = file
        self._sections = sections
        self._take = take
        self._depth = 0
        # How many values may still come: in the file, and in the part of it that is being read.
        self._left_in_file = MAX_NODES
        self._left = MAX_VALUES
        # Where the value read last ended.
        self._end: Any = None

    def document(self) -> Any:
        """The value of the one document."""
        self._next()
        if type(self._next()) is yaml.StreamEndEvent:
            raise PackError([Fault(self._file, 1, 1, "empty-file", "the file is empty", "begin with `format: 1`")])
        event = self._next()
        self.places.root = begin_of(event)
        data = self._opened(event, self._keys) if type(event) is yaml.MappingStartEvent else self._value(event)
        self._next()
        if type(event := self._next()) is yaml.DocumentStartEvent:
            self._fault(event, "yaml-documents", "a second document begins here", "one file holds one pack")
        return data

    def _keys(self, start: Any) -> dict[str, Any]:
        """What stands below the keys of the file."""
        places = self.places
        items: dict[str, Place] = {}
        keys: dict[str, tuple[int, int]] = {}
        places.root = begin_of(start)._replace(items=items, keys=keys)
        places.others = Section("", is_list=False, in_flow=bool(start.flow_style))
        values: dict[str, Any] = {}
        lines: dict[str, int] = {}
        while type(key := self._next()) is not yaml.MappingEndEvent:
            name = self._key(key, lines)
            event = self._next()
            keys[name] = begin_of(key)[:2]
            items[name] = begin_of(event)
            read = _READ.get(type(event)) if name in self._sections else None
            if read is not None:
                values[name] = self._opened(event, partial(read, self, name))
            else:
                values[name], end = self._part(event)
                places.others.add(key.start_mark, end, name)
            if len(values) > MAX_KEYS:
                self._too_large(start, f"this mapping has over {MAX_KEYS:,} keys")
        return values

    def _listed(self, name: str, start: Any) -> tuple[Any, ...]:
        """What is kept of a section that is a list."""
        section = self.places.sections[name] = Section(name, is_list=True, in_flow=bool(start.flow_style))
        kept: list[Any] = []
        while type(event := self._next()) is not yaml.SequenceEndEvent:
            value, end = self._part(event)
            section.add(event.start_mark, end)
            kept.append(self._kept(name, len(kept), value))
            if len(kept) > self._sections[name]:
                self._too_large(start, f"`{name}` has over {self._sections[name]:,} items")
        return tuple(kept)

    def _named(self, name: str, start: Any) -> dict[str, Any]:
        """What is kept of a section that is a mapping."""
        section = self.places.sections[name] = Section(name, is_list=False, in_flow=bool(start.flow_style))
        kept: dict[str, Any] = {}
        lines: dict[str, int] = {}
        while type(event := self._next()) is not yaml.MappingEndEvent:
            key = self._key(event, lines)
            value, end = self._part(self._next())
            section.add(event.start_mark, end, key)
            kept[key] = self._kept(name, key, value)
            if len(kept) > self._sections[name]:
                self._too_large(start, f"`{name}` has over {self._sections[name]:,} keys")
        return kept

    def _kept(self, section: str, step: str | int, value: Any) -> Any:
        """What is kept of an item; nothing, once something is wrong with the YAML."""
        if self.faults:
            return None
        return self._take(section, step, value, self.places) if self._take else value

    def _part(self, event: Any) -> tuple[Any, yaml.Mark]:
        """An item of a section, or what else stands below a key of the file; and where it ends."""
        most = self._left = min(MAX_VALUES, self._left_in_file)
        self._end = event.end_mark
        value = self._value(event)
        self._left_in_file -= most - self._left
        return value, self._end

    def _value(self, event: Any) -> Any:
        kind = type(event)
        self._left -= 1
        if self._left < 0:
            is_file = self._left_in_file < MAX_VALUES
            what, most = ("the file", MAX_NODES) if is_file else ("this part", MAX_VALUES)
            self._too_large(event, f"{what} has over {most:,} values")
        if kind is yaml.ScalarEvent:
            return self._scalar(event)
        if kind is yaml.AliasEvent:
            message = f"`*{_brief(event.anchor)}` would name an alias, which packs do not use"
            self._fault(event, "yaml-alias", message, "put text that begins with * in quotes")
            return None
        return self._opened(event, self._mapping if kind is yaml.MappingStartEvent else self._sequence)

    def _opened(self, start: Any, read: Callable[[Any], Any]) -> Any:
        """What is read inside a collection."""
        self._check_properties(start)
        if self._depth >= MAX_DEPTH:
            self._fault(start, "too-deep", f"nested over {MAX_DEPTH} levels deep", "no pack needs that")
            raise PackError(self.faults)
        self._depth += 1
        values = read(start)
        self._depth -= 1
        return values

    def _mapping(self, _start: Any) -> dict[str, Any]:
        values: dict[str, Any] = {}
        lines: dict[str, int] = {}
        while type(event := self._next()) is not yaml.MappingEndEvent:
            self._left -= 1
            key = self._key(event, lines)
            values[key] = self._value(self._next())
        self._end = event.end_mark
        return values

    def _sequence(self, _start: Any) -> tuple[Any, ...]:
        values: list[Any] = []
        while type(event := self._next()) is not yaml.SequenceEndEvent:
            values.append(self._value(event))
        self._end = event.end_mark
        return tuple(values)

    def _key(self, event: Any, lines: dict[str, int]) -> str:
        """A key, which becomes one of those whose lines are known; what it is does not matter if it is wrong."""
        kind = type(event)
        if kind is not yaml.ScalarEvent:
            if kind is not yaml.AliasEvent:
                message = "a key must be text, and here it is a mapping or a list"
                self._fault(event, "yaml-key", message, "put text that begins with { or [ in quotes")
            self._value(event)
            return ""
        key: str = event.value
        if not isinstance(self._scalar(event), str):
            what = f"`{_brief(key)}`" if key else "an empty key"
            fix = "put it in quotes, or the text before it, if a comma inside { } ended that"
            self._fault(event, "yaml-key", f"a key must be text, and {what} is not", fix)
        elif key == "<<" and not event.style:
            self._fault(event, "yaml-merge", "`<<` would merge mappings, which packs do not use", "write the keys out")
        elif not key.isascii() and _ODD_BLANK.search(key):
            self._fault(event, "yaml-nbsp", "there is a no-break or zero-width blank before or in this key", _BLANKS)
        elif key in lines:
            message = f"the key `{_brief(key)}` stands twice in this mapping: first on line {lines[key]}"
            self._fault(event, "yaml-duplicate-key", message, "keep one of the two")
        else:
            lines[key] = event.start_mark.line + 1
        return key

    def _scalar(self, event: Any) -> Scalar:
        if event.anchor is not None or event.tag is not None:
            self._check_properties(event)
        text: str = event.value
        if not event.style:
            return self._plain(event, text)
        if event.style == '"' and _UNWELCOME.search(text):
            self._fault(event, "control-character", "the text contains a NUL or half a surrogate pair", "remove it")
        return text

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

    def _check_properties(self, event: Any) -> None:
        if event.anchor is not None:
            message = f"`&{_brief(event.anchor)}` would name an anchor, which packs do not use"
            self._fault(event, "yaml-anchor", message, "put text that begins with & in quotes")
        if event.tag is not None:
            message = f"`{_brief(event.tag)}` would be a tag, which packs do not use"
            self._fault(event, "yaml-tag", message, "put text that begins with ! in quotes")

    def _fault(self, event: Any, rule: str, message: str, fix: str) -> None:
        mark = event.start_mark
        self.faults.append(Fault(self._file, mark.line + 1, mark.column + 1, rule, message, fix))
        if len(self.faults) >= MAX_FAULTS:
            raise PackError(self.faults)

    def _too_large(self, event: Any, message: str) -> Never:
        self._fault(event, "too-large", message, "split it into several files")
        raise PackError(self.faults)


# How a section is read, by what it begins with.
_READ = {yaml.SequenceStartEvent: _Reader._listed, yaml.MappingStartEvent: _Reader._named}
_BLANKS = "use ordinary blanks; editors insert the others when text is pasted"


def _brief(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"
