"""The commands `quiz export json` and `quiz import json`: everything you did, in one document."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quiz.cli.printing import as_json, print_json, say
from quiz.errors import StorageError, UsageError
from quiz.render.numbers import group_digits

if TYPE_CHECKING:
    from quiz.desk import Desk
    from quiz.exchange.archive import Imported


@click.command("json")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Replace FILE if it is an earlier archive.")
@as_json
@click.pass_obj
def export_json(home: Path | None, file: Path | None, force: bool, as_json: bool) -> None:
    """Write all answers, acts and settings to FILE, or print them.

    With FILE and --json, a report is printed.
    """
    from quiz.cli.desk import open_desk
    from quiz.exchange.archive import save_archive, write_archive
    from quiz.settings import shown

    with open_desk(home) as desk:
        settings, now = shown(desk.settings), desk.now().instant
        if file is None:
            write_archive(desk.log, settings, now, sys.stdout)
            return
        count = save_archive(desk.log, settings, now, file, replace=force)
    if as_json:
        print_json({"file": str(file), "entries": count})
    else:
        say(f"wrote {_entries(count)} to {file}\nbring them into another log: quiz import json {file}")


@click.command("json")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@as_json
@click.pass_obj
def import_json(home: Path | None, file: Path, as_json: bool) -> int:
    """Merge FILE (or - for what is piped in), written by `quiz export json`, into your log.

    Nothing is lost on either side, and to do it again changes nothing. Its settings are taken where you have none.
    """
    from quiz.cli.desk import open_desk
    from quiz.exchange.archive import import_archive

    with open_desk(home) as desk:
        try:
            if str(file) == "-":
                found = import_archive(desk.log, sys.stdin.buffer, "what was piped in", desk.now())
            else:
                with file.open("rb") as archive:
                    found = import_archive(desk.log, archive, str(file), desk.now())
        except OSError as error:
            raise UsageError(f"{file} cannot be read: {error.strerror or error}") from None
        taken = _take_settings(desk, found)
    if as_json:
        report = {name: value for name, value in asdict(found).items() if name != "settings"}
        print_json({"file": str(file), **report, "settings_taken": taken})
    else:
        _show(found, taken)
    return 1 if found.left_out else 0


def _take_settings(desk: "Desk", found: "Imported") -> bool:
    """Take the settings of an archive where none were ever saved here; whether they were taken."""
    from quiz.settings import FILE, Settings, changed

    if (desk.data / FILE).exists() or not found.settings:
        return False
    settings = Settings()
    for name, value in found.settings.items():
        try:
            settings = changed(settings, name, str(value))
        except UsageError:
            # One of a newer version; the others still mean something.
            continue
    try:
        desk.save(settings)
    except StorageError:
        return False
    return True


def _entries(count: int) -> str:
    return "1 entry" if count == 1 else f"{group_digits(count)} entries"


def _show(found: "Imported", taken: bool) -> None:
    say(f"read {_entries(found.entries)}, {found.new} of them new")
    for problem in found.problems:
        say(f"left out: {problem}")
    if found.left_out > len(found.problems):
        say(f"left out: {found.left_out - len(found.problems)} more like these")
    if found.held_back:
        say(f"held back: {found.held_back}, dated in the future. Set the clock right, then import again.")
    if found.waiting:
        say(f"left out: {found.waiting} that take back what the archive does not hold")
    if taken:
        say("its settings are yours now, since you had none")
