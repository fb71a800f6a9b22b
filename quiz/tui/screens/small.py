"""What stands over everything while the window is too small for the screens."""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.screen import Screen

from quiz.tui.widgets.lines import Lines

ALLOWED = frozenset({"quit", "help_quit", "suspend_process"})


class SmallScreen(Screen[None]):
    """Says how large the window must be. What is below it waits as it is; only leaving goes on."""

    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self, width: int, height: int) -> None:
        super().__init__()
        self._needs = f"{width}×{height}"

    def compose(self) -> ComposeResult:
        """One sentence."""
        yield Lines()

    def on_resize(self) -> None:
        """Say how large the window is now."""
        width, height = self.app.size
        text = f"The window is {width}×{height}; make it at least {self._needs}. Ctrl+Q leaves."
        self.query_one(Lines).put(Content(text))

    def on_key(self, event: events.Key) -> None:
        """Keep what is typed blindly from doing anything."""
        if event.key != "ctrl+c":
            event.stop()

    def check_action(self, action: str, _: tuple[object, ...]) -> bool | None:
        """Only leaving, which has keys that come before all others."""
        return action in ALLOWED
