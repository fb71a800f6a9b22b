"""What a screen of 60 columns can show: lines of code, and words that cannot be broken."""

import unicodedata
from collections.abc import Iterator

from quiz.lint.texts import Path, code_lines, without_code

# The page of a 60-column screen is 55 wide, without its margins and scrollbar; code stands in by 2 on either side, a
# snippet by 1, and a choice behind its number.
WIDEST = {"code": 51, "snippet": 53, "choices": 50, "prose": 55}
_NARROWER = "break the line: a terminal of 60 columns shows no more of it"


def too_wide(path: Path, text: str) -> tuple[str, str, str] | None:
    """Rule, message and fix, where a line of code or a word of a text does not fit."""
    is_snippet = path[-1] == "snippet"
    most = WIDEST["snippet" if is_snippet else "code"]
    lines = text.split("\n") if is_snippet else code_lines(text)
    columns = max(map(width, lines), default=0)
    if columns > most:
        return "wide-code", f"a line of code is {columns} columns wide, and {most} fit", _NARROWER
    if is_snippet:
        return None
    most = WIDEST["choices" if "choices" in path or "items" in path else "prose"]
    for word in _long_words(text, most):
        shown = f"{word[:20]}…{word[-10:]}"
        message = f"the word {shown!r} is {width(word)} columns wide, and {most} fit"
        return "wide-word", message, "put a blank into it, or say it shorter"
    return None


def width(line: str) -> int:
    """How many columns of a terminal the line takes."""
    if line.isascii():
        return len(line)
    return sum(
        0 if unicodedata.combining(mark) else 2 if unicodedata.east_asian_width(mark) in "WF" else 1 for mark in line
    )


def _long_words(text: str, most: int) -> Iterator[str]:
    if len(text) * 2 <= most:
        return
    for word in without_code(text).split():
        # Addresses are never broken, and what is filled in between braces is shorter or longer than its name.
        if 2 * len(word) > most and "{" not in word and "://" not in word and width(word) > most:
            yield word
