"""A year of days as rows of shaded cells, a week to a column."""

from collections.abc import Mapping
from datetime import date, timedelta

SHADES = "·░▒▓█"
_WEEK = 7


def heatmap(counts: Mapping[date, int], today: date, weeks: int) -> tuple[str, ...]:
    """A line of the months' names, then seven lines, Monday to Sunday, of ``weeks`` cells that end with this week.

    A cell's shade tells its share of the busiest day; any count above 0 is told from none. Days to come are blank.
    """
    monday = today - timedelta(days=today.weekday())
    starts = [monday - timedelta(weeks=weeks - 1 - column) for column in range(weeks)]
    top = max((count for day, count in counts.items() if starts[0] <= day <= today), default=0)
    lines = []
    for weekday in range(_WEEK):
        days = [start + timedelta(days=weekday) for start in starts]
        lines.append("".join(" " if day > today else _shade(counts.get(day, 0), top) for day in days))
    return (_months(starts), *lines)


def _shade(count: int, top: int) -> str:
    if count <= 0 or top <= 0:
        return SHADES[0]
    return SHADES[min(-(-count * (len(SHADES) - 1) // top), len(SHADES) - 1)]


def _months(starts: list[date]) -> str:
    """The names of the months over the weeks in which they begin, where there is room."""
    line = [" "] * len(starts)
    free = 0
    for column, start in enumerate(starts):
        begins = (start + timedelta(days=_WEEK - 1)).day <= _WEEK
        if begins and column >= free and column + 3 <= len(starts):
            line[column : column + 3] = f"{start + timedelta(days=_WEEK - 1):%b}"[:3].ljust(3)
            free = column + 4
    return "".join(line)
