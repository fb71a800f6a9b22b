"""How far the packs were met: kept only as long as it is true."""

from datetime import timedelta
from pathlib import Path

import pytest

from quiz.memory.acts import Deed
from quiz.memory.cards import Card
from quiz.memory.days import Moment
from quiz.memory.review import new_id
from quiz.memory.reviews import ReviewLog
from tests.memory.conftest import Answer


def reach(log: ReviewLog, moment: Moment, position: int = 500) -> None:
    log.frontier(moment.day).reach("p", "screen", "stamp", (490, position))


def reached(log: ReviewLog, moment: Moment, stamp: str = "stamp") -> tuple[int, int]:
    return log.frontier(moment.day).reached("p", "screen", stamp)


def test_a_frontier_is_kept_for_one_content_of_a_pack(path: Path, noon: Moment) -> None:
    with ReviewLog.open(path) as log:
        assert reached(log, noon) == (0, 0)
        reach(log, noon)
    with ReviewLog.open(path) as log:
        assert reached(log, noon) == (490, 500)
        assert reached(log, noon, "another") == (0, 0)
        reach(log, noon, 600)
        assert reached(log, noon) == (490, 600)


def test_answers_leave_it_and_what_makes_a_question_new_again_forgets_it(
    log: ReviewLog, noon: Moment, answer: Answer
) -> None:
    log.record(answer(Card("p/q")))
    reach(log, noon)
    log.record(answer(Card("p/r")))
    assert reached(log, noon) == (490, 500)
    log.undo_last(noon)
    assert reached(log, noon) == (0, 0)


@pytest.mark.parametrize(("deed", "kept"), [("suspend", True), ("bury", True), ("reset", False)])
def test_of_acts_only_a_reset_forgets_it(log: ReviewLog, noon: Moment, answer: Answer, deed: Deed, kept: bool) -> None:
    log.record(answer(Card("p/q")))
    reach(log, noon)
    log.act("p/q", deed, noon, new_id())
    assert (reached(log, noon) != (0, 0)) == kept


def test_it_is_not_kept_where_another_window_appended_meanwhile(
    log: ReviewLog, path: Path, noon: Moment, answer: Answer
) -> None:
    log.record(answer(Card("p/q")))
    frontier = log.frontier(noon.day)
    with ReviewLog.open(path) as other:
        other.undo_last(noon)
    frontier.reach("p", "screen", "stamp", (490, 500))
    assert reached(log, noon) == (0, 0)


def test_cards_that_are_made_anew_forget_it(log: ReviewLog, noon: Moment, answer: Answer) -> None:
    log.record(answer(Card("p/q")))
    reach(log, noon)
    assert log.rebuild() == 0
    assert reached(log, noon) == (490, 500)
    log._connection.execute("UPDATE card SET state = 0")
    assert log.rebuild() == 1
    assert reached(log, noon) == (0, 0)


def test_a_backup_brings_back_the_frontier_of_its_time(log: ReviewLog, noon: Moment, answer: Answer) -> None:
    backup = log.back_up(noon.instant)
    log.record(answer(Card("p/q")))
    reach(log, noon)
    log.restore(backup, noon.instant + timedelta(minutes=1))
    assert reached(log, noon) == (0, 0)


def test_where_nothing_can_be_written_it_is_not_kept(log: ReviewLog, noon: Moment) -> None:
    log._connection.execute("PRAGMA query_only = ON")
    reach(log, noon)
    assert reached(log, noon) == (0, 0)


def test_met_tells_what_was_answered_from_what_is_put_aside(log: ReviewLog, noon: Moment, answer: Answer) -> None:
    log.record(answer(Card("p/answered")))
    log.act("p/suspended", "suspend", noon, new_id())
    log.act("p/buried", "bury", noon, new_id())
    log.act("p/flagged", "flag", noon, new_id())
    keys = [f"p/{name}" for name in ("answered", "suspended", "buried", "flagged", "unknown")]
    assert log.frontier(noon.day).met(keys) == {"p/answered": True, "p/suspended": False, "p/buried": False}
    assert log.frontier(noon.day + 1).met(keys) == {"p/answered": True, "p/suspended": False}
    many = [f"p/{number}" for number in range(5_000)]
    assert log.frontier(noon.day).met([*many, "p/answered"]) == {"p/answered": True}
