"""The one SQLite file: opening it, bringing its schema forward, refusing what is not ours."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from quiz.errors import StorageError

APPLICATION_ID = int.from_bytes(b"quiz", "big")
# How long one window waits for another's write, in seconds.
PATIENCE = 10.0

_MEMORY = ", ".join(
    f"{when}_{column}"
    for when in ("before", "after")
    for column in (
        "state INTEGER NOT NULL",
        "step INTEGER",
        "stability REAL",
        "difficulty REAL",
        "due_at INTEGER",
        "due_day INTEGER",
        "last_day INTEGER",
        "reps INTEGER NOT NULL",
        "lapses INTEGER NOT NULL",
    )
)
# Each entry brings the schema one version forward. Never edit one that was released: add another.
#
# Instants are microseconds since 1970 in UTC, days are study days since 2000-01-01, states count from new to
# relearning. A row of ``review`` is an answer, with ``act`` an act, or, with ``undoes``, the taking back of either;
# always ``after_*`` is the card once the row stands. ``previous`` is the row before it of the same question: an index
# in its place would cost a random page with every answer. The first ``device`` is this one.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE device (id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE)",
        "CREATE TABLE sitting (id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE)",
        """CREATE TABLE edition (
            id INTEGER PRIMARY KEY, pack TEXT NOT NULL, version TEXT NOT NULL, UNIQUE (pack, version))""",
        "CREATE TABLE question (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE)",
        f"""CREATE TABLE review (
            id INTEGER PRIMARY KEY, uuid BLOB NOT NULL,
            undoes INTEGER REFERENCES review, previous INTEGER REFERENCES review,
            question INTEGER NOT NULL REFERENCES question, device INTEGER NOT NULL REFERENCES device,
            sitting INTEGER NOT NULL REFERENCES sitting,
            instant INTEGER NOT NULL, utc_offset INTEGER NOT NULL, day INTEGER NOT NULL,
            edition INTEGER REFERENCES edition, seed INTEGER, givens TEXT, typed BLOB, verdict TEXT, credit TEXT,
            misconception TEXT, proposed INTEGER, rating INTEGER, thinking_ms INTEGER, hints INTEGER, {_MEMORY})""",
        "CREATE INDEX undone ON review (undoes) WHERE undoes IS NOT NULL",
        "CREATE INDEX introduced ON review (day) WHERE before_state = 0 AND undoes IS NULL",
        "CREATE TRIGGER review_stays BEFORE DELETE ON review BEGIN SELECT RAISE(ABORT, 'the log only grows'); END",
        "CREATE TRIGGER review_is_final BEFORE UPDATE ON review BEGIN SELECT RAISE(ABORT, 'the log only grows'); END",
        """CREATE TABLE card (
            question INTEGER PRIMARY KEY REFERENCES question, latest INTEGER NOT NULL REFERENCES review,
            state INTEGER NOT NULL, step INTEGER, stability REAL, difficulty REAL,
            due_at INTEGER, due_day INTEGER, last_day INTEGER, reps INTEGER NOT NULL, lapses INTEGER NOT NULL)""",
    ),
    (
        "ALTER TABLE review ADD COLUMN act TEXT",
        "ALTER TABLE review ADD COLUMN disputed INTEGER NOT NULL DEFAULT 0",
        *(
            f"ALTER TABLE {table} ADD COLUMN {prefix}{column}"
            for table, prefix in (("review", "before_"), ("review", "after_"), ("card", ""))
            for column in (
                "suspended INTEGER NOT NULL DEFAULT 0",
                "buried_day INTEGER",
                "flagged INTEGER NOT NULL DEFAULT 0",
            )
        ),
        "CREATE INDEX disputed ON review (disputed) WHERE disputed = 1",
    ),
)


def open_database(path: Path) -> sqlite3.Connection:
    """The database at ``path``, created or brought forward as needed. Every commit is synced to the disk.

    Raises:
        StorageError: it is of a newer version or of another program, damaged, or cannot be written. It is then left
            as it was.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"the folder {path.parent} cannot be made: {error.strerror}") from None
    with told(path):
        connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
    try:
        with told(path):
            _check_ours(connection, path)
            _prefer_wal(connection)
            connection.execute("PRAGMA synchronous = FULL")
            # macOS alone needs to be told that a sync should reach the disk.
            connection.execute("PRAGMA fullfsync = ON")
            connection.execute("PRAGMA checkpoint_fullfsync = ON")
            _bring_forward(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def writing(connection: sqlite3.Connection, path: Path) -> Iterator[None]:
    """One transaction, alone from its first line: committed and synced when the block ends, undone if it fails.

    Raises:
        StorageError: it could not be written; nothing of it was.
    """
    with told(path):
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Say what SQLite complains of in a sentence for the learner.

    Raises:
        StorageError: in place of SQLite's errors.
    """
    try:
        yield
    except (sqlite3.ProgrammingError, sqlite3.InterfaceError):
        raise
    except sqlite3.Error as error:
        raise StorageError(_sentence(error, path)) from error


def _sentence(error: sqlite3.Error, path: Path) -> str:
    match error.sqlite_errorname.split("_")[1] if getattr(error, "sqlite_errorname", None) else "":
        case "NOTADB":
            return f"{path} is not a database, or its beginning is damaged; it was left as it is"
        case "CORRUPT":
            return f"{path} is damaged; nothing was changed in it"
        case "BUSY" | "LOCKED":
            return f"{path} is being written by another program; nothing was saved, try again"
        case "FULL":
            return f"the disk is full, so nothing was saved to {path}"
        case "READONLY" | "PERM" | "AUTH":
            return f"{path} may not be written, so nothing was saved"
        case "CANTOPEN":
            return f"{path} cannot be opened; is it a folder, or in one that may not be written?"
    return f"{path} cannot be used: {error}"


def _check_ours(connection: sqlite3.Connection, path: Path) -> None:
    """Look before anything is changed."""
    version, mark = _pragma(connection, "user_version"), _pragma(connection, "application_id")
    empty = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    if mark != APPLICATION_ID and not (empty and mark == 0 and version == 0):
        raise StorageError(f"{path} is a database of another program; it was left as it is")
    if version > len(MIGRATIONS):
        known = len(MIGRATIONS)
        raise StorageError(
            f"{path} was written by a newer version of quiz (schema {version}, this one knows {known}); update quiz"
        )


def _prefer_wal(connection: sqlite3.Connection) -> None:
    if connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal":
        return
    try:
        connection.execute("PRAGMA journal_mode = WAL")
    except sqlite3.OperationalError as error:
        # Another window is at it. Until the next start this one may keep a rollback journal, which is as safe.
        if error.sqlite_errorname != "SQLITE_BUSY":
            raise


def _bring_forward(connection: sqlite3.Connection, path: Path) -> None:
    if _pragma(connection, "user_version") == len(MIGRATIONS):
        return
    with writing(connection, path):
        # Another window may have been first, or newer.
        _check_ours(connection, path)
        version = _pragma(connection, "user_version")
        for statements in MIGRATIONS[version:]:
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        if version == 0:
            connection.execute("INSERT INTO device (uuid) VALUES (?)", (str(uuid4()),))


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])
