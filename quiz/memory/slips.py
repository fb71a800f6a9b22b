"""Misconceptions as they show in the log, and what repaired them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from quiz.memory.cards import Card
from quiz.memory.days import calendar_date
from quiz.memory.rollups import SlipTotal


@dataclass(frozen=True, slots=True)
class Where:
    """A question in which the misconception showed. ``repaired`` is the day on which the question was last answered
    on a later day than the slip, and known; None if that has not happened."""

    key: str
    count: int
    last: date
    repaired: date | None


@dataclass(frozen=True, slots=True)
class Slip:
    """A misconception: how often it showed, and on which day last; in which ``questions``, the commonest first. It is
    ``repaired`` once all of them are; ``repaired_by`` names those that are."""

    id: str
    count: int
    last: date
    questions: tuple[Where, ...]
    repaired: bool
    repaired_by: tuple[str, ...]


def slips(found: Iterable[SlipTotal], cards: Mapping[str, Card]) -> tuple[Slip, ...]:
    """The misconceptions, the commonest first."""
    by_name: dict[str, list[SlipTotal]] = {}
    for total in found:
        by_name.setdefault(total.misconception, []).append(total)
    made = [_slip(name, totals, cards) for name, totals in by_name.items()]
    return tuple(sorted(made, key=lambda slip: (-slip.count, slip.id)))


def _slip(name: str, totals: list[SlipTotal], cards: Mapping[str, Card]) -> Slip:
    where = tuple(
        Where(total.key, total.slips, calendar_date(total.last), _repaired(total, cards.get(total.key)))
        for total in sorted(totals, key=lambda total: (-total.slips, total.key))
    )
    return Slip(
        id=name,
        count=sum(one.count for one in where),
        last=max(one.last for one in where),
        questions=where,
        repaired=all(one.repaired for one in where),
        repaired_by=tuple(one.key for one in where if one.repaired),
    )


def _repaired(total: SlipTotal, card: Card | None) -> date | None:
    # A card in review was known when it was last asked: what is missed leaves that state.
    if card is None or card.state != "review" or card.last_day is None or card.last_day <= total.last:
        return None
    return calendar_date(card.last_day)
