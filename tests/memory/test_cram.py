from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from quiz.memory.cards import Card
from quiz.memory.cram import MOST, next_due
from quiz.memory.days import moment
from quiz.memory.schedule import review
from tests.memory.catalogue import Question

START = datetime(2026, 5, 1, 12, tzinfo=UTC)
NOW = moment(START, UTC)


def known(key: str, stability: float, ago: int) -> Card:
    day = NOW.day - ago
    return Card(key, "review", None, stability, 5.0, due_day=day + 60, last_day=day, reps=3)


def asked(*cards: Card) -> list[str]:
    return list(next_due([Question(card.key) for card in cards], {card.key: card for card in cards}, NOW))


def test_what_is_likeliest_forgotten_comes_first() -> None:
    assert asked(known("p/a", 90, 3), known("p/b", 4, 3), known("p/c", 30, 20)) == ["p/b", "p/c", "p/a"]


def test_what_was_asked_today_comes_last() -> None:
    assert asked(known("p/a", 1, 0), known("p/b", 90, 1)) == ["p/b", "p/a"]


def test_what_is_put_aside_or_new_is_left_out() -> None:
    card = known("p/a", 9, 3)
    assert asked(card._replace(suspended=True), card._replace(key="p/b", buried_day=NOW.day), Card("p/new")) == []


def test_what_comes_back_within_minutes_stands_between() -> None:
    learning = Card("p/l", "learning", 0, 1.0, 5.0, due_at=START + timedelta(minutes=5), last_day=NOW.day)
    assert asked(known("p/today", 1, 0), learning, known("p/late", 90, 3)) == ["p/late", "p/l", "p/today"]


def test_a_sitting_is_enough() -> None:
    assert len(asked(*(known(f"p/{number}", 9, 3) for number in range(50)))) == MOST


@given(
    st.lists(st.tuples(st.integers(2, 4), st.integers(1, 60)), min_size=2, max_size=6),
    st.integers(2, 4),
    st.data(),
)
def test_a_success_ahead_of_time_never_brings_a_question_back_earlier(
    history: list[tuple[int, int]], rating: int, data: st.DataObject
) -> None:
    card, day = Card("p/a"), 0
    for given_rating, wait in history:
        card = review(card, given_rating, moment(START + timedelta(days=day), UTC))
        day += wait
    last, due = card.last_day, card.due_day
    if due is None or last is None:
        return
    early = data.draw(st.integers(last, due))
    after = review(card, rating, moment(START + timedelta(days=early - NOW.day), UTC))
    assert after.due_day is not None
    assert after.due_day >= due
