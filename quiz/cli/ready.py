"""The command that says how ready you will be on the day of the interview."""

from collections.abc import Iterator
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from quiz.cli.printing import as_json, print_json, say
from quiz.errors import UsageError
from quiz.render.numbers import counted, show_band

if TYPE_CHECKING:
    from quiz.desk import Desk, Standing
    from quiz.memory.readiness import Outlook, Readiness, Share

_SET = "quiz settings interview DATE"
_NAME, _COLUMN = 22, 18
# Of the minutes played through, those that are worth a line.
_SHOWN = (10, 20, 30, 60, 120)


@click.command()
@click.option("--on", metavar="DATE", help="Set the interview, such as 2026-12-18; once one is set, look at another.")
@as_json
@click.pass_obj
def ready(home: Path | None, on: str | None, as_json: bool) -> None:
    """Show how much you will know on the day of the interview, and what it takes.

    A DATE is kept as your interview's where none is ahead yet, and from then on the queue works toward it. Where
    another is kept, it is only looked at.
    """
    from quiz.cli.desk import open_desk

    asked = None if on is None else _date(on)
    with open_desk(home) as desk:
        day, kept = _interview(desk, asked)
        found = desk.forecast()(day)
        if asked is not None and kept is None:
            desk.save(desk.settings._replace(interview=asked))
        today = list(desk.standings().values())
    if as_json:
        print_json(_document(day, found, today))
        return
    for line in _lines(day, found, today):
        say(line)
    if asked is not None and kept is None:
        say("This day is kept, and every sitting works toward it now.")
        say("To forget it: quiz settings interview none")
    elif kept not in (None, day):
        say(f"This was only a look: your interview is on {kept}.")
        say(f"To move it: quiz settings interview {day}")


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"--on takes a date such as 2026-12-18, not {text!r}") from None


def _interview(desk: "Desk", asked: date | None) -> tuple[date, date | None]:
    """The day to look at, and the one in the settings if it is ahead.

    Raises:
        UsageError: there is none, or it is over.
    """
    from quiz.memory.days import calendar_date

    today, kept = calendar_date(desk.now().day), desk.settings.interview
    if asked is not None and asked < today:
        raise UsageError(f"{asked} is over: today is {today}")
    if asked is None and kept is None:
        raise UsageError(f"no interview date is set: quiz ready --on DATE, or {_SET}")
    if asked is None and kept is not None and kept < today:
        raise UsageError(f"the interview was on {kept}, and all is scheduled as usual again; for the next one: {_SET}")
    return asked or kept or today, kept if kept is not None and kept >= today else None


def _document(day: date, found: "Readiness", today: list["Standing"]) -> dict[str, Any]:
    from quiz.memory.readiness import BAND

    return {
        "interview": day.isoformat(),
        "days": found.days,
        "band": BAND,
        "goal": found.goal,
        "minutes_needed": found.needed,
        "most": round(found.most, 4),
        "stop": _rounded(asdict(found.stop)),
        "minutes": found.minutes,
        "usual": found.usual,
        "plan": _rounded(asdict(found.plan)),
        "curve": [{"minutes": minutes, "known": round(known, 4)} for minutes, known in found.curve],
        "today": {"due": sum(one.due for one in today), "new": sum(one.new for one in today)},
    }


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _rounded(one) for name, one in value.items()}
    return round(value, 4) if isinstance(value, float) else value


def _lines(day: date, found: "Readiness", today: list["Standing"]) -> Iterator[str]:
    """All there is to say, in lines of at most 60 cells."""
    from quiz.memory.ahead import LONGEST_PLAN

    when = "today" if not found.days else "tomorrow" if found.days == 1 else f"in {found.days:,} days"
    yield f"Interview {when}: {day:%A}, {day.day} {day:%B} {day.year}"
    yield ""
    yield from _table(found)
    yield ""
    yield "The ranges hold four times in five. What was never asked"
    yield "counts as not known."
    if found.days > LONGEST_PLAN:
        yield f"Only the last {LONGEST_PLAN} days are taken as studied."
    yield ""
    if found.days:
        yield from _what_it_takes(found)
    due, new = sum(one.due for one in today), sum(one.new for one in today)
    yield f"Today: {due:,} due, {new:,} new: quiz study" if due or new else "Today: nothing is left to do."


def _table(found: "Readiness") -> Iterator[str]:
    heads = ["if you stop now", f"{found.minutes} min a day"] if found.days else ["known today"]
    yield " " * _NAME + "".join(f"{head:<{_COLUMN}}" for head in heads).rstrip()
    outlooks = [found.stop, found.plan] if found.days else [found.stop]
    questions = found.stop.overall.questions
    yield _row(f"All {counted(questions, 'question')}", [one.overall for one in outlooks])
    yield from (_row(f"  {name}", [one.topics[name] for one in outlooks]) for name in found.stop.topics)
    yield "By depth"
    yield from (_row(f"  {name}", [one.depths[name] for one in outlooks]) for name in _by_depth(found.stop))


def _by_depth(outlook: "Outlook") -> list[str]:
    from quiz.memory.queue import depth_rank

    return sorted(outlook.depths, key=depth_rank)


def _row(name: str, shares: list["Share"]) -> str:
    name = name if len(name) < _NAME else f"{name[: _NAME - 2]}…"
    return f"{name:<{_NAME}}" + "".join(f"{_share(share):<{_COLUMN}}" for share in shares).rstrip()


def _share(share: "Share") -> str:
    band = f"  ({show_band(share.low, share.high)})" if share.low < share.high else ""
    return f"{round(100 * share.known):>3} %{band}"


def _what_it_takes(found: "Readiness") -> Iterator[str]:
    if found.usual:
        yield f"Lately you studied {found.minutes} min a day."
    yield "Minutes a day, and what they lead to:"
    yield "  " + "   ".join(f"{minutes}: {round(100 * known)} %" for minutes, known in found.curve if minutes in _SHOWN)
    goal = f"{round(100 * found.goal)} %"
    if found.needed is None:
        most = found.curve[-1][0]
        yield f"{goal} is out of reach by then: {most} min a day lead to {round(100 * found.most)} %."
    elif found.needed == 0:
        yield f"You would know {goal} even if you stopped now."
    else:
        yield f"{goal} takes {found.needed} min a day."
