"""Drawing one numeric variant, solver included, against the same broadcast, reshape and transpose in bare NumPy.

python -m tests.benchmarks.drawing [--rounds 61] [--json]
"""

from time import process_time

import numpy as np

from quiz import paths
from quiz.bank.pack import AnyQuestion
from quiz.bank.reader import read_models, read_pack
from quiz.problem.drawing import draw
from tests.benchmarks.pairs import Outcome, main, measure

BUDGET = 20
DRAWS = 50


def bare_cache(num_layers: int, num_kv_heads: int, head_dim: int) -> int:
    """Bytes of KV cache for a token: keys and values of one layer, split into heads."""
    cell = np.zeros(1, dtype=np.float16)
    per_layer = 0
    for _ in ("keys", "values"):
        projected = np.broadcast_to(cell, (1, 1, num_kv_heads * head_dim))
        per_layer += projected.reshape(1, 1, num_kv_heads, head_dim).transpose(0, 2, 1, 3).nbytes
    return num_layers * per_layer


def benchmarks(rounds: int) -> list[Outcome]:
    content = paths.content_dir()
    models = read_models(content / "models.yaml")
    pack = read_pack(content / "gqa.yaml").pack
    question: AnyQuestion = next(one for one in pack.questions if one.id == "cache-bytes-per-token")
    seed = 0

    def ours() -> float:
        nonlocal seed
        start = process_time()
        for _ in range(DRAWS):
            seed += 1
            draw(pack, question, seed, models)
        return (process_time() - start) / DRAWS

    def bare() -> float:
        start = process_time()
        for _ in range(10 * DRAWS):
            bare_cache(32, 8, 128)
        return (process_time() - start) / (10 * DRAWS)

    name = "drawing a variant of gqa/cache-bytes-per-token"
    return [measure(name, "its reshapes in bare NumPy", BUDGET, ours, bare, rounds)]


if __name__ == "__main__":
    main(__doc__, benchmarks, rounds=61)
