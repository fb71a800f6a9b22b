"""What a change of the schedule would do to the reviews ahead: shown by `quiz settings` and `quiz data optimize`."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from quiz.cli.printing import say

if TYPE_CHECKING:
    from quiz.desk import Desk
    from quiz.memory.schedule import Parameters

_AHEAD = (30, 90)


def load_ahead(desk: "Desk", after: "Parameters") -> list[dict[str, int]]:
    """How many reviews come within 30 and 90 days as things are, and how many with these parameters. What is scheduled
    already stays; only what follows it changes."""
    from quiz.memory.load import expected

    today, held = desk.now().day, desk.log.cards()
    cards = [card for entry in desk.library.of(held) if not (card := held[entry.key]).suspended]
    counts = (expected(cards, today, _AHEAD, parameters) for parameters in (desk.parameters, after))
    return [{"days": days, "before": old, "after": new} for days, old, new in zip(_AHEAD, *counts, strict=True)]


def say_load(load: Iterable[dict[str, int]]) -> None:
    """Say it in words."""
    for ahead in load:
        say(f"reviews in {ahead['days']} days, if all goes well: {ahead['before']} before, {ahead['after']} after")
