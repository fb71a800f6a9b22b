"""The command that shows lessons."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from quiz.cli.printing import as_json, packs_of, print_json, say, warn_of_faults
from quiz.errors import UsageError

if TYPE_CHECKING:
    from quiz.bank.library import Library
    from quiz.bank.pack import Lesson, Source, Worked


@click.command()
@click.argument("lesson", required=False, metavar="[LESSON]")
@as_json
@click.pass_obj
def learn(home: Path | None, lesson: str | None, as_json: bool) -> None:
    """Print a lesson (pack/lesson), or list the lessons: of a pack, or of all."""
    with packs_of(home) as library:
        warn_of_faults(library)
        if lesson is None or "/" not in lesson:
            _list(library, lesson, as_json)
            return
        library.check_topics([lesson])
        pack, _, name = lesson.partition("/")
        found = library.lesson(pack, name)
        sources = library.sources(pack, found.sources)
    if as_json:
        print_json(lesson_document(lesson, found, sources))
    else:
        say("\n".join(lesson_lines(found, sources)))


def _list(library: "Library", pack: str | None, as_json: bool) -> None:
    if pack is not None:
        library.check_topics([pack])
    rows = [
        {"lesson": f"{one.id}/{lesson.id}", "title": lesson.title}
        for one in library.packs()
        if pack in (None, one.id)
        for lesson in one.lessons
    ]
    if as_json:
        print_json(rows)
        return
    if not rows:
        raise UsageError(f"the pack {pack!r} has no lessons" if pack else "there are no lessons")
    width = max(len(row["lesson"]) for row in rows)
    for row in rows:
        say(f"{row['lesson']:<{width}}  {row['title']}")


def lesson_document(key: str, lesson: "Lesson", sources: "Sequence[Source]") -> dict[str, Any]:
    """`quiz learn LESSON --json`."""
    plain: dict[str, Any] = lesson.model_dump(mode="json", exclude={"id"})
    return {"lesson": key} | plain | {"sources": [source.model_dump(mode="json") for source in sources]}


def lesson_lines(lesson: "Lesson", sources: "Sequence[Source]") -> Iterator[str]:
    """The lesson as it stands on the screen; its body stays Markdown."""
    yield from (lesson.title, "", lesson.tldr.strip())
    if lesson.analogy:
        yield from ("", "A picture", lesson.analogy.strip())
    yield from ("", lesson.body.strip())
    parts = {
        "From real models": [f"- {_worked(worked)}" for worked in lesson.worked],
        "Where it stops being true": [f"- {one.when.strip()}: {one.because.strip()}" for one in lesson.exceptions],
        "Say it in sixty seconds": [f"{number}. {said.strip()}" for number, said in enumerate(lesson.talk_track, 1)],
        "Red flags": [f"- Not: {one.says.strip()}\n  But: {one.instead.strip()}" for one in lesson.red_flags],
        "Sources": [f"- {source.cited}" for source in sources],
    }
    for head, lines in parts.items():
        if lines:
            yield from ("", head, *lines)


def _worked(worked: "Worked") -> str:
    value = worked.value if isinstance(worked.value, str) else f"({', '.join(worked.value)})"
    note = f" ({worked.note.strip()})" if worked.note else ""
    return f"{worked.model}: {worked.quantity} = {value}{note}"
