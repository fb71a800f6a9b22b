"""Memory that the running quiz holds with the shipped packs after ten answers, against a bare Textual app: the resident
set of each process, in a pseudo-terminal. The packs were read at an earlier start.

    python -m tests.benchmarks.resident [--rounds 5] [--json]
"""

import tempfile
from itertools import count
from pathlib import Path

from tests.benchmarks.pairs import Outcome, main, measure
from tests.benchmarks.starting import BARE, QUIZ, painted
from tests.benchmarks.terminal import Terminal

BUDGET = 1.8
LAST_TOPIC = b"Multi-head latent attention"
ANSWERS = 10
ENTER, SKIP = b"\r", b"\x1bOR"
# Longer than any question takes to come, and shorter than the cursor takes to blink.
PAUSE = 0.4


def quiz(home: Path) -> float:
    """What the quiz holds after so many answers, each of them "1"; where that is no answer, the question is skipped."""
    painted(QUIZ, LAST_TOPIC, home)
    with Terminal(QUIZ, home) as terminal:
        terminal.wait_for(LAST_TOPIC)
        terminal.settle(PAUSE)
        terminal.press(b" ")
        for answered in range(1, ANSWERS + 1):
            terminal.settle(PAUSE)
            while not _is_marked(terminal):
                terminal.press(SKIP)
                terminal.settle(PAUSE)
            terminal.press(ENTER)
            terminal.wait_for(f"{answered} answered".encode())
        terminal.settle(PAUSE)
        return terminal.resident()


def _is_marked(terminal: Terminal) -> bool:
    terminal.press(b"1")
    terminal.settle(PAUSE)
    terminal.press(ENTER)
    return b"Again" in terminal.settle(PAUSE)


def bare(home: Path) -> float:
    """What a bare app holds once it is painted."""
    with Terminal(BARE, home) as terminal:
        terminal.wait_for(b"Painted")
        terminal.settle(PAUSE)
        return terminal.resident()


def benchmarks(rounds: int) -> list[Outcome]:
    with tempfile.TemporaryDirectory() as name:
        homes = (Path(name) / str(number) for number in count())
        work = f"memory after {ANSWERS} answers"
        return [
            measure(
                work, "a bare Textual app", BUDGET, lambda: quiz(next(homes)), lambda: bare(next(homes)), rounds, "B"
            )
        ]


if __name__ == "__main__":
    main(__doc__, benchmarks, rounds=5)
