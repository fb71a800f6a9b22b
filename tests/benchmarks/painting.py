"""From a key to all that it paints in a pseudo-terminal, against a bare Textual counter: the other side of a card, and
the next card once the answer to this one is on disk.

    python -m tests.benchmarks.painting [--rounds 11] [--json]
"""

import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median, quantiles

from quiz.paths import installed_packs_dir
from tests.benchmarks.packs import terse_pack
from tests.benchmarks.pairs import Outcome, main, measure
from tests.benchmarks.terminal import Terminal

CARDS = 10_000
FRONT, BACK = b"What does model", b"layers of K and V"
# How often each key is pressed before it is the other program's turn.
EACH = 30
QUIZ = [sys.executable, "-m", "quiz", "study", "many", "--new", str(CARDS)]
COUNTER = [
    sys.executable,
    "-c",
    """
from textual.app import App
from textual.widgets import Static
class Counter(App):
    BINDINGS = [("space", "count", "Count")]
    count = 0
    def compose(self):
        yield Static("Counted 0")
    def action_count(self):
        self.count += 1
        self.query_one(Static).update(f"Counted {self.count}")
Counter().run()
""",
]


Statistic = Callable[[list[float]], float]


def _p95(times: list[float]) -> float:
    return quantiles(times, n=20)[-1]


STATISTICS: tuple[tuple[str, float, Statistic], ...] = (("p50", 2.0, median), ("p95", 2.5, _p95))


def benchmarks(rounds: int) -> list[Outcome]:
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        installed_packs_dir(home).mkdir(parents=True)
        (installed_packs_dir(home) / "many.yaml").write_text(terse_pack(CARDS), encoding="utf-8")
        with Terminal(QUIZ, home) as quiz, Terminal(COUNTER, home) as counter:
            quiz.wait_for(FRONT)
            counter.wait_for(b"Counted 0")
            quiz.settle()
            counter.settle()
            return list(_outcomes(quiz, counter, rounds))


def _outcomes(quiz: Terminal, counter: Terminal, rounds: int) -> Iterator[Outcome]:
    numbers = count(1)

    def counts(of: Statistic) -> float:
        return of([counter.seconds_to_paint(b" ", f"Counted {next(numbers)}".encode()) for _ in range(EACH)])

    def reveals(of: Statistic) -> float:
        return of([_card(quiz)[0] for _ in range(EACH)])

    def grades(of: Statistic) -> float:
        return of([_card(quiz)[1] for _ in range(EACH)])

    for name, budget, of in STATISTICS:
        for key, times in (("the other side of a card", reveals), ("the next card, the answer on disk", grades)):
            yield measure(f"{key}, {name}", "a bare counter", budget, partial(times, of), partial(counts, of), rounds)


def _card(quiz: Terminal) -> tuple[float, float]:
    return quiz.seconds_to_paint(b" ", BACK), quiz.seconds_to_paint(b" ", FRONT)


if __name__ == "__main__":
    main(__doc__, benchmarks, rounds=11)
