"""The commands that keep the learner's log safe: ``quiz data backup``, ``restore`` and ``check``."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from quiz.cli.printing import as_json, print_json, say
from quiz.render.numbers import counted

if TYPE_CHECKING:
    from quiz.memory.backups import Backup
    from quiz.memory.checking import Report

_MEGABYTE = 1_000_000


@click.command()
@as_json
@click.pass_obj
def backup(home: Path | None, as_json: bool) -> None:
    """Write a backup of your log now.

    One a day is written by itself when you study, and one before anything risky.
    """
    from quiz.cli.desk import open_desk

    with open_desk(home) as desk:
        file = desk.log.back_up(desk.now().instant)
    if as_json:
        print_json({"file": str(file), "size": file.stat().st_size})
    else:
        say(f"backed up to {file}\ngo back to it: quiz data restore {file.name}")


@click.command()
@click.argument("name", required=False, metavar="[NAME|FILE]")
@as_json
@click.pass_obj
def restore(home: Path | None, name: str | None, as_json: bool) -> None:
    """Go back to a backup: NAME as listed, or any FILE. Without either, list the backups.

    What you have now is itself backed up first.
    """
    from quiz.cli.desk import open_desk
    from quiz.memory.backups import backups, named
    from quiz.paths import database

    with open_desk(home) as desk:
        path = database(desk.data)
        if name is None:
            held = backups(path)
            if as_json:
                print_json([_entry(one) for one in held])
            else:
                _list(held)
            return
        source = named(path, name)
        kept = desk.log.restore(source, desk.now().instant)
        answers = sum(day.answered for day in desk.log.totals().days)
    if as_json:
        print_json({"restored": str(source), "kept": str(kept), "answers": answers})
    else:
        say(f"restored {source.name}: {counted(answers, 'answer')}")
        say(f"what was there until now is kept; to have it back: quiz data restore {kept.name}")


@click.command()
@click.option("--rebuild", is_flag=True, help="Also make anew, from the log, all that is derived from it.")
@as_json
@click.pass_obj
def check(home: Path | None, rebuild: bool, as_json: bool) -> int:
    """Read all of your log, replay it, and say whether anything is wrong with it.

    The exit code is 1 if anything was.
    """
    from quiz.cli.desk import open_desk
    from quiz.memory.spots import lost

    with open_desk(home) as desk:
        log = desk.log
        report = log.check()
        gone = 0 if report.damage else log.by_spot(desk.library, lost)
        # What is made from damaged rows is no better than they are.
        rebuilt = log.rebuild() if rebuild and not (report.damage or report.illegible) else None
        mended = log.notice if not log.read_only else ""
    if as_json:
        print_json({"sound": report.sound, **asdict(report), "gone": gone, "rebuilt": rebuilt, "mended": mended})
    else:
        _show(report, gone, rebuilt)
    return 0 if report.sound and not mended else 1


def _entry(held: "Backup") -> dict[str, Any]:
    return {"name": held.path.name, "made": held.made.isoformat(), "size": held.size}


def _list(held: "list[Backup]") -> None:
    width = max((len(one.path.name) for one in held), default=0)
    for one in held:
        say(f"{one.path.name:<{width}}  {one.made:%Y-%m-%d %H:%M} UTC  {one.size / _MEGABYTE:8.1f} MB")
    say("Go back to one: quiz data restore NAME" if held else "There are no backups yet: quiz data backup")


def _show(report: "Report", gone: int, rebuilt: int | None) -> None:
    done = f"{counted(report.answers, 'answer')}, {counted(report.acts, 'act')}, {report.undone} taken back"
    say(f"{done}; {counted(report.questions, 'question')}")
    if gone:
        say(f"{gone} of these {'is' if gone == 1 else 'are'} in no pack any more; the history is kept for a return")
    for complaint in report.damage:
        say(f"damaged: {complaint}")
    for count, what in (
        (report.illegible, "holding what cannot be"),
        (report.unlinked, "not continuing the row before"),
        (report.wrong, "leading to another card than the log says"),
    ):
        if count:
            say(f"wrong: {counted(count, 'row')} {what}")
    if report.rescheduled:
        say(f"scheduled under other settings, which is fine: {report.rescheduled}")
    if report.damage or report.illegible:
        say("Start quiz again to have it mended from the newest good backup and what can still be read.")
    if rebuilt is not None:
        say(f"cards and sums made anew from the log; cards that were wrong: {rebuilt}, sums: {report.sums}")
    else:
        for count, what in ((report.cards, "card"), (report.sums, "sum")):
            if count:
                verb = "is" if count == 1 else "are"
                say(f"{counted(count, what)} {verb} not what the log says: quiz data check --rebuild")
    if report.sound:
        say("Nothing is wrong.")
