"""The bar at the bottom: the keys that do something now."""

from functools import lru_cache
from typing import NamedTuple

from textual.content import Content
from textual.strip import Strip
from textual.style import Style
from textual.visual import Visual

from quiz.tui.commands import MOST_OPTIONS, Command, Place, commands_at
from quiz.tui.widgets.lines import Lines

_GAP = "  "
_LINES = 2


class Shown(NamedTuple):
    """What the bar shows: the keys of a place for so many options, without the commands left out, within a width."""

    place: Place
    left_out: frozenset[str]
    options: int
    width: int


class KeyBar(Lines):
    """The commands of a place, most useful first, on at most two lines; each can be clicked."""

    ALLOW_SELECT = False

    def __init__(self) -> None:
        super().__init__()
        self._shown = Shown("home", frozenset(), MOST_OPTIONS, 0)
        self._height = 0
        self._painted: dict[Shown, list[Strip]] = {}

    def show_place(self, place: Place, left_out: frozenset[str] = frozenset(), options: int = MOST_OPTIONS) -> None:
        """Show the keys of a place, except for the commands that make no sense just now; ``options`` says how many
        there are to pick or to tick."""
        self._lay_out(Shown(place, left_out, options, self._width))

    def on_resize(self) -> None:
        """Fit the new width."""
        if self._shown.width != self._width:
            self._height = 0
            self._lay_out(self._shown._replace(width=self._width))

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

    def _lay_out(self, shown: Shown) -> None:
        if self._shown == shown:
            return
        self._shown = shown
        lines = place_lines(shown)
        grows = len(lines) > self._height
        # It does not shrink again: what is above would move at every other key.
        self._height = max(self._height, len(lines))
        self.put(Content("\n").join([*lines, *[Content("")] * (self._height - len(lines))]), layout=grows)


@lru_cache(maxsize=64)
def place_lines(shown: Shown) -> list[Content]:
    """The keys laid out on at most two lines; where they do not fit, the help stays and the last others go."""
    kept = [one for one in commands_at(shown.place) if not one.quiet and one.id not in shown.left_out]
    while len(lines := _lines(kept, shown)) > _LINES and len(kept) > 1:
        kept.remove(next(one for one in reversed(kept) if one.id != "help"))
    return [Content(_GAP).join([_item(one, shown) for one in line]) for line in lines]


def _lines(commands: list[Command], shown: Shown) -> list[list[Command]]:
    lines: list[list[Command]] = [[]]
    used = 0
    for command in commands:
        size = _item(command, shown).cell_length
        if lines[-1] and used + len(_GAP) + size > shown.width:
            lines.append([])
            used = 0
        used += size + (len(_GAP) if lines[-1] else 0)
        lines[-1].append(command)
    return lines


def _item(command: Command, shown: Shown) -> Content:
    key = command.key_at(shown.place, shown.options)
    item = Content.assemble((key, "bold $text-primary"), " ", (command.label, "$text-muted"))
    if command.each:
        return item
    return item.stylize(Style.from_meta({"@click": f"screen.press({command.id!r})"}))
