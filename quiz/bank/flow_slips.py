"""Slips in texts that stand without quotes inside ``{ }`` or ``[ ]`` on one line."""

import re

_ITEM = re.compile(r"[{,\[]\s*(?:[\w.\-]+:\s+)?(?=[^\s{\[])")
_ENDS = re.compile(r",\s+[\w.\-]+:\s|[}\]]\s*$")


def item_around(line: str, column: int) -> tuple[str, int] | None:
    """The text without its key in which the column (from 0) stands, and where it begins (from 0); None where neither a
    bracket nor a comma stands before it."""
    last = None
    for found in _ITEM.finditer(line, 0, column + 1):
        if found.end() <= column:
            last = found
    if last is None:
        return None
    end = _ENDS.search(line, last.end())
    return line[last.end() : end.start() if end else len(line)], last.end()
