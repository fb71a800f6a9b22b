"""A sitting killed at any instant loses nothing that it acknowledged.

More kills: ``QUIZ_TEST_KILLS=200 pytest tests/terminal/test_killed.py``.
"""

import os
import random
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Timer
from time import monotonic

from quiz.memory.backups import backups
from quiz.memory.reviews import ReviewLog
from quiz.paths import database

KILLS = int(os.environ.get("QUIZ_TEST_KILLS", "12"))
START = datetime(2026, 3, 2, 9, tzinfo=UTC)


class Sitting:
    """``quiz study --plain`` in a process of its own, answering as fast as it can until it is killed."""

    def __init__(self, home: Path, now: datetime) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "quiz", "--home", str(home), "study", "--plain", "--new", "30"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
            env={**os.environ, "QUIZ_NOW": now.isoformat(), "TZ": "UTC"},
        )
        self.began = monotonic()
        self.first_question: float | None = None

    def study(self, saves: int | None = None) -> list[str]:
        """Answer until the process is killed, or until so many answers are acknowledged; gives their keys."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        acknowledged: list[str] = []
        kind, choices = "", 0
        for line in self._process.stdout:
            if line.startswith("Question "):
                self.first_question = self.first_question or monotonic() - self.began
                kind, choices = line.split(" · ")[1], 0
            elif line[:1].isdigit() and line[1:2] == ".":
                choices += 1
            elif line.startswith("Answer ("):
                self._type(",".join(map(str, range(1, choices + 1))) if kind == "order" else "1")
            elif line.startswith("Rating ["):
                # What was forgotten comes back in the same sitting, so it never runs out of questions.
                self._type("1")
            elif line.startswith("saved ") and line.endswith("\n"):
                # A line that was in the pipe when the process died had been acknowledged as well.
                acknowledged.append(line.split()[1])
                if len(acknowledged) == saves:
                    self.kill()
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()
        return acknowledged

    def kill(self) -> None:
        self._process.kill()

    def _type(self, line: str) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.write(line + "\n")


def test_kills_at_random_instants_lose_no_acknowledged_answer(tmp_path: Path) -> None:
    drawn = random.Random(os.environ.get("PYTEST_SEED", "7"))
    measured = Sitting(tmp_path, START)
    acknowledged = Counter(measured.study(saves=10))
    assert measured.first_question is not None
    for day in range(1, KILLS + 1):
        # Every sitting is on another day, so it also backs up the log, and may be killed while it does.
        sitting = Sitting(tmp_path, START + timedelta(days=day))
        # Most die while they save, some while they start.
        timer = Timer(measured.first_question * drawn.uniform(0.3, 2.0), sitting.kill)
        timer.start()
        acknowledged.update(sitting.study())
        timer.join()
        if day % 8 == 0:
            check(tmp_path, acknowledged, day + 1)
    check(tmp_path, acknowledged, KILLS + 1)
    assert acknowledged.total() >= KILLS
    assert backups(database(tmp_path))


def check(home: Path, acknowledged: "Counter[str]", kills: int) -> None:
    with ReviewLog.open(database(home)) as log:
        assert log.notice == ""
        stored = Counter(review.key for review in log.reviews())
        assert not acknowledged - stored
        # Only the one answer under way at each kill may be there without its line having been read.
        assert stored.total() - acknowledged.total() <= kills
        assert log.check().sound
        cards = log.cards()
        assert log.rebuild() == 0
        assert log.cards() == cards
    with closing(sqlite3.connect(database(home))) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
