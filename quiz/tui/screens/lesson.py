"""A pack's lessons: the list where there are several, and one lesson to read."""

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.style import Style
from textual.widgets import Markdown

from quiz.errors import QuizError
from quiz.tui.commands import Place, bindings
from quiz.tui.safe import content, one_line, printable
from quiz.tui.screens.screen import Page, QuizScreen
from quiz.tui.widgets.keybar import KeyBar
from quiz.tui.widgets.lesson import after_body, before_body
from quiz.tui.widgets.lines import Lines

if TYPE_CHECKING:
    from quiz.bank.catalogue import LessonEntry

PLACES: tuple[Place, ...] = ("lessons", "lesson", "aside")


class LessonScreen(QuizScreen):
    """Args: the pack, the lesson to open (None: the list, or the only one), and whether a question waits behind."""

    CSS_PATH = "lesson.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(PLACES)]

    def __init__(self, pack: str, lesson: str | None, aside: bool) -> None:
        super().__init__()
        self._pack, self._lesson, self._aside = pack, lesson, aside
        self._title = pack
        self._lessons: tuple[LessonEntry, ...] = ()
        self._cursor = 0

    @property
    def place(self) -> Place:
        """The list, a lesson, or a lesson beside a question."""
        if self._lesson is None:
            return "lessons"
        return "aside" if self._aside else "lesson"

    def compose(self) -> ComposeResult:
        """The title, the text in three parts, and the keys."""
        yield Lines(id="title")
        with Page():
            yield Lines(id="before")
            yield Markdown(id="body", open_links=False)
            yield Lines(id="after")
        yield KeyBar()

    async def on_mount(self) -> None:
        """Open the lesson, or the list if there are several."""
        for pack in self.quiz.desk.library.packs():
            if pack.id == self._pack:
                self._title, self._lessons = pack.title, pack.lessons
        if self._lesson is None and len(self._lessons) == 1:
            self._lesson = self._lessons[0].id
        await self._show()

    async def action_open(self) -> None:
        """Read the lesson under the cursor."""
        if self._lessons:
            self._lesson = self._lessons[self._cursor].id
            await self._show()

    async def action_back(self) -> None:
        """Back to the list, or to the screen before."""
        if self.place == "lesson" and len(self._lessons) > 1:
            self._lesson = None
            await self._show()
        else:
            self.app.pop_screen()

    async def action_next_lesson(self) -> None:
        """Read the next lesson."""
        ids = [lesson.id for lesson in self._lessons]
        if self._lesson in ids:
            self._cursor = (ids.index(self._lesson) + 1) % len(ids)
            self._lesson = ids[self._cursor]
            await self._show()

    def action_study_lesson(self) -> None:
        """Study the questions of this lesson."""
        self.quiz.study((f"{self._pack}/{self._lesson}",))

    async def action_next(self) -> None:
        """Move the cursor down."""
        await self._move(1)

    async def action_previous(self) -> None:
        """Move the cursor up."""
        await self._move(-1)

    async def action_point(self, row: int) -> None:
        """Read the lesson that was clicked."""
        self._cursor = row
        await self.action_open()

    async def _move(self, by: int) -> None:
        self._cursor = min(max(self._cursor + by, 0), max(len(self._lessons) - 1, 0))
        await self._show()

    async def _show(self) -> None:
        title, before, body, after = self._title, Content(""), "", Content("")
        if self._lesson is None:
            before = self._list()
        else:
            try:
                library = self.quiz.desk.library
                lesson = library.lesson(self._pack, self._lesson)
                sources = library.sources(self._pack, lesson.sources)
                title = f"{self._title} · {lesson.title}"
                before, body, after = before_body(lesson), printable(lesson.body), after_body(lesson, sources)
            except QuizError as error:
                before = content(str(error), "$text-error")
        self.query_one("#title", Lines).put(content(one_line(title), "bold"))
        self.query_one("#before", Lines).put(before)
        self.query_one("#after", Lines).put(after)
        self.query_one("#body", Markdown).display = bool(body)
        await self.query_one("#body", Markdown).update(body)
        self.query_one(Page).scroll_home(animate=False)
        self.show_keys(frozenset({"next_lesson"} if len(self._lessons) < 2 else ()))

    def _list(self) -> Content:
        if not self._lessons:
            return content("This pack has no lessons.", "$text-muted")
        lines = []
        for row, lesson in enumerate(self._lessons):
            here = row == self._cursor
            line = Content.assemble(
                ("› " if here else "  ", "bold $text-primary"), content(one_line(lesson.title), "bold" if here else "")
            )
            lines.append(line.stylize(Style.from_meta({"@click": f"screen.point({row})"})))
        return Content("\n").join(lines)
