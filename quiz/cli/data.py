"""The commands about the learner's folder."""

from pathlib import Path

import click

from quiz.cli.printing import as_json, print_json, say


@click.group()
def data() -> None:
    """Where your progress lives."""


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
