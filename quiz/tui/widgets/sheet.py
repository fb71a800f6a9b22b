"""The page of a question: blocks of text that scroll, and above and below them lines that stay in sight.

One widget paints all of it, and of that only the lines that differ from what was there. With a widget for each part,
Textual would lay them out anew at each key and paint the whole screen, which takes five times as long.
"""

from collections.abc import Iterable, Mapping, Sequence

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.content import Content
from textual.geometry import Region, Size
from textual.reactive import var
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.visual import Visual

from quiz.tui.widgets.shapes import text_width

MARGIN = 2
_LINES_KEPT = 64


class Sheet(ScrollView, can_focus=False, inherit_bindings=False):
    """Shows a head and a foot as wide as the sheet, and named blocks with a blank line between them; ``more`` says
    whether there is more of them below."""

    # The sheet keeps a column of its own for the bar, beside the blocks alone.
    DEFAULT_CSS = "Sheet { height: 1fr; overflow-x: hidden; overflow-y: scroll; scrollbar-size-vertical: 0; }"
    auto_links = False
    more: var[bool] = var(False)

    def __init__(self) -> None:
        super().__init__()
        self._head: Sequence[Content] = ()
        self._blocks: Mapping[str, Content] = {}
        self._foot: Sequence[Content] = ()
        self._text = Content("")
        self._above: list[Strip] = []
        self._lines: list[Strip] = []
        self._below: list[Strip] = []
        self._rows: list[Strip] = []
        self._kept: dict[int, tuple[Content, Strip]] = {}

    def show(self, head: Sequence[Content], blocks: Mapping[str, Content], foot: Sequence[Content]) -> None:
        """Show these instead. No line of the head or the foot may be wider than the sheet."""
        self._head, self._blocks, self._foot = head, blocks, foot
        self._text = Content("\n\n").join(blocks.values())
        self._lay_out()

    def show_foot(self, foot: Sequence[Content]) -> None:
        """Show another foot."""
        self._foot = foot
        self._fit()

    def go_to(self, block: str, at_top: bool = False) -> None:
        """Scroll as far as it takes to have all of the block in sight, or as much as fits, or to have it at the top."""
        if not self.max_scroll_y:
            return
        first = 1
        for name, text in self._blocks.items():
            height = len(text.wrap(text_width(self.size.width)))
            if name == block:
                least, most = sorted((first, first + height - self._room))
                top = first if at_top else min(max(self.scroll_offset.y, least), most)
                self.scroll_to(y=top, animate=False)
            first += height + 1

    def render_line(self, y: int) -> Strip:
        """One line of what is in sight."""
        return self._rows[y] if y < len(self._rows) else Strip.blank(self.size.width, self.rich_style)

    def on_resize(self, _: events.Resize) -> None:
        """Fit the new size."""
        self._kept.clear()
        self._lay_out()

    def on_click(self, event: events.Click) -> None:
        """A click on the bar scrolls there."""
        row = event.y - len(self._above)
        if self.max_scroll_y and event.x == self.size.width - 1 and 0 <= row < self._room:
            self.scroll_to(y=row * len(self._lines) // self._room - self._room // 2, animate=False)

    def watch_scroll_y(self, _: float, __: float) -> None:
        """Paint what comes in sight."""
        self._paint()

    def notify_style_update(self) -> None:
        """Take on the colours of another theme."""
        super().notify_style_update()
        self._kept.clear()
        self._lay_out()

    def selection_updated(self, selection: Selection | None) -> None:
        """Show what the mouse has selected."""
        super().selection_updated(selection)
        self._lay_out()

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The text that the mouse has selected."""
        return selection.extract(self._text.plain), "\n"

    @property
    def _room(self) -> int:
        return max(self.size.height - len(self._above) - len(self._below), 1)

    def _lay_out(self) -> None:
        if not self.is_attached or not self.size:
            return
        width, style = self.size.width, self.visual_style.rich_style
        margin = Strip.blank(MARGIN, style)
        text = Visual.to_strips(self, self._text, text_width(width), None, self.visual_style)
        lines = (Strip.join((margin, line)).extend_cell_length(width, style) for line in text)
        self._lines = [Strip.blank(width, style), *lines]
        self._fit()

    def _fit(self) -> None:
        if not self.is_attached or not self.size:
            return
        self._above = [self._pinned(line) for line in self._head]
        self._below = [self._pinned(line) for line in self._foot]
        tall = len(self._above) + len(self._lines) + len(self._below)
        # Not by assignment, which would have the whole screen laid out.
        self.set_reactive(ScrollView.virtual_size, Size(self.size.width, max(tall, self.size.height)))
        if self.scroll_offset.y > self.max_scroll_y:
            self.scroll_to(y=self.max_scroll_y, animate=False)
        self._paint()

    def _pinned(self, line: Content) -> Strip:
        """A line that stays in sight, kept for when the same object comes again. It is no part of a selection."""
        kept = self._kept.get(id(line))
        if kept is not None:
            return kept[1]
        base = self.visual_style
        segments = (Segment(part, (base + style).rich_style) for part, style in line.render(base, end=""))
        strip = Strip(segments).adjust_cell_length(self.size.width, base.rich_style)
        if len(self._kept) >= _LINES_KEPT:
            self._kept.clear()
        # With the line, whose id would be another's once it is gone.
        self._kept[id(line)] = (line, strip)
        return strip

    def _paint(self) -> None:
        before, top, room = self._rows, self.scroll_offset.y, self._room
        lines = self._lines[top : top + room]
        lines += [Strip.blank(self.size.width, self.visual_style.rich_style)] * (room - len(lines))
        self._rows = [*self._above, *(self._with_bar(lines) if self.max_scroll_y else lines), *self._below]
        changed = [row for row, line in enumerate(self._rows) if row >= len(before) or line != before[row]]
        self.refresh(*(Region(0, first, self.size.width, count) for first, count in _runs(changed)))
        # Last, since whoever watches it may show another foot.
        self.more = top < self.max_scroll_y

    def _with_bar(self, lines: list[Strip]) -> list[Strip]:
        """The lines with a bar at the right that shows which part of the text is in sight."""
        width, room, tall = self.size.width - 1, self._room, len(self._lines)
        first = self.scroll_offset.y * room // tall
        last = -(-(self.scroll_offset.y + room) * room // tall)
        thumb = Strip([Segment(" ", Style(bgcolor=self.styles.scrollbar_color.rich_color))], 1)
        return [
            Strip.join((line.crop(0, width), thumb)) if first <= row < last else line for row, line in enumerate(lines)
        ]


def _runs(rows: Iterable[int]) -> list[tuple[int, int]]:
    """Rows that follow on each other, as first and count."""
    runs: list[tuple[int, int]] = []
    for row in rows:
        if runs and sum(runs[-1]) == row:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        else:
            runs.append((row, 1))
    return runs
