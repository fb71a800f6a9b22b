"""From the start of the process to the first painted screen, against a bare Textual app with one Static: with the
shipped packs, and at the second start with a large pack installed.

    python -m tests.benchmarks.starting [--rounds 31] [--json]
"""

import sys
import tempfile
from pathlib import Path
from time import perf_counter

from quiz.paths import installed_packs_dir
from tests.benchmarks.packs import terse_pack, usual_pack
from tests.benchmarks.pairs import Outcome, main, measure
from tests.benchmarks.terminal import Terminal

QUIZ = [sys.executable, "-m", "quiz"]
BARE = [
    sys.executable,
    "-c",
    """
from textual.app import App
from textual.widgets import Static
class Bare(App):
    def compose(self):
        yield Static("Painted")
Bare().run()
""",
]


def painted(command: list[str], wanted: bytes, home: Path) -> float:
    """Seconds until a terminal shows what is wanted."""
    start = perf_counter()
    with Terminal(command, home) as terminal:
        terminal.wait_for(wanted)
        return perf_counter() - start


def benchmarks(rounds: int) -> list[Outcome]:
    return [
        _start("a start with the shipped packs", None, 1.2, rounds),
        _start("a start with 10,000 more questions", usual_pack(10_000), 1.25, rounds),
        _start("a start with 100,000 more questions", terse_pack(100_000), 1.25, rounds),
    ]


def _start(work: str, installed: str | None, budget: float, rounds: int) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        if installed is not None:
            installed_packs_dir(home).mkdir(parents=True)
            (installed_packs_dir(home) / "many.yaml").write_text(installed, encoding="utf-8")
        # The last topic of the list, so that all of the screen is there.
        wanted = b"Many questions" if installed else b"Multi-head latent attention"
        painted(QUIZ, wanted, home)
        return measure(
            work,
            "a bare Textual app",
            budget,
            lambda: painted(QUIZ, wanted, home),
            lambda: painted(BARE, b"Painted", home),
            rounds,
        )


if __name__ == "__main__":
    main(__doc__, benchmarks, rounds=31)
