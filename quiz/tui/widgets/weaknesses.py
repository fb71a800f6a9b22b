"""The sections of the progress screen that say what to work on, from the figures of `Desk.progress`."""

from collections.abc import Mapping, Sequence
from typing import Any

from textual.content import Content

from quiz.render.numbers import counted
from quiz.tui.safe import content, one_line
from quiz.tui.widgets.shapes import hanging

_HEAD, _MUTED = "bold $text-primary", "$text-muted"
_MOST = 5
_KEYS = (("s", "bold $text-primary"), (" studies the first, ", _MUTED), ("l", "bold $text-primary"), (" reads", _MUTED))


def what_next(known: Sequence[Mapping[str, str]], width: int) -> Content:
    """What the figures ask for, and the command for it."""
    lines = [Content.styled("What to do next", _HEAD)]
    for one in known[:_MOST]:
        lines.append(hanging(Content.styled("→ ", "$text-accent"), content(one_line(one["say"])), width))
        lines.append(hanging(Content("  "), content(one_line(one["do"]), _MUTED), width))
    return Content("\n").join(lines)


def leeches(known: Sequence[Mapping[str, Any]], width: int) -> Content:
    """The questions that are lost again and again; nothing if there are none."""
    if not known:
        return Content("")
    lines = [
        Content.assemble(("Leeches  ", "bold $text-warning"), *_KEYS),
        content("Lost again and again: reread before the next try.", _MUTED),
    ]
    return Content("\n").join(lines + [_weak(one, width) for one in known[:_MOST]])


def weakest(known: Sequence[Mapping[str, Any]], leeches: Sequence[Mapping[str, Any]], width: int) -> Content:
    """The questions that are missed most, leeches apart; nothing if there are none."""
    others = [one for one in known if one not in leeches]
    if not others:
        return Content("")
    # The keys are for the worst of all, which is a leech if there is one.
    lines = [Content.assemble(("Weakest questions  ", _HEAD), *(() if leeches else _KEYS))]
    return Content("\n").join(lines + [_weak(one, width) for one in others[:_MOST]])


def _weak(one: Mapping[str, Any], width: int) -> Content:
    missed = Content.styled(f"{one['missed']:>4}/{one['answered']:<4} missed  ", "$text-error")
    return hanging(missed, content(one_line(one["key"])), width)


def misconceptions(known: Sequence[Mapping[str, Any]], width: int) -> Content:
    """The slips that show most often, in their packs' words; nothing if there are none."""
    if not known:
        return Content("")
    lines = [Content.styled("Slips you make", _HEAD)]
    for slip in known[:_MOST]:
        count = Content.styled(f"{slip['count']:>3} × ", "bold $text-error")
        lines.append(hanging(count, content(one_line(slip["says"])), width))
        if slip["truth"] and not slip["repaired"]:
            lines.append(hanging(Content("      "), content(one_line(slip["truth"]), _MUTED), width))
        lines.append(_repair(slip))
    return Content("\n").join(lines)


def _repair(slip: Mapping[str, Any]) -> Content:
    repaired = slip["repaired_by"]
    if slip["repaired"]:
        by = one_line(repaired[0]) + (f" and {slip['seen'] - 1} more" if slip["seen"] > 1 else "")
        return content(f"      ✓ repaired: {by} known since", "$text-success")
    where = f"open in {slip['open']} of {counted(slip['seen'], 'question')}"
    return content(f"      last on {slip['last']}, {where}", _MUTED)
