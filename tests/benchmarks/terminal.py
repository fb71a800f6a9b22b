"""A program in a pseudo-terminal: what it paints, how soon after a key, and how much memory it holds."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
from pathlib import Path
from time import perf_counter
from typing import Self

from tests.benchmarks.pairs import ENVIRONMENT

ROWS, COLUMNS = 30, 100
PATIENCE = 300
# Longer than a program takes from one paint to the next (at most 60 a second), and shorter than a cursor blinks.
PAUSE = 0.05


class Terminal:
    """Starts the program; use it in a ``with`` block, which kills it at the end."""

    def __init__(self, command: list[str], home: Path) -> None:
        self._terminal, inside = pty.openpty()
        fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        env = ENVIRONMENT | {"QUIZ_HOME": str(home), "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        self._started = subprocess.Popen(
            command, stdin=inside, stdout=inside, stderr=inside, env=env, start_new_session=True
        )
        os.close(inside)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._started.send_signal(signal.SIGKILL)
        self._started.wait()
        os.close(self._terminal)

    def wait_for(self, wanted: bytes) -> None:
        """Wait until this is painted."""
        seen = b""
        while wanted not in seen:
            painted = self._painted(PATIENCE)
            if not painted:
                raise TimeoutError(f"{wanted!r} was not painted within {PATIENCE} s")
            seen += painted

    def settle(self, pause: float = PAUSE) -> bytes:
        """Wait until no more is painted for so long; what was."""
        seen = b""
        while painted := self._painted(pause):
            seen += painted
        return seen

    def press(self, key: bytes) -> None:
        """Press a key."""
        os.write(self._terminal, key)

    def seconds_to_paint(self, key: bytes, wanted: bytes) -> float:
        """Press a key; how long until this is painted and all else that the key changes: a program may paint twice."""
        start = perf_counter()
        self.press(key)
        self.wait_for(wanted)
        end = perf_counter()
        while self._painted(PAUSE):
            end = perf_counter()
        return end - start

    def resident(self) -> int:
        """How many bytes of memory the program holds."""
        found = re.search(r"^VmRSS:\s+(\d+) kB$", Path(f"/proc/{self._started.pid}/status").read_text(), re.MULTILINE)
        assert found is not None
        return int(found[1]) * 1024

    def _painted(self, patience: float) -> bytes:
        """What is painted next; nothing if that takes longer than this."""
        return os.read(self._terminal, 65536) if select.select([self._terminal], [], [], patience)[0] else b""
