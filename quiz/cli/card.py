"""The command about one card: its memory, its history, and what can be done to it besides answering."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Any

import click

from quiz.bank.catalogue import title_of
from quiz.cli.printing import as_json, print_json, say
from quiz.clock import local_zone
from quiz.memory.advice import times
from quiz.plain import WORDS
from quiz.render.durations import DAY, show_interval
from quiz.render.printable import one_line
from quiz.study.rating import Rating

if TYPE_CHECKING:
    from quiz.desk import Desk
    from quiz.memory.acts import Deed

DEEDS: "tuple[Deed, ...]" = ("suspend", "resume", "bury", "flag", "unflag", "reset", "known")


_STATES = {"new": "New", "learning": "Being learned", "review": "In review", "relearning": "Being learned again"}


@click.command()
@click.argument("key")
@click.argument("deed", type=click.Choice(DEEDS), required=False)
@as_json
@click.pass_obj
def card(home: Path | None, key: str, deed: "Deed | None", as_json: bool) -> None:
    """Show what is remembered of a question, or do something to it.

    \b
    suspend, resume   do not ask it until resumed
    bury              put it aside until tomorrow
    flag, unflag      mark it for yourself
    known             take it as known, without an answer
    reset             make it new again; its history stays
    """
    from quiz.cli.desk import open_desk

    with open_desk(home) as desk:
        desk.library.posed(key)
        if deed is not None:
            desk.act(key, deed)
        found = document(desk, key)
    if as_json:
        print_json(found)
        return
    for line in _lines(found):
        say(line)


def document(desk: "Desk", key: str) -> dict[str, Any]:
    """`quiz card KEY --json`: stability in days, difficulty from 1 to 10, retrievability as a share."""
    from quiz.memory.days import calendar_date

    card, reviews = desk.log.card(key), list(desk.log.reviews(key))
    due = desk.due(card)
    # Of a question with numbers, the ones that were shown last.
    shown = desk.draw(key, reviews[-1].seed if reviews else 0)
    return {
        "key": key,
        "title": title_of(key.partition("/")[2]),
        "prompt": shown.prompt,
        "state": card.state,
        "due": due and due.isoformat(),
        "stability": card.stability,
        "difficulty": card.difficulty,
        "retrievability": desk.retrievability(card),
        "reps": card.reps,
        "lapses": card.lapses,
        "suspended": card.suspended,
        "buried": card.buried_day == desk.now().day,
        "buried_on": None if card.buried_day is None else calendar_date(card.buried_day).isoformat(),
        "flagged": card.flagged,
        "reviews": [
            {
                "answered": one.moment.instant.isoformat(),
                "seed": one.seed,
                "typed": one.typed,
                "verdict": one.verdict,
                "right": one.right,
                "rating": one.rating,
                "misconception": one.misconception,
                "seconds": one.thinking_ms / 1000,
                "disputed": one.disputed,
            }
            for one in reviews
        ],
    }


def _lines(found: Mapping[str, Any]) -> Iterator[str]:
    """The same in words."""
    key, reviews = found["key"], found["reviews"]
    yield f"{found['title']} ({key})"
    yield indent(found["prompt"].strip(), "  ")
    yield ""
    yield f"{_STATES[found['state']]}{_comes_back(found)}."
    if found["state"] == "review":
        span = show_interval(found["stability"] * DAY)
        yield f"Chance that you know it today: {found['retrievability']:.0%}; {span} after an answer it is 90%."
    if reviews:
        right = sum(one["right"] for one in reviews)
        lost = f", forgotten {times(found['lapses'])}" if found["lapses"] else ""
        yield f"Answered {times(len(reviews))}, right {times(right)}{lost}."
    if found["flagged"]:
        yield f"Flagged, until `quiz card {key} unflag`."
    if reviews:
        yield ""
    yield from map(_answer, reviews)


def _comes_back(found: Mapping[str, Any]) -> str:
    """Whether and when it is asked."""
    if found["suspended"]:
        return f", suspended: not asked until `quiz card {found['key']} resume`"
    aside = ", put aside until tomorrow" if found["buried"] else ""
    if found["due"] is None:
        return aside
    at = datetime.fromisoformat(found["due"]).astimezone(local_zone())
    return f"{aside}: comes back on {at:%Y-%m-%d}{'' if found['state'] == 'review' else f' at {at:%H:%M}'}"


def _answer(one: Mapping[str, Any]) -> str:
    when = datetime.fromisoformat(one["answered"]).astimezone(local_zone())
    disputed = " (disputed)" if one["disputed"] else ""
    rating = WORDS[Rating(one["rating"])]
    return f"{when:%Y-%m-%d %H:%M}  {one['verdict']:<7} {rating:<6} {one_line(one['typed'])}{disputed}".rstrip()
