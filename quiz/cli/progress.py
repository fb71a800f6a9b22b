"""The command that shows how far the learner is."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from quiz.cli.printing import as_json, print_json, say
from quiz.memory.advice import times
from quiz.memory.aside import MOST
from quiz.render.numbers import counted
from quiz.render.printable import one_line

_HEATMAP_WEEKS = 53
_MOST = 5
_WIDTH = 60


@click.command()
@click.argument("key", required=False)
@as_json
@click.pass_obj
def progress(home: Path | None, key: str | None, as_json: bool) -> None:
    """Show how far you are, or, with the KEY of a question, how you learned it."""
    from quiz.cli.desk import open_desk

    with open_desk(home) as desk:
        today = desk.now().day
        found = desk.progress() if key is None else desk.curve(key)
        ideas = desk.library.ideas([one["misconception"] for one in found.get("points", ())])
    if as_json:
        print_json(found)
        return
    for line in _lines(found, today) if key is None else _curve(found, ideas):
        for part in _fitted(line):
            say(part)


def _fitted(line: str) -> list[str]:
    """The line in lines of at most `_WIDTH` cells, the later ones indented as the first and a bit."""
    if len(line) <= _WIDTH:
        return [line]
    from textwrap import wrap

    indent = " " * (len(line) - len(line.lstrip()) + 2)
    return wrap(line, _WIDTH, subsequent_indent=indent, break_on_hyphens=False)


def _lines(known: Mapping[str, Any], today: int) -> Iterator[str]:
    """Everything, within 60 columns."""
    cards = known["cards"]
    early = f" ({known['asked_early']} of them early, for the interview)" if known["asked_early"] else ""
    done = f"{counted(known['reviews'], 'answer')} on {counted(known['studied_days'], 'day')}"
    yield f"{done}, {known['due_now']} due now{early}"
    aside = f", {cards['suspended']} suspended" if cards["suspended"] else ""
    yield f"{cards['new']} unseen, {cards['learning']} learning, {cards['review']} in review{aside}"
    spent = f"{known['minutes']:.0f} min in all, {known['minutes_30']:.0f} in 30 days"
    yield f"streak {known['streak']} (longest {known['longest_streak']}); {spent}"
    for section in (_next, _strength, _memory, _ahead, _weak, _slips, _aside, _pace, _sittings):
        yield from section(known)
    yield from _year(known, today)


def _next(known: Mapping[str, Any]) -> Iterator[str]:
    yield "\nwhat to do next:"
    for one in known["next"]:
        yield f"  {one['say']}"
        yield f"    → {one['do']}"


def _strength(known: Mapping[str, Any]) -> Iterator[str]:
    from quiz.render.charts import meter

    yield "\nknown today:"
    for pack, topic in known["topics"].items():
        yield f"{pack:<24.24} {meter(topic['strength'], 9)} {topic['strength']:4.0%}  {_todo(topic)}"
        for name, lesson in known["lessons"].items():
            if name.startswith(f"{pack}/"):
                short = name.partition("/")[2]
                yield f"  {short:<22.22} {meter(lesson['strength'], 9)} {lesson['strength']:4.0%}  {_todo(lesson)}"
    for name, depth in known["depths"].items():
        yield f"{name:<24.24} {meter(depth['strength'], 9)} {depth['strength']:4.0%}  {_todo(depth)}"


def _todo(topic: Mapping[str, Any]) -> str:
    return f"{topic['due']} due, {topic['new']} unseen"


def _memory(known: Mapping[str, Any]) -> Iterator[str]:
    found = known["calibration"]
    if not found["tested"]:
        return
    yield f"\nstill known when asked again: {found['kept']:.0%} of {found['tested']}"
    yield f"  predicted were {found['predicted']:.0%}"
    if known["retention_30"] is not None:
        yield f"  in the last 30 days: {known['retention_30']:.0%}"
    for one in found["bins"]:
        if one["tested"]:
            yield f"  predicted {one['predicted']:4.0%}: kept {one['kept']:4.0%} of {one['tested']}"


def _ahead(known: Mapping[str, Any]) -> Iterator[str]:
    month = known["forecast_30"]
    fortnight, all_month = sum(day["due"] for day in known["forecast"]), sum(day["due"] for day in month)
    yield f"\ndue in 14 days: {fortnight}, in 30: {all_month}, later: {known['beyond']}"
    if known["asked_early"]:
        yield f"  as scheduled; of the later ones, {known['asked_early']} are asked early, today"
    top = max((day["due"] for day in known["forecast"]), default=0)
    for day in known["forecast"]:
        yield f"  {day['day']} {day['due']:>4} {'█' * round(30 * day['due'] / top) if top else ''}".rstrip()


def _weak(known: Mapping[str, Any]) -> Iterator[str]:
    leeches = known["leeches"]
    others = [one for one in known["weakest"] if one not in leeches]
    for title, found, verb in (
        ("leeches: more repetition does not help, reread", leeches, "learn"),
        ("weakest:", others[:_MOST], "study"),
    ):
        if found:
            yield f"\n{title}"
        for one in found:
            lost = f", forgotten {times(one['lapses'])}" if one["lapses"] else ""
            yield f"  {one['key']}: {one['missed']} of {one['answered']} missed{lost}"
            yield f"    → quiz {verb if '/' in one['topic'] else 'study'} {one['topic']}"


def _slips(known: Mapping[str, Any]) -> Iterator[str]:
    if known["misconceptions"]:
        yield "\nslips:"
    for slip in known["misconceptions"]:
        yield f"  {slip['count']} × {one_line(slip['says'])}"
        repaired = slip["repaired_by"]
        if slip["repaired"]:
            yield f"      repaired: known since in {_some(repaired, slip['seen'])}"
        else:
            if slip["truth"]:
                yield f"      In fact: {one_line(slip['truth'])}"
            since = f"; known since in {_some(repaired, slip['seen'] - slip['open'])}" if repaired else ""
            yield f"      last on {slip['last']}, open in {slip['open']} of {counted(slip['seen'], 'question')}{since}"


def _aside(known: Mapping[str, Any]) -> Iterator[str]:
    """What the learner put aside or marked; long lists begin here and `quiz list` has all."""
    aside = known["aside"]
    for name, title in (
        ("suspended", "suspended, not asked until `quiz card KEY resume`:"),
        ("buried", "put aside until tomorrow:"),
        ("flagged", "flagged:"),
    ):
        if aside[name]:
            yield f"\n{title}"
            yield from (f"  {key}" for key in aside[name])
        if len(aside[name]) == MOST:
            yield "  … `quiz list` marks them all"


def _some(keys: list[str], count: int) -> str:
    """The first keys, and how many more of ``count`` there are."""
    more = count - 2
    return ", ".join(keys[:2]) + (f" and {more} more" if more > 0 else "")


def _pace(known: Mapping[str, Any]) -> Iterator[str]:
    pace = known["pace"]
    if pace["median"] is None:
        return
    lately = f", lately {pace['recent']:.0f} s" if pace["recent"] is not None else ""
    yield f"\ninterview pace: median {pace['median']:.0f} s{lately}"
    for pack, seconds in pace["topics"].items():
        yield f"  {pack:<24.24} {seconds:.0f} s, {seconds / max(pace['median'], 0.1):.1f} × your median"


def _sittings(known: Mapping[str, Any]) -> Iterator[str]:
    if known["sittings"]:
        yield "\nlast sittings:"
    for one in known["sittings"]:
        yield f"  {one['began']:.16}  {one['answered']} answered, {one['right']} right"


def _year(known: Mapping[str, Any], today: int) -> Iterator[str]:
    from datetime import date

    from quiz.memory.days import calendar_date
    from quiz.render.heatmap import heatmap

    counts = {date.fromisoformat(day["day"]): day["answered"] for day in known["heatmap"]}
    if not counts:
        return
    months, *rows = heatmap(counts, calendar_date(today), _HEATMAP_WEEKS)
    yield f"\n    {months}".rstrip()
    for name, row in zip(("Mon", "", "Wed", "", "Fri", "", "Sun"), rows, strict=True):
        yield f"{name:<4}{row}".rstrip()


def _curve(found: Mapping[str, Any], ideas: Mapping[str, tuple[str, str]]) -> Iterator[str]:
    from quiz.render.charts import meter

    yield f"{found['key']}: {counted(found['answered'], 'answer')}, {found['right']} right"
    if found["points"]:
        yield "day         rating  chance before      s  stays"
    for point in found["points"]:
        chance = (
            "first time       " if point["chance"] is None else f"{meter(point['chance'], 12)} {point['chance']:4.0%}"
        )
        stays = f"{point['stability']:.1f} d" if point["stability"] is not None else ""
        mark = "✓" if point["right"] else "✗"
        yield f"{point['day']}  {mark} {point['rating']}  {chance}  {point['seconds']:>4.0f}  {stays}"
        if point["misconception"]:
            says, _ = ideas.get(point["misconception"], (point["misconception"], ""))
            yield f"            {one_line(says)}"
    if not found["points"]:
        yield "It was not asked yet."
    yield f"  → quiz study {found['topic']}"
