"""The command that opens a sitting: the screens, or line by line."""

import sys
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import click

from quiz.cli.printing import warn_of_faults
from quiz.errors import StorageError
from quiz.render.printable import one_line

if TYPE_CHECKING:
    from quiz.desk import Desk


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
    from quiz.cli.learn import lesson_lines

    with open_topics(home, topics) as desk:
        warn_of_faults(desk.library)
        session, library = desk.session(topics, new, limit), desk.library

        def lesson(pack: str, name: str) -> str:
            found = library.lesson(pack, name)
            return "\n".join(lesson_lines(found, library.sources(pack, found.sources)))

        # Beside the sitting, which need not wait for it.
        backing_up = Thread(target=_back_up, args=(desk,))
        backing_up.start()
        try:
            return lines.study(session, desk.now, sys.stdin, sys.stdout, lesson)
        finally:
            backing_up.join()


def _back_up(desk: "Desk") -> None:
    try:
        desk.roll_backups()
    except StorageError as error:
        click.echo(f"quiz: {one_line(str(error))}", err=True)
