"""How much comes back on the days ahead."""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, tzinfo

from quiz.memory.cards import Card
from quiz.memory.days import Moment, calendar_date, study_day
from quiz.memory.model import model_of
from quiz.memory.rows import instant_of
from quiz.memory.schedule import GOOD, Parameters
from quiz.memory.spots import LOST

_KNOWN = f"state > 0 AND NOT suspended AND question NOT IN ({LOST})"
# What is due already is most of it after a pause, so it is counted and not sorted by day.
_DUE = f"""SELECT :day, count(*) FROM card WHERE due_day <= :day AND buried_day IS NOT :day AND {_KNOWN} UNION ALL
    SELECT max(due_day, :day + (buried_day IS :day)) AS comes, count(*) FROM card
    WHERE (due_day > :day AND due_day < :end OR due_day <= :day AND buried_day IS :day) AND {_KNOWN} GROUP BY comes"""
_STEPS = f"SELECT due_at, buried_day IS :day FROM card WHERE due_at IS NOT NULL AND {_KNOWN}"


@dataclass(frozen=True, slots=True)
class Load:
    """How many questions are due on a day, as far as is known today."""

    day: date
    due: int


def loads(connection: sqlite3.Connection, moment: Moment, zone: tzinfo, rollover_hour: int, days: int) -> list[Load]:
    """What is due on so many days from today on: what is overdue counts today, what is buried tomorrow; new and
    suspended questions are left out, and those that are no longer in the catalogue (see `quiz.memory.spots`)."""
    due = Counter[int]()
    for day, count in connection.execute(_DUE, {"day": moment.day, "end": moment.day + days}):
        due[day] += count
    for instant, is_buried in connection.execute(_STEPS, {"day": moment.day}):
        due[max(study_day(instant_of(instant), zone, rollover_hour), moment.day + is_buried)] += 1
    return [Load(calendar_date(day), due[day]) for day in range(moment.day, moment.day + days)]


def expected(cards: Iterable[Card], today: int, horizons: Sequence[int], parameters: Parameters) -> list[int]:
    """How many reviews these cards bring within so many days from today on, ascending, if each is answered Good when it
    is due.

    What is due stays where it is; only what follows it depends on the parameters. New questions are left out.
    """
    model, retention = model_of(parameters.weights), parameters.desired_retention
    end, per_day = today + max(horizons), Counter[int]()
    for card in cards:
        if card.due_day is None or card.stability is None or card.difficulty is None or card.last_day is None:
            continue
        day, last = max(card.due_day, today), card.last_day
        stability, difficulty = card.stability, card.difficulty
        while day < end:
            per_day[day] += 1
            stability = model.after_success(difficulty, stability, model.recall(day - last, stability))
            difficulty = model.harder(difficulty, GOOD)
            last, day = day, day + model.interval(stability, retention)
    return [sum(count for day, count in per_day.items() if day < today + days) for days in horizons]
