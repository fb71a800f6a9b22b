"""Opening the screens. Nothing here needs click, which the usual start is spared."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from quiz.desk import Desk, open_desk
from quiz.errors import UsageError


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
            raise UsageError("the screens need a terminal; `quiz study --plain` works line by line without one")
        from quiz.tui.app import run

        return run(desk, topics, new, limit)
