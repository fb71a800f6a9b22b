"""From a character of a YAML text to its line and column in the file, however the text is quoted or folded."""

import re
from bisect import bisect_right
from functools import cached_property

from quiz.bank.document import Place

_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_BLANKS = " \t\n\r"
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|\r\n|(.))", re.DOTALL)


class Source:
    """The text of a file, addressed by line and column."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(found.end() for found in _BREAK.finditer(self._text))]

    def locate(self, place: Place, value: str, offset: int) -> tuple[int, int]:
        """Line and column of the character at ``offset`` in the text ``value`` that is written at ``place``.

        Blanks differ between the file and the text read from it (folding, indentation); all other characters follow
        in the same order, so they are counted.
        """
        before = sum(character not in _BLANKS for character in value[:offset])
        is_blank = value[offset : offset + 1] in ("", *_BLANKS)
        position = self._nth(place, before - 1 if is_blank and before else before)
        return self._line_and_column(position + 1 if is_blank and before else position)

    def _nth(self, place: Place, count: int) -> int:
        """Where in the file the character stands that follows ``count`` others of the text, blanks apart."""
        starts, text = self._starts, self._text
        if place.style in "|>":
            position = starts[place.line] if place.line < len(starts) else len(text)
        else:
            position = starts[place.line - 1] + place.column - 1 + (place.style in ("'", '"'))
        while position < len(text):
            length, is_blank = self._character(place.style, position)
            if not is_blank:
                if count == 0:
                    break
                count -= 1
            position += length
        return position

    def _character(self, style: str, position: int) -> tuple[int, bool]:
        """How many characters of the file write the next one of the text, and whether that is a blank."""
        text = self._text
        if style == "'" and text.startswith("''", position):
            return 2, False
        if style == '"' and (escape := _ESCAPE.match(text, position)):
            code = escape[1] or escape[2] or escape[3]
            is_blank = chr(int(code, 16)) in _BLANKS if code else (escape[4] or "\n") in "ntr \t\n\r"
            return len(escape[0]), is_blank
        return 1, text[position] in _BLANKS

    def _line_and_column(self, position: int) -> tuple[int, int]:
        line = bisect_right(self._starts, position)
        return line, position - self._starts[line - 1] + 1
