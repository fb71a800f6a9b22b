"""A sitting line by line, for screen readers, pipes and dumb terminals.

It prints a question and reads the answer, prints the mark and reads the rating: empty takes the proposed one, 1 to 4
changes it, ``u`` undoes, ``q`` ends. After each commit it prints ``saved KEY rating R due DATE`` and flushes: that line
is the acknowledgement. What else can be done, `COMMANDS` lists.
"""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta, timezone
from typing import NamedTuple, TextIO

from quiz.errors import QuizError
from quiz.memory.days import Moment, calendar_date
from quiz.problem.variant import Variant
from quiz.render.durations import show_interval
from quiz.render.printable import printable
from quiz.study.notices import many_misses
from quiz.study.rating import Rating
from quiz.study.session import SELF_JUDGED, Session
from quiz.study.view import Phase, Saved, View

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


class Command(NamedTuple):
    """A letter, the id of the same command in the table of the screens, and what it does at a question (there it takes
    a colon) and after the answer; empty where it does nothing."""

    letter: str
    id: str
    asking: str = ""
    marked: str = ""


COMMANDS = (
    Command("h", "hint", "a hint"),
    Command("d", "pass_on", "you do not know: shows the answer and counts as a miss"),
    Command("d", "disagree", marked="hold that the mark is wrong, or no longer"),
    Command("s", "skip", "ask it at the end of the sitting"),
    Command("u", "undo", "take back the last answer", "take this answer back"),
    Command("l", "lesson", "read its lesson", "read its lesson"),
    Command("f", "flag", *2 * ("flag it, or take its flag away",)),
    Command("b", "bury", *2 * ("put it aside until tomorrow",)),
    Command("x", "suspend", *2 * ("do not ask it again (`quiz card KEY resume` does)",)),
    Command("k", "known", "take it as known, without an answer"),
    Command("r", "reset", *2 * ("make it new again",)),
    Command("q", "leave", "end", "save and end"),
    Command("?", "help", "this list", "this list"),
)


class _Sitting(NamedTuple):
    """What every step needs. ``lesson`` gives the text of a lesson, by its pack and id."""

    session: Session
    now: Callable[[], Moment]
    say: Callable[[str], None]
    lesson: Callable[[str, str], str]


def study(
    session: Session, now: Callable[[], Moment], lines: TextIO, out: TextIO, lesson: Callable[[str, str], str]
) -> int:
    """Run a sitting over text streams; gives the exit code. The end of input ends it like ``q``."""

    def say(text: str) -> None:
        out.write(printable(text) + "\n")
        out.flush()

    def tell(view: View, before: View | None) -> None:
        for line in _news(view, before, now()):
            say(line)

    sitting = _Sitting(session, now, say, lesson)
    view, told = session.start(now()), None
    if view.variant is None:
        say(view.notice or "Nothing is due. `quiz study TOPIC` asks ahead of time; `quiz list` shows what comes when.")
        return 0
    while view.variant is not None:
        if view is not told:
            tell(view, told)
            told = view
        say(_prompt(view))
        typed = lines.readline()
        if not typed or _ends(typed.strip().lower(), view):
            break
        view = _answered(sitting, view, typed) if view.phase == "asking" else _rated(sitting, view, typed)
    view = session.leave(now())
    tell(view, told)
    say(_goodbye(view))
    return 0


def _ends(word: str, view: View) -> bool:
    is_term = view.phase == "asking" and view.variant is not None and view.variant.kind == "text"
    return word == ":q" or (word == "q" and not is_term)


def _answered(sitting: _Sitting, view: View, typed: str) -> View:
    word = typed.strip().lower()
    if re.fullmatch(r":[a-z?]+", word):
        return _command(sitting, view, word[1:])
    return sitting.session.answer(typed.rstrip("\r\n"), sitting.now())


def _rated(sitting: _Sitting, view: View, typed: str) -> View:
    word = typed.strip().lower().removeprefix(":")
    if word in ("", "1", "2", "3", "4"):
        return sitting.session.rate(Rating(int(word)) if word else None, sitting.now())
    points = len(view.variant.rubric) if view.variant else 0
    if points and re.fullmatch(r"t[0-9]{1,3}", word):
        if 1 <= int(word[1:]) <= points:
            return sitting.session.tick(int(word[1:]) - 1)
        sitting.say(f"There is no {word}: the points go from t1 to t{points}.")
        return view
    return _command(sitting, view, word)


def _command(sitting: _Sitting, view: View, letter: str) -> View:
    """Do what the letter stands for; the same view where that changes nothing."""
    session, moment = sitting.session, sitting.now()
    match next((one.id for one in COMMANDS if one.letter == letter and _helps(one, view.phase)), ""):
        case "hint":
            return session.hint()
        case "pass_on":
            return session.pass_on(moment)
        case "skip":
            return session.skip(moment)
        case "undo":
            return session.undo(moment)
        case "flag":
            return session.act("unflag" if view.flagged else "flag", moment)
        case "disagree":
            if view.disputable:
                return session.disagree()
            sitting.say("Only a mark that says wrong can be disputed.")
        case "lesson":
            sitting.say(_lesson(sitting, view.variant))
        case "help":
            sitting.say("\n".join(_help(view)))
        case "bury" | "suspend" | "known" | "reset" as deed:
            return session.act(deed, moment)
        case _:
            sitting.say(f"{letter!r} is no command here. There are:")
            sitting.say("\n".join(_help(view)))
    return view


def _lesson(sitting: _Sitting, variant: Variant | None) -> str:
    if variant is None or variant.lesson is None:
        return "This question has no lesson."
    try:
        return f"\n{sitting.lesson(variant.key.partition('/')[0], variant.lesson)}\n"
    except QuizError as error:
        return str(error)


def _helps(command: Command, phase: Phase) -> str:
    return command.asking if phase == "asking" else command.marked


def _help(view: View) -> Iterator[str]:
    marked = view.phase == "marked"
    if marked:
        yield "  enter  take the proposed rating"
        yield "  1–4    rate it again, hard, good or easy"
        if view.variant and view.variant.rubric:
            yield "  t1 …   tick a point that you made, or untick it"
    for command in COMMANDS:
        if said := _helps(command, view.phase):
            yield f"  {'' if marked else ':'}{command.letter:<{6 if marked else 5}} {said}"


def _news(view: View, before: View | None, now: Moment) -> Iterator[str]:
    """What the step brought."""
    if view.saved is not None and before is not None and view.tally.answered > before.tally.answered:
        yield saved_line(view.saved, now)
    if view.notice:
        yield view.notice
    variant = view.variant
    if variant is None:
        return
    same = before is not None and before.variant is variant
    if view.phase == "asking" and not (same and before is not None and before.phase == "asking"):
        if view.misses:
            lesson = f"{variant.key.partition('/')[0]}/{variant.lesson}" if variant.lesson else ""
            yield many_misses(view.misses, lesson, ":l", ":b", ":x")
        yield from question_lines(view)
    elif view.phase == "asking":
        if before is not None and len(view.hints) > len(before.hints):
            yield f"Hint {len(view.hints)} of {len(variant.hints)}: {view.hints[-1]}"
    elif before is None or before.phase == "asking":
        yield from _mark_lines(view, variant)
    elif view.disputed != before.disputed:
        yield "Noted as disputed: you hold that this is right. d takes it back." if view.disputed else "Not disputed."
    elif view.ticked != before.ticked:
        yield from _rubric_lines(view, variant)


def question_lines(view: View) -> Iterator[str]:
    """The question as a reader needs it, top to bottom."""
    variant = view.variant
    if variant is None:
        return
    also = (" (again)" if view.again else "") + (" (flagged)" if view.flagged else "")
    yield ""
    yield f"Question {view.tally.answered + 1}{also}: {variant.key} · {variant.kind} · {variant.depth}"
    yield from body_lines(variant)


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


def saved_line(saved: Saved, now: Moment) -> str:
    """The acknowledgement, with the day it comes back, or the time by the learner's clock where that is soon."""
    card, due = saved.card, "-"
    if card.due_at is not None:
        here = timezone(timedelta(minutes=now.offset_minutes))
        due = f"{card.due_at.astimezone(here):%Y-%m-%d %H:%M}"
    elif card.due_day is not None:
        due = calendar_date(card.due_day).isoformat()
    return f"saved {saved.key} rating {saved.rating.value} due {due}"


def _mark_lines(view: View, variant: Variant) -> Iterator[str]:
    mark = view.mark
    if mark is None:
        yield variant.answer.display
        yield from _rubric_lines(view, variant)
        yield from (f"Red flag: {flag}" for flag in variant.red_flags)
    else:
        if view.passed:
            yield "✗ wrong"
        else:
            verdict = "✓ right" if mark.verdict == "right" else "✗ wrong"
            yield f"{verdict} · read as {mark.reading} · the answer is {mark.answer}"
        yield mark.feedback
    yield from (f"Source: {source}" for source in variant.sources)


def _rubric_lines(view: View, variant: Variant) -> Iterator[str]:
    """The points of a good answer, ticked or not."""
    for index, point in enumerate(variant.rubric):
        worth = f" (counts {point.weight} times)" if point.weight > 1 else ""
        yield f"t{index + 1} [{'x' if index in view.ticked else ' '}] {point.point}{worth}"


def _prompt(view: View) -> str:
    """What may be typed now."""
    variant = view.variant
    if variant is None:
        return ""
    if view.phase == "marked":
        return _rating_line(view, variant)
    hint = ":h hint, " if len(view.hints) < len(variant.hints) else ""
    unsure = "" if variant.kind in SELF_JUDGED else ":d don't know, "
    unit = f" in {variant.unit}" if variant.kind == "numeric" and variant.unit not in (None, "1") else ""
    how = HOW_TO_ANSWER[variant.kind].replace("a number;", f"a number{unit};")
    return f"Answer ({how}; {hint}{unsure}:s skip, :u undo, :q end, :? all):"


def _rating_line(view: View, variant: Variant) -> str:
    offers = "  ".join(
        f"{offer.rating.value} {WORDS[offer.rating]} {show_interval(offer.seconds)}" for offer in view.offers
    )
    because = f", because {view.because}" if view.because else ""
    proposed = f"{WORDS[view.proposed]}{because}" if view.proposed else "none before you tick what you said"
    keys = ["enter accepts"] if view.proposed else []
    keys += ["t1 ticks or unticks the first point"] if variant.rubric else []
    keys += [f"d {'takes the dispute back' if view.disputed else 'disagrees'}"] if view.disputable else []
    return f"Rating [{proposed}]: {offers}  ({', '.join([*keys, 'u undoes', 'q ends', '? all'])})"


def _goodbye(view: View) -> str:
    tally = view.tally
    ending = f"{tally.answered} answered, {tally.right} right"
    if view.resumes_in is not None:
        come = "comes" if tally.returning == 1 else "come"
        ending += f"; {tally.returning} {come} back in {show_interval(view.resumes_in)}"
    if tally.left:
        ending += f"; {tally.left} left for another time"
    return f"{ending}."
