"""Where the questions of the log stand in the catalogue: kept, and made anew when it matters."""

import sqlite3
from collections.abc import Collection, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from quiz.memory.days import moment
from quiz.memory.queue import Place
from quiz.memory.reviews import ReviewLog
from quiz.memory.spots import Spot, by_spot
from quiz.memory.standing import standing
from tests.memory.catalogue import Listed, Question
from tests.memory.conftest import Answer

NOW = moment(datetime(2026, 5, 20, 12, tzinfo=UTC), UTC)


class Counted(Listed):
    """A catalogue that counts how often all of it is read."""

    def __init__(self, places: Sequence[Place]) -> None:
        super().__init__(places)
        self.read = 0
        self.asked: list[str] = []

    def entries(self) -> list[Place]:
        self.read += 1
        return super().entries()

    def of(self, keys: Collection[str]) -> list[Place]:
        self.asked += keys
        return super().of(keys)


class FullDisk:
    """A connection whose commits fail."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def execute(self, statement: str, values: Any = ()) -> sqlite3.Cursor:
        if statement == "COMMIT":
            raise sqlite3.OperationalError("database or disk is full")
        return self._connection.execute(statement, values)


def spots(log: ReviewLog, catalogue: Listed) -> list[Spot]:
    return log.by_spot(catalogue, lambda _, found: found)


def met(log: ReviewLog, catalogue: Listed) -> dict[str | None, int]:
    """How many questions of each lesson were met."""
    stood = log.by_spot(catalogue, lambda connection, found: standing(connection, found, NOW))
    return {one.spot.lesson: one.met for one in stood}


def test_spots_are_lessons_and_depths_in_teaching_order(log: ReviewLog) -> None:
    places = [
        Question("q/a", "q", "z"),
        Question("q/b", "q"),
        Question("q/c", "q", "z", "onsite"),
        Question("p/a", "p", "z"),
    ]
    assert spots(log, Listed([*places, Question("q/d", "q", "z")])) == [
        Spot(1, "q", "z", "screen", 2),
        Spot(2, "q", None, "screen", 1),
        Spot(3, "q", "z", "onsite", 1),
        Spot(4, "p", "z", "screen", 1),
    ]


def test_the_catalogue_is_read_once_and_then_asked_for_new_questions_alone(log: ReviewLog, answer: Answer) -> None:
    catalogue = Counted([Question("p/a", lesson="one"), Question("p/b", lesson="two"), Question("p/c", lesson="two")])
    log.record(answer(log.card("p/a")))
    assert met(log, catalogue) == {"one": 1, "two": 0}
    log.record(answer(log.card("p/a"), moment=NOW))
    assert met(log, catalogue) == {"one": 1, "two": 0}
    log.record(answer(log.card("p/b")))
    log.record(answer(log.card("p/gone")))
    assert met(log, catalogue) == {"one": 1, "two": 1}
    assert (catalogue.read, sorted(catalogue.asked)) == (1, ["p/b", "p/gone"])


def test_another_catalogue_moves_every_question(log: ReviewLog, answer: Answer) -> None:
    for key in ("p/a", "p/b"):
        log.record(answer(log.card(key)))
    assert met(log, Listed([Question("p/a", lesson="one"), Question("p/b", lesson="one")])) == {"one": 2}
    assert met(log, Listed([Question("p/b", lesson="two")])) == {"two": 1}
    assert met(log, Listed([])) == {}
    assert met(log, Listed([Question("p/a", lesson="one"), Question("p/b", lesson="one")])) == {"one": 2}


def test_a_question_with_another_key_stands_elsewhere(log: ReviewLog, answer: Answer) -> None:
    catalogue = Counted([Question("p/a", lesson="one"), Question("p/b", lesson="two")])
    log.record(answer(log.card("p/a")))
    assert met(log, catalogue) == {"one": 1, "two": 0}
    log.rename({"p/a": "p/b"}, NOW)
    assert met(log, catalogue) == {"one": 0, "two": 1}


def test_a_backup_comes_back_with_its_own(log: ReviewLog, answer: Answer) -> None:
    catalogue = Listed([Question("p/a", lesson="one"), Question("p/b", lesson="two")])
    backup = log.back_up(NOW.instant)
    log.record(answer(log.card("p/b")))
    assert met(log, catalogue) == {"one": 0, "two": 1}
    log.restore(backup, NOW.instant + timedelta(hours=1))
    assert met(log, catalogue) == {"one": 0, "two": 0}
    log.record(answer(log.card("p/a")))
    assert met(log, catalogue) == {"one": 1, "two": 0}


def test_a_log_that_may_only_be_read_is_summed_too(log: ReviewLog, path: Path, answer: Answer) -> None:
    log.record(answer(log.card("p/a")))
    log.close()
    path.chmod(0o400)
    path.parent.chmod(0o500)
    try:
        with ReviewLog.open(path) as opened:
            assert met(opened, Listed([Question("p/a", lesson="one")])) == {"one": 1}
            assert met(opened, Listed([Question("p/a", lesson="two")])) == {"two": 1}
    finally:
        path.parent.chmod(0o700)


def test_what_cannot_be_kept_is_found_all_the_same(log: ReviewLog, path: Path, answer: Answer) -> None:
    log.record(answer(log.card("p/a")))
    catalogue = Listed([Question("p/a", lesson="one")])
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        full: Any = FullDisk(file)
        for _ in range(2):
            stood = by_spot(full, catalogue, lambda connection, found: standing(connection, found, NOW))
            assert [(one.spot.lesson, one.met) for one in stood] == [("one", 1)]
        assert not file.in_transaction
        assert file.execute("SELECT count(*) FROM rolled WHERE figure >= 100").fetchone() == (0,)


def test_a_catalogue_that_changes_while_it_is_read_is_read_again(log: ReviewLog, answer: Answer) -> None:
    catalogue = Listed([Question("p/a", lesson="one")])

    class Changing(Listed):
        def entries(self) -> list[Place]:
            found = list(self.places)
            self.places[:] = [Question("p/a", lesson="two")]
            return found

        def of(self, keys: Collection[str]) -> list[Place]:
            self.places[:] = [Question(key, lesson="three") for key in keys]
            return super().of(keys)

    log.record(answer(log.card("p/a")))
    changing = Changing(catalogue.places)
    assert met(log, changing) == {"one": 1}
    assert met(log, Listed(changing.places)) == {"two": 1}
    log.record(answer(log.card("p/b")))
    assert met(log, Changing(changing.places)) == {"two": 1}
    assert met(log, Listed([Question("p/b", lesson="three")])) == {"three": 1}


def test_what_reading_itself_complains_of_is_told(log: ReviewLog) -> None:
    def fail(connection: sqlite3.Connection, found: list[Spot]) -> None:
        connection.execute("SELECT nothing FROM nowhere")

    with pytest.raises(Exception, match="damaged"):
        log.by_spot(Listed([Question("p/a")]), fail)
    assert met(log, Listed([Question("p/a")])) == {None: 0}
