"""The sitting on screen: one long-lived screen, updated in place from the frozen view of the session."""

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content

from quiz.errors import QuizError
from quiz.memory.acts import Deed
from quiz.study.notices import many_misses
from quiz.study.rating import Rating
from quiz.study.session import Session
from quiz.study.view import View
from quiz.tui.commands import STUDY, Place, bindings, commands_at
from quiz.tui.safe import content, one_line
from quiz.tui.screens.screen import QuizScreen
from quiz.tui.widgets import question
from quiz.tui.widgets.answer import AnswerBox
from quiz.tui.widgets.head import head
from quiz.tui.widgets.keybar import KeyBar, grounded_bar
from quiz.tui.widgets.ratings import NAMES, foot
from quiz.tui.widgets.shapes import text_width
from quiz.tui.widgets.sheet import Sheet
from quiz.tui.widgets.summary import summary

DISPUTED = "Noted: you hold that this is right. Rate it yourself; d takes this back. `quiz data disputes` lists it."
UNTICKED = "Tick what you said: that proposes a rating. Or rate it yourself."
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
        self._notice = Content("")
        self._end: dict[str, Content] = {}
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
    def options(self) -> int:
        """The options of the question, or the points of its rubric."""
        variant = self._view.variant
        return len(variant.rubric or question.options(variant)) if variant else 0

    def compose(self) -> ComposeResult:
        """Where we are, the question and what was said about the answer, and below it what the learner can do."""
        yield Sheet()
        yield AnswerBox()
        yield KeyBar()

    def on_mount(self) -> None:
        """Show the first question."""
        for pack in self.quiz.desk.library.packs():
            self._titles[pack.id] = pack.title
            self._titles |= {f"{pack.id}/{lesson.id}": lesson.title for lesson in pack.lessons}
        self._begin_question()

    def on_resize(self) -> None:
        """Fit the new width."""
        self._show_view()

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
        self._show()

    def action_unpick(self) -> None:
        """Let go of the last pick."""
        self._picks = self._picks[:-1]
        self._show()

    def action_submit(self) -> None:
        """Give the answer that is picked or typed, or look at the other side."""
        picked = self.place == "picking"
        self._answer(", ".join(map(str, self._picks)) if picked else self.query_one(AnswerBox).text)

    def action_pass_on(self) -> None:
        """Look at an answer that the learner does not know."""
        self._picks = ()
        self._answered(lambda: self._sitting.pass_on(self.quiz.desk.now()))

    def action_tick(self, letter: str) -> None:
        """Tick a point of the rubric."""
        self._view = self._sitting.tick(question.LETTERS.index(letter))
        self._show(_why(self._view))
        self.query_one(Sheet).go_to("rubric")

    def action_accept(self) -> None:
        """Save under the proposed rating; before a point is ticked, bring the points in sight."""
        if self._view.phase == "marked" and self._view.proposed is None:
            self._show(_why(self._view))
            self.query_one(Sheet).go_to("rubric")
        else:
            self._rate(None)

    def action_rate(self, digit: str) -> None:
        """Save under another rating."""
        self._rate(Rating(int(digit)))

    def action_disagree(self) -> None:
        """Hold that the mark is wrong, or no longer."""
        self._view = self._sitting.disagree()
        self._show(_why(self._view))

    def action_flag(self) -> None:
        """Flag the question, or take its flag away."""
        try:
            self._view = self._sitting.act("unflag" if self._view.flagged else "flag", self.quiz.desk.now())
        except QuizError as error:
            self._complain(error)
            return
        self._show(self._view.notice)

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
        self._show(self._view.notice)
        self.query_one(Sheet).go_to("hints")

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
            self._show("This question has no lesson.")
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
            self._complain(error)
            return
        self.app.pop_screen()

    def _answer(self, typed: str) -> None:
        self._answered(lambda: self._sitting.answer(typed, self.quiz.desk.now()))

    def _answered(self, step: Callable[[], View]) -> None:
        """Take the step that shows the answer, or says why it could not."""
        try:
            view = step()
        except QuizError as error:
            self._complain(error)
            return
        self._view = view
        if view.phase == "marked":
            self._show(_why(view))
            self.query_one(Sheet).go_to("told", at_top=True)
        elif self.place == "typing":
            self.query_one(AnswerBox).refuse(f"{view.notice}{self._way_out(view.typed)}")
        else:
            self._show(view.notice)

    def _way_out(self, typed: str) -> str:
        """What who types no number may have looked for."""
        if any(character.isdigit() for character in typed):
            return ""
        return f" {self._keys['pass_on']} if you do not know."

    @property
    def _keys(self) -> dict[str, str]:
        """The keys to name for what can be done here."""
        return {command.id: command.key_at(self.place) for command in commands_at(self.place)}

    def _rate(self, rating: Rating | None) -> None:
        self._move(lambda: self._sitting.rate(rating, self.quiz.desk.now()))

    def _move(self, step: Callable[[], View]) -> None:
        """Take a step that brings another question, or the same one anew."""
        try:
            self._view = step()
        except QuizError as error:
            self._complain(error)
            return
        self._begin_question()

    def _begin_question(self) -> None:
        view, variant = self._view, self._view.variant
        self._picks = ()
        if variant is None:
            self._end = {"summary": self._summary()}
        elif self.place == "typing":
            self.query_one(AnswerBox).ask(variant.kind, variant.unit)
        self.query_one(Sheet).scroll_to(y=0, animate=False)
        self._show("" if variant is None else "\n".join(filter(None, (self._many_misses(), view.notice))))

    def _many_misses(self) -> str:
        """What to do about a question that is missed again and again, when it should be said."""
        view, variant = self._view, self._view.variant
        if not view.misses or variant is None:
            return ""
        lesson = f"{variant.key.partition('/')[0]}/{variant.lesson}"
        title = one_line(self._titles.get(lesson, ""))
        return many_misses(view.misses, title, *(self._keys[one] for one in ("lesson", "bury", "suspend")))

    def _show(self, notice: str = "", error: bool = False) -> None:
        """Bring all that is on screen up to the view, with a notice below the question."""
        self._notice = content(f"✗ {notice}", "bold $text-error") if error else content(notice, "$text-warning")
        self._show_view()

    def _complain(self, error: QuizError) -> None:
        self._show(str(error), error=True)

    def _show_view(self) -> None:
        view, width = self._view, self.app.size.width
        blocks = question.page(view, self._picks, text_width(width)) if view.variant else self._end
        self._idle = self._commands_that_do_nothing()
        self.query_one(Sheet).show(head(view, self._titles, width), blocks, self._foot())
        box, typing = self.query_one(AnswerBox), self.place == "typing"
        if box.display != typing:
            box.display = self.query_one(KeyBar).display = typing
            if not typing:
                self.set_focus(None)

    def _fill_bar(self) -> None:
        """There is more to scroll, or no longer."""
        self.query_one(Sheet).show_foot(self._foot())

    def _foot(self) -> list[Content]:
        """The notice, the ratings and the keys; where text is typed, the keys stand below the field."""
        idle = self._idle if self.query_one(Sheet).more else self._idle | {"page_down"}
        lines = foot(self._view, self._notice, self.app.size.width)
        if self.place == "typing":
            self.query_one(KeyBar).show_place(self.place, idle, self.options)
            return lines
        return [*lines, *grounded_bar(self.place, idle, self.options, self.app.size.width)]

    def _commands_that_do_nothing(self) -> frozenset[str]:
        view, variant = self._view, self._view.variant
        idle = {
            "go_on": view.resumes_in is None,
            "lesson": variant is not None and variant.lesson is None,
            "hint": variant is not None and len(view.hints) == len(variant.hints),
            "unpick": variant is not None and variant.kind != "order",
            "disagree": view.disputed or not view.disputable,
            "accept": view.proposed is None,
        }
        return frozenset(command for command, nothing in idle.items() if nothing)

    def _summary(self) -> Content:
        desk = self.quiz.desk
        try:
            tomorrow = desk.due_tomorrow()
        except QuizError as error:
            return Content("\n").join([summary(self._view, None), content(str(error), "$text-error")])
        return summary(self._view, tomorrow)


def _why(view: View) -> str:
    """Why this rating is proposed, where the mark alone does not tell."""
    if view.disputed:
        return DISPUTED
    if view.phase == "marked" and view.proposed is None:
        return UNTICKED
    return f"{NAMES[view.proposed]} is proposed: {view.because}." if view.proposed and view.because else ""
