"""Opening the screens. Nothing here needs click, which the usual start is spared."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from quiz.cli.desk import open_desk
from quiz.desk import Desk
from quiz.errors import UsageError

_WITHOUT = "`quiz study --plain` works line by line"


@contextmanager
def open_topics(home: Path | None, topics: Sequence[str]) -> Iterator[Desk]:
    """The learner's desk, once it is sure that the topics are there: a wrong one is said before any screen opens.

    Raises:
        UsageError: one is not.
    """
    with open_desk(home) as desk:
        desk.library.check_topics(topics)
        yield desk


def open_screens(
    home: Path | None = None, topics: Sequence[str] = (), new: int | None = None, limit: int | None = None
) -> int:
    """Run the screens to their end and give the exit code.

    Raises:
        UsageError: there is no such topic, or no terminal.
    """
    with open_topics(home, topics) as desk:
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise UsageError(f"the screens need a terminal; {_WITHOUT}")
        if os.environ.get("TERM") == "dumb":
            raise UsageError(f"a terminal with TERM=dumb cannot show the screens; {_WITHOUT}")
        from quiz.tui.app import run

        with _drawn_on_stdout():
            return run(desk, topics, new, limit)


@contextmanager
def _drawn_on_stdout() -> Iterator[None]:
    """Textual draws on stderr. Whoever sends that to a file still wants to see the screens."""
    stderr = sys.__stderr__
    if stderr is None or not stderr.isatty():
        setattr(sys, "__stderr__", sys.__stdout__)  # noqa: B010 - its type says that nobody does this
    try:
        yield
    finally:
        setattr(sys, "__stderr__", stderr)  # noqa: B010 - as above
