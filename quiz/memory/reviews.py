"""The append-only log of reviews, and the cards it leads to."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self
from uuid import UUID

from quiz.memory import schedule
from quiz.memory.acts import Act, Deed, Entry, acted, replayed
from quiz.memory.cards import Card
from quiz.memory.days import Moment
from quiz.memory.review import Review, new_id
from quiz.memory.rows import (
    AFTER,
    ANSWER,
    BEFORE,
    CARD,
    ENTRY,
    KNOWN,
    NO_ANSWER,
    Value,
    answer_values,
    card_of,
    card_values,
    entry_of,
    ticks,
)
from quiz.memory.schedule import Parameters
from quiz.memory.storage import open_database, told, writing

__all__ = ["Act", "Review", "ReviewLog", "new_id"]

_JOINED = """review JOIN question ON question.id = review.question JOIN sitting ON sitting.id = review.sitting
    JOIN device ON device.id = review.device LEFT JOIN edition ON edition.id = review.edition"""
_LIVE = "review.undoes IS NULL AND NOT EXISTS (SELECT 1 FROM review AS undo WHERE undo.undoes = review.id)"
_HEAD = ("uuid", "undoes", "act", "previous", "question", "device", "sitting", "instant", "utc_offset", "day")
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
    """One row of a question's history; ``live`` if it is an answer or an act that was not taken back."""

    id: int
    undoes: int | None
    act: str | None
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
                (UUID(review.id).bytes, None, None),
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

    def act(self, key: str, act: Deed, moment: Moment, sitting: str) -> Card:
        """Append an act and change its card; returns once both are committed and synced.

        An act that would change nothing, such as resuming a card that is not suspended, is not appended.
        """
        with writing(self._connection, self._path):
            stored = self._stored(key)
            after = acted(stored.card, act, moment, self._parameters)
            if after != stored.card:
                device = self._number("device", {"uuid": self.device_id})
                self._append(
                    stored,
                    (UUID(new_id()).bytes, None, act),
                    (device, self._number("sitting", {"uuid": sitting}), *_moment_values(moment)),
                    after,
                    (None, *(KNOWN if act == "known" else NO_ANSWER)),
                )
        return after

    def undo_last(self, moment: Moment, sitting: str | None = None) -> Entry | None:
        """Take back the newest answer or act that still counts, of one sitting or of any; None if there is none.

        The card is again what it was before that. Only where another sitting has changed it since, or has taken back
        something earlier, the card is made anew from what is left.
        """
        with writing(self._connection, self._path):
            found = self._connection.execute(
                f"SELECT review.id, review.device, review.sitting, {ENTRY} FROM {_JOINED}"
                f" WHERE {_LIVE} AND review.act IS NOT 'merge'"
                f"{' AND sitting.uuid = ?' if sitting is not None else ''} ORDER BY review.id DESC LIMIT 1",
                () if sitting is None else (sitting,),
            ).fetchone()
            if found is None:
                return None
            row, device, sitting_number = found[:3]
            entry = entry_of(found[3:])
            stored = self._stored(entry.key)
            self._append(
                stored,
                (UUID(new_id()).bytes, row, None),
                (device, sitting_number, *_moment_values(moment)),
                self._card_without(row, entry, stored),
                (None, *NO_ANSWER),
            )
        return entry

    def card(self, key: str) -> Card:
        """The card of a question; a new one if nothing was ever done with it."""
        with told(self._path):
            found = self._find(key)
        return Card(key) if found is None else found.card

    def cards(self) -> dict[str, Card]:
        """The cards that are not as good as new, by key: of questions that were answered or put aside or flagged."""
        with told(self._path):
            rows = self._connection.execute(
                f"SELECT key, {', '.join(CARD)} FROM card JOIN question ON question.id = card.question"
                " WHERE state > 0 OR suspended OR flagged OR buried_day IS NOT NULL"
            ).fetchall()
        return {row[0]: card_of(row[0], row[1:]) for row in rows}

    def reviews(self, key: str | None = None) -> Iterator[Review]:
        """The answers that still count, of one question or of all, oldest first."""
        return (entry for entry in self.history(key) if isinstance(entry, Review))

    def history(self, key: str | None = None) -> Iterator[Entry]:
        """The answers and acts that still count, of one question or of all, oldest first."""
        return self._pages("review.id > ?") if key is None else self._entries_of(key)

    def disputes(self) -> Iterator[Review]:
        """The answers whose mark the learner disagreed with, as far as they still count, oldest first."""
        return (entry for entry in self._pages("review.disputed = 1 AND review.id > ?") if isinstance(entry, Review))

    def last_review(self, key: str) -> Review | None:
        """The newest answer to the question that still counts; None if there is none."""
        with told(self._path):
            found = self._find(key)
            for row in self._history(found.latest if found else None):
                entry = self._entry(row.id) if row.live and row.act is None else None
                if isinstance(entry, Review):
                    return entry
        return None

    def introduced_on(self, day: int) -> int:
        """How many questions were met for the first time on that study day."""
        with told(self._path):
            found = self._connection.execute(
                f"SELECT count(*) FROM review WHERE day = ? AND before_state = 0 AND act IS NULL AND {_LIVE}", (day,)
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
        identity: tuple[bytes, int | None, str | None],
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
            previous, undoes, act, live = self._connection.execute(
                f"SELECT previous, undoes, act, {_LIVE} FROM review WHERE id = ?", (latest,)
            ).fetchone()
            yield _Row(latest, undoes, act, bool(live))
            latest = previous

    def _card_without(self, row: int, entry: Entry, stored: _Stored) -> Card:
        """The card once the answer or act in that row no longer counts."""
        history = list(self._history(stored.latest))
        later = [one for one in history if one.id > row]
        if not any(one.live or (one.undoes is not None and one.undoes < row) for one in later):
            return entry.before
        left = [self._entry(one.id) for one in reversed(history) if one.live and one.id != row]
        return replayed(entry.key, left, self._parameters)

    def _entry(self, row: int) -> Entry:
        return entry_of(
            self._connection.execute(f"SELECT {ENTRY} FROM {_JOINED} WHERE review.id = ?", (row,)).fetchone()
        )

    def _pages(self, where: str) -> Iterator[Entry]:
        """What counts of the rows that ``where`` lets pass, its parameter being the last row already had."""
        last = 0
        # Page by page, since an open cursor would keep the write-ahead log from being folded in.
        while True:
            with told(self._path):
                rows = self._connection.execute(
                    f"SELECT review.id, {ENTRY} FROM {_JOINED} WHERE {where} AND {_LIVE} ORDER BY review.id LIMIT ?",
                    (last, _PAGE),
                ).fetchall()
            for row in rows:
                yield entry_of(row[1:])
            if len(rows) < _PAGE:
                return
            last = rows[-1][0]

    def _entries_of(self, key: str) -> Iterator[Entry]:
        with told(self._path):
            found = self._find(key)
            live = [row.id for row in self._history(found.latest if found else None) if row.live]
        for row in reversed(live):
            with told(self._path):
                entry = self._entry(row)
            yield entry


def _moment_values(moment: Moment) -> tuple[int, int, int]:
    return ticks(moment.instant), moment.offset_minutes, moment.day
