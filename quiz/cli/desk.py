"""Opening the learner's desk for a command: what became of the log is said before anything else."""

import sys
from contextlib import suppress
from pathlib import Path

from quiz import desk
from quiz.render.printable import one_line


def open_desk(home: Path | None = None) -> desk.Desk:
    """The learner's desk; where its log had to be mended, or may not be written, that is said on stderr.

    Raises:
        StorageError: the folder or one of its files cannot be used.
    """
    opened = desk.open_desk(home)
    if opened.log.notice:
        # Told or not, the learner's answers are what counts.
        with suppress(OSError):
            sys.stderr.write(f"quiz: {one_line(opened.log.notice)}\n")
    return opened
