"""A sitting's memory in the learner's log."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from quiz.memory.days import Moment, moment
from quiz.memory.reviews import ReviewLog
from quiz.memory.schedule import Parameters
from quiz.problem.variant import Answer, Variant
from quiz.study.logged import LoggedMemory
from quiz.study.memory import Answered
from quiz.study.rating import Rating

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
TODAY = moment(NOON, UTC).day


@pytest.fixture
def log(tmp_path: Path) -> Iterator[ReviewLog]:
    with ReviewLog.open(tmp_path / "quiz.db") as opened:
        yield opened


def at(minutes: int) -> Moment:
    return moment(NOON + timedelta(minutes=minutes), UTC)


def answered(memory: LoggedMemory, key: str, rating: Rating = Rating.EASY) -> Answered:
    variant = Variant(key, 7, "1.0", "card", "screen", None, "Front", Answer(None, "Back"))
    return Answered(variant, memory.card(key), "", None, Rating.GOOD, rating, 3.0, 0)


def test_what_is_recorded_is_what_was_shown_and_in_the_log(log: ReviewLog) -> None:
    memory = LoggedMemory(log, Parameters())
    shown = memory.preview(memory.card("p/q"), at(0))
    assert memory.record(answered(memory, "p/q"), at(0)) == shown[3] == log.card("p/q")
    last = memory.last("p/q")
    assert last is not None
    assert (last.key, last.pack, last.rating, last.verdict, last.thinking_ms) == ("p/q", "p", 4, "judged", 3_000)
    assert last.device == log.device_id


def test_before_an_interview_cards_are_shown_brought_forward_and_kept_as_they_are(log: ReviewLog) -> None:
    memory = LoggedMemory(log, Parameters(interview_day=TODAY + 2))
    shown = memory.preview(memory.card("p/q"), at(0))
    assert memory.record(answered(memory, "p/q"), at(0)) == shown[3]
    kept = log.card("p/q").due_day
    assert shown[3].due_day == TODAY + 2
    assert kept is not None
    assert kept > TODAY + 2


def test_undo_takes_back_what_this_sitting_did_before_what_another_did_later(log: ReviewLog) -> None:
    ours, other = LoggedMemory(log, Parameters()), LoggedMemory(log, Parameters())
    ours.record(answered(ours, "p/ours"), at(0))
    other.record(answered(other, "p/theirs"), at(1))
    taken = [ours.undo(at(2)), ours.undo(at(3)), ours.undo(at(4))]
    assert [one and one.key for one in taken] == ["p/ours", "p/theirs", None]
