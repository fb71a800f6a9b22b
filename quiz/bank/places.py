"""Where the values of a file stand: line and column, found again when a fault names one.

The places of all values take more memory than the values, and few files have faults. So only the stretches of text are
kept that the parts of a file take up (an item of a section, or another key with its value), and a part is read once
more when a place inside it is wanted.
"""

import re
from array import array
from collections.abc import Callable, Collection, Iterator
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

import yaml

_BREAK = re.compile("[\n\r\x85\u2028\u2029]")
# So far behind a part a comment is looked for.
_BEHIND = 100
LOADER: type[yaml.CSafeLoader] | type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

Path: TypeAlias = tuple[str | int, ...]


class Place(NamedTuple):
    """Where a value begins (line and column from 1), how it is written (plain, ', ", |, >, or flow and block for
    collections), and the places inside it: by index for a list; for a mapping by key, ``keys`` being where keys are."""

    line: int
    column: int
    style: str
    items: "list[Place] | dict[str, Place] | None" = None
    keys: dict[str, tuple[int, int]] | None = None

    def below(self, path: Path) -> "Place":
        """The place of a value further in; steps of the path that are not in the file are passed over."""
        place = self
        for step in path:
            items = place.items
            if isinstance(items, dict) and isinstance(step, str):
                place = items.get(step, place)
            elif isinstance(items, list) and isinstance(step, int) and 0 <= step < len(items):
                place = items[step]
        return place


def begin_of(event: Any) -> Place:
    """The place of the value that an event begins, with nothing inside."""
    if isinstance(event, yaml.CollectionStartEvent):
        style = "flow" if event.flow_style else "block"
    else:
        style = getattr(event, "style", None) or "plain"
    return Place(event.start_mark.line + 1, event.start_mark.column + 1, style)


class Stretch(NamedTuple):
    """A part of a file: its characters from ``start`` to ``end``, and the line and column (from 0) where it begins.
    ``above`` is the key above an item of a list; a part without one is a key with its value. ``in_flow`` says whether
    it stands between brackets."""

    start: int
    end: int
    line: int
    column: int
    above: str
    in_flow: bool


class Section:
    """The items of a list or of a mapping that stands below a key of the file: four numbers for each."""

    def __init__(self, name: str, *, is_list: bool, in_flow: bool) -> None:
        self.is_list = is_list
        self._above = name if is_list else ""
        self._in_flow = in_flow
        self._numbers = array("I")
        self._named: dict[str, int] = {}

    def add(self, first: yaml.Mark, last: yaml.Mark, key: str = "") -> None:
        """Keep where an item, or its key, begins, and where it ends."""
        if not self.is_list:
            self._named.setdefault(key, len(self))
        self._numbers.extend((first.index, last.index, first.line, first.column))

    def find(self, step: str | int) -> Stretch | None:
        """The stretch of an item, by its index or key."""
        number = step if self.is_list else self._named.get(str(step))
        return self[number] if isinstance(number, int) and 0 <= number < len(self) else None

    def leave_out(self, items: Collection[int]) -> None:
        """Forget some items of a list, so that those behind them move up."""
        if self.is_list and items:
            kept = (self._numbers[4 * number : 4 * number + 4] for number in range(len(self)) if number not in items)
            self._numbers = array("I", chain.from_iterable(kept))

    def __len__(self) -> int:
        return len(self._numbers) // 4

    def __getitem__(self, number: int) -> Stretch:
        start, end, line, column = self._numbers[4 * number : 4 * number + 4]
        return Stretch(start, end, line, column, self._above, self._in_flow)

    def __iter__(self) -> Iterator[Stretch]:
        return map(self.__getitem__, range(len(self)))


class Places:
    """The places of one file. ``root`` knows the keys of the file and where their values begin; ``sections`` and
    ``others`` are the parts."""

    def __init__(self, text: str) -> None:
        self.root = Place(1, 1, "block")
        self.sections: dict[str, Section] = {}
        self.others = Section("", is_list=False, in_flow=False)
        self._text = text
        self._last: tuple[Stretch, Place] | None = None

    def of(self, path: Path) -> Place:
        """The place of a value; steps of the path that are not in the file are passed over."""
        place, steps = self._part(path)
        return place.below(steps)

    def of_key(self, path: Path) -> tuple[int, int]:
        """Line and column of the key that a path ends in; of the value, where that has no key."""
        place, steps = self._part(path)
        found = place.below(steps)
        keys = place.below(steps[:-1]).keys if steps else None
        return (keys or {}).get(str(path[-1]), (found.line, found.column))

    def parts(self) -> Iterator[Stretch]:
        """All parts of the file, those outside of sections first."""
        yield from self.others
        for section in self.sections.values():
            yield from section

    def written(self, part: Stretch) -> str:
        """The text of a part: of a block from the beginning of its first line; to the end of the last, if that is
        near."""
        ends = _BREAK.search(self._text, part.end, part.end + _BEHIND)
        start = part.start - (0 if part.in_flow else part.column)
        return self._text[start : ends.start() if ends else part.end + _BEHIND]

    def read(self, part: Stretch) -> Place:
        """The place of a part and of everything inside it."""
        if self._last is None or self._last[0] != part:
            self._last = part, _read(self._text[part.start : part.end], part)
        return self._last[1]

    def _part(self, path: Path) -> tuple[Place, Path]:
        """The place of the part into which a path leads, and the steps that are left to go."""
        if len(path) > 1 and isinstance(path[0], str):
            if other := self.others.find(path[0]):
                return self.read(other), path
            section = self.sections.get(path[0])
            if section and (item := section.find(path[1])):
                return self.read(item), path[2:] if section.is_list else path[1:]
        return self.root, path


def _read(text: str, part: Stretch) -> Place:
    """The place of a part, found by reading it alone; its beginning, where it makes no sense alone."""
    if part.in_flow:
        opening, closing = "[]" if part.above else "{}"
        reader = _Reader(f"{opening}\n{text}{closing}", part.line - 1, part.line + 1, part.column)
    else:
        # The first line of a block keeps its column, which must be that of the others.
        reader = _Reader(" " * part.column + text, part.line, 0, 0)
    place = reader.place()
    if place is None:
        return Place(part.line + 1, part.column + 1, "plain")
    return place.below((0,)) if part.in_flow else place


class _Reader:
    """Reads places from sound YAML that stands ``below`` so many lines of a file and, in the line ``first``, to the
    ``right`` of so many characters."""

    def __init__(self, text: str, below: int, first: int, right: int) -> None:
        self._loader = LOADER(text)
        self._next: Callable[[], Any] = self._loader.get_event
        self._below = below
        self._first = first
        self._right = right

    def place(self) -> Place | None:
        """The place of the first value, if there is one."""
        try:
            while not isinstance(event := self._next(), yaml.NodeEvent):
                if isinstance(event, yaml.StreamEndEvent):
                    return None
            return self._place(event)
        except yaml.YAMLError:
            return None
        finally:
            self._loader.dispose()

    def _place(self, event: Any) -> Place:
        kind, (line, column) = type(event), self._begin(event)
        if kind is yaml.ScalarEvent:
            return Place(line, column, event.style or "plain")
        style = "flow" if event.flow_style else "block"
        if kind is yaml.SequenceStartEvent:
            listed: list[Place] = []
            while type(item := self._next()) is not yaml.SequenceEndEvent:
                listed.append(self._place(item))
            return Place(line, column, style, listed)
        items: dict[str, Place] = {}
        keys: dict[str, tuple[int, int]] = {}
        while type(key := self._next()) is not yaml.MappingEndEvent:
            keys[key.value] = self._begin(key)
            items[key.value] = self._place(self._next())
        return Place(line, column, style, items, keys)

    def _begin(self, event: Any) -> tuple[int, int]:
        mark = event.start_mark
        line = mark.line + 1 + self._below
        return line, mark.column + 1 + (self._right if line == self._first else 0)
