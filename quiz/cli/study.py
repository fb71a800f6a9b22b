"""The command that opens a sitting: the screens, or line by line."""

import sys
from pathlib import Path

import click

from quiz.cli.printing import warn_of_faults
from quiz.errors import UsageError


@click.command()
@click.argument("topics", nargs=-1, metavar="[TOPIC]...")
@click.option("--new", type=click.IntRange(0), help="How many new questions, instead of what is left of today's.")
@click.option("--limit", type=click.IntRange(1), help="End after so many answers.")
@click.option("--plain", is_flag=True, help="Line by line, without a screen.")
@click.pass_obj
def study(home: Path | None, topics: tuple[str, ...], new: int | None, limit: int | None, plain: bool) -> int:
    """Study what is due in some topics (pack or pack/lesson), or in all."""
    from quiz.desk import open_desk

    with open_desk(home) as desk:
        desk.library.check_topics(topics)  # a wrong topic is said before any screen opens
        if plain:
            from quiz import plain as lines

            warn_of_faults(desk.library)
            return lines.study(desk.session(topics, new, limit), desk.now, sys.stdin, sys.stdout)
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise UsageError("the screens need a terminal; `quiz study --plain` works line by line without one")
        from quiz.tui.app import run as run_screens

        return run_screens(desk, topics, new, limit)
