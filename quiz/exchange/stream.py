"""A JSON document of any size, read value by value: never more of it in memory than one value."""

import json
from typing import Any, TextIO

LONGEST_VALUE = 2**20
_BLOCK = 2**16
_BLANKS = " \t\r\n"


class MalformedError(ValueError):
    """What stands there is no JSON, or longer than `LONGEST_VALUE`."""


class Stream:
    """The rest of a document. ``line`` counts from 1."""

    def __init__(self, text: TextIO) -> None:
        self._text = text
        self._kept = ""
        self._at = 0
        self._decode = json.JSONDecoder().raw_decode
        self.line = 1

    def peek(self) -> str:
        """The next character that is not blank; empty at the end."""
        while True:
            while self._at < len(self._kept):
                if self._kept[self._at] not in _BLANKS:
                    return self._kept[self._at]
                self._move(1)
            if not self._more():
                return ""

    def skip(self, character: str) -> bool:
        """Go past the next character that is not blank, if it is this one."""
        found = self.peek() == character
        if found:
            self._move(1)
        return found

    def value(self) -> Any:
        """The next value.

        Raises:
            MalformedError: there is none; the stream still stands before it.
        """
        self.peek()
        while True:
            try:
                found, end = self._decode(self._kept, self._at)
            except (ValueError, RecursionError):
                found, end = None, None
            # At the end of what is kept, a number may go on, and a text that is not closed yet may be closed.
            if end is not None and (end < len(self._kept) or not self._more()):
                self._move(end - self._at)
                return found
            if end is None and (len(self._kept) - self._at > LONGEST_VALUE or not self._more()):
                raise MalformedError("no JSON, or too long")

    def skip_line(self) -> None:
        """Go past the end of this line."""
        while (end := self._kept.find("\n", self._at)) < 0:
            self._move(len(self._kept) - self._at)
            if not self._more():
                return
        self._move(end + 1 - self._at)

    def _move(self, count: int) -> None:
        self.line += self._kept.count("\n", self._at, self._at + count)
        self._at += count

    def _more(self) -> bool:
        block = self._text.read(_BLOCK)
        self._kept, self._at = self._kept[self._at :] + block, 0
        return bool(block)
