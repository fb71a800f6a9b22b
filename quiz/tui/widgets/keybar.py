"""The bar at the bottom: the keys that do something now."""

from functools import lru_cache

from textual.content import Content
from textual.strip import Strip
from textual.style import Style
from textual.visual import Visual

from quiz.tui.commands import Command, Place, commands_at
from quiz.tui.widgets.lines import Lines

_GAP = "  "
_LINES = 2


class KeyBar(Lines):
    """The commands of a place, most useful first, on at most two lines; each can be clicked."""

    ALLOW_SELECT = False

    def __init__(self) -> None:
        super().__init__()
        self._shown: tuple[Place, frozenset[str], int] = ("home", frozenset(), 0)
        self._height = 0
        self._painted: dict[tuple[Place, frozenset[str], int], list[Strip]] = {}

    def show_place(self, place: Place, left_out: frozenset[str] = frozenset()) -> None:
        """Show the keys of a place, except for the commands that make no sense just now."""
        self._lay_out(place, left_out)

    def on_resize(self) -> None:
        """Fit the new width."""
        place, left_out, width = self._shown
        if width != self._width:
            self._height = 0
            self._lay_out(place, left_out)

    def render_line(self, y: int) -> Strip:
        """One line. The same few bars come back at each question, so each is worked out once."""
        lines = self._painted.get(self._shown)
        if lines is None:
            lines = Visual.to_strips(self, self.visual, self.size.width, None, self.visual_style, pad=True)
            self._painted[self._shown] = lines
        return lines[y] if y < len(lines) else Strip.blank(self.size.width, self.rich_style)

    def notify_style_update(self) -> None:
        """Take on the colours of another theme."""
        super().notify_style_update()
        self._painted.clear()

    @property
    def _width(self) -> int:
        return max(self.app.size.width - 2, 20)

    def _lay_out(self, place: Place, left_out: frozenset[str]) -> None:
        if self._shown == (place, left_out, self._width):
            return
        self._shown = (place, left_out, self._width)
        lines = place_lines(*self._shown)
        grows = len(lines) > self._height
        # It does not shrink again: what is above would move at every other key.
        self._height = max(self._height, len(lines))
        self.put(Content("\n").join([*lines, *[Content("")] * (self._height - len(lines))]), layout=grows)


@lru_cache(maxsize=64)
def place_lines(place: Place, left_out: frozenset[str], width: int) -> list[Content]:
    """The keys of a place, but for the commands left out."""
    commands = [one for one in commands_at(place) if not one.quiet and one.id not in left_out]
    return key_lines(commands, place, width).split("\n")


def key_lines(commands: list[Command], place: Place, width: int) -> Content:
    """The commands laid out on at most two lines; where they do not fit, the help stays and the last others go."""
    kept = list(commands)
    while len(lines := _lines(kept, place, width)) > _LINES and len(kept) > 1:
        kept.remove(next(one for one in reversed(kept) if one.id != "help"))
    return Content("\n").join([Content(_GAP).join([_item(one, place) for one in line]) for line in lines])


def _lines(commands: list[Command], place: Place, width: int) -> list[list[Command]]:
    lines: list[list[Command]] = [[]]
    used = 0
    for command in commands:
        size = _item(command, place).cell_length
        if lines[-1] and used + len(_GAP) + size > width:
            lines.append([])
            used = 0
        used += size + (len(_GAP) if lines[-1] else 0)
        lines[-1].append(command)
    return lines


def _item(command: Command, place: Place) -> Content:
    item = Content.assemble((command.key_at(place), "bold $text-primary"), " ", (command.label, "$text-muted"))
    if command.each:
        return item
    return item.stylize(Style.from_meta({"@click": f"screen.press({command.id!r})"}))
