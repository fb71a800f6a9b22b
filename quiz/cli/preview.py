"""The command that shows a pack's lessons and questions as a learner will see them, again at every save if asked."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, takewhile
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import click

from quiz.cli import watching
from quiz.cli.printing import (
    LARGEST_SEED,
    as_json,
    packs_of,
    print_json_list,
    say,
    seed_or_fresh,
    variant_lines,
    with_seed,
)
from quiz.cli.watching import Content, Part, contents, fitted, in_view
from quiz.errors import Fault, PackError, QuizError, UsageError
from quiz.render.printable import printable

if TYPE_CHECKING:
    from quiz.bank.library import Library
    from quiz.bank.pack import AnyQuestion, Lesson, Pack
    from quiz.bank.reader import Reading
    from quiz.problem.variant import Variant

MOST_VARIANTS = 1000
# So many faults stand below what is shown while a file is watched.
MOST_FAULTS = 4


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to show: a file's lessons and questions, or one of them; questions for some seeds each."""

    file: Path
    part: Part | None
    seeds: tuple[int, ...]
    models: Mapping[str, Mapping[str, int | str]]


@dataclass(frozen=True, slots=True)
class Shown:
    """A lesson, or a question in some variants: as lines, and as ``--json`` gives them."""

    lines: list[str]
    documents: list[dict[str, Any]]


@click.command("preview")
@click.argument("target", metavar="KEY|FILE")
@click.option("--question", metavar="ID", help="Only this question of FILE.")
@click.option("--lesson", metavar="ID", help="Only this lesson of FILE.")
@with_seed
@click.option("--count", type=click.IntRange(1, MOST_VARIANTS), default=1, help="How many variants of each question.")
@click.option("--watch", is_flag=True, help="Show what you edit whenever the file is saved, until Ctrl+C.")
@as_json
@click.pass_obj
def preview(
    home: Path | None,
    target: str,
    question: str | None,
    lesson: str | None,
    seed: int | None,
    count: int,
    watch: bool,
    as_json: bool,
) -> int:
    """Show lessons, and questions with answer, steps and what is said to each mistake, as a learner sees them.

    FILE is a pack; KEY is pack/question, or a pack, of those that are shipped or installed. With --json the
    questions are printed or, with --lesson, that lesson.
    """
    if question is not None and lesson is not None:
        raise UsageError("--question and --lesson ask for two things; choose one")
    with packs_of(home) as library:
        part: Part | None = ("question", question) if question is not None else None
        file, part = _found(library, target, part if lesson is None else ("lesson", lesson))
        first = seed_or_fresh(seed)
        seeds = tuple((first + step) % (LARGEST_SEED + 1) for step in range(count))
        wanted = Wanted(file, part, seeds, library.models())
    if not watch:
        return _show_file(wanted, as_json)
    if as_json or not sys.stdout.isatty():
        _watch_stream(wanted, as_json)
    else:
        _watch_screen(wanted)
    return 0


def _found(library: "Library", target: str, part: Part | None) -> tuple[Path, Part | None]:
    """The file that is meant and, where only one is, its lesson or question."""
    path = Path(target)
    if path.is_file():
        return path, part
    if path.suffix in (".yaml", ".yml"):
        raise UsageError(f"there is no file {path}")
    pack, slash, name = target.partition("/")
    entry = next((one for one in library.packs() if one.id == pack), None)
    if slash:
        library.posed(target)  # names the nearest where there is none
    if entry is None:
        known = ", ".join(one.id for one in library.packs())
        raise UsageError(f"{target!r} is neither a file nor a pack; there are {known}")
    if slash and part not in (None, ("question", name)):
        raise UsageError(f"{target} is one question already; leave out --{part[0] if part else ''}")
    return Path(entry.file), ("question", name) if slash else part


def _show_file(wanted: Wanted, as_json: bool) -> int:
    """Show what is wanted and sound, and say what is not."""
    from quiz.bank.reader import read_partly

    reading = read_partly(wanted.file)
    unshown: list[str] = []
    shown = _all_shown(reading, wanted, unshown)
    if as_json:
        print_json_list(one for part, some in shown if part[0] == "question" or wanted.part for one in some.documents)
    else:
        for _, some in shown:
            say("\n".join([*some.lines, ""]))
    _complain(*unshown)
    if wanted.part is None:
        _complain(*map(str, reading.faults))
        return 1 if reading.faults or unshown else 0
    if reading.faults:
        _complain(f"{_errors(reading.faults)} elsewhere in this pack; `quiz pack check {wanted.file}` says which")
    return 1 if unshown else 0


def _all_shown(reading: "Reading", wanted: Wanted, unshown: list[str]) -> Iterator[tuple[Part, Shown]]:
    """The lessons and questions to show, one by one, and why some cannot be shown."""
    for part, content in _contents(reading, wanted):
        try:
            yield part, _shown(reading.located.pack, content.of, wanted)
        except QuizError as error:
            unshown.append(_unshown(part, error, wanted.file))


def _contents(reading: "Reading", wanted: Wanted) -> Iterator[tuple[Part, Content]]:
    """The lessons and questions that are wanted.

    Raises:
        PackError: nothing sound is left to show.
        UsageError: there is no such part.
    """
    pack = reading.located.pack
    found = ((part, content) for part, content in contents(pack) if wanted.part in (None, part))
    if first := next(found, None):
        return chain([first], found)
    if wanted.part is None or reading.faults:
        raise PackError(reading.faults)
    what, name = wanted.part
    known = [one for (sort, one), _ in contents(pack) if sort == what]
    listed = f"; there are {', '.join(known[:12])}" if known else ""
    raise UsageError(f"no {what} {name!r} in {wanted.file}{listed}")


def _unshown(part: Part, error: QuizError, file: Path) -> str:
    return f"{part[1]}: {error}; `quiz pack check {file}` says more"


def _errors(faults: Sequence[Fault]) -> str:
    return "1 error" if len(faults) == 1 else f"{len(faults)} errors"


def _watch_stream(wanted: Wanted, as_json: bool) -> None:
    """Show everything that is wanted, one time after the other."""
    for _ in watching.saves(wanted.file, watching.pause):
        try:
            _show_file(wanted, as_json)
        except PackError as error:
            _complain(*map(str, error.faults))
        except QuizError as error:
            _complain(str(error))
        _complain(f"watching {wanted.file}; Ctrl+C ends it")


def _watch_screen(wanted: Wanted) -> None:
    """Show one lesson or question, as much of it as the screen holds, and below it the first faults."""
    from quiz.bank.reader import read_partly

    before: dict[Part, Content] = {}
    part = wanted.part
    for _ in watching.saves(wanted.file, watching.pause):
        lines: list[str] = []
        notes: list[str] = []
        try:
            located, faults = read_partly(wanted.file)
            now = dict(contents(located.pack))
            part = wanted.part or in_view(before, now, part)
            before = now
            notes = [str(fault) for fault in faults]
            if part in now:
                lines = _shown(located.pack, now[part].of, wanted).lines
            elif part is not None and not faults:
                notes = [f"there is no {part[0]} {part[1]!r} in {wanted.file}"]
        except PackError as error:
            notes = [str(fault) for fault in error.faults]
        except QuizError as error:
            notes.append(_unshown(part, error, wanted.file) if part else str(error))
        if len(notes) > MOST_FAULTS:
            notes[MOST_FAULTS:] = [f"{len(notes) - MOST_FAULTS} more: quiz pack check {wanted.file}"]
        alone = "" if wanted.part else "; the lesson or question that you edit is shown"
        notes.append(f"watching {wanted.file}{alone}; Ctrl+C ends it")
        width, height = get_terminal_size()
        below = sum(-(-len(f"quiz: {note}") // width) for note in notes)
        click.clear()
        if lines:
            # One row stays for the cursor.
            say("\n".join(fitted([printable(line) for line in lines], width, height - below - 1)))
        _complain(*notes)


def _shown(pack: "Pack", content: "Lesson | AnyQuestion", wanted: Wanted) -> Shown:
    from quiz.bank.pack import Lesson
    from quiz.cli import documents
    from quiz.cli.learn import lesson_document, lesson_lines
    from quiz.problem.drawing import draw

    if isinstance(content, Lesson):
        sources = [pack.sources[one] for one in content.sources if one in pack.sources]
        key = f"{pack.pack}/{content.id}"
        lines = [f"{key} · lesson", *lesson_lines(content, sources)]
        return Shown(lines, [lesson_document(key, content, sources)])
    # Without a draw there is one variant, however many are asked for.
    seeds = wanted.seeds if content.draw else wanted.seeds[:1]
    variants = [draw(pack, content, seed, wanted.models) for seed in seeds]
    lines = [line for variant in variants for line in _told(variant)]
    return Shown(lines, [documents.asked(variant) for variant in variants])


def _told(variant: "Variant") -> Iterator[str]:
    """The question with its answer, and what a learner is told on the way and afterwards."""
    yield from variant_lines(variant, hide_answer=False)
    if len(variant.accept) > 1:
        yield f"  Also accepted: {', '.join(variant.accept[1:])}"
    for number, hint in enumerate(variant.hints, start=1):
        yield f"  Hint {number}: {hint}"
    for typed in _worth_typing(variant):
        yield from _feedback(variant, typed)
    for point in variant.rubric:
        yield f"  Rubric: {point.point} ({point.weight})"
    for flag in variant.red_flags:
        yield f"  Red flag: {flag}"
    for source in variant.sources:
        yield f"  Source: {source}"


def _worth_typing(variant: "Variant") -> Iterator[str]:
    from quiz.render.numbers import show_quantity, show_shape

    if variant.kind in ("choice", "stage"):
        yield variant.answer.display
    # A stage question gives a reason for each place that somebody might name.
    yield from (stage for stage in variant.why if stage != variant.answer.value)
    for mistake in variant.mistakes:
        value = mistake.value
        yield show_shape(value) if isinstance(value, tuple) else show_quantity(value, variant.unit)


def _feedback(variant: "Variant", typed: str) -> Iterator[str]:
    from quiz.problem.marking import mark

    first, *rest = mark(variant, typed).feedback.splitlines()
    yield f"  To {typed}: {first}"
    # The worked solution stands above, once for all mistakes.
    yield from (f"    {line}" for line in takewhile(lambda line: line != "Worked:", rest))


def _complain(*lines: str) -> None:
    for line in lines:
        click.echo(f"quiz: {printable(line)}", err=True)
