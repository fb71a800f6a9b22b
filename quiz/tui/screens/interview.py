"""The interview: choose its day, and see what will be known then and what it takes."""

import asyncio
from collections.abc import Callable
from datetime import date, timedelta
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content

from quiz.errors import QuizError
from quiz.memory.days import LAST_YEAR
from quiz.tui.commands import Place, bindings
from quiz.tui.safe import content
from quiz.tui.screens.screen import Page, QuizScreen
from quiz.tui.widgets.interview import outlook, the_day
from quiz.tui.widgets.keybar import KeyBar
from quiz.tui.widgets.lines import Lines

if TYPE_CHECKING:
    from quiz.memory.readiness import Readiness

# The first day to look at where none is kept.
FIRST_LOOK = timedelta(days=21)


class InterviewScreen(QuizScreen):
    """A day, moved like the cursor of a calendar, and under it the forecast.

    Args:
        today: the date of the study day.
        kept: the learner's interview, if one is set.
    """

    CSS_PATH = "interview.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(["interview"])]

    def __init__(self, today: date, kept: date | None) -> None:
        super().__init__()
        self._today = today
        self._forecast: Callable[[date], Readiness] | None = None
        self._was: date | None = None
        self._day = kept if kept is not None and kept >= today else today + FIRST_LOOK

    @property
    def place(self) -> Place:
        """The interview."""
        return "interview"

    def compose(self) -> ComposeResult:
        """The title, the day, the forecast, and the keys."""
        yield Lines(Content.styled("Interview", "bold"), id="title")
        yield Lines(id="day")
        with Page():
            yield Lines(id="outlook")
        yield KeyBar()

    def on_mount(self) -> None:
        """Show the first day."""
        self._show_day()

    def on_resize(self) -> None:
        """Fit the new width."""
        self._look_ahead()

    def action_day_later(self) -> None:
        """Look at the next day."""
        self._move(1)

    def action_day_earlier(self) -> None:
        """Look at the day before."""
        self._move(-1)

    def action_week_later(self) -> None:
        """Look a week later."""
        self._move(7)

    def action_week_earlier(self) -> None:
        """Look a week earlier."""
        self._move(-7)

    def action_keep(self) -> None:
        """Make the day the learner's interview."""
        self._keep(self._day)

    def action_forget(self) -> None:
        """Have no interview any more; the cursor goes to the day that it was on, where Enter sets it again."""
        kept = self.quiz.desk.settings.interview
        if kept is not None:
            self._day = max(kept, self._today)
            self._keep(None)

    def action_back(self) -> None:
        """Back to the screen before."""
        self.app.pop_screen()

    def _move(self, days: int) -> None:
        last = date(LAST_YEAR - 1, 12, 31)
        self._day = min(max(self._day + timedelta(days=days), self._today), last)
        self._show_day()

    def _keep(self, day: date | None) -> None:
        desk = self.quiz.desk
        kept = desk.settings.interview
        try:
            desk.save(desk.settings._replace(interview=day))
        except QuizError as error:
            self.quiz.warn(str(error))
        else:
            self._was = kept if kept != day else self._was
        self._show_day()

    def _show_day(self) -> None:
        kept = self.quiz.desk.settings.interview
        days = (self._day - self._today).days
        self.query_one("#day", Lines).put(the_day(self._day, days, kept, self._was))
        self.show_keys(frozenset() if kept else frozenset({"forget"}))
        self._look_ahead()

    @work(exclusive=True)
    async def _look_ahead(self) -> None:
        desk, line = self.quiz.desk, self.query_one("#outlook", Lines)
        try:
            titles = {pack.id: pack.title for pack in desk.library.packs()}
            self._forecast = self._forecast or desk.forecast()
            found = await asyncio.to_thread(self._forecast, self._day)
        except QuizError as error:
            line.put(content(str(error), "$text-error"))
            return
        line.put(outlook(found, titles, self.app.size.width - 6))
        self.show_keys(frozenset() if desk.settings.interview else frozenset({"forget"}))
