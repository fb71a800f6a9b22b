"""The keys: of the screen you came from, then of the others. All of it comes from the table of commands."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content

from quiz.tui.commands import Command, Place, bindings, commands_at, is_printable, key_name
from quiz.tui.screens.screen import Page, QuizScreen
from quiz.tui.widgets.keybar import KeyBar
from quiz.tui.widgets.lines import Lines
from quiz.tui.widgets.shapes import hanging, text_width

TITLES: dict[Place, str] = {
    "home": "Home",
    "picking": "A question with choices",
    "typing": "A question with a typed answer",
    "recalling": "A flashcard, or an interviewer's question",
    "marked": "After the answer",
    "rubric": "After an interviewer's question",
    "finished": "After a sitting",
    "lessons": "The list of lessons",
    "lesson": "A lesson",
    "aside": "A lesson, from a question",
    "progress": "Progress",
    "interview": "The interview",
    "help": "This help",
}


class HelpScreen(QuizScreen):
    """The keys, beginning with those of ``origin``."""

    CSS_PATH = "help.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(["help"])]

    def __init__(self, origin: Place) -> None:
        super().__init__()
        self._origin: Place = origin

    @property
    def place(self) -> Place:
        """Help."""
        return "help"

    def compose(self) -> ComposeResult:
        """The title, the keys, and the keys of this screen."""
        yield Lines(Content.styled("Help", "bold"), id="title")
        with Page():
            yield Lines(id="keys")
        yield KeyBar()

    def action_back(self) -> None:
        """Back to the screen before."""
        self.app.pop_screen()

    def on_mount(self) -> None:
        """Show the keys of this screen."""
        self.show_keys()

    def on_resize(self) -> None:
        """Fit the new width."""
        self.query_one("#keys", Lines).put(help_text(self._origin, text_width(self.app.size.width)))


def help_text(origin: Place, width: int) -> Content:
    """All keys by place, those of ``origin`` first; later places list only what was not said before."""
    parts: list[Content] = []
    said: set[Command] = set()
    for place in (origin, *(place for place in TITLES if place != origin)):
        rows = [command for command in commands_at(place) if command not in said]
        if not rows:
            continue
        said.update(rows)
        title = f"Here: {TITLES[place]}" if place == origin else TITLES[place]
        parts += [Content.styled(title, "bold $text-primary"), *(_row(row, place, width) for row in rows), Content("")]
    return Content("\n").join(parts)


def keys_of(command: Command, place: Place) -> str:
    """The keys of a command, as people know them."""
    if command.each:
        return command.key_at(place)
    live = [key for key in command.keys if not (place == "typing" and is_printable(key))]
    return " ".join(key_name(key) for key in live)


def _row(command: Command, place: Place, width: int) -> Content:
    keys = Content.styled(f"  {keys_of(command, place):<17} ", "$text-accent")
    return hanging(keys, Content(command.help), width)
