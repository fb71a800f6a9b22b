"""A sitting, driven by hand with a memory that keeps its reviews in a list."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest

from quiz.errors import QuizError, StorageError
from quiz.memory.acts import Act, Deed, Entry, acted
from quiz.memory.cards import Card
from quiz.memory.days import Moment, moment
from quiz.memory.review import Review
from quiz.memory.schedule import preview, review
from quiz.problem.variant import Answer, KnownMistake, RubricPoint, Variant
from quiz.study.memory import Answered
from quiz.study.rating import Rating
from quiz.study.session import Session
from quiz.study.view import View

START = datetime(2026, 3, 2, 9, tzinfo=UTC)


def at(seconds: float = 0.0) -> Moment:
    return moment(START + timedelta(seconds=seconds), UTC)


def question(key: str, seed: int) -> Variant:
    """What is twice the seed's last digit? The hint and the numbers follow the seed."""
    kind = key.partition("/")[0]
    number = seed % 10
    if kind == "open":
        points = (RubricPoint("arithmetic", 2), RubricPoint("where it fails", 3))
        return Variant(key, seed, "1.0", "open", "onsite", None, "Why?", Answer(None, "Because."), rubric=points)
    if kind == "card":
        return Variant(key, seed, "1.0", "card", "screen", None, "Front", Answer(None, "Back"))
    if kind == "broken":
        raise QuizError("it cannot be drawn")
    answer = Answer(2 * number, str(2 * number))
    return Variant(
        key, seed, "1.0", "numeric", "screen", None, f"2 · {number}?", answer, {"number": number}, hints=("Double it.",)
    )


class Notebook:
    """A memory without a disk; ``full`` makes it refuse to write."""

    def __init__(self) -> None:
        self.cards: dict[str, Card] = {}
        self.kept: list[tuple[Answered, Card, Moment]] = []
        self.full = False
        self.acts: list[Act] = []

    def card(self, key: str) -> Card:
        return self.cards.get(key, Card(key))

    def act(self, key: str, deed: Deed, moment: Moment) -> Card:
        if self.full:
            raise StorageError("the disk is full")
        before = self.card(key)
        self.cards[key] = acted(before, deed, moment)
        self.acts.append(Act("", key, deed, moment, "", "", before, self.cards[key]))
        return self.cards[key]

    def preview(self, card: Card, moment: Moment) -> tuple[Card, Card, Card, Card]:
        return preview(card, moment)

    def record(self, answered: Answered, moment: Moment) -> Card:
        if self.full:
            raise StorageError("the disk is full")
        key = answered.variant.key
        before = self.cards.get(key, Card(key))
        self.kept.append((answered, before, moment))
        self.cards[key] = review(before, int(answered.rating), moment)
        return self.cards[key]

    def undo(self, moment: Moment) -> Entry | None:
        if self.acts and (not self.kept or self.acts[-1].moment.instant >= self.kept[-1][2].instant):
            self.cards[self.acts[-1].key] = self.acts[-1].before
            return self.acts.pop()
        if not self.kept:
            return None
        taken = self._review(*self.kept[-1])
        self.kept.pop()
        self.cards[taken.key] = taken.before
        return taken

    def last(self, key: str) -> Review | None:
        found = [kept for kept in self.kept if kept[0].variant.key == key]
        return self._review(*found[-1]) if found else None

    def _review(self, answered: Answered, before: Card, when: Moment) -> Review:
        return Review(
            id="",
            key=before.key,
            seed=answered.variant.seed,
            pack="",
            pack_version="1.0",
            givens=answered.variant.givens,
            moment=when,
            typed=answered.typed,
            verdict="right",
            credit=Fraction(1),
            misconception=answered.mark.misconception if answered.mark else None,
            proposed=3,
            rating=int(answered.rating),
            thinking_ms=0,
            hints=0,
            sitting="",
            device="",
            before=before,
            after=self.cards[before.key],
        )


def sitting(*keys: str, memory: Notebook | None = None, limit: int | None = None) -> tuple[Session, Notebook]:
    seeds = iter(range(1, 1000))
    notebook = memory or Notebook()
    return Session(keys, question, notebook, lambda: next(seeds), limit), notebook


def shown(view: View) -> str:
    assert view.variant is not None
    return view.variant.key


def answer_right(session: Session, seconds: float = 0.0) -> View:
    variant = session.view.variant
    assert variant is not None
    session.answer(variant.answer.display, at(seconds))
    return session.rate(None, at(seconds))


def test_a_right_answer_is_marked_offered_good_and_saved_before_the_next_question_shows() -> None:
    session, memory = sitting("n/a", "n/b")
    view = session.start(at())
    assert (view.phase, shown(view), view.tally.left) == ("asking", "n/a", 1)
    view = session.answer("2", at(5))
    assert view.mark is not None
    assert (view.phase, view.mark.verdict, view.proposed) == ("marked", "right", Rating.GOOD)
    assert memory.kept == []
    view = session.rate(None, at(6))
    assert (shown(view), view.tally.answered, view.tally.right) == ("n/b", 1, 1)
    assert view.saved is not None
    assert (view.saved.key, view.saved.rating) == ("n/a", Rating.GOOD)
    answered = memory.kept[0][0]
    assert (answered.typed, answered.seconds, answered.proposed) == ("2", 5.0, Rating.GOOD)


def test_the_wait_shown_for_a_rating_is_the_wait_it_gets() -> None:
    session, memory = sitting("n/a")
    session.start(at())
    offers = {offer.rating: offer.seconds for offer in session.answer("2", at()).offers}
    assert offers[Rating.AGAIN] == 60
    session.rate(Rating.EASY, at())
    card = memory.cards["n/a"]
    assert card.due_day is not None
    assert offers[Rating.EASY] == (card.due_day - at().day) * 86_400


def test_a_wrong_answer_comes_back_after_three_others_with_other_numbers() -> None:
    session, _ = sitting("n/a", "n/b", "n/c", "n/d", "n/e")
    first = session.start(at()).variant
    session.answer("999", at(1))
    view = session.rate(None, at(1))
    assert view.saved is not None
    assert view.saved.rating == Rating.AGAIN
    order = []
    for second in range(2, 6):
        order.append(shown(session.view))
        view = answer_right(session, second)
    assert order == ["n/b", "n/c", "n/d", "n/a"]
    assert first is not None
    session.undo(at(9))
    again = session.view.variant
    assert again is not None
    assert again.givens != first.givens


def test_questions_that_stay_wrong_do_not_hold_up_the_rest() -> None:
    session, _ = sitting(*(f"n/{letter}" for letter in "abcdefgh"))
    session.start(at())
    order = []
    for second in range(1, 25):
        order.append(shown(session.view))
        session.answer("999", at(second))
        session.rate(None, at(second))
    assert set(order) == {f"n/{letter}" for letter in "abcdefgh"}
    assert order.index("n/a", 1) == 4


def test_wrong_answers_come_back_even_when_nothing_else_is_left() -> None:
    session, _ = sitting("n/a")
    session.start(at())
    session.answer("999", at(1))
    view = session.rate(None, at(1))
    assert (view.phase, shown(view), view.again) == ("asking", "n/a", True)


def test_what_cannot_be_read_counts_as_nothing_and_asks_again() -> None:
    session, memory = sitting("n/a")
    session.start(at())
    view = session.answer("sixty-four", at(1))
    assert (view.phase, view.typed, view.mark) == ("asking", "sixty-four", None)
    assert view.notice
    assert memory.kept == []


def test_a_hint_or_a_long_thought_makes_a_right_answer_hard() -> None:
    session, _ = sitting("n/a", "n/b")
    session.start(at())
    assert session.hint().hints == ("Double it.",)
    assert session.answer("2", at(1)).proposed == Rating.HARD
    session.rate(None, at(1))
    assert session.answer("4", at(400)).proposed == Rating.HARD


def test_thinking_time_stops_counting_after_ten_minutes() -> None:
    session, memory = sitting("n/a")
    session.start(at())
    session.answer("2", at(5000))
    session.rate(None, at(5000))
    assert memory.kept[0][0].seconds == 600.0


def test_a_clock_that_goes_back_gives_no_negative_time() -> None:
    session, memory = sitting("n/a")
    session.start(at())
    session.answer("2", at(-500))
    session.rate(None, at(-500))
    assert memory.kept[0][0].seconds == 0.0


def test_a_card_is_judged_by_the_learner() -> None:
    session, memory = sitting("card/a")
    session.start(at())
    view = session.answer("", at(2))
    assert (view.phase, view.mark, view.proposed) == ("marked", None, Rating.GOOD)
    session.rate(Rating.AGAIN, at(3))
    assert memory.kept[0][0].rating == Rating.AGAIN


def test_ticking_the_rubric_moves_the_proposal_of_an_open_question() -> None:
    session, memory = sitting("open/a")
    session.start(at())
    session.answer("", at(1))
    assert session.tick(1).proposed == Rating.HARD
    assert session.tick(0).proposed == Rating.GOOD
    assert session.tick(0).ticked == {1}
    session.rate(None, at(2))
    assert (memory.kept[0][0].rating, memory.kept[0][0].credit) == (Rating.HARD, Fraction(3, 5))


def test_nothing_is_proposed_or_saved_by_itself_before_a_point_is_ticked() -> None:
    session, memory = sitting("open/a")
    session.start(at())
    assert session.answer("", at(1)).proposed is None
    view = session.rate(None, at(2))
    assert (view.phase, view.notice) == ("marked", "Tick what you said first, or rate it yourself, from 1 to 4.")
    assert memory.kept == []
    assert session.tick(0).notice == ""
    session.tick(0)
    session.rate(Rating.AGAIN, at(3))
    assert memory.kept[0][0].rating == Rating.AGAIN


def test_one_who_does_not_know_is_shown_the_answer_and_it_counts_as_a_miss_without_a_diagnosis() -> None:
    session, memory = sitting("n/a")
    session.start(at())
    view = session.pass_on(at(4))
    assert view.mark is not None
    assert (view.phase, view.passed, view.proposed) == ("marked", True, Rating.AGAIN)
    assert (view.mark.verdict, view.mark.misconception, view.mark.credit) == ("wrong", None, Fraction(0))
    assert "You passed on it; the answer is 2." in view.mark.feedback
    session.rate(None, at(5))
    answered = memory.kept[0][0]
    assert (answered.typed, answered.rating, answered.seconds) == ("", Rating.AGAIN, 4.0)
    assert session.view.tally.right == 0


def test_what_was_passed_on_cannot_be_disputed_but_can_be_withdrawn() -> None:
    session, memory = sitting("n/a")
    session.start(at())
    assert not session.pass_on(at(1)).disputable
    assert not session.disagree().disputed
    assert session.undo(at(2)).phase == "asking"
    assert session.answer("2", at(3)).proposed == Rating.HARD
    assert memory.kept == []


def test_a_kind_that_the_learner_judges_is_not_passed_on() -> None:
    session, _ = sitting("card/a")
    session.start(at())
    view = session.pass_on(at(1))
    assert (view.phase, view.notice) == ("asking", "You judge this one yourself: look at the other side, then rate it.")


def test_a_hint_beyond_the_last_says_so() -> None:
    session, _ = sitting("n/a")
    session.start(at())
    assert session.hint().notice == ""
    assert session.hint().notice == "That was the last hint."


def test_after_four_misses_of_a_question_its_learner_is_told_once() -> None:
    session, _ = sitting("n/a")
    session.start(at())
    told = []
    for second in range(7):
        session.pass_on(at(second))
        told.append(session.rate(None, at(second)).misses)
    assert told == [0, 0, 0, 4, 0, 0, 0]


def test_what_comes_back_before_its_time_says_why_once() -> None:
    session, _ = sitting("n/a", "n/b")
    session.start(at())
    session.pass_on(at(1))
    assert session.rate(None, at(2)).notice == ""
    assert "comes back at once" in answer_right(session, 3).notice
    session.pass_on(at(4))
    assert session.rate(None, at(5)).notice == ""


def test_what_comes_back_in_its_time_needs_no_word() -> None:
    session, _ = sitting("n/a", "n/b")
    session.start(at())
    session.pass_on(at(1))
    session.rate(None, at(2))
    assert answer_right(session, 90).notice == ""


def test_skipping_the_only_question_left_says_that_it_is() -> None:
    session, _ = sitting("n/a")
    session.start(at())
    assert "No other question is left" in session.skip(at(1)).notice


def test_leaving_a_question_says_nothing_of_it_again() -> None:
    session, _ = sitting("n/a")
    session.start(at())
    session.answer("2", at(1))
    assert session.undo(at(2)).notice
    assert session.leave(at(3)).notice == ""


def test_undo_before_saving_withdraws_the_answer_and_asks_the_same_numbers() -> None:
    session, memory = sitting("n/a")
    before = session.start(at()).variant
    session.answer("999", at(1))
    view = session.undo(at(2))
    assert (view.phase, view.variant, view.mark) == ("asking", before, None)
    assert memory.kept == []


def test_an_answer_that_was_seen_before_it_was_taken_back_is_worth_hard_at_most() -> None:
    session, _ = sitting("n/a")
    session.start(at())
    session.answer("999", at(1))
    session.undo(at(2))
    assert session.answer("2", at(3)).proposed == Rating.HARD


def test_undo_after_saving_takes_the_review_back_and_restores_the_tally() -> None:
    session, memory = sitting("n/a", "n/b", "n/c")
    first = session.start(at()).variant
    answer_right(session, 1)
    answer_right(session, 2)
    session.undo(at(3))
    view = session.undo(at(4))
    assert (view.variant, view.tally.answered, view.tally.right, view.tally.left) == (first, 0, 0, 2)
    assert memory.kept == []
    assert memory.cards["n/a"] == Card("n/a")
    assert "nothing to undo" in session.undo(at(5)).notice


def test_undo_reaches_into_an_earlier_sitting_and_keeps_the_question_on_screen_for_later() -> None:
    earlier, memory = sitting("n/a")
    earlier.start(at())
    answer_right(earlier, 1)
    session, _ = sitting("n/b", memory=memory)
    session.start(at(100))
    view = session.undo(at(101))
    assert (shown(view), view.notice) == ("n/a", "Took back n/a, answered earlier today.")
    assert view.tally.left == 1
    assert shown(answer_right(session, 102)) == "n/b"


def test_a_disk_that_refuses_leaves_the_answer_on_screen() -> None:
    session, memory = sitting("n/a", "n/b")
    session.start(at())
    session.answer("2", at(1))
    memory.full = True
    with pytest.raises(StorageError):
        session.rate(None, at(2))
    assert (session.view.phase, shown(session.view)) == ("marked", "n/a")
    memory.full = False
    assert shown(session.rate(None, at(3))) == "n/b"


def test_leaving_saves_a_marked_answer_but_not_a_card_only_looked_at() -> None:
    session, memory = sitting("n/a", "card/a")
    session.start(at())
    session.answer("2", at(1))
    assert session.leave(at(2)).phase == "finished"
    assert [answered.variant.key for answered, _, _ in memory.kept] == ["n/a"]
    looking, untouched = sitting("card/a")
    looking.start(at())
    looking.answer("", at(1))
    assert looking.leave(at(2)).tally.left == 1
    assert untouched.kept == []


def test_the_question_on_screen_at_the_end_is_one_of_those_left() -> None:
    session, _ = sitting("n/a", "n/b", "n/c")
    session.start(at())
    answer_right(session, 1)
    tally = session.leave(at(2)).tally
    assert (tally.answered, tally.left) == (1, 2)


def test_going_on_after_the_end_asks_what_was_left() -> None:
    session, _ = sitting("n/a", "n/b")
    first = session.start(at()).variant
    session.leave(at(1))
    again = session.go_on_early(at(2)).variant
    assert first is not None
    assert again is not None
    assert again.key == first.key


def test_skipping_puts_a_question_at_the_end_without_a_trace() -> None:
    session, memory = sitting("n/a", "n/b")
    session.start(at())
    assert shown(session.skip(at(1))) == "n/b"
    assert shown(answer_right(session, 2)) == "n/a"
    assert len(memory.kept) == 1


def test_the_limit_ends_the_sitting() -> None:
    session, _ = sitting("n/a", "n/b", "n/c", limit=2)
    assert session.start(at()).tally.left == 1
    answer_right(session, 1)
    view = answer_right(session, 2)
    assert (view.phase, view.tally.answered, view.tally.left, view.resumes_in) == ("finished", 2, 0, None)
    assert session.go_on_early(at(3)).phase == "finished"


def test_what_is_still_being_learned_can_be_asked_early_after_the_end() -> None:
    session, _ = sitting("n/a")
    session.start(at())
    view = answer_right(session, 1)
    assert (view.phase, view.tally.returning, view.resumes_in) == ("finished", 1, 600.0)
    view = session.go_on_early(at(2))
    assert (view.phase, shown(view), view.again) == ("asking", "n/a", True)
    assert answer_right(session, 3).resumes_in is None


def test_a_question_that_cannot_be_drawn_is_left_out_with_a_notice() -> None:
    session, _ = sitting("broken/a", "n/b")
    view = session.start(at())
    assert shown(view) == "n/b"
    assert "broken/a was left out: it cannot be drawn" in view.notice


def test_a_mark_that_the_learner_disputes_is_kept_as_disputed_under_their_own_rating() -> None:
    session, memory = sitting("n/a")
    session.start(at())
    view = session.answer("17", at(5))
    assert (view.proposed, view.disputed) == (Rating.AGAIN, False)
    view = session.disagree()
    assert (view.proposed, view.disputed) == (Rating.GOOD, True)
    session.rate(None, at(6))
    answered = memory.kept[0][0]
    assert answered.mark is not None
    assert (answered.disputed, answered.rating, answered.mark.verdict) == (True, Rating.GOOD, "wrong")


def test_a_dispute_can_be_withdrawn_and_does_not_cling_to_the_next_question() -> None:
    session, memory = sitting("n/a", "n/b")
    session.start(at())
    session.answer("17", at(5))
    session.disagree()
    assert not session.disagree().disputed
    session.disagree()
    session.rate(None, at(6))
    view = session.answer("17", at(8))
    assert not view.disputed
    session.rate(None, at(9))
    assert [answered.disputed for answered, _, _ in memory.kept] == [True, False]


def test_a_right_answer_cannot_be_disputed() -> None:
    session, _ = sitting("n/a")
    view = session.start(at())
    assert view.variant is not None
    session.answer(view.variant.answer.display, at(5))
    assert not session.disagree().disputed


def test_numbers_differ_from_the_last_time_also_in_another_sitting() -> None:
    first, memory = sitting("n/a")
    view = first.start(at())
    assert view.variant is not None
    given = view.variant.givens
    answer_right(first)
    second = Session(["n/a"], question, memory, iter([1, 11, 21, 2]).__next__).start(at(9))
    assert second.variant is not None
    assert (second.variant.seed, second.variant.givens == given) == (2, False)


def test_after_a_named_mistake_the_numbers_are_such_that_it_would_show_again() -> None:
    def ask(key: str, seed: int) -> Variant:
        # "Added" gives 4 for 2 · 2: only other numbers tell it from the answer.
        plain = question(key, seed)
        number = seed % 10
        return replace(plain, mistakes=(KnownMistake(2 + number, "added"),) if number != 2 else ())

    memory = Notebook()
    first = Session(["n/a"], ask, memory, lambda: 5)
    first.start(at())
    view = first.answer("7", at(1))
    assert view.mark is not None
    assert view.mark.misconception == "added"
    first.rate(None, at(2))
    second = Session(["n/a"], ask, memory, iter([5, 2, 12, 4]).__next__).start(at(9))
    assert second.variant is not None
    assert second.variant.seed == 4


@pytest.mark.parametrize("deed", ["suspend", "bury", "known", "reset"])
def test_a_deed_puts_the_question_away_and_undo_brings_it_back(deed: Deed) -> None:
    session, memory = sitting("n/a", "n/b")
    session.start(at())
    view = session.act(deed, at(1))
    assert (shown(view), view.phase, view.tally.answered) == ("n/b", "asking", 0)
    assert "n/a: " in view.notice
    said = view.notice.removeprefix("n/a: ").partition(",")[0].rstrip(".")
    view = session.undo(at(2))
    assert view.notice == f"Took back n/a: {said}."
    assert (shown(view), view.phase, view.proposed) == ("n/a", "asking", None)
    assert memory.cards["n/a"] == Card("n/a")


def test_a_suspended_question_does_not_come_back_in_the_sitting() -> None:
    session, _ = sitting("n/a", "n/b", "n/c", "n/d", "n/e", "n/f")
    view = session.start(at())
    session.answer("17", at(1))
    view = session.rate(None, at(2))
    assert view.tally.returning == 1
    for second in range(3, 30):
        if view.phase == "finished":
            break
        view = session.act("suspend", at(second)) if shown(view) == "n/a" else answer_right(session, second)
    assert (view.tally.returning, view.phase) == (5, "finished")


def test_a_flag_leaves_the_question_and_its_mark_on_screen() -> None:
    session, memory = sitting("n/a", "n/b")
    session.start(at())
    assert session.act("flag", at(1)).flagged
    session.answer("17", at(2))
    view = session.act("unflag", at(3))
    assert (view.phase, shown(view), view.flagged) == ("marked", "n/a", False)
    session.act("flag", at(4))
    session.rate(None, at(5))
    assert memory.card("n/a").flagged


def test_an_answer_seen_before_a_flag_was_taken_back_caps_the_proposal() -> None:
    session, _ = sitting("n/a")
    session.start(at())
    session.answer("17", at(1))
    session.act("flag", at(2))
    session.undo(at(3))
    view = session.undo(at(4))
    assert (view.phase, view.flagged) == ("asking", False)
    assert view.variant is not None
    assert session.answer(view.variant.answer.display, at(5)).proposed == Rating.HARD


def test_a_deed_that_cannot_be_written_changes_nothing() -> None:
    session, memory = sitting("n/a", "n/b")
    view = session.start(at())
    memory.full = True
    with pytest.raises(StorageError):
        session.act("suspend", at(1))
    assert session.view == view
