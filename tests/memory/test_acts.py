import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from quiz.memory import schedule
from quiz.memory.acts import Act, Deed, acted, replayed
from quiz.memory.cards import Card, is_due
from quiz.memory.days import Moment, moment
from quiz.memory.reviews import Review, ReviewLog
from quiz.memory.storage import MIGRATIONS

Answer = Callable[..., Review]
START = datetime(2026, 5, 1, 12, tzinfo=UTC)
DEEDS: tuple[Deed, ...] = ("suspend", "resume", "bury", "flag", "unflag", "reset", "known")


def later(minutes: float = 0, days: float = 0) -> Moment:
    return moment(START + timedelta(days=days, minutes=minutes), UTC)


def rows(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("SELECT count(*) FROM review").fetchone()[0])


def test_a_suspended_question_is_not_due_until_it_is_resumed(log: ReviewLog, answer: Answer) -> None:
    card = log.record(answer(Card("p/q"), schedule.EASY)).after
    assert is_due(card, later(days=60))
    assert not is_due(log.act("p/q", "suspend", later(1), "s"), later(days=60))
    assert log.act("p/q", "resume", later(2), "s") == card == log.card("p/q")


def test_a_buried_question_is_back_the_next_day(log: ReviewLog, answer: Answer) -> None:
    card = log.record(answer(Card("p/q"))).after
    buried = log.act("p/q", "bury", later(20), "s")
    assert buried == card._replace(buried_day=later().day)
    assert not is_due(buried, later(30))
    assert is_due(buried, later(days=1))


def test_an_answer_digs_up_what_was_buried_and_keeps_the_rest(log: ReviewLog, answer: Answer) -> None:
    for deed in ("suspend", "bury", "flag"):
        log.act("p/q", deed, later(), "s")
    after = log.record(answer(log.card("p/q"), moment=later(1))).after
    assert (after.suspended, after.buried_day, after.flagged, after.reps) == (True, None, True, 1)
    easy = log.record(answer(after, schedule.EASY, later(2))).after
    log.act("p/q", "bury", later(3), "s")
    again_that_day = log.record(answer(log.card("p/q"), moment=later(4))).after
    assert again_that_day == easy._replace(reps=3)


def test_reset_makes_the_card_new_and_keeps_its_flag(log: ReviewLog, answer: Answer) -> None:
    log.record(answer(Card("p/q"), schedule.EASY))
    log.act("p/q", "flag", later(1), "s")
    log.act("p/q", "suspend", later(1), "s")
    assert log.act("p/q", "reset", later(2), "s") == Card("p/q", flagged=True) == log.card("p/q")
    assert [review.key for review in log.reviews()] == ["p/q"]


def test_what_is_known_graduates_at_once_without_being_an_answer(log: ReviewLog) -> None:
    known = log.act("p/q", "known", later(), "s")
    assert known == schedule.review(Card("p/q"), schedule.EASY, later())
    assert known.state == "review"
    assert list(log.reviews()) == []
    assert log.introduced_on(later().day) == 0


@pytest.mark.parametrize("deed", ["resume", "unflag", "reset"])
def test_an_act_that_changes_nothing_is_not_appended(deed: Deed, log: ReviewLog, path: Path) -> None:
    assert log.act("p/q", deed, later(), "s") == Card("p/q")
    assert log.act("p/q", "suspend", later(), "s") == log.act("p/q", "suspend", later(1), "s")
    assert rows(path) == 1


@pytest.mark.parametrize("deed", DEEDS)
def test_undo_takes_back_an_act_like_an_answer(deed: Deed, log: ReviewLog, path: Path, answer: Answer) -> None:
    log.record(answer(Card("p/q"), schedule.EASY))
    for earlier in ("suspend", "flag") if deed in ("resume", "unflag") else ():
        log.act("p/q", earlier, later(1), "s")
    before, length = log.card("p/q"), rows(path)
    after = log.act("p/q", deed, later(2), "s")
    assert after == acted(before, deed, later(2)) != before
    taken = log.undo_last(later(3))
    assert isinstance(taken, Act)
    assert (taken.key, taken.act, taken.before, taken.after, taken.moment) == ("p/q", deed, before, after, later(2))
    assert log.card("p/q") == before
    assert rows(path) == length + 2
    assert log.rebuild() == 0


def test_undo_takes_answers_and_acts_in_the_order_they_came(log: ReviewLog, answer: Answer) -> None:
    first = log.record(answer(Card("p/a"), sitting="s"))
    log.act("p/b", "bury", later(1), "s")
    second = log.record(answer(first.after, moment=later(2), sitting="s"))
    assert log.undo_last(later(3), "s") == second
    taken = log.undo_last(later(4), "s")
    assert isinstance(taken, Act)
    assert log.undo_last(later(5), "s") == first
    assert log.undo_last(later(6), "s") is None
    assert log.cards() == {}


def test_undo_beneath_an_act_of_another_window_keeps_the_act(log: ReviewLog, answer: Answer) -> None:
    mine = log.record(answer(Card("p/q"), schedule.EASY, sitting="mine"))
    log.act("p/q", "suspend", later(1), "other")
    assert log.undo_last(later(2), "mine") == mine
    assert log.card("p/q") == Card("p/q", suspended=True)


def test_new_questions_put_aside_are_among_the_cards(log: ReviewLog) -> None:
    log.act("p/a", "suspend", later(), "s")
    log.act("p/b", "bury", later(), "s")
    log.act("p/c", "flag", later(), "s")
    assert set(log.cards()) == {"p/a", "p/b", "p/c"}
    assert log.last_review("p/a") is None
    assert log.introduced_on(later().day) == 0


def test_the_history_holds_answers_and_acts_and_replays_to_the_card(log: ReviewLog, answer: Answer) -> None:
    log.record(answer(Card("p/q"), schedule.AGAIN))
    log.act("p/q", "known", later(5), "s")
    log.act("p/q", "flag", later(6), "s")
    log.record(answer(log.card("p/q"), schedule.AGAIN, later(days=9)))
    log.act("p/other", "flag", later(days=9), "s")
    history = list(log.history("p/q"))
    assert [entry.act if isinstance(entry, Act) else entry.rating for entry in history] == [1, "known", "flag", 1]
    assert [entry.key for entry in log.history()] == ["p/q"] * 4 + ["p/other"]
    assert replayed("p/q", history) == log.card("p/q") == history[-1].after


def test_disputed_marks_are_found_again_until_they_are_taken_back(log: ReviewLog, answer: Answer) -> None:
    log.record(answer(Card("p/a")))
    disputed = [log.record(answer(log.card(key), disputed=True)) for key in ("p/b", "p/a")]
    assert list(log.disputes()) == disputed
    log.undo_last(later(1))
    assert list(log.disputes()) == disputed[:1]


def test_a_log_of_the_first_schema_is_brought_forward_whole(path: Path, tmp_path: Path, answer: Answer) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as old:
        for statement in MIGRATIONS[0]:
            old.execute(statement)
        old.execute(f"PRAGMA application_id = {int.from_bytes(b'quiz', 'big')}")
        old.execute("PRAGMA user_version = 1")
        with ReviewLog.open(tmp_path / "new.db") as new:
            reviews = [new.record(answer(Card(f"p/{name}"))) for name in "ab"]
            taken = new.undo_last(later(1))
        old.execute("ATTACH ? AS new", (str(tmp_path / "new.db"),))
        for table in ("device", "sitting", "edition", "question", "review", "card"):
            columns = ", ".join(row[1] for row in old.execute(f"PRAGMA main.table_info({table})"))
            old.execute(f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM new.{table}")
        old.commit()
    with ReviewLog.open(path) as log:
        assert list(log.reviews()) == reviews[:1]
        assert taken == reviews[1]
        assert log.cards() == {"p/a": reviews[0].after}
        assert log.act("p/a", "suspend", later(2), "s").suspended
        assert log.undo_last(later(3)) is not None
        assert log.undo_last(later(4)) == reviews[0]
