"""The command about one card: its memory, its history, and what can be done to it besides answering."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from quiz.cli.printing import as_json, print_json, say

if TYPE_CHECKING:
    from quiz.desk import Desk
    from quiz.memory.acts import Deed

DEEDS: "tuple[Deed, ...]" = ("suspend", "resume", "bury", "flag", "unflag", "reset", "known")


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
    reviews = found.pop("reviews")
    for name, value in found.items():
        if value is not None and value is not False:
            say(f"{name:<15} {f'{value:.3g}' if isinstance(value, float) else value}".rstrip())
    for one in reviews:
        say(f"{one['answered'][:16].replace('T', ' ')}  {one['verdict']:<7} rating {one['rating']}  {one['typed']!r}")


def document(desk: "Desk", key: str) -> dict[str, Any]:
    """`quiz card KEY --json`: stability in days, difficulty from 1 to 10, retrievability as a share."""
    from quiz.memory.days import calendar_date

    card = desk.log.card(key)
    due = desk.due(card)
    return {
        "key": key,
        "state": card.state,
        "due": due and due.isoformat(),
        "stability": card.stability,
        "difficulty": card.difficulty,
        "retrievability": desk.retrievability(card),
        "reps": card.reps,
        "lapses": card.lapses,
        "suspended": card.suspended,
        "buried_on": None if card.buried_day is None else calendar_date(card.buried_day).isoformat(),
        "flagged": card.flagged,
        "reviews": [
            {
                "answered": one.moment.instant.isoformat(),
                "seed": one.seed,
                "typed": one.typed,
                "verdict": one.verdict,
                "rating": one.rating,
                "misconception": one.misconception,
                "seconds": one.thinking_ms / 1000,
                "disputed": one.disputed,
            }
            for one in desk.log.reviews(key)
        ],
    }
