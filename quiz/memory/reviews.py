"""The append-only review log: one SQLite file, synced before anything is acknowledged.

Rows of ``review`` are never changed or deleted (triggers refuse it): an undo is a further row that names the one it
takes back. ``card`` is a cache of the memory states that `ReviewLog.rebuild` can replay from the log.
"""

import json
import sqlite3
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType

from quiz.errors import StorageError
from quiz.memory.cards import Card
from quiz.memory.days import Moment

SCHEMA = 1
BUSY_SECONDS = 10.0
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_CARD_FIELDS = (
    "state", "step", "stability", "difficulty", "due_at", "due_day", "last_day", "reps", "lapses",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Review:
    """One answered variant. ``verdict`` is right, wrong, or shown for kinds the learner judges; ``seconds`` is thinking
    time with idle capped; ``before`` and ``after`` are the card around it, filled in by `ReviewLog.record`."""

    key: str
    seed: int
    pack_version: str
    moment: Moment
    rating: int
    proposed: int
    verdict: str
    sitting: str
    typed: str = ""
    credit: Fraction = Fraction(0)
    misconception: str | None = None
    seconds: float = 0.0
    hints: int = 0
    givens: Mapping[str, int | Fraction | str] = field(default_factory=lambda: MappingProxyType({}))
    id: str = ""
    device: str = ""
    before: Card | None = None
    after: Card | None = None


class ReviewLog:
    """The log of one learner. Several processes may have it open at once.

    Raises:
        StorageError: the file is not ours, is damaged, was written by a newer version, or cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with _storing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
        try:
            with _storing(path):
                self._prepare()
        except BaseException:
            self._database.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    @property
    def device(self) -> str:
        """The id of this copy of the log, made when the file was."""
        with _storing(self.path):
            return str(self._database.execute("SELECT value FROM meta WHERE name = 'device'").fetchone()[0])

    def record(self, review: Review, transition: Callable[[Card], Card]) -> Card:
        """Append a review and move its card; both are on disk, synced, when this returns.

        ``transition`` gives the card after the review from the card as it is inside the transaction, so that another
        window's review in between is not lost.

        Raises:
            StorageError: nothing was written.
        """
        with self._writing():
            before = self._card(review.key)
            after = transition(before)
            self._append("answer", replace(review, before=before, after=after), None)
            self._put(after)
        return after

    def undo(self, moment: Moment) -> Review | None:
        """Take back the newest review that still counts, and put its card back as it was; None if there is none.

        Raises:
            StorageError: nothing was written.
        """
        with self._writing():
            row = self._database.execute(f"{_LIVE} ORDER BY review.seq DESC LIMIT 1").fetchone()
            if row is None:
                return None
            taken = _review(row)
            self._append("undo", replace(taken, moment=moment), row[0])
            if taken.before is not None:
                self._put(taken.before)
        return taken

    def card(self, key: str) -> Card:
        """The card of a question; a new one if it was never asked."""
        with _storing(self.path):
            return self._card(key)

    def cards(self) -> list[Card]:
        """The cards of every question that was ever asked and is not new again."""
        with _storing(self.path):
            rows = self._database.execute(f"{_CARDS} WHERE card.state != 'new'").fetchall()
        return [_card(row) for row in rows]

    def reviews(self) -> list[Review]:
        """Every review that still counts, oldest first."""
        with _storing(self.path):
            return [_review(row) for row in self._database.execute(f"{_LIVE} ORDER BY review.seq").fetchall()]

    def new_on(self, day: int) -> int:
        """How many questions were asked for the first time on a study day."""
        with _storing(self.path):
            found = self._database.execute(
                f"SELECT count(*) FROM ({_LIVE} AND review.day = ? AND review.was_new)", (day,)
            ).fetchone()
        return int(found[0])

    def rebuild(self) -> None:
        """Replay the log into the cards, whatever they held."""
        with self._writing():
            last = {}
            for row in self._database.execute(f"{_LIVE} ORDER BY review.seq"):
                review = _review(row)
                last[review.key] = review.after
            self._database.execute("DELETE FROM card")
            for card in last.values():
                if card is not None:
                    self._put(card)

    def is_sound(self) -> bool:
        """Whether SQLite finds the file in order."""
        with _storing(self.path):
            return bool(self._database.execute("PRAGMA integrity_check").fetchone()[0] == "ok")

    def _prepare(self) -> None:
        version = self._database.execute("PRAGMA user_version").fetchone()[0]
        if version > SCHEMA:
            raise StorageError(
                f"{self.path} was written by a newer version of quiz (schema {version}, this one knows {SCHEMA}); "
                "nothing was touched: update quiz to open it"
            )
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA synchronous = FULL")
        self._database.execute("PRAGMA foreign_keys = ON")
        if version == 0:
            with self._writing():
                if self._database.execute("PRAGMA user_version").fetchone()[0] == 0:
                    if self._database.execute("SELECT 1 FROM sqlite_master").fetchone():
                        raise StorageError(f"{self.path} is a database of another program; move it away")
                    for statement in _TABLES:
                        self._database.execute(statement)
                    self._database.execute("INSERT INTO meta VALUES ('device', ?)", (uuid.uuid4().hex,))
                    self._database.execute(f"PRAGMA user_version = {SCHEMA}")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """One transaction, all or nothing."""
        with _storing(self.path):
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._database.execute("COMMIT")
            except BaseException:
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
                raise

    def _card(self, key: str) -> Card:
        row = self._database.execute(f"{_CARDS} WHERE question.key = ?", (key,)).fetchone()
        return _card(row) if row else Card(key)

    def _put(self, card: Card) -> None:
        values = [_milliseconds(card.due_at) if name == "due_at" else getattr(card, name) for name in _CARD_FIELDS]
        places = ", ".join("?" * (len(values) + 1))
        self._database.execute(
            f"INSERT OR REPLACE INTO card (question, {', '.join(_CARD_FIELDS)}) VALUES ({places})",
            (self._question(card.key), *values),
        )

    def _question(self, key: str) -> int:
        row = self._database.execute("SELECT id FROM question WHERE key = ?", (key,)).fetchone()
        if row is None:
            return self._database.execute("INSERT INTO question (key) VALUES (?)", (key,)).lastrowid or 0
        return int(row[0])

    def _append(self, event: str, review: Review, takes_back: int | None) -> None:
        is_new = event == "answer" and review.before is not None and review.before.state == "new"
        values = {
            "uuid": uuid.uuid4().hex,
            "event": event,
            "takes_back": takes_back,
            "question": self._question(review.key),
            "seed": review.seed,
            "pack": review.key.partition("/")[0],
            "pack_version": review.pack_version,
            "givens": json.dumps({name: _plain(value) for name, value in review.givens.items()}),
            "instant": _milliseconds(review.moment.instant),
            "utc_offset": review.moment.offset_minutes,
            "day": review.moment.day,
            "typed": review.typed.encode("utf-8", "backslashreplace").decode(),
            "verdict": review.verdict,
            "credit": str(review.credit),
            "misconception": review.misconception,
            "proposed": review.proposed,
            "rating": review.rating,
            "thinking_ms": round(review.seconds * 1000),
            "hints": review.hints,
            "sitting": review.sitting,
            "device": self.device,
            "was_new": is_new,
            "before": _packed(review.before),
            "after": _packed(review.after),
        }
        columns, places = ", ".join(values), ", ".join(f":{name}" for name in values)
        self._database.execute(f"INSERT INTO review ({columns}) VALUES ({places})", values)


@contextmanager
def _storing(path: Path) -> Iterator[None]:
    """Turn what SQLite and the file system raise into one sentence."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise StorageError(f"{path} cannot be used: {error}; nothing was written") from error
    except sqlite3.DatabaseError as error:
        raise StorageError(
            f"{path} is damaged or not a quiz database: {error}; move it away or restore a copy"
        ) from error
    except OSError as error:
        raise StorageError(f"{path} cannot be used: {error.strerror or error}") from error


def _milliseconds(instant: datetime | None) -> int | None:
    return None if instant is None else (instant - _EPOCH) // timedelta(milliseconds=1)


def _instant(milliseconds: int | None) -> datetime | None:
    return None if milliseconds is None else _EPOCH + timedelta(milliseconds=milliseconds)


def _plain(value: int | Fraction | str) -> int | str:
    return f"{value}" if isinstance(value, Fraction) else value


def _packed(card: Card | None) -> str | None:
    if card is None:
        return None
    return json.dumps([_milliseconds(card.due_at) if n == "due_at" else getattr(card, n) for n in _CARD_FIELDS])


def _card(row: tuple[str, ...]) -> Card:
    values = dict(zip(_CARD_FIELDS, row[1:], strict=True))
    return Card(row[0], **{**values, "due_at": _instant(values["due_at"])})  # type: ignore[arg-type]


def _unpacked(key: str, text: str | None) -> Card | None:
    return None if text is None else _card((key, *json.loads(text)))


def _review(row: tuple[object, ...]) -> Review:
    values = dict(zip(_REVIEW_FIELDS, row[1:], strict=True))
    key = str(values["key"])
    instant = _instant(int(str(values["instant"])))
    assert instant is not None
    return Review(
        key=key,
        seed=int(str(values["seed"])),
        pack_version=str(values["pack_version"]),
        moment=Moment(instant, int(str(values["utc_offset"])), int(str(values["day"]))),
        rating=int(str(values["rating"])),
        proposed=int(str(values["proposed"])),
        verdict=str(values["verdict"]),
        sitting=str(values["sitting"]),
        typed=str(values["typed"]),
        credit=Fraction(str(values["credit"])),
        misconception=None if values["misconception"] is None else str(values["misconception"]),
        seconds=int(str(values["thinking_ms"])) / 1000,
        hints=int(str(values["hints"])),
        givens=MappingProxyType(json.loads(str(values["givens"]))),
        id=str(values["uuid"]),
        device=str(values["device"]),
        before=_unpacked(key, values["before"] if isinstance(values["before"], str) else None),
        after=_unpacked(key, values["after"] if isinstance(values["after"], str) else None),
    )


_CARDS = (
    f"SELECT question.key, {', '.join(f'card.{name}' for name in _CARD_FIELDS)} "
    "FROM card JOIN question ON question.id = card.question"
)
_REVIEW_FIELDS = (
    "key", "uuid", "seed", "pack_version", "givens", "instant", "utc_offset", "day", "typed", "verdict", "credit",
    "misconception", "proposed", "rating", "thinking_ms", "hints", "sitting", "device", "before", "after",
)  # fmt: skip
_LIVE = (
    f"SELECT review.seq, question.key, {', '.join(f'review.{name}' for name in _REVIEW_FIELDS[1:])} "
    "FROM review JOIN question ON question.id = review.question WHERE review.event = 'answer' "
    "AND NOT EXISTS (SELECT 1 FROM review AS other WHERE other.takes_back = review.seq)"
)
_TABLES = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE question (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE)",
    """CREATE TABLE review (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, uuid TEXT NOT NULL UNIQUE,
        event TEXT NOT NULL CHECK (event IN ('answer', 'undo')), takes_back INTEGER REFERENCES review (seq),
        question INTEGER NOT NULL REFERENCES question (id), seed INTEGER NOT NULL, pack TEXT NOT NULL,
        pack_version TEXT NOT NULL, givens TEXT NOT NULL, instant INTEGER NOT NULL, utc_offset INTEGER NOT NULL,
        day INTEGER NOT NULL, typed TEXT NOT NULL, verdict TEXT NOT NULL, credit TEXT NOT NULL, misconception TEXT,
        proposed INTEGER NOT NULL, rating INTEGER NOT NULL, thinking_ms INTEGER NOT NULL, hints INTEGER NOT NULL,
        sitting TEXT NOT NULL, device TEXT NOT NULL, was_new INTEGER NOT NULL, before TEXT, after TEXT)""",
    "CREATE UNIQUE INDEX review_taken_back ON review (takes_back) WHERE takes_back IS NOT NULL",
    "CREATE INDEX review_new ON review (day) WHERE was_new",
    """CREATE TABLE card (
        question INTEGER PRIMARY KEY REFERENCES question (id), state TEXT NOT NULL, step INTEGER, stability REAL,
        difficulty REAL, due_at INTEGER, due_day INTEGER, last_day INTEGER, reps INTEGER NOT NULL,
        lapses INTEGER NOT NULL)""",
    """CREATE TRIGGER review_is_never_changed BEFORE UPDATE ON review
        BEGIN SELECT RAISE(ABORT, 'the review log is append-only'); END""",
    """CREATE TRIGGER review_is_never_deleted BEFORE DELETE ON review
        BEGIN SELECT RAISE(ABORT, 'the review log is append-only'); END""",
)
