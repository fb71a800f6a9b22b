"""The shipped and installed packs: what there is, and each question and lesson by its key.

Parsed packs are kept in a small SQLite file beside the data, so that a warm start reads neither YAML nor Pydantic.
The file is a cache: it may be deleted, and where it cannot be written an empty one in memory takes its place.
"""

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from quiz import paths
from quiz.bank.cache import open_cache, prepared, stamp_of
from quiz.errors import Fault, PackError, UsageError

if TYPE_CHECKING:
    from quiz.bank.pack import AnyQuestion, Lesson, Pack, PackHead

# The order in which a learner meets the shipped packs; others follow by name.
TEACHING_ORDER = ("head_dim", "divisibility", "gqa", "mla")
MODELS = "models"
_CATALOGUED = "key, pack, id, kind, depth, lesson, title, drawn, position, was"
# Older builds of SQLite take no more values in one statement.
_AT_ONCE = 900


# Named tuples: a data class takes half a millisecond to make, and every start makes these.
class Entry(NamedTuple):
    """A question as the catalogue knows it. ``position`` counts through the pack."""

    key: str
    pack: str
    id: str
    kind: str
    depth: str
    lesson: str | None
    title: str
    drawn: bool
    position: int
    was: tuple[str, ...] = ()


class LessonEntry(NamedTuple):
    """A lesson as the catalogue knows it."""

    id: str
    title: str


class PackEntry(NamedTuple):
    """A pack as the catalogue knows it. ``shipped`` packs come with the product."""

    id: str
    title: str
    version: str
    file: str
    shipped: bool
    lessons: tuple[LessonEntry, ...]


class Posed(NamedTuple):
    """A question with what it needs of its pack."""

    pack: "PackHead"
    question: "AnyQuestion"


class Library:
    """All packs that can be studied. ``faults`` are those of packs that could not be read; the others still work."""

    def __init__(self, shipped: Path, installed: Path, cache: Path) -> None:
        self.faults: tuple[Fault, ...] = ()
        self._folders = shipped, installed
        self._cache = cache
        self._database = open_cache(cache)
        try:
            self._refresh()
        except sqlite3.Error as error:
            self._do_without(error)
        self._heads: dict[str, PackHead] = {}
        self._posed: dict[str, Posed] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the cache."""
        self._database.close()

    def packs(self) -> list[PackEntry]:
        """The packs in teaching order."""
        rows = self._rows("SELECT id, title, version, file, shipped, lessons FROM pack")
        packs = [
            PackEntry(i, title, version, file, bool(shipped), tuple(LessonEntry(*pair) for pair in json.loads(lessons)))
            for i, title, version, file, shipped, lessons in rows
        ]
        return sorted(packs, key=lambda pack: _teaching_position(pack.id, pack.shipped))

    def entries(self, topics: Sequence[str] = ()) -> list[Entry]:
        """The questions of the topics (pack ids or ``pack/lesson``; none means all), in teaching order.

        Raises:
            UsageError: a topic names no pack or lesson.
        """
        self.check_topics(topics)
        rows = self._rows(f"SELECT {_CATALOGUED} FROM question")
        chosen = (entry for entry in map(_entry, rows) if not topics or _is_in(entry, topics))
        return self._in_order(chosen)

    def shortlist(self, asked: Collection[str], fresh: int, topics: Sequence[str] = ()) -> list[Entry]:
        """Of the questions of the topics, those ``asked`` before, and in each pack and depth the first ``fresh`` others
        by lesson and position, all in teaching order: what a queue can choose from, however large the packs are.

        Raises:
            UsageError: a topic names no pack or lesson.
        """
        self.check_topics(topics)
        chosen = [entry for entry in self._asked(list(asked)) if not topics or _is_in(entry, topics)]
        known = asked if isinstance(asked, set | dict) else set(asked)
        groups = self._rows("SELECT pack.id, json_each.value FROM pack, json_each(pack.depths)")
        for pack, depth in groups if fresh > 0 else []:
            named = [topic.partition("/")[2] for topic in topics if topic.partition("/")[0] == pack]
            if topics and not named:
                continue
            within = "" if not named or "" in named else f" AND lesson IN ({', '.join('?' * len(named))})"
            where = f"pack = ? AND depth = ?{within} ORDER BY start, position LIMIT ?"
            values = (pack, depth, *(named if within else ()), fresh + len(known))
            rows = self._rows(f"SELECT {_CATALOGUED} FROM question WHERE {where}", values)
            chosen += map(_entry, islice((row for row in rows if row[0] not in known), fresh))
        return self._in_order(chosen)

    def renamed(self) -> dict[str, str]:
        """Present keys by former ones, of questions whose id changed."""
        return dict(self._rows("SELECT key, present FROM former"))

    def check_topics(self, topics: Sequence[str]) -> None:
        """See that all topics are there: pack ids, or ``pack/lesson``.

        Raises:
            UsageError: one names no pack or lesson.
        """
        known = [name for pack in self.packs() for name in (pack.id, *(f"{pack.id}/{one.id}" for one in pack.lessons))]
        for topic in topics:
            if topic not in known:
                raise UsageError(f"no topic {topic!r}; there are {', '.join(known) or 'none'}")

    def totals(self) -> dict[str, int]:
        """How many questions each pack has, in teaching order."""
        counts = dict(self._rows("SELECT id, questions FROM pack"))
        return {pack.id: counts[pack.id] for pack in self.packs()}

    def _asked(self, keys: Sequence[str]) -> Iterator[Entry]:
        for first in range(0, len(keys), _AT_ONCE):
            some = [key for key in keys[first : first + _AT_ONCE] if _is_text(key)]
            places = ", ".join("?" * len(some))
            yield from map(_entry, self._rows(f"SELECT {_CATALOGUED} FROM question WHERE key IN ({places})", some))

    def _in_order(self, entries: Iterable[Entry]) -> list[Entry]:
        order = {pack.id: index for index, pack in enumerate(self.packs())}
        return sorted(entries, key=lambda entry: (order[entry.pack], entry.position))

    def posed(self, key: str) -> Posed:
        """The question of that key.

        Raises:
            UsageError: there is no such question; names the nearest ones.
        """
        if key not in self._posed:
            from pydantic import TypeAdapter

            from quiz.bank.pack import AnyQuestion

            known = key if _is_text(key) else ""
            found = self._rows("SELECT pack, body FROM question WHERE key = ?", (known,))
            if not found:
                raise UsageError(f"no question {key!r}{self._nearest(key)}; `quiz list` shows them all")
            ((pack, body),) = found
            question: AnyQuestion = TypeAdapter(AnyQuestion).validate_json(body)
            self._posed[key] = Posed(self._head(pack), question)
        return self._posed[key]

    def lesson(self, pack: str, lesson: str) -> "Lesson":
        """A lesson by its pack and id.

        Raises:
            UsageError: there is no such lesson.
        """
        found = next((one for one in self._head(pack).lessons if one.id == lesson), None)
        if found is None:
            raise UsageError(f"no lesson {lesson!r} in the pack {pack!r}")
        return found

    def models(self) -> Mapping[str, Mapping[str, int | str]]:
        """The real models' numbers that packs may draw from and lessons cite."""
        found = self._rows("SELECT body FROM models")
        models: dict[str, dict[str, int | str]] = json.loads(found[0][0]) if found else {}
        return models

    def _head(self, pack: str) -> "PackHead":
        if pack not in self._heads:
            from quiz.bank.pack import PackHead

            found = self._rows("SELECT head FROM pack WHERE id = ?", (pack,))
            if not found:
                raise UsageError(f"no pack {pack!r}; there are {', '.join(one.id for one in self.packs())}")
            self._heads[pack] = PackHead.model_validate_json(found[0][0])
        return self._heads[pack]

    def _nearest(self, key: str) -> str:
        from difflib import get_close_matches

        keys = [row[0] for row in self._rows("SELECT key FROM question")]
        close = get_close_matches(key, keys, n=3)
        return f"; did you mean {' or '.join(close)}" if close else ""

    def _do_without(self, error: sqlite3.Error) -> None:
        """The cache is damaged, locked for long, or on a disk that takes nothing: read the packs into memory, and mend
        the file where that helps."""
        self._database.close()
        if not isinstance(error, sqlite3.OperationalError):
            with suppress(OSError):
                self._cache.unlink()
        self._database = prepared(None)
        self._refresh()

    def _rows(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        try:
            return self._database.execute(query, values).fetchall()
        except sqlite3.DatabaseError as error:
            # A page may turn out to be damaged as late as this.
            self._do_without(error)
            return self._database.execute(query, values).fetchall()

    def _refresh(self) -> None:
        """Bring the cache up to the files: parse what changed, forget what vanished. Of files that claim the same id
        the first one has it: shipped before installed, then by name."""
        shipped, installed = self._folders
        files = {str(path): (path, True) for path in pack_files(shipped)}
        files |= {str(path): (path, False) for path in pack_files(installed)}
        with self._database:
            kept = dict(self._database.execute("SELECT file, stamp FROM pack").fetchall())
            for gone in kept.keys() - files.keys():
                self._forget(gone)
            for (gone,) in self._database.execute("SELECT file FROM broken").fetchall():
                if gone not in files:
                    self._database.execute("DELETE FROM broken WHERE file = ?", (gone,))
            faults: list[Fault] = []
            settled: set[str] = set()
            for name, (path, is_shipped) in files.items():
                stamp = stamp_of(path, self._database)
                if kept.get(name) != stamp:
                    self._forget(name)
                    faults += self._take_in(path, stamp, is_shipped, settled, kept)
                settled.add(name)
            self.faults = tuple(faults)
            self._refresh_models(shipped / f"{MODELS}.yaml")

    def _refresh_models(self, path: Path) -> None:
        row = self._database.execute("SELECT stamp FROM models").fetchone()
        stamp = stamp_of(path, self._database)
        if row is None or row[0] != stamp:
            from quiz.bank.reader import read_models

            self._database.execute("DELETE FROM models")
            self._database.execute("INSERT INTO models VALUES (?, ?)", (stamp, json.dumps(read_models(path))))

    def _forget(self, file: str) -> None:
        for table in ("question", "former"):
            where = "pack IN (SELECT id FROM pack WHERE file = ?)"
            self._database.execute(f"DELETE FROM {table} WHERE {where}", (file,))
        self._database.execute("DELETE FROM pack WHERE file = ?", (file,))

    def _take_in(
        self, path: Path, stamp: str, is_shipped: bool, settled: Collection[str], kept: dict[str, str]
    ) -> Iterable[Fault]:
        """Parse a file. ``settled`` files come before it; one of ``kept`` that comes after it gives up its id."""
        broken = self._database.execute("SELECT faults FROM broken WHERE file = ? AND stamp = ?", (str(path), stamp))
        if found := broken.fetchone():
            return [Fault(*fields) for fields in json.loads(found[0])]
        from quiz.bank.reader import read_pack

        try:
            located = read_pack(path)
        except PackError as error:
            row = str(path), stamp, json.dumps([astuple(fault) for fault in error.faults])
            self._database.execute("INSERT OR REPLACE INTO broken VALUES (?, ?, ?)", row)
            return error.faults
        pack = located.pack
        other = self._database.execute("SELECT file FROM pack WHERE id = ?", (pack.pack,)).fetchone()
        if other is not None and other[0] in settled:
            line, column = located.where("pack")
            message = f"the pack id {pack.pack!r} is already taken by {other[0]}"
            return [Fault(str(path), line, column, "duplicate-pack", message, "give one of the two another id")]
        if other is not None:
            self._forget(other[0])
            kept.pop(other[0], None)
        self._database.execute(
            "INSERT INTO pack VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                str(path),
                stamp,
                pack.pack,
                pack.title,
                pack.version,
                is_shipped,
                len(pack.questions),
                json.dumps(sorted({question.depth for question in pack.questions})),
                json.dumps([(lesson.id, lesson.title) for lesson in pack.lessons]),
                pack.model_dump_json(exclude={"questions"}, by_alias=True),
            ),
        )
        self._database.executemany(
            "INSERT INTO question VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", list(_question_rows(pack))
        )
        self._database.executemany(
            "INSERT INTO former VALUES (?, ?, ?)",
            [(f"{pack.pack}/{old}", f"{pack.pack}/{one.id}", pack.pack) for one in pack.questions for old in one.was],
        )
        return []


def open_library(data: Path) -> Library:
    """The shipped packs and those installed in the learner's folder."""
    return Library(paths.content_dir(), paths.installed_packs_dir(data), paths.catalogue_cache(data))


def pack_files(folder: Path) -> list[Path]:
    """The packs in a folder, by name; the models' numbers, `models.yaml`, are not a pack."""
    found = [*folder.glob("*.yaml"), *folder.glob("*.yml")] if folder.is_dir() else []
    return sorted(path for path in found if path.stem != MODELS and path.is_file() and _is_text(str(path)))


def _is_text(name: str) -> bool:
    """Whether a file's name can be written down; Linux allows any bytes in it."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def title_of(question_id: str) -> str:
    """An id as a short title: ``cache-bytes-per-token`` reads "cache bytes per token"."""
    return question_id.replace("-", " ").replace("_", " ")


def _question_rows(pack: "Pack") -> Iterable[tuple[object, ...]]:
    starts: dict[str, int] = {}
    for position, question in enumerate(pack.questions):
        yield (
            f"{pack.pack}/{question.id}",
            pack.pack,
            question.id,
            question.kind,
            question.depth,
            question.lesson,
            title_of(question.id),
            bool(question.draw),
            position,
            starts.setdefault(question.lesson, position) if question.lesson else position,
            json.dumps(question.was),
            question.model_dump_json(by_alias=True),
        )


def _entry(row: tuple[Any, ...]) -> Entry:
    key, pack, name, kind, depth, lesson, title, drawn, position, was = row
    return Entry(
        key,
        pack,
        name,
        kind,
        depth,
        lesson,
        title,
        bool(drawn),
        position,
        () if was == "[]" else tuple(json.loads(was)),
    )


def _is_in(entry: Entry, topics: Sequence[str]) -> bool:
    return entry.pack in topics or f"{entry.pack}/{entry.lesson}" in topics


def _teaching_position(pack: str, shipped: bool) -> tuple[int, str]:
    known = shipped and pack in TEACHING_ORDER
    return (TEACHING_ORDER.index(pack) if known else len(TEACHING_ORDER), pack)
