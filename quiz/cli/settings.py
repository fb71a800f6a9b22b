"""The command that shows and changes settings."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from quiz.cli.printing import as_json, print_json, say
from quiz.errors import UsageError

if TYPE_CHECKING:
    from quiz.settings import Settings


@click.command()
@click.argument("name", required=False)
@click.argument("value", required=False)
@as_json
@click.pass_obj
def settings(home: Path | None, name: str | None, value: str | None, as_json: bool) -> None:
    """Show all settings, show one, or change one: `quiz settings interview 2026-12-18`."""
    from quiz.paths import data_dir
    from quiz.settings import changed, load_settings, save_settings, shown

    folder = data_dir(home)
    kept = load_settings(folder)
    if name is not None and value is not None:
        kept = changed(kept, name, value)
        save_settings(folder, kept)
        if name == "interview":
            _say_if_over(kept)
    values = shown(kept)
    if name is not None:
        if name not in values:
            raise UsageError(f"no setting {name!r}; there are {', '.join(values)}")
        values = {name: values[name]}
    if as_json:
        print_json(values)
        return
    for one, what in values.items():
        say(f"{one:<12} {what}")


def _say_if_over(kept: "Settings") -> None:
    """Say on stderr that an interview is over: nothing will work toward it."""
    from quiz.clock import local_zone, now
    from quiz.memory.days import day_of, moment

    if kept.interview is not None and day_of(kept.interview) < moment(now(), local_zone(), kept.rollover).day:
        click.echo(f"quiz: {kept.interview} is over already, so nothing will work toward it", err=True)
