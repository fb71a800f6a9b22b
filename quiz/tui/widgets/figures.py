"""The sections of the progress screen as styled text, from the figures of `Desk.progress`."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from textual.content import Content

from quiz.memory.aside import MOST
from quiz.render.charts import columns
from quiz.render.durations import show_span
from quiz.render.numbers import counted
from quiz.tui.safe import content, one_line
from quiz.tui.widgets.shapes import coloured_meter, hanging, titles_width

_HEAD, _MUTED = "bold $text-primary", "$text-muted"
_CHART_HEIGHT = 4
_MOST = 5
_FORTNIGHT = 14


def overview(known: Mapping[str, Any]) -> Content:
    """What is due, the streak, and how the cards stand."""
    cards, streak = known["cards"], known["streak"]
    early = f", {known['asked_early']} of them early, for the interview" if known["asked_early"] else ""
    suspended = f" · {cards['suspended']} suspended" if cards["suspended"] else ""
    stand = f"{cards['new']} unseen · {cards['learning']} learning · {cards['review']} in review{suspended}"
    spent = f"{known['minutes']:.0f} min in all, {known['minutes_30']:.0f} in 30 days"
    lines = [
        Content.assemble(
            (f"{known['due_now']} due now", "bold $text-accent" if known["due_now"] else "bold"),
            (early, _MUTED),
            f" · {counted(streak, 'day')} in a row",
            (f" · {counted(known['reviews'], 'answer')} on {counted(known['studied_days'], 'day')}", _MUTED),
        ),
        content(stand, _MUTED),
        content(spent, _MUTED),
    ]
    return Content("\n").join(lines)


def aside(known: Mapping[str, Sequence[str]], width: int) -> Content:
    """The questions that the learner put aside or marked; nothing if there are none."""
    lines = []
    for name, title in (
        ("suspended", "Suspended, not asked until `quiz card KEY resume`"),
        ("buried", "Put aside until tomorrow"),
        ("flagged", "Flagged"),
    ):
        keys = list(map(one_line, known[name]))
        if keys:
            lines.append(_head(title))
            lines += [hanging(Content("  "), content(key), width) for key in keys]
        if len(keys) == MOST:
            lines.append(content("  … `quiz list` marks them all", _MUTED))
    return Content("\n").join(lines)


def forecast(days: Sequence[Mapping[str, Any]], beyond: int, early: int, width: int) -> Content:
    """How many come back on each of the next days, as upright bars: of a month where there is room, else a fortnight;
    ``beyond`` are due after the month, and ``early`` of all are asked today, ahead of their day."""
    month = sum(day["due"] for day in days)
    if width < 4 * len(days):
        days = days[:_FORTNIGHT]
    cell = max(min(width // max(len(days), 1) - 1, 5), 2)
    values = [day["due"] for day in days]
    if not any(values):
        return Content("\n").join([_head(f"The next {len(days)} days"), content("Nothing is due yet.", _MUTED)])
    bars = columns(values, _CHART_HEIGHT, cell)
    dates = [date.fromisoformat(day["day"]) for day in days]
    return Content("\n").join(
        [
            Content.assemble(
                _head(f"Due in the next {len(days)} days"), (f"  {month} in 30 days, {beyond} later", _MUTED)
            ),
            content(_row([str(value) if value else "" for value in values], cell)),
            *(Content.styled(bar, "$text-primary") for bar in bars),
            content(_row([f"{day:%a}"[:2] for day in dates], cell), _MUTED),
            content(_row([str(day.day) for day in dates], cell), _MUTED),
            *([content(f"As scheduled; {early} of the later ones are asked early, today.", _MUTED)] if early else ()),
        ]
    )


def topics(known: Mapping[str, Mapping[str, Any]], titles: Mapping[str, str], width: int) -> Content:
    """How much of each topic is known, and what to do about it."""
    bar = 12 if width < 80 else 24
    shown = {pack: one_line(titles.get(pack, pack)) for pack in known}
    room = titles_width(shown.values(), width - bar - 8)
    lines = [_head("By topic")]
    for pack, topic in known.items():
        strength, right = topic["strength"], topic["right"]
        name = Content(shown[pack]).truncate(room, ellipsis=True, pad=True)
        lines.append(Content.assemble(name, " ", coloured_meter(strength, bar), f" {round(100 * strength):>3} %"))
        said = f" · {round(100 * right)} % of answers right" if right is not None else ""
        lines.append(Content.assemble("  ", advice(topic), (said, _MUTED)))
    return Content("\n").join(lines)


def advice(topic: Mapping[str, Any]) -> Content:
    """What to do next in a topic."""
    if topic["due"]:
        return Content.styled(f"→ {topic['due']} due: study it now", "$text-accent")
    if topic["right"] is not None and topic["right"] < 0.6:
        return Content.styled("→ read its lesson again, then practise", "$text-warning")
    if topic["new"]:
        return Content.styled(f"→ {counted(topic['new'], 'question')} not seen yet", _MUTED)
    return Content.styled("✓ nothing to do today", _MUTED)


def sittings(known: Sequence[Mapping[str, Any]]) -> Content:
    """The last sittings; nothing if there are none."""
    if not known:
        return Content("")
    lines = [_head("Last sittings")]
    for sitting in known[:_MOST]:
        began = datetime.fromisoformat(sitting["began"]).astimezone()
        share = sitting["right"] / sitting["answered"] if sitting["answered"] else 0.0
        lines.append(
            Content.assemble(
                f"{began:%d %b %H:%M}  ",
                coloured_meter(share, 10),
                f"  {sitting['right']} of {sitting['answered']} right",
                (f"  {show_span(sitting['seconds'])}", _MUTED),
            )
        )
    return Content("\n").join(lines)


def _head(title: str) -> Content:
    return Content.styled(title, _HEAD)


def _row(cells: Sequence[str], width: int) -> str:
    return " ".join(f"{cell:^{width}}" for cell in cells)
