"""The commands about single questions: list, ask, mark."""

from pathlib import Path
from typing import Any

import click

from quiz.cli.printing import (
    LARGEST_SEED,
    as_json,
    packs_of,
    print_json,
    say,
    seed_or_fresh,
    variant_lines,
    warn_of_faults,
    with_seed,
)

# Lines that are printed in one go, since each go is written out by itself.
_AT_ONCE = 1000
# What a learner may have done to a question, and how that is said.
_DONE = (("suspended", "suspended"), ("buried", "not today"), ("flagged", "flagged"))
# What a learner may have done to a question, and how that is said.
_DONE = (("suspended", "suspended"), ("buried", "not today"), ("flagged", "flagged"))


@click.command("list")
@as_json
@click.pass_obj
def list_questions(home: Path | None, as_json: bool) -> None:
    """List every question, its state and when it comes back.

    \b
    After that stands what you did to it:
    suspended     not asked until `quiz card KEY resume`
    not today     put aside until tomorrow
    flagged       marked by you
    """
    from quiz.cli import documents
    from quiz.cli.desk import open_desk

    with open_desk(home) as desk:
        warn_of_faults(desk.library)
        rows = documents.listed(desk.library.entries(), desk.log.cards(), desk.dues(), desk.now().day)
    if as_json:
        print_json(rows)
        return
    for first in range(0, len(rows), _AT_ONCE):
        say("\n".join(map(_line, rows[first : first + _AT_ONCE])))


def _line(row: dict[str, Any]) -> str:
    due = row["due"][:16].replace("T", " ") if row["due"] and not row["suspended"] else "-"
    done = ", ".join(word for name, word in _DONE if row[name])
    return f"{row['key']:<44} {row['kind']:<8} {row['depth']:<9} {row['state']:<10} {due:<16}  {done}".rstrip()


@click.command()
@click.argument("key")
@with_seed
@click.option("--hide-answer", is_flag=True, help="Leave out answer, steps and mistakes.")
@as_json
@click.pass_obj
def ask(home: Path | None, key: str, seed: int | None, hide_answer: bool, as_json: bool) -> None:
    """Show one variant of a question."""
    from quiz.cli import documents
    from quiz.problem.drawing import draw_from

    with packs_of(home) as library:
        variant = draw_from(library, key, seed_or_fresh(seed))
    if as_json:
        print_json(documents.asked(variant, hide_answer))
        return
    say("\n".join(variant_lines(variant, hide_answer)))


@click.command()
@click.argument("key")
@click.option("--seed", type=click.IntRange(0, LARGEST_SEED), required=True, help="The seed that `quiz ask` printed.")
@click.argument("answer", nargs=-1, required=True)
@as_json
@click.pass_obj
def mark(home: Path | None, key: str, seed: int, answer: tuple[str, ...], as_json: bool) -> int:
    """Mark an answer to a variant; nothing is recorded. Put -- before the answer."""
    from quiz.cli import documents
    from quiz.problem.drawing import draw_from
    from quiz.problem.marking import mark as judge

    with packs_of(home) as library:
        judged = judge(draw_from(library, key, seed), " ".join(answer))
    if as_json:
        print_json(documents.marked(judged))
    else:
        reading = f" (read as {judged.reading})" if judged.reading else ""
        say(f"{judged.verdict}{reading}\n{judged.feedback}".rstrip())
    return {"right": 0, "wrong": 1, "unreadable": 2}[judged.verdict]
