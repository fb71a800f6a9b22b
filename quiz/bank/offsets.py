"""From a character of a YAML text to its line and column in the file, however the text is quoted or folded."""

import re
from bisect import bisect_left, bisect_right
from functools import cached_property

from quiz.bank.places import Place

_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_BREAKS = ("\n", "\r", "\x85", "\u2028", "\u2029")
_BLANKS = " \t\n\r"
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|\r\n|(.))", re.DOTALL)
_STRETCH = 1 << 16


class Source:
    """The text of a file, addressed by line and column."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _stretches(self) -> list[tuple[int, int]]:
        """The text in stretches: how many lines end before each, and where it begins. Sixteen million line starts,
        which is what a file of line ends has, would take half a gigabyte."""
        text, found = self.text, [(0, 0)]
        while found[-1][1] < len(text):
            ended, start = found[-1]
            end = start + _STRETCH
            end += text.startswith("\r\n", end - 1)
            ended += sum(text.count(one, start, end) for one in _BREAKS) - text.count("\r\n", start, end)
            found.append((ended, end))
        return found

    def _start_of(self, line: int) -> int:
        """Where a line begins, counted from 0; the end of the text if there are fewer."""
        if line == 0:
            return 0
        ended, start = self._stretches[bisect_left(self._stretches, (line, 0)) - 1]
        for found in _BREAK.finditer(self.text, start):
            ended += 1
            if ended == line:
                return found.end()
        return len(self.text)

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
        text = self.text
        if place.style in "|>":
            position = self._start_of(place.line)
        else:
            position = self._start_of(place.line - 1) + place.column - 1 + (place.style in ("'", '"'))
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
        text = self.text
        if style == "'" and text.startswith("''", position):
            return 2, False
        if style == '"' and (escape := _ESCAPE.match(text, position)):
            code = escape[1] or escape[2] or escape[3]
            is_blank = chr(int(code, 16)) in _BLANKS if code else (escape[4] or "\n") in "ntr \t\n\r"
            return len(escape[0]), is_blank
        return 1, text[position] in _BLANKS

    def _line_and_column(self, position: int) -> tuple[int, int]:
        index = bisect_right(self._stretches, position, key=lambda stretch: stretch[1]) - 1
        line, start = self._stretches[index]
        begins = -1
        for found in _BREAK.finditer(self.text, start, position + 1):
            if found.end() > position:
                break
            line, begins = line + 1, found.end()
        return line + 1, position - (begins if begins >= 0 else self._start_of(line)) + 1
