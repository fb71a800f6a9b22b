from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from quiz.memory.cards import Card, due_instant, interval, is_due
from quiz.memory.days import Moment

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
NOW = Moment(NOON, 0, 9617)


def learning(wait: timedelta) -> Card:
    return Card("p/q", "learning", 0, 1.0, 5.0, due_at=NOON + wait, last_day=9617, reps=1)


def in_review(due_day: int) -> Card:
    return Card("p/q", "review", None, 3.0, 5.0, due_day=due_day, last_day=9610, reps=3)


def test_a_new_card_is_never_due() -> None:
    assert not is_due(Card("p/q"), NOW)
    assert due_instant(Card("p/q"), UTC) is None


def test_a_learning_card_is_due_to_the_second() -> None:
    assert is_due(learning(timedelta()), NOW)
    assert not is_due(learning(timedelta(seconds=1)), NOW)


def test_a_review_is_due_all_day() -> None:
    assert [is_due(in_review(day), NOW) for day in (9616, 9617, 9618)] == [True, True, False]


def test_a_review_comes_back_when_its_study_day_begins() -> None:
    assert due_instant(in_review(9618), ZoneInfo("Europe/Berlin")) == datetime(2026, 5, 2, 2, tzinfo=UTC)
    assert due_instant(learning(timedelta(minutes=1)), UTC) == NOON + timedelta(minutes=1)


def test_the_wait_is_the_step_or_whole_days() -> None:
    assert interval(learning(timedelta(minutes=10)), NOW) == timedelta(minutes=10)
    assert interval(in_review(9618), NOW) == timedelta(days=8)
    assert interval(Card("p/q"), NOW) == timedelta()
