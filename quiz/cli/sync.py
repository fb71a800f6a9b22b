"""The command that brings several machines together through a folder that something else carries."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from quiz.cli.printing import as_json, print_json, say
from quiz.render.numbers import counted

if TYPE_CHECKING:
    from quiz.exchange.sync import Synced


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@as_json
@click.pass_obj
def sync(home: Path | None, folder: Path, as_json: bool) -> int:
    """Bring your machines together through FOLDER, which Syncthing, Dropbox or git carries between them.

    Each machine writes a file of its own there and reads those of all others, copies after a conflict included. Do it
    on each, in any order and as often as you like: all come to know all you did.
    """
    from quiz.cli.desk import open_desk
    from quiz.exchange.sync import sync

    with open_desk(home) as desk:
        done = sync(desk.log, folder, desk.now())
    if as_json:
        print_json(_document(done))
    else:
        _show(done)
    return 0 if done.sound else 1


def _show(done: "Synced") -> None:
    say(f"taken in: {done.new}, from {counted(len(done.files), 'file')}; added to {done.file.name}: {done.sent}")
    for one in done.files:
        for problem in one.problems.told:
            say(f"{one.name}: {problem}")
        if one.problems.count > len(one.problems.told):
            say(f"{one.name}: {one.problems.count - len(one.problems.told)} more like these")
        if one.cut:
            say(f"{one.name}: its last line is half-written and was left out; it comes with the next sync")
    if not done.sound:
        say("What could be read was taken in. A damaged file may be deleted: its machine then writes it anew.")
    if done.held_back:
        say(f"held back: {done.held_back}, dated in the future. Set the clock right, here or where they were made.")
    if done.waiting:
        say(f"waiting: {done.waiting}, which take back what has not arrived yet")
    if done.unread:
        say(f"left unread: {counted(done.unread, 'file')} more than can be of one learner")


def _document(done: "Synced") -> dict[str, Any]:
    """`quiz data sync --json`."""
    return {
        "folder": str(done.file.parent),
        "device": done.device,
        "file": done.file.name,
        "new": done.new,
        "sent": done.sent,
        "held_back": done.held_back,
        "waiting": done.waiting,
        "files": [
            {
                "name": one.name,
                "device": one.device,
                "entries": one.entries,
                "half_written": one.cut,
                "left_out": one.problems.count,
                "problems": [asdict(problem) for problem in one.problems.told],
            }
            for one in done.files
        ],
        "unread": done.unread,
    }
