"""The sections of the progress screen about memory, pace and the year, from the figures of `Desk.progress`."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from textual.content import Content

from quiz.render.heatmap import heatmap
from quiz.tui.safe import one_line
from quiz.tui.widgets.shapes import coloured_meter, titles_width

_HEAD, _MUTED = "bold $text-primary", "$text-muted"
_OFF = 0.05
_MOST_WEEKS = 53


def calibration(found: Mapping[str, Any], retention_30: float | None) -> Content:
    """What was still known when asked again, against what was predicted; nothing before the first of these."""
    if not found["tested"]:
        return Content("")
    late = f" · {retention_30:.0%} in 30 days" if retention_30 is not None else ""
    lines = [
        Content.styled("Still known when asked again", _HEAD),
        Content.assemble(
            (f"{found['kept']:.0%} of {found['tested']}", "bold"),
            (f" · predicted {found['predicted']:.0%}{late}", _MUTED),
        ),
    ]
    for one in found["bins"]:
        if one["tested"]:
            off = abs(one["kept"] - one["predicted"]) >= _OFF
            lines.append(
                Content.assemble(
                    (f"predicted {one['predicted']:4.0%}  ", _MUTED),
                    coloured_meter(one["kept"], 12, "$text-warning" if off else "$text-success"),
                    f" {one['kept']:4.0%}",
                    (f"  of {one['tested']}", _MUTED),
                )
            )
    return Content("\n").join(lines)


def pace(found: Mapping[str, Any], titles: Mapping[str, str], width: int) -> Content:
    """The median time to an answer, and that of each topic against it; nothing while there are few answers."""
    if found["median"] is None:
        return Content("")
    lately = f" · lately {found['recent']:.0f} s" if found["recent"] is not None else ""
    lines = [
        Content.styled("Interview pace", _HEAD),
        Content.assemble((f"{found['median']:.0f} s", "bold"), (f" to an answer, in the median{lately}", _MUTED)),
    ]
    shown = {pack: one_line(titles.get(pack, pack)) for pack in found["topics"]}
    room = titles_width(shown.values(), width - 22, usual=40)
    for pack, seconds in found["topics"].items():
        name = Content(shown[pack]).truncate(room, ellipsis=True, pad=True)
        slow = pack == found["slowest"]
        lines.append(
            Content.assemble(
                name,
                f" {seconds:>4.0f} s ",
                (f" {seconds / max(found['median'], 0.1):.1f} ×", "$text-warning" if slow else _MUTED),
            )
        )
    return Content("\n").join(lines)


def year(days: Sequence[Mapping[str, Any]], today: date, longest: int, width: int) -> Content:
    """The days of a year, or of as many weeks as there is room for; nothing before the first."""
    if not days:
        return Content("")
    counts = {date.fromisoformat(day["day"]): day["answered"] for day in days}
    months, *rows = heatmap(counts, today, max(min(width - 4, _MOST_WEEKS), 4))
    lines = [
        Content.assemble(("Days of study", _HEAD), (f"  longest streak {longest}", _MUTED)),
        Content.styled(f"    {months}", _MUTED),
    ]
    for name, row in zip(("Mon", "", "Wed", "", "Fri", "", "Sun"), rows, strict=True):
        lines.append(Content.assemble((f"{name:<4}", _MUTED), (row, "$text-success")))
    return Content("\n").join(lines)


def lessons(known: Mapping[str, Mapping[str, Any]], titles: Mapping[str, str], width: int) -> Content:
    """The lessons by what is known of them, the least first."""
    least_first = dict(sorted(known.items(), key=lambda one: float(one[1]["strength"])))
    return _stands("By lesson", least_first, titles, width)


def depths(known: Mapping[str, Mapping[str, Any]], width: int) -> Content:
    """The depths of an interview."""
    return _stands("By depth", known, {}, width)


def _stands(head: str, known: Mapping[str, Mapping[str, Any]], titles: Mapping[str, str], width: int) -> Content:
    if not known:
        return Content("")
    shown = {name: one_line(titles.get(name, name)) for name in known}
    bar, room = 10, titles_width(shown.values(), width - 28)
    lines = [Content.styled(head, _HEAD)]
    for name, stand in known.items():
        title = Content(shown[name]).truncate(room, ellipsis=True, pad=True)
        todo = f" {stand['due']} due" if stand["due"] else f" {stand['new']} unseen" if stand["new"] else ""
        lines.append(
            Content.assemble(
                title, " ", coloured_meter(stand["strength"], bar), f" {stand['strength']:4.0%}", (todo, _MUTED)
            )
        )
    return Content("\n").join(lines)
