"""Which questions are put aside or marked."""

from datetime import UTC, datetime, timedelta

from quiz.memory.acts import Deed
from quiz.memory.aside import MOST, Aside, aside
from quiz.memory.days import moment
from quiz.memory.reviews import ReviewLog
from tests.memory.catalogue import Listed, Question

NOW = moment(datetime(2026, 5, 1, 12, tzinfo=UTC), UTC)
LATER = moment(NOW.instant + timedelta(days=1), UTC)


def act(log: ReviewLog, deed: Deed, *keys: str) -> None:
    for key in keys:
        log.act(key, deed, NOW, "s")


def found(log: ReviewLog, keys: list[str], day: int = NOW.day) -> Aside:
    return log.by_spot(Listed([Question(key) for key in keys]), lambda connection, _: aside(connection, day))


def test_each_question_stands_under_what_was_done_to_it(log: ReviewLog) -> None:
    keys = ["p/a", "p/b", "p/c", "p/d"]
    act(log, "suspend", "p/b", "p/a")
    act(log, "bury", "p/a", "p/c")
    act(log, "flag", "p/b", "p/d")
    assert found(log, keys) == Aside(suspended=("p/a", "p/b"), buried=("p/c",), flagged=("p/b", "p/d"))
    act(log, "resume", "p/a")
    act(log, "unflag", "p/d")
    assert found(log, keys) == Aside(suspended=("p/b",), buried=("p/a", "p/c"), flagged=("p/b",))
    assert found(log, keys, LATER.day).buried == ()


def test_what_cannot_be_asked_any_more_is_left_out(log: ReviewLog) -> None:
    act(log, "suspend", "p/a", "gone/b")
    assert found(log, ["p/a"]).suspended == ("p/a",)


def test_a_long_list_ends(log: ReviewLog) -> None:
    keys = [f"p/{number:03}" for number in range(MOST + 5)]
    act(log, "flag", *reversed(keys))
    assert found(log, keys).flagged == tuple(keys[:MOST])
