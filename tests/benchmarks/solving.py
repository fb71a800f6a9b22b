"""`quiz solve`, the whole process, against a Python that imports NumPy and nothing else.

python -m tests.benchmarks.solving [--rounds 31] [--json]
"""

import subprocess
import sys
from time import perf_counter

from tests.benchmarks.pairs import ENVIRONMENT, Outcome, main, measure

BUDGET = 1.15
SOLVE = ["-m", "quiz", "solve", "kv_cache_bytes_per_token", "num_layers=32", "num_kv_heads=8", "head_dim=128"]


def seconds(*arguments: str) -> float:
    start = perf_counter()
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True, timeout=60, env=ENVIRONMENT)
    return perf_counter() - start


def benchmarks(rounds: int) -> list[Outcome]:
    name = "quiz solve kv_cache_bytes_per_token"
    bare = 'python -c "import numpy"'
    return [measure(name, bare, BUDGET, lambda: seconds(*SOLVE), lambda: seconds("-c", "import numpy"), rounds)]


if __name__ == "__main__":
    main(__doc__, benchmarks, rounds=31)
