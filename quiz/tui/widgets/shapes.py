"""Shapes that styled text takes on screen: hanging lines and coloured meters."""

from textual.content import Content

from quiz.render.charts import FULL, meter

READABLE = 100


def text_width(screen_width: int) -> int:
    """The cells for text on a page: the screen without its margins and scrollbar, and not wider than reads well."""
    return max(min(screen_width - 5, READABLE), 20)


def hanging(head: Content, body: Content, width: int) -> Content:
    """The body wrapped beside its head, later lines indented to where the first began."""
    indent = head.cell_length
    lines = body.wrap(max(width - indent, 8)) or [Content("")]
    return Content("\n").join([head + lines[0], *(Content(" " * indent) + line for line in lines[1:])])


def coloured_meter(share: float, width: int, style: str = "$text-success") -> Content:
    """A meter whose heavy part is in the style."""
    bar = meter(share, width)
    filled = bar.count(FULL)
    return Content.assemble((bar[:filled], style), (bar[filled:], "$text-muted"))
