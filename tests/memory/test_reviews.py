import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import IO

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quiz.memory import schedule
from quiz.memory.cards import Card
from quiz.memory.days import Moment, moment
from quiz.memory.reviews import Review, ReviewLog

Answer = Callable[..., Review]
START = datetime(2026, 5, 1, 12, tzinfo=UTC)

WRITER = """
import sys
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from quiz.memory import schedule
from quiz.memory.days import moment
from quiz.memory.reviews import Review, ReviewLog, new_id

path, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
when = datetime(2026, 5, 1, 12, tzinfo=UTC)
with ReviewLog.open(path) as log:
    device = log.device_id
    for number in range(count):
        when += timedelta(minutes=1)
        now, before = moment(when, UTC), log.card(f"p/{number % 5}")
        log.record(Review(
            id=(made := new_id()), key=before.key, seed=number, pack="p", pack_version="1", givens={}, moment=now,
            typed=f"{name} {number}", verdict="right", credit=Fraction(1), misconception=None, proposed=3, rating=3,
            thinking_ms=1, hints=0, sitting=name, device=device, before=before, after=schedule.review(before, 3, now),
        ))
        print(made, flush=True)
"""


def given_last(log: ReviewLog, key: str) -> object:
    review = log.last_review(key)
    return review and review.givens


def later(minutes: float = 0, days: float = 0) -> Moment:
    return moment(START + timedelta(days=days, minutes=minutes), UTC)


def write_in_background(path: Path, name: str, count: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", WRITER, str(path), name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def output_of(process: "subprocess.Popen[str]") -> IO[str]:
    assert process.stdout is not None
    return process.stdout


def rows(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("SELECT count(*) FROM review").fetchone()[0])


def test_a_question_never_answered_has_a_new_card(log: ReviewLog) -> None:
    assert log.card("p/q") == Card("p/q")
    assert log.cards() == {}
    assert list(log.reviews()) == []
    assert log.last_review("p/q") is None


def test_a_review_comes_back_whole_after_a_restart(path: Path, answer: Answer) -> None:
    review = answer(
        Card("gqa/cache"),
        schedule.HARD,
        moment(START.replace(microsecond=123_456), UTC),
        seed=2**63 - 1,
        pack_version="1.10",
        givens={"num_heads": 2**300, "share": Fraction(1, 3), "dtype": "bf16"},
        typed="131 072 B",
        verdict="wrong",
        credit=Fraction(1, 2),
        misconception="query-heads-in-cache",
        proposed=1,
        thinking_ms=600_000,
        hints=2,
    )
    with ReviewLog.open(path) as log:
        assert log.record(review) == review
    with ReviewLog.open(path) as log:
        assert list(log.reviews()) == [review]
        assert list(log.reviews("gqa/cache")) == [review]
        assert log.card("gqa/cache") == review.after
        assert log.cards() == {"gqa/cache": review.after}
        assert given_last(log, "gqa/cache") == review.givens


@given(typed=st.text(st.characters()))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_typed_text_comes_back_letter_for_letter(typed: str, log: ReviewLog, answer: Answer) -> None:
    recorded = log.record(answer(log.card("p/q"), typed=typed))
    assert list(log.reviews("p/q"))[-1] == recorded
    assert recorded.typed == typed


@pytest.mark.parametrize("typed", ["", "\0", "a\0b", "\x1b[2J", "\ud800", "\ud83d\ude00", "'; DROP TABLE review; --"])
def test_hostile_text_is_only_text(typed: str, log: ReviewLog, answer: Answer) -> None:
    log.record(answer(Card("p/q"), typed=typed))
    assert [review.typed for review in log.reviews()] == [typed]


def test_givens_may_be_a_view(log: ReviewLog, answer: Answer) -> None:
    log.record(answer(Card("p/q"), givens=MappingProxyType({"num_heads": 4})))
    assert given_last(log, "p/q") == {"num_heads": 4}


def test_the_device_is_drawn_once(path: Path, tmp_path: Path) -> None:
    with ReviewLog.open(path) as log:
        first = log.device_id
    with ReviewLog.open(path) as log, ReviewLog.open(tmp_path / "other.db") as other:
        assert log.device_id == first != other.device_id


def test_reviews_come_oldest_first_beyond_one_page(log: ReviewLog, answer: Answer) -> None:
    card = Card("p/q")
    made = []
    for minute in range(1_100):
        made.append(log.record(answer(card, moment=later(minute))))
        card = made[-1].after
    assert list(log.reviews()) == made
    assert list(log.reviews("p/q")) == made


def test_answering_while_reading_is_fine(log: ReviewLog, answer: Answer) -> None:
    log.record(answer(Card("p/a")))
    for review in log.reviews():
        log.record(answer(log.card("p/b"), moment=review.moment))
    assert [review.key for review in log.reviews()] == ["p/a", "p/b"]


def test_undo_restores_the_card_and_appends(log: ReviewLog, path: Path, answer: Answer) -> None:
    first = log.record(answer(Card("p/q")))
    second = log.record(answer(first.after, moment=later(10)))
    assert log.undo_last(later(11)) == second
    assert log.card("p/q") == first.after
    assert list(log.reviews()) == [first]
    assert log.undo_last(later(12)) == first
    assert log.card("p/q") == Card("p/q")
    assert log.cards() == {}
    assert log.undo_last(later(13)) is None
    assert rows(path) == 4


def test_undo_reaches_back_over_restarts(path: Path, answer: Answer) -> None:
    with ReviewLog.open(path) as log:
        made = [log.record(answer(Card(f"p/{name}"))) for name in "abc"]
    for review in reversed(made):
        with ReviewLog.open(path) as log:
            assert log.undo_last(later(1)) == review


def test_an_answer_after_an_undo_is_scheduled_as_before(log: ReviewLog, answer: Answer) -> None:
    easy = log.record(answer(Card("p/q"), schedule.EASY))
    log.undo_last(later(1))
    assert log.record(answer(log.card("p/q"), schedule.EASY)).after == easy.after


def test_undo_of_one_sitting_leaves_the_others(log: ReviewLog, answer: Answer) -> None:
    mine = log.record(answer(Card("p/a"), sitting="mine"))
    other = log.record(answer(Card("p/b"), sitting="other"))
    assert log.undo_last(later(1), "mine") == mine
    assert log.undo_last(later(1), "mine") is None
    assert log.undo_last(later(1), "no such sitting") is None
    assert list(log.reviews()) == [other]


def test_undo_beneath_the_review_of_another_window_keeps_that_one(log: ReviewLog, answer: Answer) -> None:
    mine = log.record(answer(Card("p/q"), schedule.AGAIN, sitting="mine"))
    other = log.record(answer(mine.after, schedule.EASY, later(5), sitting="other"))
    assert log.undo_last(later(6), "mine") == mine
    assert log.card("p/q") == schedule.review(Card("p/q"), schedule.EASY, later(5))
    # The card that the other review found is gone, so it cannot be what undoing it restores.
    assert log.undo_last(later(7)) == other
    assert log.card("p/q") == Card("p/q")
    assert log.rebuild() == 0


def test_a_review_of_a_card_that_moved_meanwhile_counts_on_top(path: Path, answer: Answer) -> None:
    with ReviewLog.open(path) as one, ReviewLog.open(path) as two:
        stale = answer(two.card("p/q"), moment=later(1))
        first = one.record(answer(one.card("p/q")))
        second = two.record(stale)
        assert second == stale._replace(before=first.after, after=schedule.review(first.after, 3, later(1)))
        assert one.card("p/q") == second.after


def test_new_questions_of_a_day_are_counted_until_taken_back(log: ReviewLog, answer: Answer) -> None:
    today = later().day
    first = log.record(answer(Card("p/a")))
    log.record(answer(first.after, moment=later(10)))
    log.record(answer(Card("p/b")))
    log.record(answer(Card("p/c"), moment=later(days=1)))
    assert [log.introduced_on(today), log.introduced_on(today + 1), log.introduced_on(today + 2)] == [2, 1, 0]
    log.undo_last(later(days=1))
    log.undo_last(later(days=1))
    assert [log.introduced_on(today), log.introduced_on(today + 1)] == [1, 0]


def test_the_last_variant_is_of_the_last_review_that_counts(log: ReviewLog, answer: Answer) -> None:
    first = log.record(answer(Card("p/q"), givens={"heads": 1}))
    log.record(answer(first.after, moment=later(10), givens={"heads": 2}))
    assert given_last(log, "p/q") == {"heads": 2}
    log.undo_last(later(11))
    assert given_last(log, "p/q") == {"heads": 1}


def test_lost_and_wrong_cards_are_rebuilt_from_the_log(log: ReviewLog, path: Path, answer: Answer) -> None:
    for name in "abcd":
        log.record(answer(Card(f"p/{name}")))
    log.undo_last(later(1))
    whole = log.cards()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM card WHERE question = 1")
        connection.execute("UPDATE card SET stability = 99 WHERE question = 2")
    assert log.cards() != whole
    assert log.rebuild() == 2
    assert log.cards() == whole
    assert log.rebuild() == 0
    assert log.undo_last(later(2)) is not None


STEPS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["p/a", "p/b", "q/a"]), st.integers(1, 4), st.integers(-3_000, 30_000)),
        st.just("undo"),
        st.just("restart"),
    ),
    max_size=25,
)


@given(STEPS)
@settings(deadline=None, max_examples=60)
def test_undo_is_exact_and_the_log_replays_to_the_cards(steps: list[tuple[str, int, int] | str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "quiz.db"
        log = ReviewLog.open(path)
        states: list[tuple[dict[str, Card], list[Review]]] = [({}, [])]
        when = START
        for count, step in enumerate(steps):
            if step == "restart":
                log.close()
                log = ReviewLog.open(path)
            elif step == "undo":
                assert (log.undo_last(moment(when, UTC)) is None) == (len(states) == 1)
                states = states[:-1] or states
            else:
                assert not isinstance(step, str)
                key, rating, minutes = step
                when += timedelta(minutes=minutes)
                log.record(built(log.card(key), rating, moment(when, UTC), count))
                states.append((log.cards(), list(log.reviews())))
            assert (log.cards(), list(log.reviews())) == states[-1]
        for key, card in log.cards().items():
            assert schedule.replay(key, ((one.rating, one.moment) for one in log.reviews(key))) == card
        assert log.rebuild() == 0
        log.close()


def built(before: Card, rating: int, when: Moment, seed: int) -> Review:
    return Review(
        id=f"00000000-0000-4000-8000-{seed:012}",
        key=before.key,
        seed=seed,
        pack=before.key.partition("/")[0],
        pack_version="1",
        givens={"n": seed},
        moment=when,
        typed="",
        verdict="judged",
        credit=Fraction(rating, 4),
        misconception=None,
        proposed=3,
        rating=rating,
        thinking_ms=1,
        hints=0,
        sitting="s",
        device="d",
        before=before,
        after=schedule.review(before, rating, when),
    )


def test_what_was_acknowledged_survives_kill_minus_nine(path: Path) -> None:
    acknowledged: list[str] = []
    for attempt in range(12):
        with write_in_background(path, f"writer {attempt}", 100_000) as process:
            for _ in range(random.Random(attempt).randrange(1, 60)):
                acknowledged.append(output_of(process).readline().strip())
            process.send_signal(signal.SIGKILL)
            # What was written to the pipe before the kill was acknowledged too; a last line may be torn.
            acknowledged += [line.strip() for line in output_of(process) if line.endswith("\n")]
    assert len(acknowledged) > 12
    with ReviewLog.open(path) as log:
        assert set(acknowledged) <= {review.id for review in log.reviews()}
        assert log.rebuild() == 0
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_two_processes_may_create_and_fill_one_log(path: Path) -> None:
    writers = [write_in_background(path, name, 60) for name in ("one", "two")]
    printed = [writer.communicate()[0].split() for writer in writers]
    assert [writer.returncode for writer in writers] == [0, 0]
    with ReviewLog.open(path) as log:
        reviews = list(log.reviews())
        assert {review.id for review in reviews} == {*printed[0], *printed[1]}
        assert len(reviews) == 120
        assert sum(card.reps for card in log.cards().values()) == 120
        assert log.rebuild() == 0
        for key, card in log.cards().items():
            assert schedule.replay(key, ((one.rating, one.moment) for one in log.reviews(key))) == card
