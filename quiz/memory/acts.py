"""The acts: what a learner does to a card other than answering its question, and replaying both."""

from collections.abc import Iterable
from datetime import datetime
from typing import Literal, NamedTuple, TypeAlias

from quiz.memory import schedule
from quiz.memory.cards import Card
from quiz.memory.days import Moment
from quiz.memory.review import Review
from quiz.memory.schedule import Parameters

Deed: TypeAlias = Literal["suspend", "resume", "bury", "flag", "unflag", "reset", "known"]
# A merge is no deed of the learner's: it stands where histories of several devices came together, and the card was
# made anew from all of them.
ActName: TypeAlias = Deed | Literal["merge"]


class Act(NamedTuple):
    """One act in the log. ``id`` is a UUID; ``before`` and ``after`` are the card."""

    id: str
    key: str
    act: ActName
    moment: Moment
    sitting: str
    device: str
    before: Card
    after: Card


Entry: TypeAlias = Review | Act


def acted(card: Card, deed: Deed, moment: Moment, parameters: Parameters = schedule.DEFAULTS) -> Card:
    """The card after the deed; the same card where there is nothing to do, as with resuming what is not suspended.

    ``bury`` puts it aside for this study day; ``reset`` makes it new again and keeps its flag; ``known`` counts as an
    Easy answer, which graduates at once.
    """
    match deed:
        case "suspend" | "resume":
            return card._replace(suspended=deed == "suspend")
        case "bury":
            return card._replace(buried_day=moment.day)
        case "flag" | "unflag":
            return card._replace(flagged=deed == "flag")
        case "reset":
            return Card(card.key, flagged=card.flagged)
        case "known":
            return schedule.review(card, schedule.EASY, moment, parameters)


def in_order(entry: Entry) -> tuple[datetime, str]:
    """What entries are sorted by to be replayed; those for which it is the same stay as they are."""
    return entry.moment.instant, entry.device


def replayed(
    key: str, entries: Iterable[Entry], parameters: Parameters = schedule.DEFAULTS, card: Card | None = None
) -> Card:
    """The card after these answers and acts, from nothing or from ``card``, in the order in which they were done.

    That order is the same on every device: by the instant, then by device, then as that device did them. What an answer
    led to when it was given stands, whatever the settings were then, as long as it begins with the card as it is here.
    """
    card = card or Card(key)
    for entry in sorted(entries, key=in_order):
        if isinstance(entry, Review):
            kept = entry.before == card
            card = entry.after if kept else schedule.review(card, entry.rating, entry.moment, parameters)
        elif entry.act != "merge":
            kept = entry.before == card
            card = entry.after if kept else acted(card, entry.act, entry.moment, parameters)
    return card
