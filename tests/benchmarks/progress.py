"""What the figures of progress cost over a large log, against one SQLite scan of that log, in interleaved pairs.

    python -m tests.benchmarks.progress [--reviews 1000000] [--questions 74 10000] [--pairs 7]

The log is made up: three years of answers, one in six wrong, one in two of those with a named misconception; its
questions are those of packs in a learner's folder. Printed are the medians: one scan; reading the sums of the log; all
figures with their JSON, as `quiz progress` finds them; what home shows; and making all sums anew.
"""

import argparse
import os
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from quiz.desk import open_desk
from quiz.memory.days import moment
from quiz.memory.reviews import ReviewLog, new_id
from quiz.memory.rollups import rebuild_rollups
from quiz.memory.storage import open_database
from quiz.paths import database, installed_packs_dir
from tests.memory.catalogue import Question

START = datetime(2023, 11, 1, 12, tzinfo=UTC)
DAYS = 1_095
PER_SITTING = 25
PACKS, LESSONS, MISCONCEPTIONS, SLIPS_OF_A_QUESTION = 4, 8, 60, 3
SCAN = "SELECT count(*), sum(rating > 1), sum(thinking_ms), count(DISTINCT day) FROM review"


def places(questions: int) -> list[Question]:
    """A catalogue of so many questions."""
    return [
        Question(f"p{n % PACKS}/q{n}", f"p{n % PACKS}", f"l{n % LESSONS}", ("screen", "onsite", "research")[n % 3], n)
        for n in range(questions)
    ]


def fill(path: Path, reviews: int, spots: list[Question]) -> None:
    """Write a log of so many reviews, its cards and sums."""
    random = Random(7)
    with closing(open_database(path)) as connection:
        ask = connection.execute
        for trigger in ("roll_answer", "roll_undo", "roll_on"):
            ask(f"DROP TRIGGER {trigger}")
        ask("BEGIN")
        connection.executemany("INSERT INTO question (key) VALUES (?)", [(spot.key,) for spot in spots])
        connection.executemany(
            "INSERT INTO edition (pack, version) VALUES (?, '1')", [(f"p{n}",) for n in range(PACKS)]
        )
        sittings = reviews // PER_SITTING + 1
        connection.executemany("INSERT INTO sitting (uuid) VALUES (?)", [(new_id(),) for _ in range(sittings)])
        latest: dict[int, int] = {}
        last_day: dict[int, int] = {}
        first_day = moment(START, UTC).day

        def rows() -> Iterator[tuple[object, ...]]:
            for number in range(1, reviews + 1):
                question = random.randrange(len(spots)) + 1
                day = first_day + number * DAYS // reviews
                missed = random.random() < 1 / 6
                slip = None
                if missed and random.random() < 0.5:
                    slip = f"misconception-{(question + random.randrange(SLIPS_OF_A_QUESTION)) % MISCONCEPTIONS}"
                instant = int((START + timedelta(days=day - first_day, seconds=number % 40_000)).timestamp() * 1e6)
                stability, before_day = random.uniform(0.5, 60), last_day.get(question)
                state = 0 if before_day is None else 2
                memory = (state, stability, 5.0, day if state else None, before_day, 3 if state else 0)
                after = (2, stability + 1, 5.0, day + int(stability) + 1, day, 4)
                yield (
                    *(number, random.randbytes(16), latest.get(question), question, (number - 1) // PER_SITTING + 1),
                    *(instant, day, (question - 1) % PACKS + 1, random.getrandbits(62)),
                    '{"num_layers":32,"num_kv_heads":8,"group_size":4,"head_dim":128}',
                    *(b"131072", "wrong" if missed else "right", "0" if missed else "1", slip),
                    *(1 if missed else 3, 1 if missed else 3, int(random.lognormvariate(10, 0.7))),
                    *memory,
                    *after,
                )
                latest[question], last_day[question] = number, day

        columns = (
            *("id", "uuid", "previous", "question", "sitting", "instant", "day", "edition", "seed", "givens", "typed"),
            *("verdict", "credit", "misconception", "proposed", "rating", "thinking_ms"),
            *(f"before_{name}" for name in ("state", "stability", "difficulty", "due_day", "last_day", "reps")),
            *(f"after_{name}" for name in ("state", "stability", "difficulty", "due_day", "last_day", "reps")),
            *("device", "utc_offset", "hints", "before_lapses", "after_lapses"),
        )
        marks = ", ".join("?" * (len(columns) - 5))
        connection.executemany(f"INSERT INTO review ({', '.join(columns)}) VALUES ({marks}, 1, 0, 0, 0, 0)", rows())
        ask("COMMIT")
    with ReviewLog.open(path) as log:
        log.rebuild()


def write_packs(folder: Path, spots: list[Question]) -> None:
    """Write the packs that hold these questions."""
    folder.mkdir(parents=True)
    for pack in sorted({spot.pack for spot in spots}):
        held = [spot for spot in spots if spot.pack == pack]
        lines = ["format: 1", f"pack: {pack}", f"title: Pack {pack}", 'version: "1"', "lessons:"]
        lines += [f"  - {{id: {one}, title: T, tldr: t, body: b}}" for one in sorted({str(s.lesson) for s in held})]
        lines.append("questions:")
        for one in held:
            name = one.key.partition("/")[2]
            about = f"kind: card, lesson: {one.lesson}, depth: {one.depth}"
            lines.append(f"  - {{id: {name}, {about}, prompt: 'What is {name}?', back: It.}}")
        (folder / f"{pack}.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def seconds(work: Callable[[], object]) -> float:
    """How long the work takes."""
    began = perf_counter()
    work()
    return perf_counter() - began


def measure(folder: Path, reviews: int, questions: int, pairs: int) -> None:
    """Measure one log and print its figures."""
    spots, path = places(questions), database(folder)
    write_packs(installed_packs_dir(folder), spots)
    fill(path, reviews, spots)
    taken: dict[str, list[float]] = {"scan": [], "sums": [], "figures": [], "home": []}
    with open_desk(folder) as desk, closing(sqlite3.connect(path)) as plain:
        found = desk.progress()
        assert (found["reviews"], found["cards"]["review"]) == (reviews, questions), found["cards"]
        for _ in range(pairs):
            taken["scan"].append(seconds(lambda: plain.execute(SCAN).fetchall()))
            taken["sums"].append(seconds(desk.log.totals))
            taken["figures"].append(seconds(desk.progress))
            taken["home"].append(seconds(desk.standings))
    scan, sums, figures, home = (median(times) for times in taken.values())
    with closing(open_database(path)) as connection:
        connection.execute("BEGIN")
        connection.execute("DELETE FROM rolled")
        anew = seconds(lambda: rebuild_rollups(connection))
    size = path.stat().st_size / 2**20
    sys.stdout.write(
        f"{reviews:,} reviews of {questions:,} questions, {size:.0f} MiB: scan {1000 * scan:.0f} ms;"
        f" sums {sums / scan:.3f}×; figures {figures / scan:.3f}×; home {home / scan:.3f}×;"
        f" all sums anew {anew:.1f} s\n"
    )


def main() -> None:
    """Measure as asked on the command line."""
    parser = argparse.ArgumentParser(description="What progress costs, against one scan of the log.")
    parser.add_argument("--reviews", type=int, default=1_000_000)
    parser.add_argument("--questions", type=int, nargs="+", default=[74, 10_000])
    parser.add_argument("--pairs", type=int, default=7)
    chosen = parser.parse_args()
    os.environ |= {"QUIZ_NOW": (START + timedelta(days=DAYS)).isoformat(), "TZ": "UTC"}
    for questions in chosen.questions:
        with TemporaryDirectory() as folder:
            measure(Path(folder), chosen.reviews, questions, chosen.pairs)


if __name__ == "__main__":
    main()
