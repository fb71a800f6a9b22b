"""What our screens have in common: a place in the table of commands, a page that scrolls, and a bar of keys."""

from typing import TYPE_CHECKING, ClassVar, cast

from textual import events, on
from textual.binding import BindingType
from textual.containers import ScrollableContainer, VerticalScroll
from textual.reactive import var
from textual.screen import Screen

from quiz.tui.commands import MOST_OPTIONS, Place, applies
from quiz.tui.widgets.keybar import KeyBar

if TYPE_CHECKING:
    from quiz.tui.app import QuizApp


class Page(VerticalScroll, can_focus=False):
    """The part of a screen that scrolls."""

    DEFAULT_CSS = """
    Page { height: 1fr; padding: 0 1; scrollbar-size-vertical: 1; scrollbar-gutter: stable; }
    """
    BINDINGS: ClassVar[list[BindingType]] = []
    more: var[bool] = var(False)

    def watch_scroll_y(self, old: float, new: float) -> None:
        """See whether there is more below."""
        super().watch_scroll_y(old, new)
        self._look_below()

    def watch_virtual_size(self) -> None:
        """The same when the text is another."""
        self._look_below()

    def on_resize(self) -> None:
        """The same when the window is."""
        self._look_below()

    def _look_below(self) -> None:
        self.more = self.scroll_offset.y < self.max_scroll_y


class QuizScreen(Screen[None]):
    """A screen of ours. Commands that do not apply at its place do nothing."""

    AUTO_FOCUS = ""
    _idle: frozenset[str] = frozenset()

    @on(events.Mount)
    def _watch_the_page(self) -> None:
        """Keep in the bar whether there is more to scroll."""
        self.watch(self.page, "more", self._fill_bar, init=False)

    @property
    def place(self) -> Place:
        """Where in the table of commands the screen stands now."""
        raise NotImplementedError

    @property
    def quiz(self) -> "QuizApp":
        """The app, by its own type."""
        return cast("QuizApp", self.app)

    @property
    def page(self) -> ScrollableContainer:
        """The part of the screen that scrolls; its ``more`` says whether there is more below."""
        return self.query_one(ScrollableContainer)

    @property
    def options(self) -> int:
        """How many options there are to pick or to tick."""
        return MOST_OPTIONS

    def check_action(self, action: str, _: tuple[object, ...]) -> bool | None:
        """Whether the command applies here and now; none does before the screen stands, or once it goes."""
        return self.is_mounted and self.is_attached and applies(action, self.place)

    def show_keys(self, idle: frozenset[str] = frozenset()) -> None:
        """Bring the bar of keys up to the place, without the commands that would do nothing now."""
        self._idle = idle
        self._fill_bar()

    def _fill_bar(self) -> None:
        idle = self._idle if getattr(self.page, "more", False) else self._idle | {"page_down"}
        self.query_one(KeyBar).show_place(self.place, idle, self.options)

    async def action_press(self, command: str) -> None:
        """Run a command that was clicked in the bar of keys or chosen in the palette."""
        await self.app.run_action(command, self if hasattr(self, f"action_{command}") else self.app)

    def action_line_down(self) -> None:
        """Scroll a line."""
        self.page.scroll_down(animate=False)

    def action_line_up(self) -> None:
        """Scroll a line."""
        self.page.scroll_up(animate=False)

    def action_page_down(self) -> None:
        """Scroll a page."""
        self.page.scroll_page_down(animate=False)

    def action_page_up(self) -> None:
        """Scroll a page."""
        self.page.scroll_page_up(animate=False)

    def action_top(self) -> None:
        """Scroll to the top."""
        self.page.scroll_home(animate=False)

    def action_bottom(self) -> None:
        """Scroll to the end."""
        self.page.scroll_end(animate=False)
