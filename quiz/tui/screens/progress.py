"""Progress: figures that say what to do next."""

from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content

from quiz.errors import QuizError
from quiz.memory.days import calendar_date
from quiz.tui.commands import Place, bindings
from quiz.tui.safe import content
from quiz.tui.screens.screen import Page, QuizScreen
from quiz.tui.widgets import figures, recall, weaknesses
from quiz.tui.widgets.keybar import KeyBar
from quiz.tui.widgets.lines import Lines

SECTIONS = (
    *("overview", "next", "topics", "lessons", "depths", "leeches", "weakest", "misconceptions", "aside"),
    *("forecast", "calibration", "pace", "year", "sittings"),
)


class ProgressScreen(QuizScreen):
    """The figures of the log and the schedule."""

    CSS_PATH = "progress.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(["progress"])]

    def __init__(self) -> None:
        super().__init__()
        self._figures: dict[str, Any] | None = None
        self._titles: dict[str, str] = {}

    @property
    def place(self) -> Place:
        """Progress."""
        return "progress"

    def compose(self) -> ComposeResult:
        """The title, a section for each group of figures, and the keys."""
        yield Lines(Content.styled("Progress", "bold"), id="title")
        with Page():
            for section in SECTIONS:
                yield Lines(id=section)
        yield KeyBar()

    def action_back(self) -> None:
        """Back to the screen before."""
        self.app.pop_screen()

    def on_mount(self) -> None:
        """Work out the figures."""
        self.show_keys()
        desk = self.quiz.desk
        try:
            self._figures = desk.progress()
            for pack in desk.library.packs():
                self._titles[pack.id] = pack.title
                self._titles |= {f"{pack.id}/{lesson.id}": lesson.title for lesson in pack.lessons}
        except QuizError as error:
            self.query_one("#overview", Lines).put(content(str(error), "$text-error"))
            return
        self._lay_out()

    def on_resize(self) -> None:
        """Fit the new width."""
        self._lay_out()

    def _lay_out(self) -> None:
        known, width = self._figures, self.app.size.width - 6
        if known is None:
            return
        today = calendar_date(self.quiz.desk.now().day)
        self._put("overview", figures.overview(known))
        self._put("next", weaknesses.what_next(known["next"], width))
        self._put("topics", figures.topics(known["topics"], self._titles, width))
        self._put("lessons", recall.lessons(known["lessons"], self._titles, width))
        self._put("depths", recall.depths(known["depths"], width))
        self._put("leeches", weaknesses.leeches(known["leeches"], width))
        self._put("weakest", weaknesses.weakest(known["weakest"], known["leeches"], width))
        self._put("misconceptions", weaknesses.misconceptions(known["misconceptions"], width))
        self._put("aside", figures.aside(known["aside"], width))
        self._put("forecast", figures.forecast(known["forecast_30"], known["beyond"], known["asked_early"], width))
        self._put("calibration", recall.calibration(known["calibration"], known["retention_30"]))
        self._put("pace", recall.pace(known["pace"], self._titles, width))
        self._put("year", recall.year(known["heatmap"], today, known["longest_streak"], width))
        self._put("sittings", figures.sittings(known["sittings"]))
        self._show_what_can_be_done()

    def action_study_weakest(self) -> None:
        """Study the topic of the weakest question."""
        if topic := self._weakest_topic():
            self.app.pop_screen()
            self.quiz.study([topic])

    def action_read_weakest(self) -> None:
        """Read the lesson of the weakest question."""
        pack, _, lesson = self._weakest_topic().partition("/")
        if pack:
            self.quiz.read(pack, lesson or None)

    def _show_what_can_be_done(self) -> None:
        self.show_keys(frozenset() if self._weakest_topic() else frozenset({"study_weakest", "read_weakest"}))

    def _weakest_topic(self) -> str:
        """The topic of the worst leech, else of the weakest question; nothing while none was missed."""
        known = self._figures or {"leeches": (), "weakest": ()}
        return str(next((one["topic"] for one in (*known["leeches"], *known["weakest"])), ""))

    def _put(self, section: str, text: Content) -> None:
        widget = self.query_one(f"#{section}", Lines)
        widget.display = bool(text.plain)
        widget.put(text)
