import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from quiz.memory.days import Moment, moment
from quiz.memory.reviews import Review, ReviewLog, new_id
from quiz.memory.rollups import MISCONCEPTIONS, NAMES, QUESTION, rebuild_rollups, wrong_sums
from quiz.memory.rows import ticks
from quiz.memory.storage import open_database
from quiz.memory.totals import Day, RatioTotal, seconds_of
from quiz.memory.union import Undo

Answer = Callable[..., Review]
# The kind of a page of SQLite that is a whole tree by itself.
LEAF = 13
START = datetime(2026, 5, 1, 12, tzinfo=UTC)


def later(hours: float) -> Moment:
    return moment(START + timedelta(hours=hours), UTC)


def kept(path: Path) -> list[tuple[object, ...]]:
    """Every sum, as it lies in the file."""
    with closing(sqlite3.connect(path)) as file:
        return file.execute("SELECT * FROM rolled WHERE figure > 0 ORDER BY 1, 2, 3, 4").fetchall()


def wrong(path: Path) -> int:
    with closing(open_database(path)) as connection:
        return rebuild_rollups(connection)


def study(log: ReviewLog, answer: Answer, count: int, random: Random, hours: float = 0.0) -> None:
    for number in range(count):
        card = log.card(f"p/{random.choice('abcd')}")
        missed = random.random() < 0.3
        log.record(
            answer(
                card,
                1 if missed else random.choice((2, 3, 4)),
                later(hours + 7 * number),
                misconception=random.choice((None, "m", "n")) if missed else None,
                thinking_ms=random.randrange(400_000),
                sitting=f"sitting {number // 5}",
                verdict=random.choice(("judged", "wrong" if missed else "right")),
            )
        )


def test_an_answer_counts_everywhere(log: ReviewLog, path: Path, answer: Answer) -> None:
    first = log.record(answer(log.card("p/a"), 4, thinking_ms=2_500))
    log.record(answer(first.after, 1, later(24 * 9), misconception="m", thinking_ms=3_500))
    found = log.totals()
    day = first.moment.day
    assert found.days == (Day(day, 1, 1, 2_500, 0, 0), Day(day + 9, 1, 0, 3_500, 1, 0))
    assert found.packs == {"p": (2, 1, 6_000)}
    assert [row[4:7] for row in kept(path) if row[0] == QUESTION] == [(2, 1, 6_000)]
    assert [(row[1], *row[4:6]) for row in kept(path) if row[0] == MISCONCEPTIONS] == [("m", 1, day + 9)]
    assert found.ratios == (RatioTotal(1, 0, int(9e6 / (first.after.stability or 0))),)
    assert found.paces == {"p": {2: 1, 3: 1}}
    assert found.recent_ms == (3_500, 2_500)
    assert [(one.answered, one.right) for one in found.sittings] == [(2, 1)]


@pytest.mark.parametrize("seed", range(5))
def test_undo_leaves_no_trace(log: ReviewLog, path: Path, answer: Answer, seed: int) -> None:
    study(log, answer, 20, Random(seed))
    before = kept(path)
    study(log, answer, 10, Random(seed + 100), 200)
    for _ in range(10):
        log.undo_last(later(300))
    assert kept(path) == before
    assert wrong(path) == 0
    for _ in range(20):
        log.undo_last(later(400))
    assert not kept(path)
    assert log.totals().recent_ms == ()


def test_acts_count_nowhere(log: ReviewLog, path: Path) -> None:
    log.act("p/a", "known", later(0), "s")
    log.act("p/a", "flag", later(1), "s")
    log.undo_last(later(2))
    assert not kept(path)


def test_the_log_can_make_them_anew(log: ReviewLog, path: Path, answer: Answer) -> None:
    study(log, answer, 30, Random(1))
    log.undo_last(later(300))
    before, found = kept(path), log.totals()
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("DELETE FROM rolled")
    assert log.totals() == found
    assert kept(path) == before
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("UPDATE rolled SET n = 99")
    log.rebuild()
    assert kept(path) == before


def test_a_log_of_the_version_before_gets_them(path: Path, answer: Answer) -> None:
    with ReviewLog.open(path) as log:
        study(log, answer, 10, Random(2))
        found = log.totals()
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("DROP TABLE rolled")
        file.execute("PRAGMA user_version = 2")
    with ReviewLog.open(path) as log:
        log.record(answer(log.card("p/a"), moment=later(500)))
        assert log.totals().days[:-1] == found.days
        assert sum(day.answered for day in log.totals().days) == 11


def test_a_lost_table_comes_back(path: Path, answer: Answer) -> None:
    with ReviewLog.open(path) as log:
        study(log, answer, 10, Random(3))
        found = log.totals()
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("DROP TABLE rolled")
    with ReviewLog.open(path) as log:
        assert log.totals() == found


def test_what_was_appended_without_the_triggers_is_noticed(log: ReviewLog, path: Path, answer: Answer) -> None:
    study(log, answer, 5, Random(4))
    with closing(sqlite3.connect(path)) as file, file:
        columns = [row[1] for row in file.execute("PRAGMA table_info(review)")][1:]
        named = ", ".join(columns)
        file.execute(f"INSERT INTO review ({named}) SELECT {named} FROM review WHERE id = 5")
    study(log, answer, 1, Random(5), 300)
    assert sum(day.answered for day in log.totals().days) == 7


def test_the_schema_fits_in_the_first_page(log: ReviewLog, path: Path) -> None:
    log.close()
    assert path.read_bytes()[100] == LEAF


def test_the_bins_of_pace_lie_end_to_end() -> None:
    edges = [seconds_of(step) for step in range(45)]
    assert edges[0][0] == 0
    assert all(one[1] == other[0] for one, other in pairwise(edges))


def test_taking_back_twice_on_two_devices_counts_once(tmp_path: Path, answer: Answer) -> None:
    here, there = tmp_path / "here" / "quiz.db", tmp_path / "there" / "quiz.db"
    with ReviewLog.open(here) as one, ReviewLog.open(there) as other:
        one.record(answer(one.card("p/a")))
        one.record(answer(one.card("p/b"), moment=later(1)))
        other.union().take_in(list(one.union().entries()), later(2), "merge")
        one.undo_last(later(3))
        other.undo_last(later(4))
        merged = one.union().take_in(list(other.union().entries()), later(5), "merge")
        assert merged >= 0
        assert sum(day.answered for day in one.totals().days) == len(list(one.reviews()))
    assert wrong(here) == 0


def test_a_sitting_began_with_the_earliest_answer_that_counts(log: ReviewLog, path: Path, answer: Answer) -> None:
    def began() -> list[int]:
        return [one.began for one in log.totals().sittings]

    first = log.record(answer(log.card("p/a"), moment=later(1)))
    log.record(answer(log.card("p/b"), moment=later(2)))
    assert began() == [ticks(later(1).instant)]
    # Another device took it back, and told it later.
    undo = Undo(new_id(), "p/a", first.id, later(3), first.sitting, first.device)
    log.union().take_in([undo], later(4), "merge")
    assert began() == [ticks(later(2).instant)]
    # The clock went back.
    log.record(answer(log.card("p/c"), moment=later(0)))
    assert began() == [ticks(later(0).instant)]
    log.undo_last(later(5))
    assert began() == [ticks(later(2).instant)]
    assert wrong(path) == 0


def test_the_last_day_of_a_misconception_goes_back_with_it(log: ReviewLog, path: Path, answer: Answer) -> None:
    for key, hours in (("p/a", 0), ("p/b", 24), ("p/a", 48), ("p/a", 48)):
        log.record(answer(log.card(key), 1, later(hours), misconception="m"))
    day = later(0).day

    def mistaken() -> list[tuple[object, ...]]:
        return [row[2:6] for row in kept(path) if row[0] in (MISCONCEPTIONS, NAMES)]

    # By question, then of all.
    assert mistaken() == [(1, 0, 3, day + 2), (2, 0, 1, day + 1), (0, 0, 4, day + 2)]
    log.undo_last(later(50))
    assert mistaken() == [(1, 0, 2, day + 2), (2, 0, 1, day + 1), (0, 0, 3, day + 2)]
    log.undo_last(later(51))
    assert mistaken() == [(1, 0, 1, day), (2, 0, 1, day + 1), (0, 0, 2, day + 1)]
    assert wrong(path) == 0


def test_sums_of_an_earlier_version_are_made_anew_and_not_called_wrong(
    log: ReviewLog, path: Path, answer: Answer
) -> None:
    study(log, answer, 20, Random(6))
    before, found = kept(path), log.totals()
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("DELETE FROM rolled WHERE figure >= ?", (MISCONCEPTIONS,))
        file.execute("UPDATE rolled SET first = 0 WHERE figure = 0")
    with closing(open_database(path)) as connection:
        assert wrong_sums(connection) == 0
    assert log.totals() == found
    assert kept(path) == before


def test_wrong_sums_are_counted_and_left_alone(log: ReviewLog, path: Path, answer: Answer) -> None:
    study(log, answer, 20, Random(7))
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("UPDATE rolled SET b = b + 1 WHERE figure = ? AND first = 1", (QUESTION,))
    before = kept(path)
    with closing(open_database(path)) as connection:
        # As it is, and as it should be.
        assert wrong_sums(connection) == 2
    assert kept(path) == before


def test_what_is_taken_back_before_the_sums_are_made_anew_counts_nowhere(
    log: ReviewLog, path: Path, answer: Answer
) -> None:
    for key, hours in (("p/a", 0), ("p/b", 1)):
        log.record(answer(log.card(key), 1, later(hours), misconception="m"))
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("DELETE FROM rolled")
    for hours in (2, 3):
        log.undo_last(later(hours))
    assert log.totals().days == ()
    assert not kept(path)
