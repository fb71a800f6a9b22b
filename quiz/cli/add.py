"""The command that installs packs, after checking them and showing what an update would do."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from quiz.cli.commands import COMMANDS
from quiz.cli.printing import as_json, print_json, say
from quiz.errors import Fault, PackError, UsageError

if TYPE_CHECKING:
    from quiz.bank.changes import Changes
    from quiz.bank.parcel import Item
    from quiz.bank.reader import Located
    from quiz.bank.shelf import Placement
    from quiz.problem.space import Models

MOST_NAMED = 12


@click.command("add")
@click.argument("path", metavar="FILE|FOLDER|ZIP", type=click.Path(path_type=Path))
@click.option("--yes", is_flag=True, help="Update without asking, also where questions are retired.")
@as_json
@click.pass_obj
def add(home: Path | None, path: Path, yes: bool, as_json: bool) -> int:
    """Install packs, all of them or none: a file, the packs of a folder, or those of a zip.

    They are checked first. For an update of an installed pack it is shown what changes, and on a terminal you are
    asked. Elsewhere, and with --json, nobody is asked: an update that retires questions, or goes back to an earlier
    version, then needs --yes. The history of retired questions is kept.
    """
    from quiz.bank.cache import fingerprint
    from quiz.bank.library import open_library
    from quiz.bank.parcel import open_parcel
    from quiz.bank.shelf import install, plan
    from quiz.paths import data_dir

    items = open_parcel(path)
    data = data_dir(home)
    with open_library(data) as library:
        errors, packs = _checked(items, library.models())
        if errors:
            return _refuse(errors, as_json)
        placements = plan(library, data, [(one.pack, item.content) for one, item in zip(packs, items, strict=True)])
    wanted = [placement for placement in placements if not placement.is_same]
    if not as_json:
        _show(placements)
    if not (yes or _may(wanted, as_json)):
        if as_json:
            print_json(_document(placements, installed=False))
        return _not_agreed(wanted, as_json)
    if wanted:
        install(wanted, data)
        # Takes the new packs in now, so that the next start need not.
        read = {fingerprint(item.content): one for one, item in zip(packs, items, strict=True)}
        open_library(data, read).close()
    if as_json:
        print_json(_document(placements, installed=True))
    elif wanted:
        say("\n".join(f"added {one.pack.pack} {one.pack.version}: {one.pack.title}" for one in wanted))
        say("\n".join(_next(wanted, path if Path(items[0].name).exists() else None)))
    return 0


def _next(added: "Sequence[Placement]", path: Path | None) -> Iterator[str]:
    """What to do now; the ``path`` is None where it leads to a zip, which cannot be checked as it is."""
    names = [one.pack.pack for one in added[:MOST_NAMED]]
    yield f"study it: quiz {'study ' if names[0] in COMMANDS else ''}{' '.join(names)}"
    if path is not None:
        yield f"advice on it, if there is any: quiz pack check {path}"


def _checked(items: "Sequence[Item]", models: "Models") -> "tuple[list[Fault], list[Located]]":
    """The errors of the packs, and what is sound of them."""
    from quiz.bank.reader import read_partly_bytes
    from quiz.lint.check import pack_errors

    errors: list[Fault] = []
    packs: list[Located] = []
    for item in items:
        try:
            located, faults = read_partly_bytes(item.content, item.name)
        except PackError as error:
            errors += error.faults
            continue
        packs.append(located)
        errors += faults
    return sorted(errors + pack_errors(packs, models)), packs


def _refuse(errors: Sequence[Fault], as_json: bool) -> int:
    if as_json:
        print_json({"installed": False, "errors": [fault._asdict() for fault in errors]})
        return 1
    for fault in errors:
        say(str(fault))
    count = "1 error" if len(errors) == 1 else f"{len(errors)} errors"
    click.echo(f"quiz: nothing was added: {count}", err=True)
    return 1


def _may(wanted: "Sequence[Placement]", as_json: bool) -> bool:
    """Whether it may go ahead: asks where somebody can answer, else says no to what takes something away."""
    if not any(one.before for one in wanted):
        return True
    if not as_json and sys.stdin.isatty():
        return click.confirm("Go ahead?", err=True)
    return not any(map(_takes_away, wanted))


def _not_agreed(wanted: "Sequence[Placement]", as_json: bool) -> int:
    if not as_json and sys.stdin.isatty():
        say("nothing was added")
        return 1
    names = ", ".join(one.pack.pack for one in wanted if _takes_away(one))
    raise UsageError(f"nothing was added: {names} would lose questions or go back a version; --yes agrees to that")


def _takes_away(placement: "Placement") -> bool:
    return bool(placement.questions.retired) or placement.is_downgrade


def _show(placements: "Sequence[Placement]") -> None:
    for one in placements:
        if one.is_same:
            say(f"{one.pack.pack} {one.pack.version} is installed already, letter for letter")
        elif one.before:
            say("\n".join(_update_lines(one)))


def _update_lines(placement: "Placement") -> Iterator[str]:
    before, after = placement.before, placement.pack
    assert before is not None
    note = ""
    if placement.is_downgrade:
        note = " (an EARLIER version than the installed one)"
    elif before.version == after.version:
        note = " (the same version number, with other contents)"
    yield f"{after.pack}: {before.version} → {after.version}{note}"
    lines = [*_change_lines(placement.questions, ""), *_change_lines(placement.lessons, "lesson ")]
    lines += _rename_lines(placement.questions)
    yield from lines or ["  no question and no lesson changes"]


def _change_lines(changes: "Changes", what: str) -> Iterator[str]:
    renamed = [f"{former} → {present}" for former, present in changes.renamed]
    for verb, names, note in (
        ("adds", changes.added, ""),
        ("changes", changes.changed, ""),
        ("renames", renamed, ""),
        ("retires", changes.retired, "" if what else " (asked no more; the history is kept)"),
    ):
        if names:
            more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
            yield f"  {verb} {what}{', '.join(names[:MOST_NAMED])}{more}{note}"


def _rename_lines(changes: "Changes") -> Iterator[str]:
    """How to keep the history of questions that only got another id."""
    for former, present in changes.alike[:MOST_NAMED]:
        yield f"  if {present} is {former} by a new name, write `was: [{former}]` in it, and its history goes on"
    if changes.added and changes.retired and not changes.alike:
        yield "  a question that only got a new name keeps its history with `was: [old-id]`"


def _document(placements: "Sequence[Placement]", installed: bool) -> dict[str, Any]:
    """`quiz pack add --json`. ``before`` is the version that was installed, or null."""
    return {
        "installed": installed,
        "packs": [
            {
                "pack": one.pack.pack,
                "title": one.pack.title,
                "version": one.pack.version,
                "before": one.before.version if one.before else None,
                "file": str(one.target),
                "unchanged": one.is_same,
                "downgrade": one.is_downgrade,
                "questions": _as_lists(one.questions),
                "lessons": _as_lists(one.lessons),
            }
            for one in placements
        ],
    }


def _as_lists(changes: "Changes") -> dict[str, Any]:
    return {
        "adds": list(changes.added),
        "changes": list(changes.changed),
        "renames": [{"from": former, "to": present} for former, present in changes.renamed],
        "retires": list(changes.retired),
    }
