"""Misconceptions as they show in the log, and what repaired them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from quiz.memory.cards import Card
from quiz.memory.days import calendar_date
from quiz.memory.rollups import SlipTotal

# Of the questions in which a misconception showed, more than this help nobody.
MOST = 10


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
    """A misconception: how often it showed, and on which day last; in how many questions it was ``seen`` and is still
    ``open``, with some of these ``questions``, open ones first, then the commonest. It is ``repaired`` once none is
    open; ``repaired_by`` names some of those that are not."""

    id: str
    count: int
    last: date
    seen: int
    open: int
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
    marked = [(_repaired(total, cards.get(total.key)), total) for total in totals]
    marked.sort(key=lambda one: (one[0] is not None, -one[1].slips, one[1].key))
    is_open = sum(day is None for day, _ in marked)
    return Slip(
        id=name,
        count=sum(total.slips for total in totals),
        last=calendar_date(max(total.last for total in totals)),
        seen=len(marked),
        open=is_open,
        questions=tuple(
            Where(total.key, total.slips, calendar_date(total.last), None if day is None else calendar_date(day))
            for day, total in marked[:MOST]
        ),
        repaired=not is_open,
        repaired_by=tuple(total.key for _, total in marked[is_open : is_open + MOST]),
    )


def _repaired(total: SlipTotal, card: Card | None) -> int | None:
    """The day on which the question was known again."""
    # A card in review was known when it was last asked: what is missed leaves that state.
    if card is None or card.state != "review" or card.last_day is None or card.last_day <= total.last:
        return None
    return card.last_day
