"""Whatever ends the app from outside: an answer that was marked is saved, and the exit code says what happened."""

import os
import pty
import select
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quiz.desk import Desk, open_desk

Kinds = dict[str, dict[str, Any]]
MakeDesk = Callable[..., Desk]

SCRIPT = """
import sys
from pathlib import Path
from quiz import paths
from quiz.desk import open_desk
from quiz.tui.app import run
paths.content_dir = lambda: Path(sys.argv[1])
with open_desk(Path(sys.argv[2])) as desk:
    sys.exit(run(desk))
"""
PATIENCE = 30.0


def read_until(terminal: int, wanted: bytes) -> None:
    """Read what the app draws until this is in it."""
    seen = b""
    while wanted not in seen:
        ready, _, _ = select.select([terminal], [], [], PATIENCE)
        assert ready, f"{wanted!r} did not come; last seen: {seen[-500:]!r}"
        seen += os.read(terminal, 65536)


def drain(terminal: int) -> None:
    """Read what is left, so that the app can end."""
    try:
        while os.read(terminal, 65536):
            pass
    except OSError:
        return


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals there")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_saves_what_was_marked_and_shows_in_the_exit_code(
    number: signal.Signals, kinds: Kinds, make_desk: MakeDesk, tmp_path: Path
) -> None:
    make_desk(kinds["choice"]).close()
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update({"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"})
        os.execv(sys.executable, [sys.executable, "-c", SCRIPT, str(tmp_path / "content"), str(tmp_path / "home")])
    read_until(terminal, b"A trial")
    os.write(terminal, b" ")
    read_until(terminal, b"fewest")
    os.write(terminal, b"1\r")
    read_until(terminal, b"Good")
    os.kill(child, number)
    drain(terminal)
    os.close(terminal)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 128 + number
    with open_desk(tmp_path / "home") as desk:
        assert [review.rating for review in desk.log.reviews()] == [3]


@pytest.mark.parametrize(
    ("keys", "code"),
    [(b"ql", 0), (b"q ", 0), (b"qp", 0), (b"q?", 0), (b"\x03\x03?", 0), (b"\x10\x1b[6~\x1b\x11", 0)],
    ids=["lessons after q", "study after q", "progress after q", "help after q", "help after ctrl+c", "palette paged"],
)
def test_keys_typed_ahead_neither_crash_nor_keep_the_app(
    keys: bytes, code: int, kinds: Kinds, lesson: dict[str, Any], make_desk: MakeDesk, tmp_path: Path
) -> None:
    make_desk(kinds["card"] | {"lesson": lesson["id"]}, lessons=[lesson]).close()
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update({"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"})
        os.execv(sys.executable, [sys.executable, "-c", SCRIPT, str(tmp_path / "content"), str(tmp_path / "home")])
    read_until(terminal, b"A trial")
    os.write(terminal, keys)
    drain(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == code
