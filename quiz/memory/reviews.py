"""The append-only log of reviews, and the cards it leads to."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self, TypeVar
from uuid import UUID

from quiz.memory import schedule
from quiz.memory.acts import Act, Deed, Entry, acted, replayed
from quiz.memory.cards import Card
from quiz.memory.days import Moment
from quiz.memory.frontier import Frontier
from quiz.memory.kept import KEEP, cards_are_kept, rebuild_cards
from quiz.memory.opening import Opened, open_log
from quiz.memory.pressing import pressing, used
from quiz.memory.reading import FIND, JOINED, LIVE, Link, entry, legible, links, newest, pages
from quiz.memory.review import Review, new_id
from quiz.memory.rollups import complete, rebuild_rollups
from quiz.memory.rows import APPEND, ENTRY, KNOWN, NO_ANSWER, Value, answer_values, card_of, card_values, ticks
from quiz.memory.schedule import Parameters
from quiz.memory.spots import Catalogue, Spot, by_spot, forget
from quiz.memory.storage import DamagedError, LostFileError, identity_of, suspect, told, writing

if TYPE_CHECKING:
    from quiz.memory.checking import Report
    from quiz.memory.totals import Totals
    from quiz.memory.union import Union

_T = TypeVar("_T")

__all__ = ["Act", "Review", "ReviewLog", "new_id"]


class _Stored(NamedTuple):
    """A question in the database: its id, its newest row in the log (None before the first), its card."""

    question: int
    latest: int | None
    card: Card


class ReviewLog:
    """The log in its file. Nothing in it is ever changed; taking back appends.

    Several processes may use the file at once. Each write is one transaction that first reads the card it is about:
    where another window has reviewed that question meanwhile, the new review is scheduled from the card as it now
    stands, so both count. Any method raises `StorageError` where the file cannot be read or written, or is no longer
    there. ``skipped`` counts the rows that were left out of what was read, since they are damaged; the next start then
    looks for sound ones.
    """

    def __init__(self, opened: Opened, path: Path, parameters: Parameters) -> None:
        self._connection = opened.connection
        self._path = path
        self._parameters = parameters
        self._identity = identity_of(path)
        self.notice = opened.notice
        self.read_only = opened.read_only
        self.skipped = 0
        self._names: Mapping[str, str] = {}

    @classmethod
    def open(cls, path: Path, parameters: Parameters = schedule.DEFAULTS) -> Self:
        """Open the log, creating it where there is none.

        A damaged file is kept under another name, and its log restored from the newest good backup and from what can
        still be read of it; one that was deleted or emptied is restored from the backup. A file that cannot be written
        is opened to read. In each case ``notice`` says so in a sentence for the learner.

        Raises:
            StorageError: the file is of a newer version or of another program, or cannot be read or made.
        """
        log = cls(open_log(path), path, parameters)
        try:
            try:
                log._mend_cards()
            except DamagedError:
                # What opening did not notice; now that it is known to be damaged, opening mends it.
                log.close()
                log = cls(open_log(path), path, parameters)
                log._mend_cards()
        except BaseException:
            log.close()
            raise
        return log

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
            found = self._connection.execute("SELECT uuid FROM device ORDER BY id LIMIT 1").fetchone()
            if found is None:
                raise DamagedError(f"{self._path} is damaged: it does not know its device")
            return str(found[0])

    def record(self, review: Review) -> Review:
        """Append a review and move its card; returns once both are committed and synced.

        The review comes back as stored: where its ``before`` is no longer the card, with ``before`` the card as it was
        found and ``after`` scheduled from there.
        """
        with self._writing(review.moment.instant):
            stored = self._stored(review.key)
            if stored.card != review.before:
                after = schedule.review(stored.card, review.rating, review.moment, self._parameters)
                review = review._replace(before=stored.card, after=after)
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
        with self._writing(moment.instant):
            stored = self._find(key) or _Stored(0, None, Card(key))
            after = acted(stored.card, act, moment, self._parameters)
            if after != stored.card:
                device = self._number("device", {"uuid": self.device_id})
                self._append(
                    self._stored(key),
                    (UUID(new_id()).bytes, None, act),
                    (device, self._number("sitting", {"uuid": sitting}), *_moment_values(moment)),
                    after,
                    (None, *(KNOWN if act == "known" else NO_ANSWER)),
                )
        return after

    def undo_last(self, moment: Moment, sitting: str | None = None) -> Entry | None:
        """Take back the newest answer or act of this device that still counts, of one sitting or of any; None if there
        is none.

        The card is again what it was before that. Only where another sitting has changed it since, or has taken back
        something earlier, the card is made anew from what is left.
        """
        with self._writing(moment.instant):
            found = newest(self._connection, sitting)
            if found is None:
                return None
            row, device, sitting_number, taken = found
            stored = self._stored(taken.key)
            self._append(
                stored,
                (UUID(new_id()).bytes, row, None),
                (device, sitting_number, *_moment_values(moment)),
                self._card_without(row, taken, stored),
                (None, *NO_ANSWER),
            )
        return taken

    def card(self, key: str) -> Card:
        """The card of a question; a new one if nothing was ever done with it."""
        with told(self._path):
            found = self._find(key)
        return Card(key) if found is None else found.card

    def cards(self) -> dict[str, Card]:
        """The cards that are not as good as new, by key: of questions that were answered or put aside or flagged."""
        return self._kept(used)

    def pressing(self, moment: Moment, most: int) -> dict[str, Card]:
        """The cards in learning, due or not, and of the reviews that are due the ``most`` likeliest to be forgotten, by
        key: what a queue begins with."""
        return self._kept(partial(pressing, moment=moment, most=most))

    def _kept(self, read: Callable[[sqlite3.Connection], dict[str, Card]]) -> dict[str, Card]:
        """Some of the cards, made anew first if they turn out to be damaged."""
        try:
            with told(self._path):
                return read(self._connection)
        except DamagedError:
            self.rebuild()
        with told(self._path):
            return read(self._connection)

    def frontier(self, day: int) -> Frontier:
        """How far the packs were met, for a search for questions that are new on that study day."""
        return Frontier(self._connection, self._path, day)

    def reviews(self, key: str | None = None) -> Iterator[Review]:
        """The answers that still count, of one question or of all, oldest first."""
        return (one for one in self.history(key) if isinstance(one, Review))

    def recent(self, rows: int) -> Iterator[Review]:
        """The answers that still count of the log's newest rows, oldest first."""
        newest = f"review.id > max(?, (SELECT max(id) FROM review) - {rows})"
        return (one for one in self._pages(newest) if isinstance(one, Review))

    def history(self, key: str | None = None) -> Iterator[Entry]:
        """The answers and acts that still count, of one question or of all, oldest first."""
        return self._pages("review.id > ?") if key is None else self._entries_of(key)

    def disputes(self) -> Iterator[Review]:
        """The answers whose mark the learner disagreed with, as far as they still count, oldest first."""
        return (one for one in self._pages("review.disputed = 1 AND review.id > ?") if isinstance(one, Review))

    def last_review(self, key: str) -> Review | None:
        """The newest answer to the question that still counts; None if there is none."""
        with told(self._path):
            found = self._find(key)
            for row in self._links(found.latest if found else None):
                last = entry(self._connection, self._path, row.id) if row.live and row.act is None else None
                if isinstance(last, Review):
                    return last
        return None

    def introduced_on(self, day: int) -> int:
        """How many questions were met for the first time on that study day."""
        with told(self._path):
            found = self._connection.execute(
                f"SELECT count(*) FROM review WHERE day = ? AND before_state = 0 AND act IS NULL AND {LIVE}", (day,)
            ).fetchone()
        return int(found[0])

    def rebuild(self) -> int:
        """Make all cards and sums anew from the log; the number of cards that were wrong or missing."""
        with writing(self._connection, self._path, self._identity):
            rebuild_rollups(self._connection)
            forget(self._connection)
            return rebuild_cards(self._connection)

    def totals(self) -> "Totals":
        """The sums over all answers that still count, made anew where they are incomplete."""
        from quiz.memory.totals import kept_totals

        with told(self._path):
            complete(self._connection)
            return kept_totals(self._connection)

    def by_spot(self, catalogue: Catalogue, read: Callable[[sqlite3.Connection, list[Spot]], _T]) -> _T:
        """What ``read`` finds of all cards at once, once it is known where in the catalogue each stands."""
        with told(self._path):
            return by_spot(self._connection, catalogue, read)

    def union(self) -> "Union":
        """The log as a set of answers, acts and undos that may grow by what other devices did."""
        from quiz.memory.union import Union

        return Union(self._connection, self._path, self._writing, self.device_id, self._parameters, self._names)

    def rename(self, names: Mapping[str, str], moment: Moment) -> None:
        """Go on under the present keys with what is remembered under former ones; ``names`` are present by former."""
        with told(self._path):
            known = {old: new for old, new in names.items() if not self.read_only and self._find(old)}
        if known:
            from quiz.memory.renaming import rename

            rename(self, self._connection, self._writing, known, moment)
        # From now on, whatever comes under a former key is for the present one.
        self._names = names

    def check(self) -> "Report":
        """Read all of the file and replay the log. What is damaged is mended at the next start."""
        from quiz.memory.checking import check

        with told(self._path):
            report = check(self._connection, self._parameters)
        if report.damage or report.illegible:
            suspect(self._path)
        return report

    def back_up(self, now: datetime) -> Path:
        """Write a backup now; see `quiz.memory.backups` for those that are made by themselves."""
        from quiz.memory.backups import save

        return save(self._connection, self._path, now)

    def restore(self, backup: Path, now: datetime) -> Path:
        """Go back to a backup; what was there until now is itself backed up first, and where is returned.

        Windows that are open go on with what was restored.

        Raises:
            StorageError: it is no whole backup of a log, or of a newer version; or the log cannot be written.
        """
        from tempfile import TemporaryDirectory

        from quiz.memory.backups import verified

        with TemporaryDirectory() as folder:
            whole = verified(backup, Path(folder))
            kept = self.back_up(now)
            with told(self._path), closing(sqlite3.connect(whole)) as source:
                source.backup(self._connection)
        self._mend_cards()
        # The newest backup is what a damaged file would be restored from.
        self.back_up(now)
        return kept

    @contextmanager
    def _writing(self, now: datetime) -> Iterator[None]:
        try:
            with writing(self._connection, self._path, self._identity):
                yield
        except LostFileError as error:
            # Only this process can still read the file, so what it holds goes where the next start will look.
            kept = self.back_up(now)
            raise LostFileError(
                f"{error}; all answers are safe in {kept}. Close all windows of quiz and start it again"
                + (f", then bring them back with: quiz data restore {kept.name}" if self._path.exists() else "")
            ) from None

    def _mend_cards(self) -> None:
        with told(self._path):
            if self.read_only or cards_are_kept(self._connection):
                return
        self.rebuild()

    def _find(self, key: str) -> _Stored | None:
        row = self._connection.execute(FIND, (key,)).fetchone()
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
        row = self._connection.execute(APPEND, values).lastrowid
        self._connection.execute(KEEP, (stored.question, row, *card_values(after)))

    def _card_without(self, row: int, taken: Entry, stored: _Stored) -> Card:
        """The card once the answer or act in that row no longer counts."""
        history = list(self._links(stored.latest))
        later = [one for one in history if one.id > row]
        if not any(one.live or (one.undoes is not None and one.undoes < row) for one in later):
            return taken.before
        left = [entry(self._connection, self._path, one.id) for one in reversed(history) if one.live and one.id != row]
        return replayed(taken.key, left, self._parameters)

    def _links(self, latest: int | None) -> Iterator[Link]:
        return links(self._connection, self._path, latest)

    def _pages(self, where: str) -> Iterator[Entry]:
        return self._legible(pages(self._connection, self._path, where))

    def _entries_of(self, key: str) -> Iterator[Entry]:
        with told(self._path):
            found = self._find(key)
            live = [row.id for row in self._links(found.latest if found else None) if row.live]
        for row in reversed(live):
            with told(self._path):
                one = self._connection.execute(f"SELECT {ENTRY} FROM {JOINED} WHERE review.id = ?", (row,)).fetchone()
            yield from self._legible([legible(one or ())])

    def _legible(self, entries: Iterable[Entry | None]) -> Iterator[Entry]:
        for one in entries:
            if one is None:
                self.skipped += 1
                suspect(self._path)
            else:
                yield one


def _moment_values(moment: Moment) -> tuple[int, int, int]:
    return ticks(moment.instant), moment.offset_minutes, moment.day
