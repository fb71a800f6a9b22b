"""Whatever bytes are in the file, the learner gets their log back or a sentence, never a traceback."""

import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from quiz.errors import StorageError
from quiz.memory import schedule
from quiz.memory.backups import backups, roll
from quiz.memory.days import Moment, moment
from quiz.memory.reviews import Review, ReviewLog
from quiz.memory.storage import MIGRATIONS

Answer = Callable[..., Review]
START = datetime(2026, 5, 1, 12, tzinfo=UTC)
ANSWERS, LATER_ANSWERS = 120, 40
PAGE = 4096
# More are tried where more is asked for: QUIZ_TEST_FLIPS=220.
FLIPS = int(os.environ.get("QUIZ_TEST_FLIPS", "24"))
CUTS = int(os.environ.get("QUIZ_TEST_CUTS", "20"))
# Where the number of the schema stands: changed, it may pass for that of a newer version, which is refused.
VERSION = range(60, 64)


def later(minutes: float = 0, days: float = 0) -> Moment:
    return moment(START + timedelta(days=days, minutes=minutes), UTC)


def fill(log: ReviewLog, answer: Answer, numbers: range) -> None:
    for number in numbers:
        key = f"{'pqr'[number % 3]}/question-{number % 20}"
        log.record(answer(log.card(key), 1 + number % 4, later(number), disputed=number % 40 == 0, typed=f"{number} B"))
    log.act("p/question-0", "flag", later(numbers.stop), "s")
    log.act("p/question-3", "suspend", later(numbers.stop), "s")
    log.undo_last(later(numbers.stop))


@pytest.fixture
def home(tmp_path: Path, answer: Answer) -> Path:
    """A folder with a log of 120 answers, a backup of it, and 40 more answers since; all in the database file."""
    path = tmp_path / "whole" / "quiz.db"
    with ReviewLog.open(path) as log:
        fill(log, answer, range(ANSWERS))
    roll(path, later(days=1).instant, UTC)
    with ReviewLog.open(path) as log:
        fill(log, answer, range(ANSWERS, ANSWERS + LATER_ANSWERS))
    assert not path.with_name("quiz.db-wal").exists()
    return path.parent


def copy_of(home: Path, number: int, with_backups: bool) -> Path:
    copy = home.parent / str(number)
    shutil.copytree(home, copy, ignore=None if with_backups else shutil.ignore_patterns("backups"))
    return copy / "quiz.db"


def use(log: ReviewLog, answer: Answer) -> None:
    """Everything a front room asks of a log."""
    cards = log.cards()
    for key in (*list(cards)[:3], "new/question"):
        log.card(key)
        list(log.history(key))
        log.last_review(key)
    list(log.disputes())
    log.introduced_on(later().day)
    log.record(answer(log.card("p/question-0"), moment=later(days=2), device=log.device_id))
    log.act("p/question-3", "bury", later(days=2), "t")
    log.undo_last(later(days=2), "t")
    log.undo_last(later(days=2))
    log.check()


def answers_after(path: Path, answer: Answer) -> int:
    """How many answers are left after three starts, each of which may end in a sentence."""
    for _ in range(3):
        with suppress(StorageError), ReviewLog.open(path) as log:
            list(log.history())
            use(log, answer)
    with ReviewLog.open(path) as log:
        found = len(list(log.reviews()))
        log.rebuild()
        report = log.check()
        assert (report.damage, report.illegible, report.cards, log.skipped) == ((), 0, 0, 0)
    return found


@pytest.mark.parametrize("with_backups", [True, False])
def test_flipped_bytes_anywhere_cost_at_most_what_they_hit(home: Path, with_backups: bool, answer: Answer) -> None:
    chance = random.Random(f"flips {with_backups}")
    size = (home / "quiz.db").stat().st_size
    for number in range(FLIPS):
        path = copy_of(home, number, with_backups)
        content = bytearray(path.read_bytes())
        # Every fourth of them in the first page, where the schema is.
        at = chance.randrange(PAGE if number % 4 == 0 else size)
        if at in VERSION:
            continue
        content[at] ^= chance.randrange(1, 256)
        path.write_bytes(content)
        left = answers_after(path, answer)
        # One byte spoils one page at the worst.
        assert left >= (ANSWERS if with_backups else ANSWERS + LATER_ANSWERS - 40), at
        shutil.rmtree(path.parent)


@pytest.mark.parametrize("with_backups", [True, False])
def test_a_file_cut_short_anywhere_is_mended(home: Path, with_backups: bool, answer: Answer) -> None:
    chance = random.Random(f"cuts {with_backups}")
    whole = (home / "quiz.db").stat().st_size
    for number, size in enumerate([0, 1, PAGE, *(chance.randrange(whole) for _ in range(CUTS))]):
        path = copy_of(home, number, with_backups)
        os.truncate(path, size)
        with ReviewLog.open(path) as log:
            found = log.notice
        left = answers_after(path, answer)
        assert left >= (ANSWERS if with_backups else 0), size
        if size >= PAGE and not with_backups:
            assert found, size
        elif with_backups:
            assert "backup of 2026-05-02 12:00 UTC" in found or left >= ANSWERS + LATER_ANSWERS - 40, (size, found)


@pytest.mark.parametrize("with_backups", [True, False])
def test_a_page_of_zeros_anywhere_is_mended(home: Path, with_backups: bool, answer: Answer) -> None:
    for number in range((home / "quiz.db").stat().st_size // PAGE):
        path = copy_of(home, number, with_backups)
        content = path.read_bytes()
        path.write_bytes(content[: number * PAGE] + bytes(PAGE) + content[(number + 1) * PAGE :])
        left = answers_after(path, answer)
        assert left >= (ANSWERS if with_backups else 0), number
        if number == 0:
            # The beginning is borrowed from a sound log, so all rows are found.
            assert left == ANSWERS + LATER_ANSWERS


def test_damage_in_the_write_ahead_log_keeps_the_rest(home: Path, answer: Answer) -> None:
    path = home / "quiz.db"
    with ReviewLog.open(path) as log:
        fill(log, answer, range(200, 240))
        crashed = home.parent / "crashed"
        shutil.copytree(home, crashed)
    for number in range(20):
        content = bytearray((crashed / "quiz.db-wal").read_bytes())
        copy = copy_of(crashed, number, with_backups=False)
        content[random.Random(number).randrange(len(content))] ^= 1
        copy.with_name("quiz.db-wal").write_bytes(content)
        assert ANSWERS + LATER_ANSWERS <= answers_after(copy, answer) <= ANSWERS + LATER_ANSWERS + 40


def test_the_learner_is_told_what_was_damaged_and_what_came_back(home: Path) -> None:
    path = home / "quiz.db"
    damaged = b"my shopping list " * 1000
    path.write_bytes(damaged)
    with ReviewLog.open(path) as log:
        assert len(list(log.reviews())) == ANSWERS
        (aside,) = home.glob("quiz.damaged-*.db")
        assert log.notice == (
            "quiz.db was damaged: 120 answers are back from the backup of 2026-05-02 12:00 UTC, the last of 2026-05-01"
            f" 14:00 UTC. The damaged file is kept as {aside}."
        )
        assert aside.read_bytes() == damaged
    with ReviewLog.open(path) as log:
        assert log.notice == ""


@pytest.mark.parametrize("with_backups", [True, False])
def test_what_no_backup_holds_is_salvaged(with_backups: bool, home: Path) -> None:
    path = home / "quiz.db"
    if not with_backups:
        shutil.rmtree(home / "backups")
    with ReviewLog.open(path) as log:
        cards, reviews, history, device = log.cards(), list(log.reviews()), list(log.history()), log.device_id
    with closing(sqlite3.connect(path)) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'introduced'").fetchone()
    content = bytearray(path.read_bytes())
    content[(root - 1) * PAGE : root * PAGE] = b"\xff" * PAGE
    path.write_bytes(content)
    with suppress(StorageError), ReviewLog.open(path) as log:
        log.introduced_on(later().day)
    with ReviewLog.open(path) as log:
        assert "160 answers are back from" in log.notice
        assert "what could still be read of the file" in log.notice
        assert (log.cards(), list(log.reviews()), list(log.history())) == (cards, reviews, history)
        assert log.device_id == device
        assert log.check().sound


@pytest.mark.parametrize("emptied", [True, False])
def test_a_log_deleted_or_emptied_by_something_else_is_restored(emptied: bool, home: Path) -> None:
    path = home / "quiz.db"
    path.unlink()
    if emptied:
        path.touch()
    with ReviewLog.open(path) as log:
        assert log.notice.startswith("quiz.db was gone or empty: 120 answers are back from the backup of 2026-05-02")
        assert len(list(log.reviews())) == ANSWERS


def test_without_backups_a_missing_or_empty_file_is_a_new_log(tmp_path: Path) -> None:
    (tmp_path / "quiz.db").touch()
    with ReviewLog.open(tmp_path / "quiz.db") as empty, ReviewLog.open(tmp_path / "other.db") as missing:
        assert (empty.notice, missing.notice) == ("", "")


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (f"PRAGMA user_version = {len(MIGRATIONS) + 1}", "newer version"),
        ("CREATE TABLE notes (id INTEGER); PRAGMA application_id = 5; DROP TABLE review", "another program"),
    ],
)
def test_what_is_newer_or_another_programs_is_refused_and_left(change: str, match: str, home: Path) -> None:
    path = home / "quiz.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(change)
    before = path.read_bytes()
    with pytest.raises(StorageError, match=match):
        ReviewLog.open(path)
    assert path.read_bytes() == before
    assert not list(home.glob("quiz.damaged-*"))


@pytest.mark.parametrize(
    "change",
    [
        "DROP TABLE card",
        "DELETE FROM card",
        "DELETE FROM card WHERE question = 3",
        "UPDATE card SET stability = 'x', due_day = NULL",
        "UPDATE card SET reps = 99 WHERE latest = (SELECT max(id) FROM review)",
        "DROP TRIGGER review_stays; DROP INDEX undone; DROP INDEX disputed",
    ],
)
def test_what_the_log_can_make_again_is_mended_at_the_start(change: str, home: Path) -> None:
    path = home / "quiz.db"
    with ReviewLog.open(path) as log:
        cards = log.cards()
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(change)
    with ReviewLog.open(path) as log:
        assert log.cards() == cards
        assert log.check().sound
        assert log.notice == ""


def test_a_card_changed_behind_our_back_is_found_and_rebuilt(home: Path) -> None:
    with closing(sqlite3.connect(home / "quiz.db")) as connection, connection:
        connection.execute("UPDATE card SET difficulty = 3 WHERE question = 1")
    with ReviewLog.open(home / "quiz.db") as log:
        assert log.check().cards == 1
        assert log.rebuild() == 1
        assert log.check().sound


def test_a_row_changed_behind_our_back_is_found(home: Path) -> None:
    path = home / "quiz.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DROP TRIGGER review_is_final")
        connection.execute("UPDATE review SET after_reps = 50 WHERE id = 7")
        connection.execute("UPDATE review SET previous = 1 WHERE id = 50")
        connection.execute("UPDATE review SET after_stability = after_stability * 1.01 WHERE id = 160")
        connection.execute("UPDATE review SET givens = '[]', rating = 9 WHERE id = 30")
    with ReviewLog.open(path) as log:
        report = log.check()
        assert not report.sound
        assert (report.wrong, report.unlinked, report.rescheduled, report.illegible) == (1, 2, 1, 1)
        assert len(list(log.reviews())) == ANSWERS + LATER_ANSWERS - 1
        assert log.skipped == 1


def test_a_sound_log_is_found_sound_and_counted(home: Path) -> None:
    with ReviewLog.open(home / "quiz.db") as log:
        report = log.check()
        assert report.sound
        assert (report.answers, report.acts, report.undone, report.questions) == (160, 3, 2, 60)
        assert report.rescheduled == 0


def test_other_settings_are_no_damage(home: Path) -> None:
    with ReviewLog.open(home / "quiz.db", schedule.Parameters(desired_retention=0.8)) as log:
        report = log.check()
        assert report.sound
        assert report.rescheduled > 0


def test_a_log_removed_while_it_is_open_is_noticed_before_an_answer_is_acknowledged(home: Path, answer: Answer) -> None:
    path = home / "quiz.db"
    with ReviewLog.open(path) as log:
        log.record(answer(log.card("p/a"), moment=later(days=3)))
        path.unlink()
        with pytest.raises(StorageError, match=r"removed or replaced .*all answers are safe in .*backups"):
            log.record(answer(log.card("p/b"), moment=later(days=3, minutes=1)))
    with ReviewLog.open(path) as log:
        assert "gone or empty" in log.notice
        assert {"p/a", "p/b"} <= set(log.cards())


def test_a_log_replaced_while_it_is_open_is_noticed(home: Path, answer: Answer) -> None:
    path = home / "quiz.db"
    with ReviewLog.open(path) as log:
        log.record(answer(log.card("p/a"), moment=later(days=3)))
        shutil.copy(backups(path)[0].path, home / "other")
        (home / "other").replace(path)
        with pytest.raises(StorageError, match="quiz data restore") as caught:
            log.act("p/b", "flag", later(days=3, minutes=1), "s")
        kept = backups(path)[0]
        assert kept.path.name in str(caught.value)
    for file in home.glob("quiz.db-*"):
        file.unlink()
    with ReviewLog.open(path) as log:
        assert "p/a" not in log.cards()
        log.restore(kept.path, later(days=3, minutes=2).instant)
        assert {"p/a", "p/b"} <= set(log.cards())
