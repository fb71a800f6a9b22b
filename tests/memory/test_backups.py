"""Backups come by themselves, thin out as they age, and never stand in the way."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from quiz.errors import StorageError, UsageError
from quiz.memory.backups import ROOM, Backup, backups, folder_of, named, roll, superfluous
from quiz.memory.days import moment
from quiz.memory.reviews import Review, ReviewLog

Answer = Callable[..., Review]
START = datetime(2026, 5, 1, 12, tzinfo=UTC)


def answer_at(path: Path, answer: Answer, when: datetime) -> None:
    with ReviewLog.open(path) as log:
        log.record(answer(log.card("p/q"), moment=moment(when, UTC)))


def held_since(days: list[float], size: int = 1) -> list[Backup]:
    return [Backup(Path(f"{age}.db"), START - timedelta(days=age), 1, size) for age in sorted(days)]


def ages(held: list[Backup]) -> list[float]:
    return [(START - one.made) / timedelta(days=1) for one in held]


def test_a_new_study_day_brings_one_backup_of_what_was_added(path: Path, answer: Answer) -> None:
    answer_at(path, answer, START)
    first = roll(path, START, UTC)
    assert first is not None
    answer_at(path, answer, START + timedelta(hours=1))
    assert roll(path, START + timedelta(hours=2), UTC) is None
    second = roll(path, START + timedelta(days=1), UTC)
    assert [one.path for one in backups(path)] == [second, first]
    with ReviewLog.open(first) as then, ReviewLog.open(path) as now:
        assert (len(list(then.reviews())), len(list(now.reviews()))) == (1, 2)


def test_a_day_without_answers_brings_none(path: Path, answer: Answer) -> None:
    answer_at(path, answer, START)
    assert roll(path, START, UTC) is not None
    assert roll(path, START + timedelta(days=5), UTC) is None


def test_the_day_of_a_backup_is_the_learners(path: Path, answer: Answer) -> None:
    night, zone = datetime(2026, 5, 1, 23, 50, tzinfo=UTC), ZoneInfo("UTC")
    answer_at(path, answer, night)
    assert roll(path, night, zone) is not None
    answer_at(path, answer, night + timedelta(minutes=5))
    assert roll(path, night + timedelta(minutes=20), zone) is None
    assert roll(path, night + timedelta(minutes=20), zone, rollover_hour=0) is not None


def test_an_empty_log_and_a_missing_one_are_not_backed_up(path: Path) -> None:
    assert roll(path, START, UTC) is None
    ReviewLog.open(path).close()
    assert roll(path, START, UTC) is None
    assert backups(path) == []


def test_a_full_disk_brings_none(path: Path, answer: Answer, monkeypatch: pytest.MonkeyPatch) -> None:
    answer_at(path, answer, START)
    monkeypatch.setattr("quiz.memory.backups.shutil.disk_usage", lambda _: shutil._ntuple_diskusage(9, 9, 9))
    assert roll(path, START, UTC) is None


def test_a_window_may_write_while_a_backup_is_made(path: Path, answer: Answer) -> None:
    with ReviewLog.open(path) as log:
        log.record(answer(log.card("p/q")))
        made = roll(path, START, UTC)
        assert made is not None
        log.record(answer(log.card("p/q")))
        assert len(list(log.reviews())) == 2


def test_all_of_two_days_stay_then_one_a_day_then_one_a_week_then_one_a_month() -> None:
    quarter_days = [number / 4 for number in range(4 * 200)]
    kept = [age for age in quarter_days if age not in ages(superfluous(held_since(quarter_days), START))]
    assert [age for age in kept if age <= 2] == [age for age in quarter_days if age <= 2]
    assert len([age for age in kept if 2 < age <= 14]) in (12, 13)
    assert len([age for age in kept if 14 < age <= 60]) in (7, 8)
    assert len([age for age in kept if age > 60]) in (5, 6)


def test_thinning_every_day_ends_like_thinning_once() -> None:
    held: list[Backup] = []
    for day in range(200):
        now = START + timedelta(days=day)
        held.insert(0, Backup(Path(f"{day}.db"), now, 1, 1))
        gone = superfluous(held, now)
        held = [one for one in held if one not in gone]
    assert superfluous(held, now) == []
    spans = [newer.made - older.made for newer, older in pairwise(held)]
    assert max(spans) <= timedelta(days=62)
    assert 20 <= len(held) <= 32


def test_the_oldest_go_where_there_is_no_room_and_the_two_newest_never() -> None:
    held = held_since([0, 0.5, 1, 1.5], size=ROOM // 2)
    assert ages(superfluous(held, START)) == [1, 1.5]
    assert superfluous(held_since([0, 1], size=2 * ROOM), START) == []


def test_a_clock_that_ran_ahead_does_not_stop_the_backups(path: Path, answer: Answer) -> None:
    answer_at(path, answer, START)
    roll(path, START + timedelta(days=3000), UTC)
    answer_at(path, answer, START)
    # The first is of today from now on.
    assert roll(path, START + timedelta(days=1), UTC) is None
    assert [one.made for one in backups(path)] == [START + timedelta(days=1)]
    assert roll(path, START + timedelta(days=2), UTC) is not None


def test_a_backup_is_still_found_by_the_name_it_had_from_a_clock_that_ran_ahead(path: Path, answer: Answer) -> None:
    answer_at(path, answer, START)
    told = []
    for _ in range(2):
        with ReviewLog.open(path) as log:
            told.append(log.back_up(START + timedelta(days=30)))
    contents = [one.read_bytes() for one in told]
    roll(path, START, UTC)
    assert not any(one.exists() for one in told)
    found = [named(path, one.name) for one in told]
    assert [one.read_bytes() for one in found] == contents
    assert len({*found}) == 2
    assert [one.made for one in backups(path)] == [START] * 2
    # Whatever is made next has a name of its own.
    with ReviewLog.open(path) as log:
        assert log.back_up(START) not in found
    assert len(backups(path)) == 3


def test_what_a_killed_process_left_unfinished_is_swept_up_a_day_later(path: Path, answer: Answer) -> None:
    answer_at(path, answer, START)
    folder = folder_of(path)
    (folder / "unfinished-77").mkdir(parents=True)
    for name in ("unfinished-1", "unfinished-2", "unfinished-77/new.db", "of the learner.db"):
        (folder / name).write_bytes(b"half")
    long_ago = datetime.now(UTC).timestamp() - 2 * 86_400
    for name in ("unfinished-1", "unfinished-77", "of the learner.db"):
        os.utime(folder / name, (long_ago, long_ago))
    made = roll(path, START, UTC)
    assert made is not None
    assert {one.name for one in folder.iterdir()} == {made.name, "unfinished-2", "of the learner.db"}


def test_a_folder_that_takes_no_backup_is_told(path: Path, answer: Answer) -> None:
    answer_at(path, answer, START)
    folder_of(path).write_bytes(b"")
    with pytest.raises(StorageError, match="no backup could be written to"):
        roll(path, START, UTC)


def test_a_backup_goes_by_its_name_and_any_other_by_its_file(path: Path, answer: Answer) -> None:
    answer_at(path, answer, START)
    made = roll(path, START, UTC)
    assert made is not None
    elsewhere = shutil.copy(made, path.parent / "carried away.db")
    assert named(path, made.name) == made
    assert named(path, str(elsewhere)) == elsewhere
    with pytest.raises(UsageError, match="no backup and no file nothing"):
        named(path, "nothing")


def test_restoring_brings_back_the_backup_and_keeps_what_was_there(path: Path, answer: Answer) -> None:
    answer_at(path, answer, START)
    with ReviewLog.open(path) as log:
        then, backup = log.cards(), log.back_up(START)
        log.record(answer(log.card("p/q"), moment=moment(START + timedelta(days=9), UTC)))
        now = log.cards()
        kept = log.restore(backup, START + timedelta(days=10))
        assert log.cards() == then != now
        assert log.check().sound
        log.restore(kept, START + timedelta(days=10, hours=1))
        assert log.cards() == now


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + bytes(500)])
def test_what_is_no_backup_is_refused_and_nothing_is_changed(path: Path, answer: Answer, content: bytes) -> None:
    answer_at(path, answer, START)
    other = path.parent / "other.db"
    other.write_bytes(content)
    with ReviewLog.open(path) as log:
        before = log.cards()
        with pytest.raises(StorageError, match=r"other\.db"):
            log.restore(other, START)
        assert log.cards() == before


def test_a_damaged_backup_and_a_newer_one_are_refused_by_their_own_names(path: Path, answer: Answer) -> None:
    answer_at(path, answer, START)
    with ReviewLog.open(path) as log:
        damaged, newer = log.back_up(START), log.back_up(START + timedelta(hours=1))
        damaged.write_bytes(damaged.read_bytes()[:30_000])
        with closing(sqlite3.connect(newer)) as connection:
            connection.execute("PRAGMA user_version = 999")
        with pytest.raises(StorageError, match=rf"{damaged.name} is damaged, or no backup"):
            log.restore(damaged, START)
        with pytest.raises(StorageError, match=rf"{newer.name} was written by a newer version"):
            log.restore(newer, START)


def test_a_database_copied_while_in_use_is_restored_with_its_newest_rows(
    path: Path, answer: Answer, tmp_path: Path
) -> None:
    with ReviewLog.open(path) as log:
        log.record(answer(log.card("p/q")))
        cards = log.cards()
        copy = Path(shutil.copy(path, tmp_path / "copy.db"))
        shutil.copy(path.with_name(path.name + "-wal"), tmp_path / "copy.db-wal")
    with ReviewLog.open(tmp_path / "other" / "quiz.db") as other:
        other.restore(copy, START)
        assert other.cards() == cards
