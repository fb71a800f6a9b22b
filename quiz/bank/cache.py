"""The file in which parsed packs are kept: its tables, and what to do where it cannot be used."""

import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from quiz.bank.catalogue import question_rows

if TYPE_CHECKING:
    from quiz.bank.pack import Pack

# Larger files are refused unread.
LARGEST = 16 * 2**20
# Raise it whenever the pack models, their checks or these tables change: older caches are then thrown away.
CACHE_FORMAT = 8
# Disks write down times in steps: a file changed so recently may change once more and look the same, in nanoseconds.
_RECENTLY = 2 * 10**9
# `start` is the position of the first question of a question's lesson.
_TABLES = f"""
BEGIN IMMEDIATE;
DROP TABLE IF EXISTS pack;
DROP TABLE IF EXISTS question;
DROP TABLE IF EXISTS models;
DROP TABLE IF EXISTS broken;
DROP TABLE IF EXISTS stamp;
DROP TABLE IF EXISTS former;
CREATE TABLE pack (file TEXT PRIMARY KEY, stamp TEXT, id TEXT UNIQUE, title TEXT, version TEXT, shipped INTEGER,
    questions INTEGER, depths TEXT, lessons TEXT, head TEXT);
CREATE TABLE question (key TEXT UNIQUE, pack TEXT, id TEXT, kind TEXT, depth TEXT, lesson TEXT, title TEXT,
    drawn INTEGER, position INTEGER, start INTEGER, was TEXT, body TEXT);
CREATE UNIQUE INDEX question_at ON question (pack, position);
CREATE INDEX question_in_order ON question (pack, depth, start, position, key);
CREATE TABLE models (stamp TEXT, body TEXT);
CREATE TABLE broken (file TEXT PRIMARY KEY, stamp TEXT, faults TEXT);
CREATE TABLE former (key TEXT, present TEXT, pack TEXT);
CREATE TABLE stamp (file TEXT PRIMARY KEY, look TEXT, stamp TEXT);
PRAGMA user_version = {CACHE_FORMAT};
COMMIT;
"""


def open_cache(path: Path) -> sqlite3.Connection:
    """The cache in the file; an empty one, there or in memory, where the file is damaged or cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return prepared(path)
    except sqlite3.DatabaseError:
        try:
            path.unlink()
            return prepared(path)
        except (OSError, sqlite3.DatabaseError):
            return prepared(None)
    except OSError:
        return prepared(None)


def prepared(path: Path | None) -> sqlite3.Connection:
    """A cache of the present format, in memory without a path; one of another format is emptied.

    Raises:
        sqlite3.Error: the file is damaged or cannot be opened.
    """
    database = sqlite3.connect(path or ":memory:", timeout=5.0)
    try:
        tables = database.execute("SELECT count(*) FROM sqlite_master WHERE type = 'table'").fetchone()[0]
        if tables != 6 or database.execute("PRAGMA user_version").fetchone()[0] != CACHE_FORMAT:
            with closing(database.cursor()) as cursor:
                cursor.executescript(_TABLES)
    except BaseException:
        database.close()
        raise
    return database


def put(database: sqlite3.Connection, pack: "Pack", file: str, stamp: str, *, is_shipped: bool) -> None:
    """Keep a pack that stands in a file."""
    database.executemany("INSERT INTO question VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", question_rows(pack))
    former = "SELECT pack || '/' || old.value, question.key, pack FROM question, json_each(was) AS old WHERE pack = ?"
    database.execute(f"INSERT INTO former {former}", (pack.pack,))
    depths = database.execute("SELECT DISTINCT depth FROM question WHERE pack = ? ORDER BY depth", (pack.pack,))
    database.execute(
        "INSERT INTO pack VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            file,
            stamp,
            pack.pack,
            pack.title,
            pack.version,
            is_shipped,
            len(pack.questions),
            json.dumps([depth for (depth,) in depths]),
            json.dumps([(lesson.id, lesson.title) for lesson in pack.lessons]),
            pack.model_dump_json(exclude={"questions"}, by_alias=True),
        ),
    )


def forget(database: sqlite3.Connection, file: str) -> None:
    """Forget the pack that stood in a file."""
    for table in ("question", "former"):
        database.execute(f"DELETE FROM {table} WHERE pack IN (SELECT id FROM pack WHERE file = ?)", (file,))
    database.execute("DELETE FROM pack WHERE file = ?", (file,))


def fingerprint(content: bytes) -> str:
    """What tells one content of a file from another."""
    from hashlib import sha256

    return sha256(content).hexdigest()


def stamp_of(path: Path, database: sqlite3.Connection) -> str:
    """What tells one content of a file from another. A file that looks as it did is not read again."""
    try:
        status = path.stat()
        if status.st_size > LARGEST:
            return "too large"
        look = f"{status.st_size} {status.st_mtime_ns} {status.st_ino}"
        kept = database.execute("SELECT stamp FROM stamp WHERE file = ? AND look = ?", (str(path), look)).fetchone()
        if kept is not None:
            return str(kept[0])
        stamp = fingerprint(path.read_bytes())
    except OSError as error:
        return f"unreadable: {error.strerror}"
    if abs(time.time_ns() - status.st_mtime_ns) > _RECENTLY:
        database.execute("INSERT OR REPLACE INTO stamp VALUES (?, ?, ?)", (str(path), look, stamp))
    return stamp
