"""A sitting line by line, for screen readers, pipes and dumb terminals.

It prints a question and reads the answer, prints the mark and reads the rating: empty takes the proposed one, 1 to 4
changes it, ``u`` undoes, ``q`` ends. After each commit it prints ``saved KEY rating R due DATE`` and flushes: that line
is the acknowledgement.
"""

from collections.abc import Callable, Iterator
from typing import TextIO

from quiz.memory.days import Moment, calendar_date
from quiz.problem.variant import Variant
from quiz.render.durations import show_interval
from quiz.render.printable import printable
from quiz.study.rating import Rating
from quiz.study.session import SELF_JUDGED, Session
from quiz.study.view import Saved, View

HOW_TO_ANSWER = {
    "card": "say it, then press enter to see the other side",
    "choice": "the number of the right choice, or several as 2,4",
    "numeric": "a number; arithmetic and units are welcome",
    "shape": "sizes, such as 2, 12, 16, 64",
    "stage": "one of the places, by name or number",
    "text": "a short term",
    "order": "the numbers in the right order, such as 3,1,2",
    "open": "say it aloud, then press enter to see the approach",
}
STAGE_LINES = (
    "1. config            when the config object is made",
    "2. build             when the module is constructed",
    "3. load              when the weights are loaded",
    "4. forward           at the first forward pass",
    "5. kernel            in the fused kernel",
    "6. never-but-wrong   never, and the result is wrong or not what was meant",
    "7. never             never, and it is fine",
)
WORDS = {Rating.AGAIN: "again", Rating.HARD: "hard", Rating.GOOD: "good", Rating.EASY: "easy"}


def study(session: Session, now: Callable[[], Moment], lines: TextIO, out: TextIO) -> int:
    """Run a sitting over text streams; gives the exit code. The end of input ends it like ``q``."""

    def say(text: str = "") -> None:
        out.write(printable(text) + "\n")
        out.flush()

    view, number = session.start(now()), 0
    if view.variant is None:
        say(view.notice or "Nothing is due. `quiz study TOPIC` asks ahead of time; `quiz list` shows what comes when.")
        return 0
    shown: Variant | None = None
    while view.variant is not None:
        if view.phase == "asking":
            if view.notice:
                say(view.notice)
            if view.variant is not shown:
                number, shown = number + 1, view.variant
                say("\n".join(question_lines(view, number)))
            typed = lines.readline()
            if not typed or typed.strip() in (":q", *(() if view.variant.kind == "text" else ("q",))):
                break
            hints = len(view.hints)
            view = _answered(session, typed.rstrip("\r\n"), now)
            if view.phase == "marked":
                say("\n".join(_mark_lines(view)))
            elif len(view.hints) > hints:
                say(f"Hint: {view.hints[-1]}")
        else:
            typed, saved = lines.readline(), view.saved
            if not typed or typed.strip().lower() in ("q", ":q"):
                view = session.leave(now())
            else:
                view = _rated(session, typed.strip().lower(), now, say)
                shown = None if view.phase == "asking" else shown
            if view.saved is not saved and view.saved is not None:
                say(saved_line(view.saved))
    _say_goodbye(session.leave(now()), say)
    return 0


def _answered(session: Session, typed: str, now: Callable[[], Moment]) -> View:
    match typed.strip():
        case ":h":
            return session.hint()
        case ":s":
            return session.skip(now())
        case ":u":
            return session.undo(now())
    return session.answer(typed, now())


def _rated(session: Session, word: str, now: Callable[[], Moment], say: Callable[[str], None]) -> View:
    if word in ("u", ":u"):
        return session.undo(now())
    if word == "d":
        view = session.disagree()
        say("Noted as disputed." if view.disputed else "Not disputed.")
        say(_rating_line(view))
        return view
    if word in ("", "1", "2", "3", "4"):
        return session.rate(Rating(int(word)) if word else None, now())
    if word[:1] == "t" and word[1:].isascii() and word[1:].isdigit():
        view = session.tick(int(word[1:6]) - 1)
        say(_rating_line(view))
        return view
    say("Empty accepts the proposed rating, 1 to 4 changes it, d disputes the mark, u undoes, q ends.")
    return session.view


def question_lines(view: View, number: int) -> Iterator[str]:
    """The question as a reader needs it, top to bottom."""
    variant = view.variant
    if variant is None:
        return
    again = " (again)" if view.again else ""
    yield ""
    yield f"Question {number}{again}: {variant.key} · {variant.kind} · {variant.depth}"
    yield from body_lines(variant)
    yield f"Answer ({HOW_TO_ANSWER[variant.kind]}; :h hint, :s skip, :u undo, :q end):"


def body_lines(variant: Variant) -> Iterator[str]:
    """The prompt, what belongs to it, and what there is to choose from."""
    yield variant.prompt
    if variant.snippet:
        yield from (f"    {line}" for line in variant.snippet.splitlines())
    if variant.as_of and variant.kind == "stage":
        yield f"(as of {variant.as_of})"
    yield from (f"{index}. {choice.text}" for index, choice in enumerate(variant.choices, start=1))
    if variant.kind == "stage":
        yield from STAGE_LINES


def saved_line(saved: Saved) -> str:
    """The acknowledgement."""
    card = saved.card
    due = calendar_date(card.due_day).isoformat() if card.due_day is not None else "-"
    if card.due_at is not None:
        due = card.due_at.isoformat(timespec="seconds")
    return f"saved {saved.key} rating {saved.rating.value} due {due}"


def _mark_lines(view: View) -> Iterator[str]:
    variant = view.variant
    if variant is None:
        return
    if view.mark is not None:
        verdict = "✓ right" if view.mark.verdict == "right" else "✗ wrong"
        yield f"{verdict} · read as {view.mark.reading} · the answer is {view.mark.answer}"
        yield view.mark.feedback
    elif variant.kind in SELF_JUDGED:
        yield variant.answer.display
        for index, point in enumerate(variant.rubric, start=1):
            yield f"t{index}: {point.point} ({point.weight})"
        yield from (f"Red flag: {flag}" for flag in variant.red_flags)
    yield from (f"Source: {source}" for source in variant.sources)
    yield _rating_line(view)


def _rating_line(view: View) -> str:
    offers = "  ".join(
        f"{offer.rating.value} {WORDS[offer.rating]} {show_interval(offer.seconds)}" for offer in view.offers
    )
    proposed = WORDS[view.proposed] if view.proposed else ""
    proposed += f", because {view.because}" if view.because else ""
    return f"Rating [{proposed}]: {offers}  (enter accepts, u undoes, q ends)"


def _say_goodbye(view: View, say: Callable[[str], None]) -> None:
    if view.notice:
        say(view.notice)
    tally = view.tally
    ending = f"{tally.answered} answered, {tally.right} right"
    if view.resumes_in is not None:
        ending += f"; {tally.returning} come back in {show_interval(view.resumes_in)}"
    if tally.left:
        ending += f"; {tally.left} left for another time"
    say(f"{ending}.")
