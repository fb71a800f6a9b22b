"""The commands about the learner's folder."""

from pathlib import Path

import click

from quiz.cli.optimize import optimize
from quiz.cli.printing import as_json, print_json, say
from quiz.cli.safety import backup, check, restore
from quiz.cli.sync import sync


@click.group()
def data() -> None:
    """Where your progress lives."""


for command in (backup, restore, check, sync, optimize):
    data.add_command(command)


@data.command("where")
@as_json
@click.pass_obj
def data_where(home: Path | None, as_json: bool) -> None:
    """Print the data folder."""
    from quiz import paths

    folder = paths.data_dir(home)
    if as_json:
        print_json({"folder": str(folder), "database": str(paths.database(folder))})
        return
    say(str(folder))


@data.command()
@as_json
@click.pass_obj
def disputes(home: Path | None, as_json: bool) -> None:
    """List the answers whose mark you did not accept, with what shows each again."""
    from quiz.cli.desk import open_desk

    with open_desk(home) as desk:
        found = list(desk.log.disputes())
    if as_json:
        print_json(
            [
                {
                    "key": one.key,
                    "seed": one.seed,
                    "pack_version": one.pack_version,
                    "typed": one.typed,
                    "misconception": one.misconception,
                    "rating": one.rating,
                    "answered": one.moment.instant.isoformat(),
                }
                for one in found
            ]
        )
        return
    for one in found:
        say(f"{one.moment.instant:%Y-%m-%d}  {one.key}  typed {one.typed!r}")
        say(f"            quiz ask {one.key} --seed {one.seed}")
    if not found:
        say("No mark is disputed.")
