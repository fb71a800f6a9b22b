"""A key that stands a blank too far left or right of its neighbours."""

import re
from collections.abc import Sequence

# A line that begins with a key, after its indentation and dashes.
_KEY = re.compile(r"(?P<before>[ ]*(?:-[ ]+)*)[\w.\-]+[ ]*:(?:[ ]+(?P<value>.*)|$)", re.DOTALL)
_IGNORED = re.compile(r"\s*(?:#|$)")
_BLOCK_OR_NOTHING = re.compile(r"(?:[|>][+\-0-9]*)?\s*(?:#|$)")


def misplaced_key(above: Sequence[str], line: str) -> tuple[int, int] | None:
    """The column of a line's key and the one where its neighbours begin, both from 1; None where it stands well."""
    found = _KEY.match(line)
    if found is None:
        return None
    column = found.end("before")
    columns, may_be_deeper = _open_columns(above, column)
    if not columns or column in columns or (column > columns[-1] and may_be_deeper):
        return None
    return column + 1, min(columns, key=lambda one: abs(one - column)) + 1


def _open_columns(above: Sequence[str], column: int) -> tuple[list[int], bool]:
    """The columns of the mappings that are open below these lines, and whether another may begin in this one."""
    columns: list[int] = []
    may_be_deeper = True
    for source in above:
        if _IGNORED.match(source):
            continue
        key = _KEY.match(source)
        if key is None:
            # A block of text ends where a line stands further left.
            may_be_deeper = may_be_deeper and len(source) - len(source.lstrip()) <= column
            continue
        while columns and columns[-1] >= key.end("before"):
            columns.pop()
        columns.append(key.end("before"))
        may_be_deeper = _is_open(key["value"] or "")
    return columns, may_be_deeper


def _is_open(value: str) -> bool:
    """Whether deeper lines may follow a key with this value."""
    opened, closed = (sum(map(value.count, signs)) for signs in ("[{", "]}"))
    return bool(_BLOCK_OR_NOTHING.match(value)) or (value[0] in "[{" and opened > closed)
