"""Checking a pack of 10,000 questions that are not drawn, so that there is nothing to certify, against parsing the same
file with PyYAML's C loader. Each time is taken in a process of its own.

    python -m tests.benchmarks.checking [--rounds 7] [--json]
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.packs import usual_pack
from tests.benchmarks.pairs import ENVIRONMENT, Outcome, main, measure

BUDGET = 4
QUESTIONS = 10_000

_CHECK = """
import sys
from pathlib import Path
from time import perf_counter
from quiz.lint.check import check_packs
start = perf_counter()
report = check_packs([Path(sys.argv[1])], {})
print(perf_counter() - start)
assert not report.errors and not report.advice, (report.errors + report.advice)[:3]
"""
_PARSE = """
import sys
from time import perf_counter
import yaml
start = perf_counter()
with open(sys.argv[1], encoding="utf-8") as file:
    pack = yaml.load(file, yaml.CSafeLoader)
print(perf_counter() - start)
assert len(pack["questions"]) == int(sys.argv[2])
"""


def benchmarks(rounds: int) -> list[Outcome]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "many.yaml"
        file.write_text(usual_pack(QUESTIONS), encoding="utf-8")

        def timed(program: str) -> float:
            command = [sys.executable, "-c", program, str(file), str(QUESTIONS)]
            done = subprocess.run(command, capture_output=True, check=True, text=True, timeout=300, env=ENVIRONMENT)
            return float(done.stdout)

        name = f"checking {QUESTIONS:,} questions ({file.stat().st_size / 1e6:.1f} MB)"
        bare = "PyYAML's C loader"
        return [measure(name, bare, BUDGET, lambda: timed(_CHECK), lambda: timed(_PARSE), rounds)]


if __name__ == "__main__":
    main(__doc__, benchmarks, rounds=7)
