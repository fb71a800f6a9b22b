"""Shapes that styled text takes on screen: hanging lines and coloured meters."""

from collections.abc import Iterable

from rich.cells import cell_len
from textual.content import Content

from quiz.render.charts import FULL, meter

READABLE = 100


def text_width(screen_width: int) -> int:
    """The cells for text on a page: the screen without its margins and scrollbar, and not wider than reads well."""
    return max(min(screen_width - 5, READABLE), 20)


def titles_width(titles: Iterable[str], room: int, usual: int = 48) -> int:
    """The cells for a column of titles: the usual width, or more where a title needs it and the screen has it."""
    longest = max((cell_len(title) for title in titles), default=0)
    return max(min(room, max(longest, usual)), 12)


def hanging(head: Content, body: Content, width: int) -> Content:
    """The body wrapped beside its head, later lines indented to where the first began."""
    indent = head.cell_length
    lines = body.wrap(max(width - indent, 8)) or [Content("")]
    return Content("\n").join([head + lines[0], *(Content(" " * indent) + line for line in lines[1:])])


def boxed(text: Content, width: int) -> Content:
    """The text wrapped on a ground of its own, as wide as this, with a cell to spare at both sides."""
    return Content("\n").join([grounded(line, width) for line in text.wrap(max(width - 2, 8))])


def grounded(line: Content, width: int) -> Content:
    """The line on a ground of its own, as wide as this, after one blank cell."""
    return line.pad(1, max(width - 1 - line.cell_length, 0)).stylize_before("on $surface")


def coloured_meter(share: float, width: int, style: str = "$text-success") -> Content:
    """A meter whose heavy part is in the style."""
    bar = meter(share, width)
    filled = bar.count(FULL)
    return Content.assemble((bar[:filled], style), (bar[filled:], "$text-muted"))
