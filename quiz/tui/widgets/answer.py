"""The field for a typed answer, and the line under it that says how it would be read."""

from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input

from quiz.problem.answer import Unreadable, read_number, read_shape
from quiz.tui.safe import content, one_line
from quiz.tui.widgets.lines import Lines

LONGEST = 400
_MEASURED = ("numeric", "shape")
_EXAMPLES = {"B": "131072, 2**17 or 128 KiB", "GiB": "24, 3/4 or 768 MiB"}


class AnswerInput(Input):
    """A plain text field. Its parser is ours: Textual's number fields drop what they do not know."""

    BINDINGS: ClassVar[list[BindingType]] = []

    def _on_paste(self, event: events.Paste) -> None:
        """Paste as one line, without control characters."""
        self.insert_text_at_cursor(one_line(event.text))
        event.stop()
        event.prevent_default()


class AnswerBox(Vertical):
    """The field and its reading."""

    class Submitted(Message):
        """Enter was pressed in the field."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def compose(self) -> ComposeResult:
        """A prompt mark, the field, and the reading under them."""
        yield AnswerInput(max_length=LONGEST, compact=True, select_on_focus=False, id="field")
        yield Lines(id="reading")

    def ask(self, kind: str, unit: str | None) -> None:
        """Empty the field for a question of this kind."""
        self._kind, self._unit = kind, unit
        field = self.query_one(AnswerInput)
        with field.prevent(Input.Changed):
            field.value = ""
        field.placeholder = placeholder(kind, unit)
        self.query_one("#reading", Lines).put(Content(""))
        field.focus()

    @property
    def text(self) -> str:
        """What is in the field."""
        return self.query_one(AnswerInput).value

    def refuse(self, why: str) -> None:
        """Say why the answer could not be read; the text stays."""
        self.query_one("#reading", Lines).put(content(f"? {why}", "$text-warning"))

    @on(Input.Changed)
    def _read_along(self, event: Input.Changed) -> None:
        event.stop()
        self.query_one("#reading", Lines).put(reading(self._kind, self._unit, event.value))

    @on(Input.Submitted)
    def _submit(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Submitted(event.value))


def placeholder(kind: str, unit: str | None) -> str:
    """What may be typed, with examples in the unit of the question."""
    if kind not in _MEASURED:
        return "a word or two"
    if kind == "shape":
        return "a shape, such as (2, 12, 16, 64)"
    what = "a number" if unit in (None, "1") else f"a number in {unit}"
    return f"{what}, such as {_EXAMPLES.get(unit or '', '64, 2**7 or 3/4')}"


def reading(kind: str, unit: str | None, text: str) -> Content:
    """How the text would be read, or quietly why not yet; nothing for what is not measured."""
    if kind not in _MEASURED or not text.strip():
        return Content("")
    try:
        read = read_shape(text) if kind == "shape" else read_number(text, unit)
    except Unreadable as error:
        return content(f"not yet: {error}", "$text-muted")
    return Content.assemble(("read as ", "$text-muted"), content(read.text, "bold"))
