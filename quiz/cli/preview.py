"""The command that shows a pack's questions as a learner will see them, again at every save if asked."""

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quiz.cli.printing import LARGEST_SEED, as_json, packs_of, print_json, say, seed_or_fresh, show_variant, with_seed
from quiz.errors import PackError, QuizError, UsageError
from quiz.render.printable import printable

if TYPE_CHECKING:
    from quiz.bank.library import Library
    from quiz.problem.variant import Variant

SECONDS_BETWEEN_LOOKS = 0.3
MOST_VARIANTS = 1000


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to show: a file's questions, or one of them, each for some seeds."""

    file: Path
    question: str | None
    seeds: tuple[int, ...]
    models: Mapping[str, Mapping[str, int | str]]


@click.command("preview")
@click.argument("target", metavar="KEY|FILE")
@click.option("--question", metavar="ID", help="Only this question of FILE.")
@with_seed
@click.option("--count", type=click.IntRange(1, MOST_VARIANTS), default=1, help="How many variants of each question.")
@click.option("--watch", is_flag=True, help="Show it again whenever the file is saved, until Ctrl+C.")
@as_json
@click.pass_obj
def preview(
    home: Path | None, target: str, question: str | None, seed: int | None, count: int, watch: bool, as_json: bool
) -> int:
    """Show questions as a learner sees them, with answer, steps and what is said to each mistake.

    FILE is a pack; KEY is pack/question, or a pack, of those that are shipped or installed.
    """
    with packs_of(home) as library:
        file, chosen = _found(library, target, question)
        first = seed_or_fresh(seed)
        seeds = tuple((first + step) % (LARGEST_SEED + 1) for step in range(count))
        wanted = Wanted(file, chosen, seeds, library.models())
    if not watch:
        return _show(wanted, as_json)
    for _ in saves(file, pause):
        if sys.stdout.isatty():
            click.clear()
        try:
            _show(wanted, as_json)
        except PackError as error:
            _complain(*map(str, error.faults))
        except QuizError as error:
            _complain(str(error))
        _complain(f"watching {file}; Ctrl+C ends it")
    return 0


def pause() -> None:
    """Wait before looking at the file again."""
    time.sleep(SECONDS_BETWEEN_LOOKS)


def saves(file: Path, pause: Callable[[], None]) -> Iterator[None]:
    """Once at the start, then whenever the file has changed. While an editor swaps it, it may be missing."""
    seen: tuple[int, int, int] | None = None
    while True:
        try:
            status = file.stat()
        except OSError:
            pass
        else:
            now = (status.st_mtime_ns, status.st_size, status.st_ino)
            if now != seen:
                seen = now
                yield
        pause()


def _found(library: "Library", target: str, question: str | None) -> tuple[Path, str | None]:
    """The file that is meant and, where only one is, its question."""
    path = Path(target)
    if path.is_file():
        return path, question
    if path.suffix in (".yaml", ".yml"):
        raise UsageError(f"there is no file {path}")
    pack, slash, name = target.partition("/")
    entry = next((one for one in library.packs() if one.id == pack), None)
    if slash:
        library.posed(target)  # names the nearest where there is none
    if entry is None:
        known = ", ".join(one.id for one in library.packs())
        raise UsageError(f"{target!r} is neither a file nor a pack; there are {known}")
    if slash and question not in (None, name):
        raise UsageError(f"{target} is one question already; leave out --question")
    return Path(entry.file), name if slash else question


def _show(wanted: Wanted, as_json: bool) -> int:
    from quiz.bank.reader import read_pack
    from quiz.cli import documents
    from quiz.problem.drawing import draw

    pack = read_pack(wanted.file).pack
    questions = [one for one in pack.questions if wanted.question in (None, one.id)]
    if not questions:
        known = ", ".join(one.id for one in pack.questions[:12])
        raise UsageError(f"no question {wanted.question!r} in {wanted.file}; there are {known}")
    variants: list[Variant] = []
    code = 0
    for question in questions:
        # Without a draw there is one variant, however many are asked for.
        for seed in wanted.seeds if question.draw else wanted.seeds[:1]:
            try:
                variants.append(draw(pack, question, seed, wanted.models))
            except QuizError as error:
                _complain(f"{pack.pack}/{question.id}: {error}; `quiz pack check {wanted.file}` says more")
                code = 1
                break
    if as_json:
        print_json([documents.asked(variant) for variant in variants])
        return code
    for variant in variants:
        show_variant(variant, hide_answer=False)
        for line in _told(variant):
            say(f"  {line}")
        say("")
    return code


def _told(variant: "Variant") -> Iterator[str]:
    """What a learner is told on the way and afterwards."""
    for number, hint in enumerate(variant.hints, start=1):
        yield f"Hint {number}: {hint}"
    for typed in _worth_typing(variant):
        yield from _feedback(variant, typed)
    for point in variant.rubric:
        yield f"Rubric: {point.point} ({point.weight})"
    for flag in variant.red_flags:
        yield f"Red flag: {flag}"
    for source in variant.sources:
        yield f"Source: {source}"


def _worth_typing(variant: "Variant") -> Iterator[str]:
    from quiz.render.numbers import show_quantity, show_shape

    if variant.kind in ("choice", "stage"):
        yield variant.answer.display
    for mistake in variant.mistakes:
        value = mistake.value
        yield show_shape(value) if isinstance(value, tuple) else show_quantity(value, variant.unit)


def _feedback(variant: "Variant", typed: str) -> Iterator[str]:
    from quiz.problem.marking import mark

    first, *rest = mark(variant, typed).feedback.splitlines()
    yield f"To {typed}: {first}"
    yield from (f"  {line}" for line in rest)


def _complain(*lines: str) -> None:
    for line in lines:
        click.echo(f"quiz: {printable(line)}", err=True)
