"""The prose of a pack: every text that a learner reads, with its path in the file."""

import re
from collections.abc import Iterator
from typing import Any

from quiz.bank.pack import Caveat, Model

Path = tuple[str | int, ...]
# Source titles are other people's words, and accepted answers may be misspelt on purpose.
_PROSE = frozenset(
    (
        *("analogy", "approach", "back", "because", "body", "hints", "instead", "items", "note", "point", "prompt"),
        *("red_flags", "says", "steps", "talk_track", "text", "title", "tldr", "truth", "why"),
    )
)
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_CODE = re.compile(r"(?<!`)(`{1,3})(?!`)[^`]+(?<!`)\1(?!`)")
_NOT_PROSE = re.compile(r"https?://\S+|\{[^{}]*\}")


def prose_texts(part: Model, *path: str | int) -> Iterator[tuple[Path, str]]:
    """Every text of prose in a part of a pack."""
    for name, value in vars(part).items():
        if name in _PROSE or (name == "when" and isinstance(part, Caveat)):
            yield from _texts(value, *path, name)
        elif name != "sources" and isinstance(value, tuple | dict):
            yield from _inside(value, *path, name)


def _texts(value: Any, *path: str | int) -> Iterator[tuple[Path, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, tuple | dict):
        for step, item in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(item, str):
                yield (*path, step), item
            elif isinstance(item, Model):
                yield from prose_texts(item, *path, step)


def _inside(value: Any, *path: str | int) -> Iterator[tuple[Path, str]]:
    for step, item in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(item, Model):
            yield from prose_texts(item, *path, step)


def code_lines(text: str) -> list[str]:
    """The lines inside fenced blocks."""
    return [line for line, is_code in _split(text) if is_code]


def without_code(text: str) -> str:
    """The text without its code, fenced or between backticks; a blank stands for it."""
    if "`" in text or "~~~" in text:
        text = "\n".join(line for line, is_code in _split(text) if not is_code)
        return _CODE.sub(" ", text)
    return text


def prose_of(text: str) -> str:
    """The text without code, addresses and what is filled in; a blank stands for each."""
    return _NOT_PROSE.sub(" ", without_code(text))


def _split(text: str) -> Iterator[tuple[str, bool]]:
    """Each line with whether it is code; the fences themselves are neither and left out."""
    fence = ""
    for line in text.split("\n"):
        found = _FENCE.match(line)
        if fence:
            if found and found[1].startswith(fence):
                fence = ""
            else:
                yield line, True
        elif found:
            fence = found[1]
        else:
            yield line, False
