"""The command that opens a sitting: the screens, or line by line."""

import sys
from pathlib import Path

import click

from quiz.cli.printing import warn_of_faults


@click.command()
@click.argument("topics", nargs=-1, metavar="[TOPIC]...")
@click.option("--new", type=click.IntRange(0), help="How many new questions, instead of what is left of today's.")
@click.option("--limit", type=click.IntRange(1), help="End after so many answers.")
@click.option("--plain", is_flag=True, help="Line by line, without a screen.")
@click.pass_obj
def study(home: Path | None, topics: tuple[str, ...], new: int | None, limit: int | None, plain: bool) -> int:
    """Study what is due in some topics (pack or pack/lesson), or in all."""
    from quiz.cli.screens import open_screens, open_topics

    if not plain:
        return open_screens(home, topics, new, limit)
    from quiz import plain as lines

    with open_topics(home, topics) as desk:
        warn_of_faults(desk.library)
        return lines.study(desk.session(topics, new, limit), desk.now, sys.stdin, sys.stdout)
