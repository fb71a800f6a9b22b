"""A sitting as a state machine: it shows one question after another, takes answers and ratings, and can go back.

It has no screen, clock or disk of its own. The time comes with every call, seeds and variants come from functions it
is given, and each rating goes through ``Memory``, whose ``record`` returns only when the review is on disk. A front
room shows `Session.view` and sends what the learner did.
"""

from collections.abc import Callable, Sequence

from quiz.errors import QuizError
from quiz.memory.acts import Deed
from quiz.memory.cards import interval
from quiz.memory.days import Moment
from quiz.memory.review import Review
from quiz.problem.contrast import reveals
from quiz.problem.mark import Mark
from quiz.problem.marking import mark
from quiz.problem.passing import passed_on
from quiz.problem.variant import Variant
from quiz.study.leech import leech_notice
from quiz.study.memory import Answered, Memory
from quiz.study.notices import EARLY, MANY_MISSES, done, taken_back
from quiz.study.rating import Proposal, Rating, propose, propose_for_rubric
from quiz.study.state import (
    State,
    asking_again,
    comes_back,
    comes_early,
    finished,
    is_of,
    next_key,
    seconds,
    ticked_share,
)
from quiz.study.view import Offer, Saved, Tally, View

SELF_JUDGED = frozenset({"card", "open"})
# Seeds to try for a variant that differs from the last one.
MOST_DRAWS = 16
# Longer pauses are not thinking.
LONGEST_THOUGHT = 600.0


class Session:
    """One sitting over a queue of question keys.

    Args:
        queue: the keys to ask, in order.
        ask: draws the variant of a key and a seed; a `QuizError` skips the question with a notice.
        memory: the log and the schedule.
        seeds: gives a fresh seed at each call.
        limit: the most answers in this sitting; None means as many as there are.
        opening: what is to be said with the first question.
    """

    def __init__(
        self,
        queue: Sequence[str],
        ask: Callable[[str, int], Variant],
        memory: Memory,
        seeds: Callable[[], int],
        limit: int | None = None,
        opening: str = "",
    ) -> None:
        self._ask = ask
        self._opening = opening
        self._memory = memory
        self._seeds = seeds
        self._limit = limit
        self._state = State(tuple(queue))
        self._before: list[State] = []
        self._offers: tuple[Offer, ...] = ()

    def start(self, moment: Moment) -> View:
        """Show the first question."""
        begun = self._advance(self._state, moment)
        self._state = begun._replace(notice="\n".join(filter(None, (self._opening, begun.notice))))
        return self.view

    @property
    def view(self) -> View:
        """The sitting as it stands."""
        state, proposed = self._state, self._proposed(self._state)
        # Nothing is ticked yet: that says nothing about the answer.
        unticked = state.mark is None and state.variant is not None and state.variant.rubric and not state.ticked
        return View(
            phase=state.phase,
            tally=Tally(state.answered, state.right, self._left(state), len(state.returning)),
            variant=state.variant,
            typed=state.typed,
            hints=state.variant.hints[: state.hints] if state.variant else (),
            mark=state.mark,
            disputed=state.disputed,
            ticked=state.ticked,
            proposed=proposed.rating if proposed and not unticked else None,
            because=proposed.why if proposed and not unticked else "",
            offers=self._offers if state.phase == "marked" else (),
            saved=state.saved,
            notice=state.notice,
            again=state.again,
            flagged=state.card is not None and state.card.flagged,
            resumes_in=state.resumes_in,
            misses=self._many_misses(state),
        )

    def _many_misses(self, state: State) -> int:
        count = state.misses.get(state.variant.key, 0) if state.variant and state.phase == "asking" else 0
        return count if state.again and count == MANY_MISSES else 0

    def _left(self, state: State) -> int:
        """How many questions are still to be shown for the first time, within the limit of the sitting."""
        if self._limit is None:
            return len(state.queue)
        on_screen = state.variant is not None
        return min(len(state.queue), self._limit - state.answered - on_screen)

    def hint(self) -> View:
        """Show one more hint."""
        state = self._state
        if state.phase == "asking" and state.variant is not None:
            there = len(state.variant.hints)
            none = "That was the last hint." if there else "This question has no hint."
            self._state = state._replace(hints=min(state.hints + 1, there), notice=none if state.hints == there else "")
        return self.view

    def answer(self, typed: str, moment: Moment) -> View:
        """Mark what was typed; a card or an open question shows its other side instead, whatever was typed.

        What cannot be read leaves the question as it is, with the reason in ``notice`` and nothing counted.
        """
        state = self._state
        if state.phase != "asking" or state.variant is None:
            return self.view
        judged = None
        if state.variant.kind not in SELF_JUDGED:
            judged = mark(state.variant, typed)
            if judged.verdict == "unreadable":
                self._state = state._replace(typed=typed, notice=judged.feedback)
                return self.view
        return self._reveal(state.variant, typed, judged, moment)

    def pass_on(self, moment: Moment) -> View:
        """Show the answer to a learner who does not know it: wrong, with nothing typed and nothing diagnosed."""
        state = self._state
        if state.phase != "asking" or state.variant is None:
            return self.view
        if state.variant.kind in SELF_JUDGED:
            self._state = state._replace(notice="You judge this one yourself: look at the other side, then rate it.")
            return self.view
        return self._reveal(state.variant, "", passed_on(state.variant), moment)

    def _reveal(self, variant: Variant, typed: str, judged: Mark | None, moment: Moment) -> View:
        state = self._state
        card = self._memory.card(variant.key)
        self._state = state._replace(
            phase="marked",
            card=card,
            typed=typed,
            mark=judged,
            thought=min(max(seconds(moment) - state.began, 0.0), LONGEST_THOUGHT),
            notice="",
        )
        outcomes = zip(Rating, self._memory.preview(card, moment), strict=True)
        self._offers = tuple(Offer(rating, interval(after, moment).total_seconds()) for rating, after in outcomes)
        return self.view

    def tick(self, point: int) -> View:
        """Tick or untick a point of the rubric, counting from 0."""
        state = self._state
        if state.phase == "marked" and state.variant and 0 <= point < len(state.variant.rubric):
            self._state = state._replace(ticked=state.ticked ^ {point}, notice="")
        return self.view

    def act(self, deed: Deed, moment: Moment) -> View:
        """Do something else to the question on screen than answer it; all but a flag bring the next question.

        Raises:
            StorageError: it could not be written; the sitting stays where it was.
        """
        state = self._state
        if state.variant is None:
            return self.view
        key = state.variant.key
        card = self._memory.act(key, deed, moment)
        self._before.append(state)
        if deed in ("flag", "unflag"):
            self._state = state._replace(card=card, notice=done(key, deed))
            return self.view
        left = tuple(one for one in state.returning if one.key != key)
        moved = self._advance(state._replace(returning=left, saved=None), moment)
        self._state = moved._replace(notice="\n".join(filter(None, (done(key, deed), moved.notice))))
        return self.view

    def disagree(self) -> View:
        """Hold that the mark is wrong, or no longer: the review is kept as disputed, under the learner's own rating."""
        state = self._state
        if state.phase == "marked" and self.view.disputable:
            self._state = state._replace(disputed=not state.disputed, notice="")
        return self.view

    def rate(self, rating: Rating | None, moment: Moment) -> View:
        """Save the review under this rating (None takes the proposed one) and show the next question.

        Nothing is saved where None is proposed.

        Raises:
            StorageError: the review could not be written; the sitting stays where it was.
        """
        state, proposed = self._state, self._proposed(self._state)
        if state.phase != "marked" or state.variant is None or state.card is None or proposed is None:
            return self.view
        if rating is None and not self.view.proposed:
            self._state = state._replace(notice="Tick what you said first, or rate it yourself, from 1 to 4.")
            return self.view
        final = rating or proposed.rating
        answered = Answered(
            variant=state.variant,
            before=state.card,
            typed=state.typed,
            mark=state.mark,
            proposed=proposed.rating,
            rating=final,
            seconds=state.thought,
            hints=state.hints,
            credit=ticked_share(state),
            disputed=state.disputed,
        )
        key = state.variant.key
        card = self._memory.record(answered, moment)
        self._before.append(state)
        done = state._replace(
            answered=state.answered + 1,
            right=state.right + (final > Rating.AGAIN if state.mark is None else state.mark.verdict == "right"),
            misses={**state.misses, key: state.misses.get(key, 0) + (final == Rating.AGAIN)},
            saved=Saved(key, final, card),
            returning=(*state.returning, *comes_back(state, card, final)),
        )
        moved = self._advance(done, moment)
        notices = (leech_notice(state.card, card, state.variant, state.mark), moved.notice)
        self._state = moved._replace(notice="\n".join(filter(None, notices)))
        return self.view

    def skip(self, moment: Moment) -> View:
        """Put the question at the end of the sitting, unanswered; nothing is recorded."""
        state = self._state
        if state.phase == "asking" and state.variant is not None:
            key = state.variant.key
            moved = self._advance(state._replace(queue=(*state.queue, key)), moment)
            only = moved.variant is not None and moved.variant.key == key
            alone = "No other question is left in this sitting, so this one is asked again." if only else ""
            self._state = moved._replace(notice="\n".join(filter(None, (alone, moved.notice))))
        return self.view

    def undo(self, moment: Moment) -> View:
        """Withdraw the mark on screen if it is not saved yet, else take back the newest saved review or deed.

        The same variant is then asked again, whether it was answered in this sitting or an earlier one.
        """
        state = self._state
        if state.phase == "marked":
            self._state = asking_again(state, moment, "Answer withdrawn: it was not saved.")
            return self.view
        taken = self._memory.undo(moment)
        if taken is None:
            self._state = state._replace(notice="There is nothing to undo.")
            return self.view
        ours = bool(self._before) and is_of(self._before[-1], taken)
        notice = taken_back(taken, moment, ours)
        if ours:
            self._state = asking_again(self._before.pop(), moment, notice)
            return self.view
        if not isinstance(taken, Review) and taken.act in ("flag", "unflag"):
            self._state = state._replace(notice=notice)
            return self.view
        waiting = (state.variant.key, *state.queue) if state.phase == "asking" and state.variant else state.queue
        try:
            variant = self._ask(taken.key, taken.seed) if isinstance(taken, Review) else self._fresh(taken.key)
        except QuizError as error:
            self._state = state._replace(notice=f"{notice} It cannot be shown: {error}")
            return self.view
        seen = isinstance(taken, Review)
        card = self._memory.card(taken.key)
        earlier = state._replace(queue=waiting, variant=variant, card=card, again=False, seen=seen, hints=0, saved=None)
        self._state = asking_again(earlier, moment, notice)
        return self.view

    def leave(self, moment: Moment) -> View:
        """End the sitting. An answer that was marked is saved under the proposed rating: the learner saw its mark.

        Raises:
            StorageError: it could not be written.
        """
        if self._state.phase == "marked" and self._state.mark is not None:
            self.rate(None, moment)
        elif self._state.phase != "finished":
            # It was about the question that goes.
            self._state = self._state._replace(notice="")
        state = self._state
        if state.phase != "finished" and state.variant is not None and not state.again:
            # It was shown, and is as unanswered as those that were not.
            state = state._replace(queue=(state.variant.key, *state.queue))
        self._state = finished(state, moment)
        return self.view

    def go_on_early(self, moment: Moment) -> View:
        """After the end: ask now what would come back in a few minutes."""
        if self._state.phase == "finished":
            self._state = self._advance(self._state._replace(early=True), moment)
        return self.view

    def _proposed(self, state: State) -> Proposal | None:
        if state.phase != "marked" or state.variant is None:
            return None
        if state.mark is None and state.variant.rubric:
            return propose_for_rubric(ticked_share(state))
        helped = "you had seen the answer" if state.seen else "a hint was shown" if state.hints else ""
        right = state.mark is None or state.disputed or state.mark.verdict == "right"
        # How long saying an answer aloud took tells nothing about it.
        return propose(state.variant.kind, right, state.thought if state.mark else 0.0, helped)

    def _advance(self, state: State, moment: Moment) -> State:
        """The state with the next question on it, or finished."""
        notices: list[str] = []
        if self._limit is not None and state.answered >= self._limit:
            return finished(state._replace(returning=()), moment)
        while True:
            picked = next_key(state, seconds(moment))
            if picked is None:
                return finished(state._replace(notice="\n".join(notices)), moment)
            before, (key, state, again) = state, picked
            try:
                variant = self._fresh(key)
            except QuizError as error:
                notices.append(f"{key} was left out: {error}")
                continue
            if again and not state.hurried and comes_early(before, key, seconds(moment)):
                state = state._replace(hurried=True)
                notices.append(EARLY)
            return state._replace(
                phase="asking",
                variant=variant,
                card=self._memory.card(key),
                again=again,
                began=seconds(moment),
                thought=0.0,
                typed="",
                hints=0,
                seen=False,
                mark=None,
                disputed=False,
                ticked=frozenset(),
                notice="\n".join(notices),
            )

    def _fresh(self, key: str) -> Variant:
        """A variant with other numbers than last time, on which the mistake made then would show, where a few seeds
        find one."""
        variant = self._ask(key, self._seeds())
        last = self._memory.last(key) if variant.givens else None
        if last is None:
            return variant
        other: Variant | None = None
        for _ in range(MOST_DRAWS):
            if variant.givens != last.givens:
                if last.misconception is None or reveals(variant, last.misconception):
                    return variant
                other = variant
            variant = self._ask(key, self._seeds())
        return other or variant
