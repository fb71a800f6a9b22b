"""Home: what is due today, topic by topic, and one key to start."""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.geometry import Region
from textual.style import Style

from quiz.errors import Fault, QuizError
from quiz.render.durations import show_span
from quiz.tui.commands import Place, bindings
from quiz.tui.safe import one_line
from quiz.tui.screens.screen import Page, QuizScreen
from quiz.tui.widgets.keybar import KeyBar
from quiz.tui.widgets.lines import Lines
from quiz.tui.widgets.shapes import coloured_meter, titles_width

if TYPE_CHECKING:
    from quiz.desk import Standing

# Of more questions home would stand still while they are read; `quiz ready` has the time.
MOST_FORECAST = 20_000
SECONDS_PER_REVIEW, SECONDS_PER_NEW = 40, 60
_AROUND = 20  # cells around title and meter: the cursor, two numbers, a gap and the share


class Topic(NamedTuple):
    """One line of the list."""

    pack: str
    title: str
    standing: "Standing"


class HomeScreen(QuizScreen):
    """The list of topics under one sentence on today."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(["home"])]

    def __init__(self) -> None:
        super().__init__()
        self._topics: tuple[Topic, ...] = ()
        self._cursor = 0

    @property
    def place(self) -> Place:
        """Home."""
        return "home"

    def compose(self) -> ComposeResult:
        """The title, today, the interview, the topics, what is wrong, and the keys."""
        yield Lines(id="title")
        yield Lines(id="today")
        yield Lines(id="interview")
        yield Lines(id="heads")
        with Page(id="topics"):
            yield Lines(id="list")
        yield Lines(id="faults")
        yield KeyBar()

    def on_mount(self) -> None:
        """Show the keys; the figures come when the screen is up."""
        self.show_keys()

    def on_screen_resume(self) -> None:
        """Fill in the figures, at the start and whenever other screens may have changed them."""
        self._bring_up_to_date()

    def on_resize(self) -> None:
        """Fit the new width."""
        self._lay_out()

    def action_study_all(self) -> None:
        """Study all that is due."""
        self.quiz.study()

    def action_study_topic(self) -> None:
        """Study the topic under the cursor."""
        if self._topics:
            self.quiz.study((self._topics[self._cursor].pack,))

    def action_lessons(self) -> None:
        """Read the lessons of the topic under the cursor."""
        if self._topics:
            self.quiz.read(self._topics[self._cursor].pack)

    def action_progress(self) -> None:
        """See the figures."""
        from quiz.tui.screens.progress import ProgressScreen

        self.app.push_screen(ProgressScreen())

    def action_interview(self) -> None:
        """Set the day of the interview, and see what will be known then."""
        from quiz.memory.days import calendar_date
        from quiz.tui.screens.interview import InterviewScreen

        desk = self.quiz.desk
        try:
            today = calendar_date(desk.now().day)
        except QuizError as error:
            self.quiz.warn(str(error))
            return
        self.app.push_screen(InterviewScreen(today, desk.settings.interview))

    def action_next(self) -> None:
        """Move the cursor down."""
        self._move(1)

    def action_previous(self) -> None:
        """Move the cursor up."""
        self._move(-1)

    def action_point(self, row: int) -> None:
        """Move the cursor to the line that was clicked; a second click studies it."""
        if row == self._cursor:
            self.action_study_topic()
        else:
            self._move(row - self._cursor)

    def _move(self, by: int) -> None:
        if self._topics:
            self._cursor = min(max(self._cursor + by, 0), len(self._topics) - 1)
            self._lay_out()
            row = Region(0, self._cursor, 1, 1)
            self.query_one("#topics", VerticalScroll).scroll_to_region(row, animate=False)

    def _bring_up_to_date(self) -> None:
        desk = self.quiz.desk
        try:
            standings = desk.standings()
            packs = desk.library.packs()
            sentence = today(standings)
        except QuizError as error:
            self.query_one("#today", Lines).put(Content.styled(one_line(str(error)), "$text-error"))
            return
        self._topics = tuple(Topic(p.id, one_line(p.title), standings[p.id]) for p in packs if p.id in standings)
        self._cursor = min(self._cursor, max(len(self._topics) - 1, 0))
        self.query_one("#today", Lines).put(sentence)
        self.query_one("#faults", Lines).put(warnings(desk.log.notice, desk.library.faults))
        self._count_down()
        self._lay_out()

    def _count_down(self) -> None:
        """Say how long until the interview, and once all is painted, how it stands."""
        desk, line = self.quiz.desk, self.query_one("#interview", Lines)
        days = desk.days_left()
        line.display = days is not None
        if days is None:
            return
        from quiz.tui.widgets.interview import countdown

        line.put(countdown(days))
        if sum(topic.standing.total for topic in self._topics) <= MOST_FORECAST:
            self.call_after_refresh(self._look_ahead)

    @work(exclusive=True)
    async def _look_ahead(self) -> None:
        desk = self.quiz.desk
        if desk.settings.interview is None:
            return
        try:
            found = await asyncio.to_thread(desk.forecast(), desk.settings.interview)
        except QuizError as error:
            self.quiz.warn(str(error))
            return
        from quiz.tui.widgets.interview import countdown

        self.query_one("#interview", Lines).put(countdown(found.days, found))

    def _lay_out(self) -> None:
        width = self.app.size.width - 3
        self.query_one("#title", Lines).put(
            Content.assemble(("quiz", "bold $text-primary"), ("  attention, for the interview", "$text-muted"))
        )
        self.query_one("#heads", Lines).put(heads(self._topics, width) if self._topics else Content(""))
        self.query_one("#list", Lines).put(topic_lines(self._topics, self._cursor, width))


def today(standings: "Mapping[str, Standing]") -> Content:
    """What there is to do, in one sentence, and how long it should take."""
    due = sum(one.due for one in standings.values())
    new = sum(one.new for one in standings.values())
    if not standings:
        return Content("There are no questions here.")
    soon = sum(one.learning for one in standings.values())
    later = f", {soon} more {'comes' if soon == 1 else 'come'} back within minutes" if soon else ""
    if not due and not new:
        more = (
            " Enter brings new questions of a topic all the same." if any(o.unseen for o in standings.values()) else ""
        )
        return Content.assemble(("✓ ", "$text-success"), f"Nothing is due now{later}.{more}")
    early = sum(one.early for one in standings.values())
    enough = "Most useful first: stop when your time is up."
    later += f"\n{early} of them early, for the interview. {enough}" if early else ""
    about = show_span(due * SECONDS_PER_REVIEW + new * SECONDS_PER_NEW)
    unseen = sum(one.unseen for one in standings.values())
    share = f" of {unseen:,} unseen" if new and new < unseen else ""
    rest = f"{share} — about {about}{later}"
    return Content.assemble((f"{due} due, {new} new", "bold"), (rest, "$text-muted"))


def heads(topics: tuple[Topic, ...], width: int) -> Content:
    """The heads over the columns of `topic_lines`."""
    title, bar = _widths(topics, width)
    return Content.styled(f"  {'topic':<{title}}{'due':>5}{'new':>5}  {'known':<{bar}}", "$text-muted")


def topic_lines(topics: tuple[Topic, ...], cursor: int, width: int) -> Content:
    """One line a topic: title, due, new, and how much of it is known."""
    title, bar = _widths(topics, width)
    lines = []
    for row, topic in enumerate(topics):
        standing, here = topic.standing, row == cursor
        name = Content(topic.title).truncate(title, ellipsis=True, pad=True)
        line = Content.assemble(
            ("› " if here else "  ", "bold $text-primary"),
            name.stylize("bold") if here else name,
            (f"{standing.due:>5}", "bold $text-accent" if standing.due else "$text-muted"),
            (f"{standing.new:>5}", "$foreground" if standing.new else "$text-muted"),
            "  ",
            coloured_meter(standing.strength, bar),
            (f" {round(100 * standing.strength):>3} %", "$text-muted"),
        )
        if here:
            line = line.pad_right(max(width - line.cell_length, 0)).stylize("on $panel")
        lines.append(line.stylize(_click(row)))
    return Content("\n").join(lines)


def warnings(notice: str, faults: tuple[Fault, ...]) -> Content:
    """What became of the log, and one line on packs that could not be read; nothing if all is well."""
    lines = [f"! {one_line(notice)}"] if notice else []
    if faults:
        files = list(dict.fromkeys(one_line(fault.file.rsplit("/", 1)[-1]) for fault in faults))
        lines.append(f"! Left out: {', '.join(files)}. `quiz pack check` says what is wrong.")
    return Content.styled("\n".join(lines), "$text-warning")


def _click(row: int) -> Style:
    return Style.from_meta({"@click": f"screen.point({row})"})


def _widths(topics: tuple[Topic, ...], width: int) -> tuple[int, int]:
    """The cells of the title and of the meter."""
    bar = 10 if width < 70 else 16
    return titles_width((topic.title for topic in topics), width - bar - _AROUND), bar
