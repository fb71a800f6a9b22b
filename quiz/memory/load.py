"""How much comes back on the days ahead."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, tzinfo

from quiz.memory.cards import Card, is_aside
from quiz.memory.days import Moment, calendar_date, study_day
from quiz.memory.model import model_of
from quiz.memory.schedule import GOOD, Parameters


@dataclass(frozen=True, slots=True)
class Load:
    """How many questions are due on a day, as far as is known today."""

    day: date
    due: int


def loads(known: Iterable[Card], moment: Moment, zone: tzinfo, rollover_hour: int, days: int) -> tuple[Load, ...]:
    """What is due on so many days from today on. What is overdue counts today, what is buried tomorrow; the cards are
    to be without new and suspended ones."""
    due = Counter[int]()
    for card in known:
        day = card.due_day
        if day is None:
            day = moment.day if card.due_at is None else study_day(card.due_at, zone, rollover_hour)
        due[max(day, moment.day + is_aside(card, moment))] += 1
    return tuple(Load(calendar_date(day), due[day]) for day in range(moment.day, moment.day + days))


def beyond(known: Sequence[Card], ahead: Iterable[Load]) -> int:
    """How many of the cards are due after these days."""
    return len(known) - sum(load.due for load in ahead)


def expected(cards: Iterable[Card], today: int, days: int, parameters: Parameters) -> int:
    """How many reviews these cards bring on so many days from today on, if each is answered Good when it is due.

    What is due stays where it is; only what follows it depends on the weights. New questions are left out.
    """
    model = model_of(parameters.weights)
    end, count = today + days, 0
    for card in cards:
        if card.due_day is None or card.stability is None or card.difficulty is None or card.last_day is None:
            continue
        day, last = max(card.due_day, today), card.last_day
        stability, difficulty = card.stability, card.difficulty
        while day < end:
            count += 1
            stability = model.after_success(difficulty, stability, model.recall(day - last, stability))
            difficulty = model.harder(difficulty, GOOD)
            last, day = day, day + model.interval(stability, parameters.desired_retention)
    return count
