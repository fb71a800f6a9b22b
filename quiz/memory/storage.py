"""The one SQLite file: opening it, bringing its schema forward, refusing what is not ours."""

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias
from uuid import uuid4

from quiz.errors import StorageError
from quiz.memory import rollups, spots
from quiz.memory.rows import IllegibleError

APPLICATION_ID = int.from_bytes(b"quiz", "big")
# Which file a path names: device and inode, of the database and of its write-ahead log where it has one.
Identity: TypeAlias = tuple[tuple[int, int] | None, tuple[int, int] | None]
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
    rollups.MIGRATION,
    (
        """CREATE TABLE frontier (pack TEXT, depth TEXT, stamp TEXT NOT NULL, start INTEGER NOT NULL,
            position INTEGER NOT NULL, PRIMARY KEY (pack, depth)) WITHOUT ROWID""",
        "CREATE INDEX learning ON card (due_at) WHERE due_at IS NOT NULL",
    ),
)

# Once any question is new again; see `quiz.memory.frontier`. The connection's own, as are the triggers of the sums.
_FORGET_FRONTIERS = """CREATE TEMP TRIGGER forget_frontiers AFTER INSERT ON main.review WHEN NEW.after_state = 0
    BEGIN DELETE FROM frontier; END"""


_NAMED = re.compile(r"(?:CREATE (?:TABLE|INDEX|TRIGGER)|ALTER TABLE) (\w+)")


class DamagedError(StorageError):
    """The file holds what was never written to it. Nothing was changed in it."""


def open_database(path: Path, before_migration: Callable[[Path], object] | None = None) -> sqlite3.Connection:
    """The database at ``path``, created or brought forward as needed. Every commit is synced to the disk.

    ``before_migration`` is called with the path before a file that holds something is brought forward.

    Raises:
        DamagedError: it is no database, or damaged.
        StorageError: it is of a newer version or of another program, or cannot be written. It is then left as it was.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"the folder {path.parent} cannot be made: {error.strerror}") from None
    with told(path):
        _check_length(path)
        connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
    try:
        with told(path):
            _check_ours(connection, path)
            _prefer_wal(connection)
            connection.execute("PRAGMA synchronous = FULL")
            # macOS alone needs to be told that a sync should reach the disk.
            connection.execute("PRAGMA fullfsync = ON")
            connection.execute("PRAGMA checkpoint_fullfsync = ON")
            if before_migration is not None and 0 < _pragma(connection, "user_version") < len(MIGRATIONS):
                before_migration(path)
            _bring_forward(connection, path)
            _complete(connection, path)
            rollups.follow(connection)
            spots.follow(connection)
            connection.execute(_FORGET_FRONTIERS)
    except BaseException:
        connection.close()
        raise
    return connection


def open_read_only(path: Path) -> sqlite3.Connection:
    """The database of a folder that cannot be written, read only.

    Raises:
        StorageError: it cannot be read either.
    """
    # SQLite would make files beside the database to read its write-ahead log. So a copy in memory stands in; it can be
    # brought forward too.
    with told(path), _readable(path) as uri, closing(sqlite3.connect(uri, uri=True)) as source:
        _check_ours(source, path)
        memory = sqlite3.connect(":memory:", isolation_level=None)
        source.backup(memory)
        _bring_forward(memory, path)
        _complete(memory, path)
        memory.execute("PRAGMA query_only = ON")
    return memory


@contextmanager
def _readable(path: Path) -> Iterator[str]:
    """An address under which the database can be read without a file being made beside it."""
    log = wal_of(path)
    if not log.exists() or not log.stat().st_size:
        yield f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        return
    import shutil
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        copy = Path(shutil.copy(path, folder))
        shutil.copy(log, folder)
        yield copy.as_uri()


@contextmanager
def writing(connection: sqlite3.Connection, path: Path, identity: Identity | None = None) -> Iterator[None]:
    """One transaction, alone from its first line: committed and synced when the block ends, undone if it fails.

    Raises:
        LostFileError: it was written, but ``path`` no longer names the file with that identity.
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
    if identity is not None and not _same(identity, identity_of(path)):
        raise LostFileError(f"{path} was removed or replaced while quiz was running")


class LostFileError(StorageError):
    """The open file no longer has its name: what was written to it would vanish with the process."""


@lru_cache(maxsize=8)
def wal_of(path: Path) -> Path:
    """Where SQLite keeps the write-ahead log of a database."""
    return path.with_name(path.name + "-wal")


def identity_of(path: Path) -> Identity:
    """Which file the path names now."""
    return _file(path), _file(wal_of(path))


def _file(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _same(then: Identity, now: Identity) -> bool:
    # A write-ahead log that appears later belongs to a file that had a rollback journal when it was opened.
    return then[0] == now[0] and then[1] in (None, now[1])


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Say what SQLite complains of, or what a row holds that cannot be, in a sentence for the learner.

    Where the file is damaged, that is noted beside it, so that the next start looks closely.

    Raises:
        StorageError: in place of SQLite's errors.
    """
    try:
        yield
    except (sqlite3.ProgrammingError, sqlite3.InterfaceError):
        raise
    except (sqlite3.Error, IllegibleError, UnicodeDecodeError, MemoryError) as error:
        raise _as_told(error, path) from error
    except DamagedError:
        suspect(path)
        raise


def suspect(path: Path) -> None:
    """Note that the file may be damaged."""
    # Where even that cannot be written, the damage will show again.
    with suppress(OSError):
        suspicion(path).touch()


def suspicion(path: Path) -> Path:
    """The note that says the file may be damaged."""
    return path.with_name(path.name + ".suspect")


def _as_told(error: Exception, path: Path) -> StorageError:
    name = getattr(error, "sqlite_errorname", None) or ""
    match name.split("_")[1] if name else "":
        case "BUSY" | "LOCKED":
            return StorageError(f"{path} is being written by another program; nothing was saved, try again")
        case "FULL":
            return StorageError(f"the disk is full, so nothing was saved to {path}")
        case "READONLY" | "PERM" | "AUTH":
            return StorageError(f"{path} may not be written, so nothing was saved")
        case "CANTOPEN":
            return StorageError(f"{path} cannot be opened; is it a folder, or in one that may not be written?")
        case "IOERR" if name not in ("SQLITE_IOERR_SHORT_READ", "SQLITE_IOERR_CORRUPTFS"):
            return StorageError(f"{path} cannot be read or written: {error}; nothing was saved")
        case "NOMEM":
            return StorageError(f"there is not enough memory to read {path}")
    if isinstance(error, MemoryError):
        return StorageError(f"there is not enough memory to read {path}")
    suspect(path)
    # All statements are our own, so one that makes no sense to SQLite, or breaks a rule, met a damaged schema or row.
    what = "is not a database, or its beginning is damaged" if name == "SQLITE_NOTADB" else "is damaged"
    return DamagedError(f"{path} {what}; nothing was changed in it. Start quiz again to have it mended")


def _check_length(path: Path) -> None:
    """Notice a file that was cut short, for SQLite would only once it looks for what is gone."""
    log = wal_of(path)
    try:
        if log.exists() and log.stat().st_size:
            # Pages that are still in the write-ahead log need not be in the file yet.
            return
        with path.open("rb") as file:
            head = file.read(100)
        size = path.stat().st_size
    except OSError:
        # Why it cannot be read, SQLite will say.
        return
    page, pages = int.from_bytes(head[16:18], "big"), int.from_bytes(head[28:32], "big")
    if len(head) == 100 and head[24:28] == head[92:96] and size < page * pages:
        raise DamagedError(f"{path} is damaged: it was cut short")


def _check_ours(connection: sqlite3.Connection, path: Path) -> None:
    """Look before anything is changed."""
    version, mark = _pragma(connection, "user_version"), _pragma(connection, "application_id")
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    if mark != APPLICATION_ID and (names or mark or version):
        if {"review", "question", "sitting", "edition", "device"} <= names:
            raise DamagedError(f"{path} is damaged: its mark is not quiz's")
        raise StorageError(f"{path} is a database of another program; it was left as it is")
    if not 0 <= version < 10_000 or (not version and names):
        raise DamagedError(f"{path} is damaged: its schema has no version")
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


def _complete(connection: sqlite3.Connection, path: Path) -> None:
    """Make again what can be made again from the log: the table of cards, indexes, triggers."""
    expected: dict[str, list[str]] = {}
    for statement in (statement for statements in MIGRATIONS for statement in statements):
        if found := _NAMED.match(statement):
            expected.setdefault(found[1], []).append(statement)
    present = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    missing = [name for name in expected if name not in present]
    if not missing:
        return
    if {"device", "sitting", "edition", "question", "review"} & set(missing):
        raise DamagedError(f"{path} is damaged: it has lost {', '.join(missing)}")
    with writing(connection, path):
        for statement in (statement for name in missing for statement in expected[name]):
            connection.execute(statement)


def columns_of(connection: sqlite3.Connection) -> dict[str, list[tuple[object, ...]]]:
    """The columns of our tables, and what they refer to, as SQLite understands them."""
    tables = ("device", "sitting", "edition", "question", "review", "card")
    return {
        table: [
            *connection.execute(f"PRAGMA table_info({table})"),
            *connection.execute(f"PRAGMA foreign_key_list({table})"),
        ]
        for table in tables
    }


def expected_columns() -> dict[str, list[tuple[object, ...]]]:
    """What `columns_of` gives for a sound database."""
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in (statement for statements in MIGRATIONS for statement in statements):
            connection.execute(statement)
        return columns_of(connection)


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])
