"""The bar at the bottom: the keys that do something now."""

from functools import lru_cache
from typing import NamedTuple

from textual.content import Content
from textual.style import Style

from quiz.tui.commands import MOST_OPTIONS, Command, Place, commands_at
from quiz.tui.widgets.lines import Lines
from quiz.tui.widgets.shapes import grounded

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

    def show_place(self, place: Place, left_out: frozenset[str] = frozenset(), options: int = MOST_OPTIONS) -> None:
        """Show the keys of a place, except for the commands that make no sense just now; ``options`` says how many
        there are to pick or to tick."""
        self._shown = Shown(place, left_out, options, 0)
        self._lay_out()

    def on_resize(self) -> None:
        """Fit the new width."""
        self._lay_out()

    def _lay_out(self) -> None:
        self.put(Content("\n").join(place_lines(self._shown._replace(width=max(self.app.size.width - 2, 20)))))


@lru_cache(maxsize=64)
def grounded_bar(place: Place, left_out: frozenset[str], options: int, width: int) -> tuple[Content, ...]:
    """The lines of such a bar on a ground of their own; the same few objects come back at each question."""
    lines = place_lines(Shown(place, left_out, options, max(width - 2, 20)))
    return tuple(grounded(line, width).stylize("on $panel") for line in lines)


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
