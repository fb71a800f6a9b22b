import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from quiz.errors import StorageError
from quiz.memory import storage
from quiz.memory.storage import MIGRATIONS, open_database, told, writing


def test_a_new_file_is_made_with_its_folders_and_synced_writes(path: Path) -> None:
    with closing(open_database(path)) as connection:
        settings = {
            name: connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")
        }
        assert settings == {"journal_mode": "wal", "synchronous": 2}
        assert connection.execute("PRAGMA user_version").fetchone()[0] == len(MIGRATIONS)
    assert path.is_file()


def test_an_empty_file_counts_as_new(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    with closing(open_database(path)) as connection:
        assert connection.execute("SELECT count(*) FROM device").fetchone()[0] == 1


def test_reopening_keeps_the_device(path: Path) -> None:
    devices = []
    for _ in range(2):
        with closing(open_database(path)) as connection:
            devices.append(connection.execute("SELECT uuid FROM device").fetchall())
    assert devices[0] == devices[1]


def test_an_older_schema_is_brought_forward_with_its_data(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(open_database(path)) as connection:
        connection.execute("INSERT INTO question (key) VALUES ('p/q')")
    monkeypatch.setattr(storage, "MIGRATIONS", (*MIGRATIONS, ("ALTER TABLE question ADD COLUMN flag INTEGER",)))
    with closing(open_database(path)) as connection:
        assert connection.execute("SELECT key, flag FROM question").fetchall() == [("p/q", None)]
        assert connection.execute("PRAGMA user_version").fetchone()[0] == len(MIGRATIONS) + 1


def test_a_migration_that_fails_leaves_the_file_as_it_was(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_database(path).close()
    broken = ("CREATE TABLE fine (id INTEGER)", "CREATE TABLE fine (id INTEGER)")
    monkeypatch.setattr(storage, "MIGRATIONS", (*MIGRATIONS, broken))
    with pytest.raises(StorageError):
        open_database(path)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone()[0] == len(MIGRATIONS)
        assert connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'fine'").fetchone()[0] == 0


def test_a_newer_schema_is_refused_and_left_alone(path: Path) -> None:
    with closing(open_database(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = path.read_bytes()
    with pytest.raises(StorageError, match=r"newer version .*schema 99") as caught:
        open_database(path)
    assert str(path) in str(caught.value)
    assert path.read_bytes() == before


def test_a_newer_window_that_comes_between_is_not_set_back(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def newer_comes_between(connection: sqlite3.Connection) -> None:
        connection.execute(f"PRAGMA application_id = {storage.APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 99")

    monkeypatch.setattr(storage, "_prefer_wal", newer_comes_between)
    with pytest.raises(StorageError, match="newer version"):
        open_database(path)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone()[0] == 99


def test_the_database_of_another_program_is_refused_and_left_alone(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE notes (id INTEGER)")
    before = path.read_bytes()
    with pytest.raises(StorageError, match="another program"):
        open_database(path)
    assert path.read_bytes() == before


def test_what_is_no_database_is_refused_and_left_alone(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("my shopping list, which is longer than the header of a database " * 3)
    before = path.read_bytes()
    with pytest.raises(StorageError, match="not a database") as caught:
        open_database(path)
    assert str(path) in str(caught.value)
    assert path.read_bytes() == before


def test_damage_is_told_in_a_sentence_with_the_file(path: Path) -> None:
    with closing(open_database(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    with (
        closing(sqlite3.connect(path)) as connection,
        pytest.raises(StorageError, match="damaged") as caught,
        told(path),
    ):
        connection.execute("SELECT * FROM question").fetchall()
    assert str(path) in str(caught.value)


def test_a_folder_in_place_of_the_file_is_told(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(StorageError, match="cannot be opened"):
        open_database(path)


def test_a_file_in_place_of_the_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "home").touch()
    with pytest.raises(StorageError, match="cannot be made"):
        open_database(tmp_path / "home" / "quiz.db")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_is_told(tmp_path: Path) -> None:
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        with pytest.raises(StorageError, match="cannot be opened"):
            open_database(tmp_path / "quiz.db")
    finally:
        tmp_path.chmod(stat.S_IRWXU)


def test_a_database_that_is_read_only_is_told(path: Path) -> None:
    with closing(open_database(path)) as connection:
        connection.execute("PRAGMA query_only = ON")
        with pytest.raises(StorageError, match="may not be written"), writing(connection, path):
            connection.execute("INSERT INTO question (key) VALUES ('p/q')")


def test_a_full_disk_is_told_and_loses_nothing(path: Path) -> None:
    with closing(open_database(path)) as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StorageError, match="full"), writing(connection, path):
            connection.execute("INSERT INTO question (key) VALUES (?)", ("x" * 100_000,))
        assert connection.execute("SELECT count(*) FROM question").fetchone()[0] == 0


def test_another_window_that_writes_for_too_long_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "PATIENCE", 0.0)
    with closing(open_database(path)) as first, closing(open_database(path)) as second:
        first.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageError, match="another program"), writing(second, path):
            pass


def test_a_block_that_fails_writes_nothing(path: Path) -> None:
    def fail(connection: sqlite3.Connection) -> None:
        with writing(connection, path):
            connection.execute("INSERT INTO question (key) VALUES ('p/q')")
            raise RuntimeError

    with closing(open_database(path)) as connection:
        with pytest.raises(RuntimeError):
            fail(connection)
        assert connection.execute("SELECT count(*) FROM question").fetchone()[0] == 0


@pytest.mark.parametrize("change", ["DELETE FROM review", "UPDATE review SET rating = 4"])
def test_the_log_only_grows(path: Path, change: str) -> None:
    with closing(open_database(path)) as connection:
        connection.execute(
            "INSERT INTO review (uuid, question, device, sitting, instant, utc_offset, day, before_state, before_reps,"
            " before_lapses, after_state, after_reps, after_lapses) VALUES (x'00', 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0)"
        )
        with pytest.raises(sqlite3.IntegrityError, match="only grows"):
            connection.execute(change)
