"""A sitting killed at any instant loses nothing that it acknowledged."""

import os
import random
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

from quiz.memory.reviews import ReviewLog
from quiz.paths import database

KILLS = 50


def start(home: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "quiz", "--home", str(home), "study", "--plain", "--new", "500"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)


def study(sitting: "subprocess.Popen[str]", saves: int, haste: float) -> list[str]:
    """Answer until so many reviews are acknowledged, then kill at once or some lines later; gives the keys."""
    assert sitting.stdin is not None
    assert sitting.stdout is not None
    acknowledged: list[str] = []
    kind, choices = "", 0
    for line in sitting.stdout:
        if line.startswith("Question "):
            kind, choices = line.split(" · ")[1], 0
        elif line[:1].isdigit() and line[1:2] == ".":
            choices += 1
        elif line.startswith("Answer ("):
            sitting.stdin.write(",".join(map(str, range(1, choices + 1))) + "\n" if kind == "order" else "1\n")
        elif line.startswith("Rating ["):
            sitting.stdin.write("3\n")
            if len(acknowledged) >= saves and random.random() < haste:
                break
        elif line.startswith("saved "):
            acknowledged.append(line.split()[1])
            if len(acknowledged) >= saves and random.random() < haste:
                break
    sitting.send_signal(signal.SIGKILL)
    # What was in the pipe by then had been acknowledged as well.
    acknowledged += [line.split()[1] for line in sitting.stdout if line.startswith("saved ") and line.endswith("\n")]
    sitting.stdin.close()
    sitting.stdout.close()
    sitting.wait()
    return acknowledged


def test_fifty_kills_lose_no_acknowledged_answer(tmp_path: Path) -> None:
    random.seed(os.environ.get("PYTEST_SEED", "7"))
    acknowledged: Counter[str] = Counter()
    for _ in range(KILLS):
        acknowledged.update(study(start(tmp_path), random.randrange(0, 4), random.choice((0.3, 1.0))))
    assert acknowledged.total() >= KILLS
    with ReviewLog.open(database(tmp_path)) as log:
        stored = Counter(review.key for review in log.reviews())
        assert not acknowledged - stored
        # Only the one review under way at each kill may be there without its line having been read.
        assert stored.total() - acknowledged.total() <= KILLS
        cards = log.cards()
        assert log.rebuild() == 0
        assert log.cards() == cards
