"""The bar at the bottom: the keys that do something now."""

from textual.content import Content
from textual.style import Style

from quiz.tui.commands import Command, Place, commands_at
from quiz.tui.widgets.lines import Lines

_GAP = "  "
_LINES = 2


class KeyBar(Lines):
    """The commands of a place, most useful first, on at most two lines; each can be clicked."""

    def __init__(self) -> None:
        super().__init__()
        self._place: Place = "home"
        self._left_out: frozenset[str] = frozenset()

    def show_place(self, place: Place, left_out: frozenset[str] = frozenset()) -> None:
        """Show the keys of a place, except for the commands that make no sense just now."""
        self._place, self._left_out = place, left_out
        self._lay_out()

    def on_resize(self) -> None:
        """Fit the new width."""
        self._lay_out()

    def _lay_out(self) -> None:
        commands = [one for one in commands_at(self._place) if not one.quiet and one.id not in self._left_out]
        self.put(key_lines(commands, self._place, max(self.app.size.width - 2, 20)))


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
