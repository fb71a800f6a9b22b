"""The sitting on screen: one long-lived screen, updated in place from the frozen view of the session."""

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content

from quiz.errors import QuizError
from quiz.memory.acts import Deed
from quiz.study.rating import Rating
from quiz.study.session import Session
from quiz.study.view import View
from quiz.tui.commands import STUDY, Place, bindings
from quiz.tui.safe import content, one_line
from quiz.tui.screens.screen import Page, QuizScreen
from quiz.tui.widgets import question
from quiz.tui.widgets.answer import AnswerBox
from quiz.tui.widgets.keybar import KeyBar
from quiz.tui.widgets.lines import Lines
from quiz.tui.widgets.ratings import NAMES, RatingRow
from quiz.tui.widgets.shapes import text_width
from quiz.tui.widgets.summary import summary

PARTS = ("prompt", "snippet", "picks", "todo", "hints", "told", "worked", "rubric", "grounds")
DISPUTED = "Noted: you hold that this is right. Rate it yourself; `quiz data disputes` lists it."
_PLACES: dict[str, Place] = {
    "card": "recalling",
    "open": "recalling",
    "choice": "picking",
    "stage": "picking",
    "order": "picking",
    "numeric": "typing",
    "shape": "typing",
    "text": "typing",
}


class StudyScreen(QuizScreen):
    """Shows the session's view and sends it what the learner did; holds only what is picked so far."""

    CSS_PATH = "study.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(STUDY)]

    def __init__(self, sitting: Session, view: View) -> None:
        super().__init__()
        self._sitting = sitting
        self._view = view
        self._picks: tuple[int, ...] = ()
        self._titles: dict[str, str] = {}

    @property
    def place(self) -> Place:
        """By what is on screen: the kind of question, its answer, or the end."""
        view = self._view
        if view.phase == "finished" or view.variant is None:
            return "finished"
        if view.phase == "marked":
            return "rubric" if view.variant.rubric else "marked"
        return _PLACES[view.variant.kind]

    @property
    def _width(self) -> int:
        return text_width(self.app.size.width)

    def compose(self) -> ComposeResult:
        """Where we are, the question, what was said about the answer, and below it what the learner can do."""
        yield Lines(id="where")
        yield Lines(id="tally")
        with Page(id="page"):
            for part in PARTS:
                yield Lines(id=part)
        yield Lines(id="notice")
        yield AnswerBox()
        yield RatingRow()
        yield KeyBar()

    def on_mount(self) -> None:
        """Show the first question."""
        for pack in self.quiz.desk.library.packs():
            self._titles[pack.id] = pack.title
            self._titles |= {f"{pack.id}/{lesson.id}": lesson.title for lesson in pack.lessons}
        self._begin_question()

    def on_resize(self) -> None:
        """Fit the new width."""
        self._show_tally()
        self._show_picks()
        self._show_hints()
        if self._view.phase == "marked":
            self._show_told()

    @on(AnswerBox.Submitted)
    def _typed(self, event: AnswerBox.Submitted) -> None:
        self._answer(event.text)

    def action_pick(self, digit: str) -> None:
        """Pick an option, or let go of it; for an order, append it."""
        variant, number = self._view.variant, int(digit)
        if variant is None or self.place != "picking" or number > len(question.options(variant)):
            return
        if number in self._picks:
            self._picks = tuple(pick for pick in self._picks if pick != number)
        elif variant.kind == "order" or question.takes_several(variant):
            self._picks = (*self._picks, number)
        else:
            self._picks = (number,)
        self._say("")
        self._show_picks()

    def action_unpick(self) -> None:
        """Let go of the last pick."""
        self._picks = self._picks[:-1]
        self._show_picks()

    def action_submit(self) -> None:
        """Give the answer that is picked or typed, or look at the other side."""
        picked = self.place == "picking"
        self._answer(", ".join(map(str, self._picks)) if picked else self.query_one(AnswerBox).text)

    def action_tick(self, letter: str) -> None:
        """Tick a point of the rubric."""
        self._view = self._sitting.tick(question.LETTERS.index(letter))
        self._show_told()
        self._say_why()
        self.query_one(Page).scroll_to_widget(self.query_one("#rubric"), animate=False)

    def action_accept(self) -> None:
        """Save under the proposed rating."""
        self._rate(None)

    def action_rate(self, digit: str) -> None:
        """Save under another rating."""
        self._rate(Rating(int(digit)))

    def action_disagree(self) -> None:
        """Hold that the mark is wrong, or no longer."""
        self._view = self._sitting.disagree()
        self._say_why()
        self._show_told()

    def action_flag(self) -> None:
        """Flag the question, or take its flag away."""
        try:
            self._view = self._sitting.act("unflag" if self._view.flagged else "flag", self.quiz.desk.now())
        except QuizError as error:
            self._say(str(error), error=True)
            return
        self._say(self._view.notice)
        self._show_tally()

    def action_bury(self) -> None:
        """Put the question aside until tomorrow."""
        self._act("bury")

    def action_suspend(self) -> None:
        """Do not ask the question again."""
        self._act("suspend")

    def action_known(self) -> None:
        """Take the question as known."""
        self._act("known")

    def action_reset(self) -> None:
        """Make the question new again."""
        self._act("reset")

    def _act(self, deed: Deed) -> None:
        self._move(lambda: self._sitting.act(deed, self.quiz.desk.now()))

    def action_hint(self) -> None:
        """Show one more hint."""
        self._view = self._sitting.hint()
        self._show_hints()
        self._say(self._view.notice)
        self.query_one(Page).scroll_end(animate=False)

    def action_skip(self) -> None:
        """Put the question at the end of the sitting."""
        self._move(lambda: self._sitting.skip(self.quiz.desk.now()))

    def action_undo(self) -> None:
        """Take back the last answer."""
        self._move(lambda: self._sitting.undo(self.quiz.desk.now()))

    def action_go_on(self) -> None:
        """Ask now what would come back in a few minutes."""
        self._move(lambda: self._sitting.go_on_early(self.quiz.desk.now()))

    def action_more(self) -> None:
        """Go on with new questions, or with what comes back next, ahead of time."""
        self.app.pop_screen()
        self.quiz.study([pack.id for pack in self.quiz.desk.library.packs()])

    def action_lesson(self) -> None:
        """Read the lesson behind the question."""
        variant = self._view.variant
        if variant is None or variant.lesson is None:
            self._say("This question has no lesson.")
            return
        self.quiz.read(variant.key.partition("/")[0], variant.lesson, aside=True)

    def action_leave(self) -> None:
        """Go home; an answer that was marked is saved first."""
        self.action_home()

    def action_home(self) -> None:
        """End the sitting."""
        try:
            self.quiz.leave_sitting()
        except QuizError as error:
            self._say(str(error), error=True)
            return
        self.app.pop_screen()

    def _answer(self, typed: str) -> None:
        try:
            view = self._sitting.answer(typed, self.quiz.desk.now())
        except QuizError as error:
            self._say(str(error), error=True)
            return
        self._view = view
        if view.phase == "marked":
            self._show_answered()
        elif self.place == "typing":
            self.query_one(AnswerBox).refuse(view.notice)
        else:
            self._say(view.notice)

    def _rate(self, rating: Rating | None) -> None:
        self._move(lambda: self._sitting.rate(rating, self.quiz.desk.now()))

    def _move(self, step: Callable[[], View]) -> None:
        """Take a step that brings another question, or the same one anew."""
        try:
            self._view = step()
        except QuizError as error:
            self._say(str(error), error=True)
            return
        self._begin_question()

    def _begin_question(self) -> None:
        view, variant = self._view, self._view.variant
        self._picks = ()
        finished = variant is None
        box = self.query_one(AnswerBox)
        box.display = self.place == "typing"
        if variant is not None and box.display:
            box.ask(variant.kind, variant.unit)
        else:
            self.set_focus(None)
        self._part("prompt", self._summary() if variant is None else content(variant.prompt))
        self._part("snippet", content(variant.snippet.rstrip()) if variant is not None and variant.snippet else None)
        self._part("todo", None if variant is None else question.what_to_do(variant))
        for part in ("told", "worked", "rubric", "grounds"):
            self._part(part, None)
        self.query_one(RatingRow).display = False
        self._show_where()
        self._show_picks()
        self._show_hints()
        self._show_tally()
        self._say("" if finished else view.notice)
        self._show_bar()
        self.query_one(Page).scroll_home(animate=False)

    def _show_answered(self) -> None:
        self.query_one(AnswerBox).display = False
        self.set_focus(None)
        self._part("todo", None)
        self._show_picks()
        self._say_why()
        self.query_one(RatingRow).display = True
        self._show_told()
        self._show_tally()
        self._show_bar()
        self.call_after_refresh(self._scroll_to_verdict)

    def _scroll_to_verdict(self) -> None:
        self.query_one(Page).scroll_to_widget(self.query_one("#told"), top=True, animate=False)

    def _show_told(self) -> None:
        variant = self._view.variant
        if variant is not None:
            self._part("told", question.told(self._view, self._width))
            self._part("worked", question.worked(self._view, self._width))
            self._part("rubric", question.rubric(variant, self._view.ticked, self._width))
            self._part("grounds", question.grounds(variant, self._width))
        self.query_one(RatingRow).show_offers(self._view.offers, self._view.proposed)

    def _show_picks(self) -> None:
        variant, marked = self._view.variant, self._view.phase == "marked"
        some = variant is not None and question.options(variant)
        self._part(
            "picks", question.picks_list(variant, self._picks, marked, self._width) if variant and some else None
        )

    def _show_hints(self) -> None:
        given, variant = self._view.hints, self._view.variant
        self._part("hints", question.hints(given, len(variant.hints), self._width) if given and variant else None)

    def _show_where(self) -> None:
        variant = self._view.variant
        if variant is None:
            self.query_one("#where", Lines).put(Content.styled("Study", "bold"))
            return
        pack = variant.key.partition("/")[0]
        lesson = self._titles.get(f"{pack}/{variant.lesson}", "")
        where = Content.assemble((one_line(self._titles.get(pack, pack)), "bold"))
        if lesson:
            where = Content.assemble(where, (f" · {one_line(lesson)}", "$text-muted"))
        self.query_one("#where", Lines).put(where)

    def _show_tally(self) -> None:
        view, tally = self._view, self._view.tally
        left = ""
        if view.variant is not None:
            left = f"{question.KINDS[view.variant.kind]} · {view.variant.depth}" + (" · again" if view.again else "")
            left += " · ⚑" if view.flagged else ""
        elif view.phase == "finished":
            left = "the sitting is over"
        to_come = tally.left + tally.returning + (view.phase != "finished")
        right = f"{tally.answered} answered, {tally.right} right, {to_come} left"
        if len(left) + len(right) > self.app.size.width - 4:
            right = f"{tally.right}/{tally.answered} right, {to_come} left"
        saved = f"✓ saved as {NAMES[view.saved.rating]} · " if view.saved else ""
        room = self.app.size.width - 2 - len(left) - len(right)
        if len(saved) + 2 > room:
            saved = "✓ saved · " if saved and room > 12 else ""
        gap = " " * max(room - len(saved), 1)
        self.query_one("#tally", Lines).put(Content.assemble(left, gap, (saved, "$text-success"), right))

    def _show_bar(self) -> None:
        """Show the keys that do something now."""
        view, variant = self._view, self._view.variant
        idle = {
            "go_on": view.resumes_in is None,
            "lesson": variant is not None and variant.lesson is None,
            "hint": variant is not None and not variant.hints,
            "unpick": variant is not None and variant.kind != "order",
            "disagree": view.mark is None or view.mark.verdict != "wrong",
        }
        self.show_keys(frozenset(command for command, nothing in idle.items() if nothing))

    def _summary(self) -> Content:
        desk = self.quiz.desk
        try:
            tomorrow = desk.due_tomorrow()
        except QuizError as error:
            return Content("\n").join([summary(self._view, None), content(str(error), "$text-error")])
        return summary(self._view, tomorrow)

    def _say_why(self) -> None:
        """Why this rating is proposed, where the mark alone does not tell."""
        view = self._view
        if view.disputed:
            self._say(DISPUTED)
        else:
            self._say(f"{NAMES[view.proposed]} is proposed: {view.because}." if view.proposed and view.because else "")

    def _say(self, notice: str, error: bool = False) -> None:
        line = self.query_one("#notice", Lines)
        line.set_class(error, "-error")
        line.display = bool(notice)
        line.put(content(f"✗ {notice}" if error else notice))

    def _part(self, part: str, text: Content | None) -> None:
        widget = self.query_one(f"#{part}", Lines)
        widget.display = text is not None
        widget.put(text if text is not None else Content(""))
