"""What our screens have in common: a place in the table of commands, a page that scrolls, and a bar of keys."""

from typing import TYPE_CHECKING, ClassVar, cast

from textual.binding import BindingType
from textual.containers import ScrollableContainer, VerticalScroll
from textual.screen import Screen

from quiz.tui.commands import Place, applies
from quiz.tui.widgets.keybar import KeyBar

if TYPE_CHECKING:
    from quiz.tui.app import QuizApp


class Page(VerticalScroll, can_focus=False):
    """The part of a screen that scrolls."""

    DEFAULT_CSS = """
    Page { height: 1fr; padding: 0 1; scrollbar-size-vertical: 1; scrollbar-gutter: stable; }
    """
    BINDINGS: ClassVar[list[BindingType]] = []


class QuizScreen(Screen[None]):
    """A screen of ours. Commands that do not apply at its place do nothing."""

    AUTO_FOCUS = ""

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
        """The part of the screen that scrolls."""
        return self.query_one(ScrollableContainer)

    def check_action(self, action: str, _: tuple[object, ...]) -> bool | None:
        """Whether the command applies here and now; none does before the screen stands, or once it goes."""
        return self.is_mounted and self.is_attached and applies(action, self.place)

    def show_keys(self, idle: frozenset[str] = frozenset()) -> None:
        """Bring the bar of keys up to the place, without the commands that would do nothing now.

        Whether there is more to scroll is known only after the layout.
        """
        self.fill_bar(idle)
        self.call_after_refresh(self.fill_bar, idle)

    def fill_bar(self, idle: frozenset[str]) -> None:
        """The same at once, where the layout stands already."""
        fits = not self.page.max_scroll_y
        self.query_one(KeyBar).show_place(self.place, idle | {"page_down"} if fits else idle)

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
