"""The log as a set of entries that several devices add to: giving out what is in it, taking in what is not.

Entries are known by their UUIDs, and what a question's card is depends on the set of its entries alone. So it does not
matter in which order, or how often, the logs of several devices come together: all end with the same cards.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, TypeAlias
from uuid import UUID

from quiz.memory.acts import Act, Entry, in_order, replayed
from quiz.memory.cards import Card
from quiz.memory.days import Moment
from quiz.memory.kept import KEEP
from quiz.memory.reading import JOINED, entry, links
from quiz.memory.review import Review, new_id
from quiz.memory.rows import (
    APPEND,
    CARD,
    ENTRY,
    KNOWN,
    NO_ANSWER,
    IllegibleError,
    Row,
    Value,
    answer_values,
    card_of,
    card_values,
    entry_of,
    moment_of,
    ticks,
)
from quiz.memory.schedule import Parameters
from quiz.memory.storage import suspect, told

# Older builds of SQLite take no more values in one statement than 999.
_PAGE = 900
_HEADS = (
    "SELECT review.id, review.uuid, device.uuid FROM review JOIN device ON device.id = review.device"
    f" WHERE review.id > ? AND review.act IS NOT 'merge' ORDER BY review.id LIMIT {_PAGE}"
)
_ENTRIES = (
    f"SELECT review.id, target.uuid, {ENTRY} FROM {JOINED} LEFT JOIN review AS target ON target.id = review.undoes"
    " WHERE review.id IN ({}) ORDER BY review.id"
)


@dataclass(frozen=True, slots=True)
class Undo:
    """The taking back of an answer or an act; ``undoes`` is the UUID of what no longer counts."""

    id: str
    key: str
    undoes: str
    moment: Moment
    sitting: str
    device: str


Shared: TypeAlias = Review | Act | Undo


class _End(NamedTuple):
    """The row of a question's merge, and what the last of its entries is sorted by."""

    row: int
    last: tuple[datetime, str]


class Union:
    """A log, open to be merged; see `ReviewLog.union`. ``names`` are present keys by former ones.

    ``waiting`` are undos of what is not in the log yet. They are tried again with all that is taken in later.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        path: Path,
        writing: Callable[[datetime], AbstractContextManager[None]],
        device: str,
        parameters: Parameters,
        names: Mapping[str, str],
    ) -> None:
        self._connection = connection
        self._path = path
        self._writing = writing
        self._parameters = parameters
        self._names = names
        self._known: set[bytes] = set()
        self._seen = self._merged = 0
        self._ends: dict[int, _End] = {}
        self.device = device
        self.waiting: list[Undo] = []
        with told(path):
            self._look()

    def __len__(self) -> int:
        """How many rows the log has, merges included."""
        return len(self._known)

    def __contains__(self, uuid: UUID) -> bool:
        """Whether the log holds the entry with this UUID."""
        return uuid.bytes in self._known

    def take_in(self, entries: Iterable[Shared], moment: Moment, sitting: str) -> int:
        """Append, in one transaction, those of the entries that the log lacks; how many there were.

        They stay as they were lived elsewhere. After them each of their questions gets a merge: an act that makes its
        card anew from all there is of it. So do questions that were answered here while the clock went back, if that
        changes their card: other devices replay such answers by the clock, and all are to have the same cards.
        """
        with self._writing(moment.instant):
            self._look()
            merge = _Merge(self._connection, self._path, self._parameters, self._names, self._ends)
            merge.doubt(self._merged)
            fresh: dict[bytes, Shared] = {}
            for one in [*self.waiting, *entries]:
                uuid = UUID(one.id).bytes
                if uuid not in self._known:
                    fresh.setdefault(uuid, one)
            merge.look_for({UUID(one.undoes).bytes for one in fresh.values() if isinstance(one, Undo)})
            # In their order, so that an undo still takes back the last of its sitting, for the sums' sake.
            waiting = [undo for one in fresh.values() if (undo := merge.append(one)) is not None]
            # What they take back may have come after them, from another file.
            waiting = [undo for one in waiting if (undo := merge.append(one)) is not None]
            merge.finish(self.device, moment, sitting)
        self._known |= fresh.keys() - {UUID(one.id).bytes for one in waiting}
        self._ends |= merge.ends
        self.waiting = waiting
        return len(fresh) - len(waiting)

    def remake(self, keys: Iterable[str], moment: Moment, sitting: str) -> None:
        """Make the cards of these questions anew, where a replay gives others than they are."""
        with self._writing(moment.instant):
            self._look()
            merge = _Merge(self._connection, self._path, self._parameters, self._names, self._ends)
            merge.doubt_cards(keys)
            merge.finish(self.device, moment, sitting)

    def entries(self, wanted: Callable[[bytes, str], bool] | None = None) -> Iterator[Shared]:
        """All that is in the log, as it was appended, or what is ``wanted`` of it by UUID and device. Rows that are
        illegible are left out, and the file is looked at closely at the next start."""
        after = 0
        while True:
            with told(self._path):
                heads = self._connection.execute(_HEADS, (after,)).fetchall()
                rows = [row for row, uuid, device in heads if wanted is None or wanted(uuid, device)]
                marks = ", ".join("?" * len(rows))
                found = self._connection.execute(_ENTRIES.format(marks), rows).fetchall() if rows else []
            for one in found:
                try:
                    yield _shared(one)
                except IllegibleError:
                    suspect(self._path)
            if len(heads) < _PAGE:
                return
            after = heads[-1][0]

    def _look(self) -> None:
        """Learn of the rows that came since the last look, from here or from another window."""
        rows = self._connection.execute("SELECT id, uuid, act FROM review WHERE id > ? ORDER BY id", (self._seen,))
        for row, uuid, act in rows:
            self._known.add(uuid)
            self._seen = row
            if act == "merge":
                self._merged = row


class _Merge:
    """What one transaction appends. ``ends`` are where it ends; of ``known`` ends, those of the merges before it, what
    is later goes on from the card as it is."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        path: Path,
        parameters: Parameters,
        names: Mapping[str, str],
        known: Mapping[int, _End],
    ) -> None:
        self._connection = connection
        self._path = path
        self._parameters = parameters
        self._names = names
        self._known = known
        self.ends: dict[int, _End] = {}
        # Rows and keys of what an undo may take back, by UUID.
        self._there: dict[bytes, tuple[int, str]] = {}
        self._numbers: dict[tuple[str, ...], int] = {}
        self._latest: dict[int, int | None] = {}
        self._first: dict[int, int | None] = {}
        self._keys: dict[int, str] = {}
        # Questions that something was appended to, with the answers and acts, or None after an undo; and questions
        # whose card may be another than a replay gives.
        self._touched: dict[int, list[Entry] | None] = {}
        self._doubtful: dict[int, None] = {}

    def look_for(self, wanted: Set[bytes]) -> None:
        """Find the rows with these UUIDs, which undos take back."""
        if wanted:
            # In one go, since there is no index: that would cost a random page with every answer.
            rows = self._connection.execute(
                "SELECT uuid, review.id, key FROM review JOIN question ON question.id = review.question"
                " WHERE undoes IS NULL AND act IS NOT 'merge'"
            )
            self._there = {uuid: (row, key) for uuid, row, key in rows if uuid in wanted}

    def append(self, one: Shared) -> Undo | None:
        """Append an entry as it was lived; an undo comes back if what it takes back is not there."""
        if isinstance(one, Undo):
            return self._append_undo(one)
        # Another device may still have the pack in which the question had its former name.
        key = self._names.get(one.key, one.key)
        if key != one.key:
            one = one._replace(key=key, before=one.before._replace(key=key), after=one.after._replace(key=key))
        if isinstance(one, Review):
            edition = self._number("edition", pack=one.pack, version=one.pack_version)
            answer: tuple[Value, ...] = (edition, *answer_values(one))
            act = None
        else:
            answer = (None, *(KNOWN if one.act == "known" else NO_ANSWER))
            act = one.act
        question = self._question(key)
        later = self._touched.setdefault(question, [])
        if later is not None:
            later.append(one)
        row = self._row(one, question, (None, act), (one.before, one.after), answer)
        self._there[UUID(one.id).bytes] = row, key
        return None

    def _append_undo(self, undo: Undo) -> Undo | None:
        target, key = self._there.get(UUID(undo.undoes).bytes, (None, ""))
        if target is None:
            return undo
        question = self._question(key)
        # What it does to the card is the merge's to say.
        before = self._card(question)
        self._touched[question] = None
        self._row(undo, question, (target, None), (before, before), (None, *NO_ANSWER))
        return None

    def doubt(self, merged: int) -> None:
        """Look again at the questions with a row, after the row ``merged``, that is older than one before it."""
        # The instant of a merge says nothing of what it merged.
        rows = self._connection.execute(
            "SELECT review.question, key, latest, max(review.instant < last.instant)"
            " FROM review JOIN review AS last ON last.id = review.previous"
            " JOIN question ON question.id = review.question JOIN card ON card.question = review.question"
            " WHERE review.id > ? AND (review.instant < last.instant OR last.act = 'merge') GROUP BY review.question",
            (merged,),
        ).fetchall()
        for question, key, latest, older in rows:
            self._latest[question] = self._first[question] = latest
            self._keys[question] = key
            if older or any(later < earlier for earlier, later in pairwise(map(in_order, self._live(question)))):
                self._doubtful[question] = None

    def doubt_cards(self, keys: Iterable[str]) -> None:
        """Look again at the questions with these keys."""
        self._doubtful |= dict.fromkeys(map(self._question, keys))

    def finish(self, device: str, moment: Moment, sitting: str) -> None:
        """Append a merge to each question, with its card made anew."""
        for question in self._touched | self._doubtful:
            key, before = self._keys[question], self._card(question)
            after, last = self._replayed(question, before)
            if question not in self._touched and before == after:
                continue
            act = Act(new_id(), key, "merge", moment, sitting, device, before, after)
            row = self._row(act, question, (None, "merge"), (before, after), (None, *NO_ANSWER))
            self._connection.execute(KEEP, (question, row, *card_values(after)))
            if last is not None:
                self.ends[question] = _End(row, last)

    def _row(
        self,
        one: Shared,
        question: int,
        kind: tuple[int | None, str | None],
        cards: tuple[Card, Card],
        answer: tuple[Value, ...],
    ) -> int:
        values = (
            UUID(one.id).bytes,
            *kind,
            self._latest[question],
            question,
            self._number("device", uuid=one.device),
            self._number("sitting", uuid=one.sitting),
            *(ticks(one.moment.instant), one.moment.offset_minutes, one.moment.day),
            *card_values(cards[0]),
            *card_values(cards[1]),
            *answer,
        )
        row = self._connection.execute(APPEND, values).lastrowid or 0
        self._latest[question] = row
        return row

    def _question(self, key: str) -> int:
        question = self._number("question", key=key)
        if question not in self._keys:
            found = self._connection.execute("SELECT latest FROM card WHERE question = ?", (question,)).fetchone()
            self._keys[question], self._latest[question] = key, found and found[0]
            self._first[question] = self._latest[question]
        return question

    def _card(self, question: int) -> Card:
        key = self._keys[question]
        found = self._connection.execute(
            f"SELECT {', '.join(CARD)} FROM card WHERE question = ?", (question,)
        ).fetchone()
        return card_of(key, found) if found else Card(key)

    def _replayed(self, question: int, before: Card) -> tuple[Card, tuple[datetime, str] | None]:
        """The card that all there is of the question leads to, and what the last of it is sorted by."""
        key, appended, first = self._keys[question], self._touched.get(question), self._first[question]
        end = self._known.get(question)
        if appended and (first is None or (end and end.row == first and end.last < min(map(in_order, appended)))):
            return replayed(key, appended, self._parameters, before), max(map(in_order, appended))
        live = self._live(question)
        return replayed(key, live, self._parameters), max(map(in_order, live), default=None)

    def _live(self, question: int) -> list[Entry]:
        history = links(self._connection, self._path, self._latest[question])
        rows = [link.id for link in history if link.live and link.act != "merge"]
        return [entry(self._connection, self._path, row) for row in reversed(rows)]

    def _number(self, table: str, **values: str) -> int:
        """The id of a row with these values, entered if there is none."""
        known = (table, *values.values())
        if known not in self._numbers:
            columns, asked = ", ".join(values), tuple(values.values())
            marks = ", ".join("?" * len(asked))
            self._connection.execute(f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({marks})", asked)
            where = " AND ".join(f"{name} = ?" for name in values)
            found = self._connection.execute(f"SELECT id FROM {table} WHERE {where}", asked).fetchone()
            self._numbers[known] = int(found[0])
        return self._numbers[known]


def _shared(row: Row) -> Shared:
    """The entry of a row of the log.

    Raises:
        IllegibleError: it holds what was never written.
    """
    _, target, *values = row
    if target is None:
        return entry_of(tuple(values))
    _, uuid, key, _, _, sitting, device = values[:7]
    try:
        return Undo(
            str(UUID(bytes=uuid)), key, str(UUID(bytes=target)), moment_of(*values[7:10]), str(sitting), str(device)
        )
    except (TypeError, ValueError) as error:
        raise IllegibleError(f"no undo: {error}") from error
