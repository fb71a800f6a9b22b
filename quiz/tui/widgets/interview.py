"""How the interview stands, as styled text: one line for home, and the page with the shares by topic and depth."""

from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING

from textual.content import Content

from quiz.memory.queue import DEPTHS
from quiz.render.numbers import counted, show_band
from quiz.tui.safe import one_line
from quiz.tui.widgets.shapes import coloured_meter, titles_width

if TYPE_CHECKING:
    from quiz.memory.readiness import Readiness, Share

_MUTED = "$text-muted"
_BAND = 14
# Of the minutes played through, those that are worth a word.
_SHOWN = (10, 20, 30, 60, 120)


def countdown(days: int, found: "Readiness | None" = None) -> Content:
    """The line for an interview in so many days; without the figures while they are worked out."""
    head = Content.styled(f"Interview {_when(days)}", "bold")
    if found is None:
        return head
    share = found.plan.overall
    known = f"{_percent(share.known)} known"
    if days == 0:
        return Content.assemble(head, ": ", (known, "bold $text-success"), (_band(share), _MUTED))
    pace = f" then{_band(share)} at {_minutes(found)}"
    return Content.assemble(head, ": ", (known, "bold $text-success"), (pace, _MUTED), _needed(found))


def the_day(day: date, days: int, kept: date | None, was: date | None = None) -> Content:
    """The day that is looked at, and the learner's own: the one that is ``kept``, or that ``was`` until just now."""
    return Content.assemble(
        ("‹ ", _MUTED), (f"{day:%A}, {_date(day)}", "bold"), (" ›", _MUTED), f"  {_when(days)}\n", _own(day, kept, was)
    )


def outlook(found: "Readiness", titles: Mapping[str, str], width: int) -> Content:
    """What will be known of all, of each topic and of each depth, and what it takes."""
    bar = 8 if width < 70 else 16
    shown = {pack: f"  {one_line(titles.get(pack, pack))}" for pack in found.plan.topics}
    name = titles_width(shown.values(), width - bar - _BAND - 8)

    def row(title: str, share: "Share", style: str = "") -> Content:
        told = Content.styled(title, style).truncate(name, ellipsis=True, pad=True)
        return Content.assemble(
            told, " ", coloured_meter(share.known, bar), f" {round(100 * share.known):>3} %", (_band(share), _MUTED)
        )

    depths = [depth for depth in DEPTHS if depth in found.plan.depths]
    lines = [
        Content.styled(f"Known then, at {_minutes(found)}" if found.days else "Known today", "bold"),
        row(f"All {counted(found.plan.overall.questions, 'question')}", found.plan.overall, "bold"),
        *(row(shown[pack], share) for pack, share in found.plan.topics.items()),
        *(row(f"  {depth}", found.plan.depths[depth]) for depth in depths),
        Content(""),
        *(_what_it_takes(found) if found.days else ()),
        Content.styled("The ranges hold four times in five. What was never asked counts as not known.", _MUTED),
    ]
    return Content("\n").join(lines)


def _own(day: date, kept: date | None, was: date | None) -> Content:
    if day == kept:
        moved = Content.styled(f"; it was on {_date(was)}", _MUTED) if was else ""
        return Content.assemble(("✓ your interview", "$text-success"), moved)
    if kept:
        return Content.styled(f"Yours is on {_date(kept)}; Enter moves it here", _MUTED)
    if was:
        there = "sets it again" if day == was else "makes this your interview"
        return Content.assemble((f"Forgotten: {_date(was)}.", "$text-warning"), (f" Enter {there}", _MUTED))
    return Content.styled("Enter makes it your interview", _MUTED)


def _date(day: date) -> str:
    return f"{day.day} {day:%B} {day.year}"


def _what_it_takes(found: "Readiness") -> tuple[Content, ...]:
    stop = found.stop.overall
    curve = " · ".join(f"{minutes} min {_percent(known)}" for minutes, known in found.curve if minutes in _SHOWN)
    if found.needed == 0:
        goal = f"{_percent(found.goal)} even if you stopped now"
    elif found.needed is None:
        goal = f"{_percent(found.goal)} is out of reach by then; {found.curve[-1][0]} min reach {_percent(found.most)}"
    else:
        goal = f"{_percent(found.goal)} takes {found.needed} min a day"
    return (
        Content(f"If you stopped now: {_percent(stop.known)}{_band(stop)}"),
        Content(f"A day: {curve}"),
        Content.styled(goal, "$text-accent"),
        Content(""),
    )


def _minutes(found: "Readiness") -> str:
    return f"{'your ' if found.usual else ''}{found.minutes} min a day"


def _needed(found: "Readiness") -> Content:
    """What the goal takes, or where it is out of reach the most there is, as far as that is more than what is done."""
    minutes, share = (found.curve[-1][0], found.most) if found.needed is None else (found.needed, found.goal)
    if minutes <= found.minutes:
        return Content("")
    return Content.assemble("; ", (f"{minutes} min reach {_percent(share)}", "$text-accent"))


def _when(days: int) -> str:
    return "today" if days == 0 else "tomorrow" if days == 1 else f"in {days:,} days"


def _percent(share: float) -> str:
    return f"{round(100 * share)} %"


def _band(share: "Share") -> str:
    return f" ({show_band(share.low, share.high)})" if share.low < share.high else ""
