"""What is known of packs, lessons and questions without reading them: the catalogue's entries, and their rows."""

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from quiz.bank.pack import Pack

ENTRY = "key, pack, id, kind, depth, lesson, title, drawn, position, was"


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


def title_of(question_id: str) -> str:
    """An id as a short title: ``cache-bytes-per-token`` reads "cache bytes per token"."""
    return question_id.replace("-", " ").replace("_", " ")


def question_rows(pack: "Pack") -> Iterable[tuple[object, ...]]:
    """The rows of the table of questions: those of `ENTRY`, in the table's order, with the start of the lesson and the
    question itself."""
    starts: dict[str, int] = {}
    for position, (question, body) in enumerate(zip(pack.questions, pack.questions.bodies, strict=True)):
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
            body.decode(),
        )


def entry_of(row: tuple[Any, ...]) -> Entry:
    """The entry of a row of the columns `ENTRY`."""
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
