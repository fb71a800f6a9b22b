"""Starts in terminals that are not quite terminals."""

import os
import pty
import select
import signal
import subprocess
import sys
from pathlib import Path

COMMAND = [sys.executable, "-m", "quiz"]


def painted(home: Path, wanted: bytes, **environment: str) -> bytes:
    """What appears on a terminal, until it holds what is wanted, when stderr goes to a file."""
    terminal, inside = pty.openpty()
    with (home / "stderr").open("wb") as stderr:
        env = os.environ | {"QUIZ_HOME": str(home), "TERM": "xterm-256color"} | environment
        started = subprocess.Popen(COMMAND, stdin=inside, stdout=inside, stderr=stderr, env=env, start_new_session=True)
    os.close(inside)
    seen = b""
    try:
        while wanted not in seen and select.select([terminal], [], [], 30)[0]:
            seen += os.read(terminal, 65536)
    except OSError:
        pass  # the other end was closed
    started.send_signal(signal.SIGKILL)
    started.wait()
    os.close(terminal)
    return seen


def test_the_screens_show_although_stderr_goes_to_a_file(tmp_path: Path) -> None:
    assert b"attention, for the interview" in painted(tmp_path, b"attention, for the interview")


def test_a_dumb_terminal_is_told_what_works_there(tmp_path: Path) -> None:
    painted(tmp_path, b"never", TERM="dumb")
    said = (tmp_path / "stderr").read_text(encoding="utf-8")
    assert said == "quiz: a terminal with TERM=dumb cannot show the screens; `quiz study --plain` works line by line\n"


def test_bytes_that_are_no_text_are_an_answer_that_cannot_be_read(tmp_path: Path) -> None:
    env = os.environ | {"QUIZ_HOME": str(tmp_path), "PYTHONIOENCODING": "utf-8:strict"}
    done = subprocess.run(
        [*COMMAND, "study", "--plain", "gqa"], input=b"\xff\n\xff\n", env=env, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_terminal_that_closes_without_a_signal_ends_the_sitting(tmp_path: Path) -> None:
    terminal, inside = pty.openpty()
    env = os.environ | {"QUIZ_HOME": str(tmp_path), "TERM": "xterm-256color"}
    # In our own session, so that no signal comes when the terminal closes.
    started = subprocess.Popen(COMMAND, stdin=inside, stdout=inside, stderr=inside, env=env)
    os.close(inside)
    seen = b""
    while b"attention, for the interview" not in seen and select.select([terminal], [], [], 30)[0]:
        seen += os.read(terminal, 65536)
    os.close(terminal)
    assert started.wait(timeout=30) == 128 + signal.SIGHUP
