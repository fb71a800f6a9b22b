"""The line on home about the interview: how long until it, what will be known then, and what the goal takes."""

from typing import TYPE_CHECKING

from textual.content import Content

from quiz.render.numbers import show_band

if TYPE_CHECKING:
    from quiz.memory.readiness import Readiness


def countdown(days: int, found: "Readiness | None" = None) -> Content:
    """The line for an interview in so many days; without the figures while they are worked out."""
    when = "today" if days == 0 else "tomorrow" if days == 1 else f"in {days:,} days"
    head = Content.styled(f"Interview {when}", "bold")
    if found is None:
        return head
    share = found.plan.overall
    known = f"{round(100 * share.known)} % known"
    band = f" ({show_band(share.low, share.high)})" if share.low < share.high else ""
    if days == 0:
        return Content.assemble(head, ": ", (known, "bold $text-success"), (f" today{band}", "$text-muted"))
    pace = f" then{band} at {found.minutes} min a day"
    return Content.assemble(head, ": ", (known, "bold $text-success"), (pace, "$text-muted"), _needed(found))


def _needed(found: "Readiness") -> Content:
    """What the goal takes, or where it is out of reach the most there is, as far as that is more than what is done."""
    minutes, share = (found.curve[-1][0], found.most) if found.needed is None else (found.needed, found.goal)
    if minutes <= found.minutes:
        return Content("")
    return Content.assemble("; ", (f"{minutes} min reach {round(100 * share)} %", "$text-accent"))
