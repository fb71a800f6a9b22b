"""What the commands share: their options, opening the learner's folder, and printing."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from quiz.render.printable import one_line, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from quiz.bank.library import Library
    from quiz.problem.variant import Variant

LARGEST_SEED = 2**63 - 1
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
with_seed = click.option("--seed", type=click.IntRange(0, LARGEST_SEED), help="Which variant; drawn if left out.")


def packs_of(home: Path | None) -> "Library":
    """The library alone, for commands that need no log."""
    from quiz.bank.library import open_library
    from quiz.paths import data_dir

    return open_library(data_dir(home))


def seed_or_fresh(given: int | None) -> int:
    """The seed asked for, or one nobody can foresee."""
    import secrets

    return secrets.randbelow(LARGEST_SEED + 1) if given is None else given


def warn_of_faults(library: "Library") -> None:
    """Say on stderr which packs could not be read, each on one line with the first thing wrong."""
    from itertools import groupby

    for file, faults in groupby(library.faults, key=lambda fault: fault.file):
        first, *others = faults
        more = f"; {len(others)} more: quiz pack check {file}" if others else ""
        click.echo(f"quiz: left out: {one_line(f'{first}{more}')}", err=True)


def variant_lines(variant: "Variant", hide_answer: bool) -> "Iterator[str]":
    """A variant for people."""
    from quiz.plain import body_lines

    yield f"{variant.key} · seed {variant.seed} · {variant.kind} · {variant.depth}"
    yield from body_lines(variant)
    if not hide_answer:
        yield f"Answer: {variant.answer.display}"
        yield from (f"  {step}" for step in variant.steps)


def print_json(document: Any, indent: int | None = None) -> None:
    """Print one JSON document."""
    click.echo(_as_text(document, indent))


def print_json_list(items: "Iterable[Any]") -> None:
    """Print one JSON document, a list, item by item as they come."""
    between = "["
    for item in items:
        click.echo(f"{between}{_as_text(item)}", nl=False)
        between = ", "
    click.echo("]" if between == ", " else "[]")


def _as_text(document: Any, indent: int | None = None) -> str:
    import json

    everything = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    return json.dumps(document, ensure_ascii=not everything, indent=indent)


def say(text: str) -> None:
    """Print text that may hold anything."""
    click.echo(printable(text))
