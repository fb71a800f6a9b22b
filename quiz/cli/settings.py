"""The command that shows and changes settings."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from quiz.cli.load import load_ahead, say_load
from quiz.cli.printing import as_json, print_json, say
from quiz.errors import UsageError
from quiz.settings import MEANINGS

if TYPE_CHECKING:
    from quiz.settings import Settings


_MEANT = "\n".join(f"{name:<12} {what} ({values})" for name, (what, values) in MEANINGS.items())


@click.command(epilog=f"\b\n{_MEANT}")
@click.argument("name", required=False)
@click.argument("value", required=False)
@click.option("--preview", is_flag=True, help="Only show what another retention would bring; change nothing.")
@as_json
@click.pass_obj
def settings(home: Path | None, name: str | None, value: str | None, preview: bool, as_json: bool) -> None:
    """Show all settings, show one, or change one: `quiz settings interview 2026-12-18`.

    With another retention it shows how many reviews lie ahead before and after; what is scheduled already stays.
    """
    from quiz.paths import data_dir
    from quiz.settings import changed, load_settings, save_settings, shown

    if preview and (name != "retention" or value is None):
        raise UsageError("--preview goes with a retention: quiz settings retention 0.95 --preview")
    folder = data_dir(home)
    kept = load_settings(folder)
    load: list[dict[str, int]] | None = None
    if name is not None and value is not None:
        new = changed(kept, name, value)
        if name == "retention":
            load = _load(home, new.retention)
        if not preview:
            kept = new
            save_settings(folder, kept)
        if name == "interview":
            _say_if_over(kept)
    values: dict[str, Any] = shown(kept)
    if name is not None:
        if name not in values:
            raise UsageError(f"no setting {name!r}; there are {', '.join(values)}")
        values = {name: values[name]}
    if as_json:
        print_json(values if load is None else values | {"load": load})
        return
    for one, what in values.items():
        # Whoever named a setting knows what it is for.
        say(f"{one:<12} {what}" if name else f"{one:<12} {what:<11} {MEANINGS[one][0]}")
    if load is not None:
        say_load(load)
        say("What is scheduled stays where it is; only what follows it changes.")
        if preview:
            say(f"To have it so: quiz settings retention {value}")


def _load(home: Path | None, retention: float) -> list[dict[str, int]]:
    """The reviews ahead as things are, and with this retention."""
    from dataclasses import replace

    from quiz.cli.desk import open_desk

    with open_desk(home) as desk:
        return load_ahead(desk, replace(desk.parameters, desired_retention=retention))


def _say_if_over(kept: "Settings") -> None:
    """Say on stderr that an interview is over: nothing will work toward it."""
    from quiz.clock import local_zone, now
    from quiz.memory.days import day_of, moment

    if kept.interview is not None and day_of(kept.interview) < moment(now(), local_zone(), kept.rollover).day:
        click.echo(f"quiz: {kept.interview} is over already, so nothing will work toward it", err=True)
