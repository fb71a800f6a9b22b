"""Misconceptions, and what repaired them."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from quiz.memory.cards import Card, State
from quiz.memory.days import moment
from quiz.memory.misconceptions import MANY, MOST, Misconception
from quiz.memory.reviews import Review
from tests.memory.catalogue import Listed
from tests.memory.conftest import Answer
from tests.memory.plain import figures_of, held_as

START = datetime(2026, 5, 1, 12, tzinfo=UTC)
DAY = moment(START, UTC).day


def known(key: str, last_day: int, state: State = "review") -> Card:
    if state == "review":
        return Card(key, "review", None, 9.0, 5.0, due_day=last_day + 9, last_day=last_day, reps=3)
    return Card(key, "relearning", 0, 1.0, 5.0, due_at=START, last_day=last_day, reps=3)


def missed(answer: Answer, name: str, key: str, day: int, times: int = 1) -> list[Review]:
    at = moment(START + timedelta(days=day), UTC)
    return [answer(Card(key), 1, at, misconception=name) for _ in range(times)]


def found(folder: Path, reviews: Sequence[Review], *cards: Card) -> tuple[Misconception, ...]:
    at = moment(START + timedelta(days=20), UTC)
    with held_as(folder, cards, reviews, at) as log:
        return figures_of(log, Listed([]), at, new_per_day=0, introduced=0).misconceptions


@pytest.mark.parametrize(
    ("card", "repaired"),
    [
        (known("p/a", DAY), None),
        (known("p/a", DAY + 3), date(2026, 5, 4)),
        (known("p/a", DAY + 3, "relearning"), None),
        (Card("p/a"), None),
    ],
)
def test_a_misconception_is_repaired_once_its_question_is_known_on_a_later_day(
    tmp_path: Path, answer: Answer, card: Card, repaired: date | None
) -> None:
    (one,) = found(tmp_path, missed(answer, "m", "p/a", 0, 2), card)
    assert (one.count, one.repaired, one.questions[0].repaired) == (2, repaired is not None, repaired)


def test_all_questions_must_be_known_and_those_that_are_get_named(tmp_path: Path, answer: Answer) -> None:
    reviews = missed(answer, "m", "p/a", 0) + missed(answer, "m", "p/b", 1, 3) + missed(answer, "n", "p/a", 0, 5)
    worst, one = found(tmp_path, reviews, known("p/b", DAY + 5))
    assert (worst.id, worst.count, worst.repaired) == ("n", 5, False)
    assert (one.id, one.count, one.last, one.repaired, one.repaired_by) == (
        "m",
        4,
        date(2026, 5, 2),
        False,
        ("p/b",),
    )
    assert (one.seen, one.open) == (2, 1)
    assert [at.key for at in one.questions] == ["p/a", "p/b"]


@pytest.mark.parametrize("often", [MOST - 1, MOST + 3])
def test_of_many_questions_those_in_which_it_showed_most_are_named(tmp_path: Path, answer: Answer, often: int) -> None:
    keys = [f"p/{number:03}" for number in range(MANY + 5)]
    reviews = [one for at, key in enumerate(keys) for one in missed(answer, "m", key, 0, 4 if at < often else 1)]
    (one,) = found(tmp_path, reviews, *(known(key, DAY + 1) for key in keys))
    assert (one.seen, one.open, one.repaired) == (len(keys), 0, True)
    assert one.repaired_by == tuple(keys[:MOST])
    assert [(at.key, at.count) for at in one.questions] == [
        (key, 4 if at < often else 1) for at, key in enumerate(keys[:MOST])
    ]
