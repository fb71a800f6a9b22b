"""An answer marked, scheduled and on disk and the next question drawn, over all shipped questions and with 1,000,000
reviews of them in the log; against one synced SQLite insert in the same folder.

    python -m tests.benchmarks.answering [--rounds 31] [--json]
"""

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from statistics import fmean
from time import perf_counter

from quiz import paths
from quiz.desk import Desk, open_desk
from quiz.study.rating import Rating
from tests.benchmarks.pairs import Outcome, main, measure
from tests.benchmarks.progress import fill
from tests.memory.catalogue import Question

BUDGET = 2
REVIEWS = 1_000_000
INSERT = "INSERT INTO answer (question, instant, typed, rating) VALUES (?, ?, ?, ?)"


def answers(desk: Desk) -> Iterator[float]:
    """Seconds of one right answer after another, sitting after sitting."""
    topics = list(desk.library.totals())
    while True:
        session = desk.session(topics)
        variant, answered = session.start(desk.now()).variant, 0
        while variant is not None:
            start = perf_counter()
            session.answer(variant.answer.display, desk.now())
            view = session.rate(Rating.GOOD, desk.now())
            spent = perf_counter() - start
            answered += 1
            assert view.tally.answered == answered, f"{variant.key} was not answered"
            variant = view.variant
            if variant is not None:
                yield spent


def inserts(connection: sqlite3.Connection) -> Iterator[float]:
    """Seconds of one insert after another, each on disk."""
    number = 0
    while True:
        number += 1
        start = perf_counter()
        connection.execute(INSERT, (number % 100, number, "131072", 3))
        yield perf_counter() - start


def benchmarks(rounds: int) -> list[Outcome]:
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        with open_desk(home) as desk:
            spots = [Question(one.key, one.pack, one.lesson, one.depth, one.position) for one in desk.library.entries()]
        paths.database(home).unlink()
        fill(paths.database(home), REVIEWS, spots)
        with open_desk(home) as desk, closing(sqlite3.connect(home / "bare.db", isolation_level=None)) as connection:
            for ask in ("journal_mode = WAL", "synchronous = FULL"):
                connection.execute(f"PRAGMA {ask}")
            connection.execute("CREATE TABLE answer (id INTEGER PRIMARY KEY, question, instant, typed, rating)")
            ours, bare = answers(desk), inserts(connection)
            return [
                measure(
                    f"an answer with {REVIEWS:,} reviews in the log",
                    "one synced SQLite insert",
                    BUDGET,
                    lambda: fmean(islice(ours, len(spots))),
                    lambda: fmean(islice(bare, len(spots))),
                    rounds,
                )
            ]


if __name__ == "__main__":
    main(__doc__, benchmarks, rounds=31)
