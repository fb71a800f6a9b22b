"""The command line: one way out of all commands.

Exit codes: 0 fine, 1 the content or the answer was found wanting, 2 the call or the input is wrong, 130 interrupted.
"""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path

from quiz.errors import QuizError
from quiz.render.printable import printable


def _open_closed_streams() -> None:
    """A stream that was closed before the start reads as empty and swallows what is written."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - open to the end


def run(arguments: Sequence[str]) -> int:
    """Run the command line on these arguments and give the exit code; what can be mended never shows a traceback."""
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A terminal that cannot show √ still gets the rest of the line.
            stream.reconfigure(errors="backslashreplace")
    if isinstance(sys.stdin, TextIOWrapper):
        # Bytes that are no text are an answer that cannot be read, like any other.
        sys.stdin.reconfigure(errors="surrogateescape")
    try:
        code = _called(arguments)
        sys.stdout.flush()
        return code
    except QuizError as error:
        _complain(f"quiz: {printable(str(error))}")
        return error.exit_code
    except KeyboardInterrupt:
        _complain("")
        return 130
    except BrokenPipeError:
        # The reader went away; keep Python from complaining about it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        _complain(f"quiz: {error.strerror or error}")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2


def _called(arguments: Sequence[str]) -> int:
    if not arguments:
        # The usual start: it is spared the import of click.
        from quiz.cli.screens import open_screens

        return open_screens()
    from quiz.cli.commands import call

    return call(arguments)


def _complain(line: str) -> None:
    with suppress(OSError):
        sys.stderr.write(f"{line}\n")
