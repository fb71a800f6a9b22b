"""The shipped and installed packs: what there is, and each question and lesson by its key.

Parsed packs are kept in a small SQLite file beside the data, so that a warm start reads neither YAML nor Pydantic.
The file is a cache: it may be deleted, and where it cannot be written an empty one in memory takes its place.
"""

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

from quiz import paths
from quiz.bank.cache import CACHE_FORMAT, forget, open_cache, prepared, put, stamp_of
from quiz.bank.catalogue import ENTRY, Entry, LessonEntry, PackEntry, entry_of
from quiz.bank.unmet import Past, first_unmet
from quiz.errors import Fault, NoTopicError, PackError, UsageError

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from quiz.bank.pack import AnyQuestion, Lesson, PackHead, Source
    from quiz.bank.reader import Located

# The order in which a learner meets the shipped packs; others follow by name.
TEACHING_ORDER = ("head_dim", "divisibility", "gqa", "mla")
MODELS = "models"
# Older builds of SQLite take no more values in one statement.
_AT_ONCE = 900
# So many keys are looked for in the whole list.
_MANY = 2000


_T = TypeVar("_T")


class Posed(NamedTuple):
    """A question with what it needs of its pack."""

    pack: "PackHead"
    question: "AnyQuestion"


class Library:
    """All packs that can be studied. ``faults`` are those of packs that could not be read; the others still work.

    Packs that were ``read`` already, by the fingerprints of their files, need not be read again.
    """

    def __init__(
        self, shipped: Path, installed: Path, cache: Path, read: "Mapping[str, Located] | None" = None
    ) -> None:
        self.faults: tuple[Fault, ...] = ()
        self._read = read or {}
        self._folders = shipped, installed
        self._cache = cache
        self._database = open_cache(cache)
        try:
            self._refresh()
        except sqlite3.Error as error:
            self._do_without(error)
        self._heads: dict[str, PackHead] = {}
        self._posed: dict[str, Posed] = {}
        self._models: dict[str, dict[str, int | str]] | None = None

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
        rows = self._rows(f"SELECT {ENTRY} FROM question")
        chosen = (entry for entry in map(entry_of, rows) if not topics or _is_in(entry, topics))
        return self.in_order(chosen)

    def of(self, keys: Collection[str], topics: Sequence[str] = ()) -> list[Entry]:
        """The questions with these keys, as far as they are there and of the topics, in teaching order.

        Raises:
            UsageError: a topic names no pack or lesson.
        """
        self.check_topics(topics)
        if len(keys) > _MANY:
            found = self._rows(f"SELECT {ENTRY} FROM question")
            entries = [entry_of(row) for row in found if row[0] in keys]
        else:
            entries = [entry_of(row) for row in self._rows_of([key for key in keys if _is_text(key)])]
        return self.in_order(entry for entry in entries if not topics or _is_in(entry, topics))

    def unmet(self, past: Past, most: int, topics: Sequence[str] = ()) -> list[Entry]:
        """What a queue needs to know of new questions, however large the packs are: in each pack and depth of the
        topics, by lesson and position, the first ``most`` that were not met; and the first question of each of their
        lessons, since it says when the lesson comes.

        Raises:
            UsageError: a topic names no pack or lesson.
        """
        self.check_topics(topics)
        found: list[Entry] = []
        stretches = "SELECT pack.id, json_each.value, stamp FROM pack, json_each(pack.depths)"
        for pack, depth, stamp in self._rows(stretches) if most > 0 else ():
            named = [topic.partition("/")[2] for topic in topics if topic.partition("/")[0] == pack]
            if topics and not named:
                continue
            lessons = named if "" not in named else []
            keys = self._unmet(pack, depth, stamp, lessons, past, most)
            found += map(entry_of, (*self._rows_of(keys), *self._firsts(keys)))
        return found

    def _unmet(self, pack: str, depth: str, stamp: str, lessons: Sequence[str], past: Past, most: int) -> list[str]:
        """The first questions of a pack and depth that were not met, of those lessons or of all."""
        begin = past.reached(pack, depth, stamp)
        within = f" AND lesson IN ({_marks(lessons)})" if lessons else ""
        found = self._taken(
            "SELECT key, start, position FROM question WHERE pack = ? AND depth = ? AND (start, position) >= (?, ?)"
            f"{within} ORDER BY start, position",
            (pack, depth, *begin, *lessons),
            partial(first_unmet, past, most),
        )
        if not lessons and found.is_far:
            past.reach(pack, depth, stamp, found.reached)
        return found.keys

    def totals(self) -> dict[str, int]:
        """How many questions each pack has, in teaching order."""
        counts = dict(self._rows("SELECT id, questions FROM pack"))
        return {pack.id: counts[pack.id] for pack in self.packs()}

    def stamp(self) -> str:
        """Another one once any question has come, gone or moved."""
        packs = self._rows("SELECT id, shipped, stamp FROM pack ORDER BY id")
        return "\n".join((str(CACHE_FORMAT), *(" ".join(map(str, pack)) for pack in packs)))

    def renamed(self) -> dict[str, str]:
        """Present keys by former ones, of questions whose id changed."""
        return dict(self._rows("SELECT key, present FROM former"))

    def ideas(self, misconceptions: Collection[str]) -> dict[str, tuple[str, str]]:
        """What these misconceptions say and what is true instead, as far as a pack knows them."""
        said = self._rows(
            "SELECT one.key, json_extract(one.value, '$.says'), json_extract(one.value, '$.truth')"
            " FROM pack, json_each(pack.head, '$.misconceptions') AS one"
        )
        return {name: (says, truth) for name, says, truth in said if name in misconceptions}

    def check_topics(self, topics: Sequence[str]) -> None:
        """See that all topics are there: pack ids, or ``pack/lesson``.

        Raises:
            NoTopicError: one names no pack or lesson.
        """
        known = self.topics()
        for topic in topics:
            if topic not in known:
                raise NoTopicError(topic, _nearest_topic(topic, known))

    def topics(self) -> list[str]:
        """The names of all topics: packs, each followed by its lessons as ``pack/lesson``."""
        return [name for pack in self.packs() for name in (pack.id, *(f"{pack.id}/{one.id}" for one in pack.lessons))]

    def _rows_of(self, keys: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        for some in _batches(keys):
            yield from self._rows(f"SELECT {ENTRY} FROM question WHERE key IN ({_marks(some)})", some)

    def _firsts(self, keys: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """The first questions of the lessons of these."""
        columns = ", ".join(f"first.{column}" for column in ENTRY.split(", "))
        joined = "question AS one JOIN question AS first ON first.pack = one.pack AND first.position = one.start"
        for some in _batches(keys):
            yield from self._rows(f"SELECT {columns} FROM {joined} WHERE one.key IN ({_marks(some)})", some)

    def in_order(self, entries: Iterable[Entry]) -> list[Entry]:
        """The questions in teaching order, each once."""
        order = {pack.id: index for index, pack in enumerate(self.packs())}
        found = {(order[entry.pack], entry.position): entry for entry in entries}
        return [found[place] for place in sorted(found)]

    def posed(self, key: str) -> Posed:
        """The question of that key.

        Raises:
            UsageError: there is no such question; names what it is called now, or the nearest ones.
        """
        if key not in self._posed:
            known = key if _is_text(key) else ""
            found = self._rows("SELECT pack, body FROM question WHERE key = ?", (known,))
            if not found:
                if now := self._rows("SELECT present FROM former WHERE key = ?", (known,)):
                    raise UsageError(f"no question {key!r} any more; it is now called {now[0][0]}")
                raise UsageError(f"no question {key!r}{self._nearest(key)}; `quiz list` shows them all")
            ((pack, body),) = found
            self._posed[key] = Posed(self._head(pack), _validator().validate_json(body))
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

    def sources(self, pack: str, names: Iterable[str]) -> "list[Source]":
        """The sources of a pack by their ids.

        Raises:
            UsageError: there is no such pack.
        """
        known = self._head(pack).sources
        return [known[name] for name in names]

    def models(self) -> Mapping[str, Mapping[str, int | str]]:
        """The real models' numbers that packs may draw from and lessons cite."""
        if self._models is None:
            found = self._rows("SELECT body FROM models")
            self._models = json.loads(found[0][0]) if found else {}
        return self._models

    def _head(self, pack: str) -> "PackHead":
        if pack not in self._heads:
            from quiz.bank.pack import PackHead

            found = self._rows("SELECT head FROM pack WHERE id = ?", (pack,))
            if not found:
                raise UsageError(f"no pack {pack!r}; there are {', '.join(one.id for one in self.packs())}")
            self._heads[pack] = PackHead.model_validate_json(found[0][0])
        return self._heads[pack]

    def _nearest(self, key: str) -> str:
        from quiz.render.nearest import did_you_mean

        keys = [row[0] for row in self._rows("SELECT key FROM question")]
        of_its_pack = [one for one in keys if one.startswith(f"{key.partition('/')[0]}/")]
        near = did_you_mean(key, of_its_pack or keys)
        return f"; {near.removesuffix('?')}" if near else ""

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
        return self._taken(query, values, list)

    def _taken(self, query: str, values: Sequence[object], take: Callable[[Iterable[tuple[Any, ...]]], _T]) -> _T:
        """What is taken from the rows, which are read only as far as that needs them."""
        try:
            return take(self._database.execute(query, values))
        except sqlite3.DatabaseError as error:
            # A page may turn out to be damaged as late as this.
            self._do_without(error)
            return take(self._database.execute(query, values))

    def _refresh(self) -> None:
        """Bring the cache up to the files: parse what changed, forget what vanished. Of files that claim the same id
        the first one has it: shipped before installed, then by name."""
        shipped, installed = self._folders
        files = {str(path): (path, True) for path in pack_files(shipped)}
        files |= {str(path): (path, False) for path in pack_files(installed)}
        with self._database:
            kept = dict(self._database.execute("SELECT file, stamp FROM pack").fetchall())
            for gone in kept.keys() - files.keys():
                forget(self._database, gone)
            for (gone,) in self._database.execute("SELECT file FROM broken").fetchall():
                if gone not in files:
                    self._database.execute("DELETE FROM broken WHERE file = ?", (gone,))
            faults: list[Fault] = []
            settled: set[str] = set()
            for name, (path, is_shipped) in files.items():
                stamp = stamp_of(path, self._database)
                if kept.get(name) != stamp:
                    forget(self._database, name)
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

    def _take_in(
        self, path: Path, stamp: str, is_shipped: bool, settled: Collection[str], kept: dict[str, str]
    ) -> Iterable[Fault]:
        """Parse a file. ``settled`` files come before it; one of ``kept`` that comes after it gives up its id."""
        broken = self._database.execute("SELECT faults FROM broken WHERE file = ? AND stamp = ?", (str(path), stamp))
        if found := broken.fetchone():
            return [Fault(*fields) for fields in json.loads(found[0])]
        from quiz.bank.reader import read_pack

        try:
            located = self._read.get(stamp) or read_pack(path)
        except PackError as error:
            row = str(path), stamp, json.dumps(error.faults)
            self._database.execute("INSERT OR REPLACE INTO broken VALUES (?, ?, ?)", row)
            return error.faults
        pack = located.pack
        other = self._database.execute("SELECT file FROM pack WHERE id = ?", (pack.pack,)).fetchone()
        if other is not None and other[0] in settled:
            line, column = located.where("pack")
            message = f"the pack id {pack.pack!r} is already taken by {other[0]}"
            return [Fault(str(path), line, column, "duplicate-pack", message, "give one of the two another id")]
        if other is not None:
            forget(self._database, other[0])
            kept.pop(other[0], None)
        put(self._database, pack, str(path), stamp, is_shipped=is_shipped)
        return []


def open_library(data: Path, read: "Mapping[str, Located] | None" = None) -> Library:
    """The shipped packs and those installed in the learner's folder."""
    return Library(paths.content_dir(), paths.installed_packs_dir(data), paths.catalogue_cache(data), read)


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


@cache
def _validator() -> "TypeAdapter[AnyQuestion]":
    # Making one takes longer than all else about a question.
    from pydantic import TypeAdapter

    from quiz.bank.pack import AnyQuestion

    return TypeAdapter(AnyQuestion)


def _batches(keys: Sequence[str]) -> Iterator[Sequence[str]]:
    return (keys[first : first + _AT_ONCE] for first in range(0, len(keys), _AT_ONCE))


def _marks(values: Sequence[str]) -> str:
    return ", ".join("?" * len(values))


def _nearest_topic(topic: str, known: Sequence[str]) -> str | None:
    """The topic that was probably meant; of the same pack where there is such a pack."""
    from quiz.render.nearest import nearest

    of_its_pack = [one for one in known if one.startswith(f"{topic.partition('/')[0]}/")] if "/" in topic else []
    return nearest(topic, of_its_pack or known)


def _is_in(entry: Entry, topics: Sequence[str]) -> bool:
    return entry.pack in topics or f"{entry.pack}/{entry.lesson}" in topics


def _teaching_position(pack: str, shipped: bool) -> tuple[int, str]:
    known = shipped and pack in TEACHING_ORDER
    return (TEACHING_ORDER.index(pack) if known else len(TEACHING_ORDER), pack)
