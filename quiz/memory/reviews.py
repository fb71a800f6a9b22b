"""The append-only log of reviews, and the cards it leads to."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self
from uuid import UUID

from quiz.memory import schedule
from quiz.memory.cards import Card
from quiz.memory.days import Moment
from quiz.memory.review import Givens, Review, new_id
from quiz.memory.rows import (
    AFTER,
    ANSWER,
    BEFORE,
    CARD,
    REVIEW,
    Value,
    answer_values,
    card_of,
    card_values,
    review_of,
    ticks,
)
from quiz.memory.schedule import Parameters
from quiz.memory.storage import open_database, told, writing

__all__ = ["Review", "ReviewLog", "new_id"]

_JOINED = """review JOIN question ON question.id = review.question JOIN edition ON edition.id = review.edition
    JOIN sitting ON sitting.id = review.sitting JOIN device ON device.id = review.device"""
_LIVE = "review.undoes IS NULL AND NOT EXISTS (SELECT 1 FROM review AS undo WHERE undo.undoes = review.id)"
_HEAD = ("uuid", "undoes", "previous", "question", "device", "sitting", "instant", "utc_offset", "day")
_COLUMNS = (*_HEAD, *BEFORE, *AFTER, "edition", *ANSWER)
_APPEND = f"INSERT INTO review ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"
_KEEP = f"INSERT OR REPLACE INTO card (question, latest, {', '.join(CARD)}) VALUES ({', '.join('?' * (len(CARD) + 2))})"
_PAGE = 1000


class _Stored(NamedTuple):
    """A question in the database: its id, its newest row in the log (None before the first), its card."""

    question: int
    latest: int | None
    card: Card


class _Row(NamedTuple):
    """One row of a question's history; ``live`` if it is a review that was not taken back."""

    id: int
    undoes: int | None
    live: bool


class ReviewLog:
    """The log in its file. Nothing in it is ever changed; taking back appends.

    Several processes may use the file at once. Each write is one transaction that first reads the card it is about:
    where another window has reviewed that question meanwhile, the new review is scheduled from the card as it now
    stands, so both count. Any method raises `StorageError` where the file cannot be read or written.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path, parameters: Parameters) -> None:
        self._connection = connection
        self._path = path
        self._parameters = parameters

    @classmethod
    def open(cls, path: Path, parameters: Parameters = schedule.DEFAULTS) -> Self:
        """Open the log, creating it where there is none.

        Raises:
            StorageError: the file is of a newer version, no log, damaged, or cannot be written.
        """
        return cls(open_database(path), path, parameters)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def device_id(self) -> str:
        """The UUID of this device, drawn when the log was created."""
        with told(self._path):
            return str(self._connection.execute("SELECT uuid FROM device ORDER BY id LIMIT 1").fetchone()[0])

    def record(self, review: Review) -> Review:
        """Append a review and move its card; returns once both are committed and synced.

        The review comes back as stored: where its ``before`` is no longer the card, with ``before`` the card as it was
        found and ``after`` scheduled from there.
        """
        with writing(self._connection, self._path):
            stored = self._stored(review.key)
            if stored.card != review.before:
                after = schedule.review(stored.card, review.rating, review.moment, self._parameters)
                review = replace(review, before=stored.card, after=after)
            self._append(
                stored,
                (UUID(review.id).bytes, None),
                (
                    self._number("device", {"uuid": review.device}),
                    self._number("sitting", {"uuid": review.sitting}),
                    *_moment_values(review.moment),
                ),
                review.after,
                (
                    self._number("edition", {"pack": review.pack, "version": review.pack_version}),
                    *answer_values(review),
                ),
            )
        return review

    def undo_last(self, moment: Moment, sitting: str | None = None) -> Review | None:
        """Take back the newest review that still counts, of one sitting or of any; None if there is none.

        The card is again what it was before that review. Only where another sitting has reviewed it since, or has
        taken back an earlier review of it, the card is scheduled anew from the reviews that are left.
        """
        with writing(self._connection, self._path):
            found = self._connection.execute(
                f"SELECT review.id, review.device, review.sitting, {REVIEW} FROM {_JOINED} WHERE {_LIVE}"
                f"{' AND sitting.uuid = ?' if sitting is not None else ''} ORDER BY review.id DESC LIMIT 1",
                () if sitting is None else (sitting,),
            ).fetchone()
            if found is None:
                return None
            row, device, sitting_number = found[:3]
            review = review_of(found[3:])
            stored = self._stored(review.key)
            self._append(
                stored,
                (UUID(new_id()).bytes, row),
                (device, sitting_number, *_moment_values(moment)),
                self._card_without(row, review, stored),
                (None,) * (1 + len(ANSWER)),
            )
        return review

    def card(self, key: str) -> Card:
        """The card of a question; a new one if it was never answered."""
        with told(self._path):
            found = self._find(key)
        return Card(key) if found is None else found.card

    def cards(self) -> dict[str, Card]:
        """The cards of all questions that were answered, by key."""
        with told(self._path):
            rows = self._connection.execute(
                f"SELECT key, {', '.join(CARD)} FROM card JOIN question ON question.id = card.question WHERE state > 0"
            ).fetchall()
        return {row[0]: card_of(row[0], row[1:]) for row in rows}

    def reviews(self, key: str | None = None) -> Iterator[Review]:
        """The reviews that still count, of one question or of all, oldest first."""
        if key is not None:
            yield from self._reviews_of(key)
            return
        last = 0
        # Page by page, since an open cursor would keep the write-ahead log from being folded in.
        while True:
            with told(self._path):
                rows = self._connection.execute(
                    f"SELECT review.id, {REVIEW} FROM {_JOINED} WHERE review.id > ? AND {_LIVE}"
                    " ORDER BY review.id LIMIT ?",
                    (last, _PAGE),
                ).fetchall()
            for row in rows:
                yield review_of(row[1:])
            if len(rows) < _PAGE:
                return
            last = rows[-1][0]

    def last_variant_givens(self, key: str) -> Givens | None:
        """The numbers with which the question was asked last; None if it never was."""
        with told(self._path):
            found = self._find(key)
            for row in self._history(found.latest if found else None):
                if row.live:
                    return self._review(row.id).givens
        return None

    def introduced_on(self, day: int) -> int:
        """How many questions were met for the first time on that study day."""
        with told(self._path):
            found = self._connection.execute(
                f"SELECT count(*) FROM review WHERE day = ? AND before_state = 0 AND {_LIVE}", (day,)
            ).fetchone()
        return int(found[0])

    def rebuild(self) -> int:
        """Make all cards anew from the log; the number of those that were wrong or missing."""
        columns = f"question, id, {', '.join(AFTER)}"
        with writing(self._connection, self._path):
            newest = self._connection.execute(
                f"SELECT {columns} FROM review WHERE id IN (SELECT max(id) FROM review GROUP BY question)"
            ).fetchall()
            kept = self._connection.execute(f"SELECT question, latest, {', '.join(CARD)} FROM card").fetchall()
            wrong = {row[0] for row in set(newest) ^ set(kept)}
            if wrong:
                self._connection.execute("DELETE FROM card")
                self._connection.executemany(_KEEP, newest)
        return len(wrong)

    def _find(self, key: str) -> _Stored | None:
        row = self._connection.execute(
            f"SELECT question.id, latest, {', '.join(CARD)} FROM question LEFT JOIN card ON card.question = question.id"
            " WHERE key = ?",
            (key,),
        ).fetchone()
        if row is None:
            return None
        return _Stored(row[0], row[1], Card(key) if row[1] is None else card_of(key, row[2:]))

    def _stored(self, key: str) -> _Stored:
        """The question, entered if it is not there yet."""
        return self._find(key) or _Stored(self._number("question", {"key": key}), None, Card(key))

    def _number(self, table: str, values: dict[str, str]) -> int:
        """The id of a row with these values, entered if there is none."""
        row = self._connection.execute(
            f"SELECT id FROM {table} WHERE {' AND '.join(f'{name} = ?' for name in values)}", tuple(values.values())
        ).fetchone()
        if row is not None:
            return int(row[0])
        cursor = self._connection.execute(
            f"INSERT INTO {table} ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})", tuple(values.values())
        )
        return int(cursor.lastrowid or 0)

    def _append(
        self,
        stored: _Stored,
        identity: tuple[bytes, int | None],
        circumstances: tuple[int, ...],
        after: Card,
        answer: tuple[Value, ...],
    ) -> None:
        values = (
            *identity,
            stored.latest,
            stored.question,
            *circumstances,
            *card_values(stored.card),
            *card_values(after),
            *answer,
        )
        row = self._connection.execute(_APPEND, values).lastrowid
        self._connection.execute(_KEEP, (stored.question, row, *card_values(after)))

    def _history(self, latest: int | None) -> Iterator[_Row]:
        """The rows of a question, newest first, along their links."""
        while latest is not None:
            previous, undoes, live = self._connection.execute(
                f"SELECT previous, undoes, {_LIVE} FROM review WHERE id = ?", (latest,)
            ).fetchone()
            yield _Row(latest, undoes, bool(live))
            latest = previous

    def _card_without(self, row: int, review: Review, stored: _Stored) -> Card:
        """The card once the review in that row no longer counts."""
        history = list(self._history(stored.latest))
        later = [one for one in history if one.id > row]
        if not any(one.live or (one.undoes is not None and one.undoes < row) for one in later):
            return review.before
        left = [self._review(one.id) for one in reversed(history) if one.live and one.id != row]
        return schedule.replay(review.key, ((one.rating, one.moment) for one in left), self._parameters)

    def _review(self, row: int) -> Review:
        return review_of(
            self._connection.execute(f"SELECT {REVIEW} FROM {_JOINED} WHERE review.id = ?", (row,)).fetchone()
        )

    def _reviews_of(self, key: str) -> Iterator[Review]:
        with told(self._path):
            found = self._find(key)
            live = [row.id for row in self._history(found.latest if found else None) if row.live]
        for row in reversed(live):
            with told(self._path):
                review = self._review(row)
            yield review


def _moment_values(moment: Moment) -> tuple[int, int, int]:
    return ticks(moment.instant), moment.offset_minutes, moment.day
