"""What YAML reads without complaint, and an author may not have meant: a comment inside a text, and bare words and
numbers that other programs read as something else. Only text that a learner sees is looked at.
"""

import re
from collections.abc import Iterator

from quiz.bank.document import Place
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
    lines = located.source.text.splitlines()
    if any(map(_SUSPECT.search, lines)):
        yield from _Scan(lines, located.file).inside(located.root, "", in_flow=False)


class _Scan:
    """Looks at the texts of one file, line by line."""

    def __init__(self, lines: list[str], file: str) -> None:
        self._lines = lines
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
        written = self._written(place, in_flow)
        comment = _COMMENT.search(written)
        bare = (written[: comment.start()] if comment else written).strip()
        if len(bare) <= _LONGEST:
            for pattern, rule, said in _BARE:
                if pattern.fullmatch(bare):
                    yield Fault(self._file, place.line, place.column, rule, f"`{bare}` is {said}", f'write "{bare}"')

    def _comment(self, place: Place, in_flow: bool) -> Iterator[Fault]:
        """The comment that ends the text, in its first line or in one that continues it."""
        written, number, start = self._written(place, in_flow), place.line, place.column
        indentation = _INDENTATION.match(self._lines[place.line - 1])
        deepest = indentation.end() if indentation else 0
        deepest += place.column - 1 > deepest
        while True:
            comment = _COMMENT.search(written)
            if comment and comment[0] == " #" and comment.start():
                message = "# begins a comment here, and the rest of the line is not shown"
                fix = "put the text in quotes, or two blanks before a comment"
                yield Fault(self._file, number, start + comment.end() - 1, "yaml-comment", message, fix)
            if comment or in_flow or number >= len(self._lines):
                return
            written, number, start = self._lines[number], number + 1, 1
            if written.strip() and len(written) - len(written.lstrip(" ")) < deepest:
                return

    def _written(self, place: Place, in_flow: bool) -> str:
        """What stands in the text's first line."""
        written = self._lines[place.line - 1][place.column - 1 :]
        end = _FLOW_END.search(written) if in_flow else None
        return written[: end.start()] if end else written
