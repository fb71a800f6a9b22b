"""What YAML reads without complaint, and an author may not have meant: a comment inside a text, and bare words and
numbers that other programs read as something else. Only text that a learner sees is looked at.
"""

import re
from collections.abc import Iterator

from quiz.bank.places import Place, Stretch
from quiz.bank.reader import Located
from quiz.errors import Fault

_TEXTS = frozenset(
    (
        *("accept", "analogy", "approach", "back", "because", "body", "hints", "instead", "items", "note", "point"),
        *("prompt", "red_flags", "says", "snippet", "steps", "talk_track", "text", "title", "tldr", "truth", "why"),
    )
)
# Only lines in which this is found are looked at closely.
_SUSPECT = re.compile(
    r"\S #|(?:[:,{\[-]\s+|[{\[])(?:[-+]?[0-9][\w.:+-]*|yes|no|on|off)\s*(?:$|[,}\]]|\s#)", re.IGNORECASE
)
_COMMENT = re.compile(r"[ \t]+#")
_FLOW_END = re.compile(r"\s*[,\[\]{}]")
_INDENTATION = re.compile(r"[ ]*(?:-[ ]+)*")
_LONGEST = 40
_BARE: tuple[tuple[re.Pattern[str], str, str], ...] = (
    (re.compile(r"(?:yes|no|on|off)", re.IGNORECASE), "yaml-word", "text here, and true or false to other programs"),
    (re.compile(r"[-+]?[0-9]+(?:_[0-9]+)+"), "yaml-underscore", "text here, and a number to other programs"),
    (re.compile(r"[-+]?[0-9]+(?::[0-5]?[0-9])+(?:\.[0-9]*)?"), "yaml-sixty", "text here, and sixties elsewhere"),
    (re.compile(r"0[xo][0-9a-fA-F]+|\+[0-9]+"), "yaml-number", "read as a number, and shown as one"),
)


def traps(located: Located) -> Iterator[Fault]:
    """Advice on text that came out otherwise than it was probably meant."""
    for part in located.places.parts():
        written = located.places.written(part)
        if _SUSPECT.search(written):
            scan = _Scan(written.splitlines(), part, located.file)
            yield from scan.inside(located.places.read(part), part.above, in_flow=part.in_flow)


class _Scan:
    """Looks at the texts of one part of a file, line by line."""

    def __init__(self, lines: list[str], part: Stretch, file: str) -> None:
        self._lines = lines
        self._first = part.line + 1
        # In front of the first line there may be others of the same line.
        self._before = part.column if part.in_flow else 0
        self._file = file

    def inside(self, place: Place, key: str, *, in_flow: bool) -> Iterator[Fault]:
        """The traps in what stands at a place, ``key`` being the key above it."""
        is_flow = place.style == "flow"
        if isinstance(place.items, dict):
            for name, item in place.items.items():
                # The reasons of a stage question stand under the stages' names, below `why`.
                yield from self.inside(item, key if key == "why" else name, in_flow=is_flow)
        elif place.items is not None:
            for item in place.items:
                yield from self.inside(item, key, in_flow=is_flow)
        elif place.style == "plain" and key in _TEXTS:
            yield from self._bare(place, in_flow)
            yield from self._comment(place, in_flow)

    def _bare(self, place: Place, in_flow: bool) -> Iterator[Fault]:
        line, start, end = self._span(place, in_flow)
        comment = _COMMENT.search(line, start, end)
        bare = line[start : comment.start() if comment else end].strip()
        if len(bare) <= _LONGEST:
            for pattern, rule, said in _BARE:
                if pattern.fullmatch(bare):
                    yield Fault(self._file, place.line, place.column, rule, f"`{bare}` is {said}", f'write "{bare}"')

    def _comment(self, place: Place, in_flow: bool) -> Iterator[Fault]:
        """The comment that ends the text, in its first line or in one that continues it."""
        line, start, end = self._span(place, in_flow)
        indentation = _INDENTATION.match(line)
        deepest = indentation.end() if indentation else 0
        deepest += place.column - 1 > deepest
        number = place.line
        while True:
            comment = _COMMENT.search(line, start, end)
            if comment and comment[0] == " #" and comment.start() > start:
                column = comment.end() + (self._before if number == self._first else 0)
                message = "# begins a comment here, and the rest of the line is not shown"
                fix = "put the text in quotes, or two blanks before a comment"
                yield Fault(self._file, number, column, "yaml-comment", message, fix)
            if comment or in_flow or number - self._first + 1 >= len(self._lines):
                return
            number += 1
            line = self._lines[number - self._first]
            start, end = 0, len(line)
            if line.strip() and len(line) - len(line.lstrip(" ")) < deepest:
                return

    def _span(self, place: Place, in_flow: bool) -> tuple[str, int, int]:
        """The first line of a text, and from where to where the text stands in it."""
        line = self._lines[place.line - self._first]
        start = place.column - 1 - (self._before if place.line == self._first else 0)
        end = _FLOW_END.search(line, start) if in_flow else None
        return line, start, end.start() if end else len(line)
