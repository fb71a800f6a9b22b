from collections.abc import Callable
from pathlib import Path

import pytest

from quiz.lint.check import Report, check_packs
from quiz.problem.space import Models

MODELS: Models = {
    "small": {"title": "Small", "hidden_size": 64, "num_heads": 4, "num_kv_heads": 2, "head_dim": 16, "num_layers": 3}
}
HEAD = """\
format: 1
pack: trial
title: A trial
version: "1.0.0"
sources: {s: {title: A source}}
misconceptions:
  a: {says: A, truth: Not A}
  b: {says: B, truth: Not B}
  c: {says: C, truth: Not C}
lessons:
  - {id: l, title: L, tldr: T, body: B}
questions:
"""
# Uses what the head defines and a test does not.
FOOT = """\
  - id: foot
    kind: numeric
    lesson: l
    sources: [s]
    prompt: P
    unit: "1"
    formula: 100
    mistakes: [{formula: 1, misconception: a}, {formula: 2, misconception: b}, {formula: 3, misconception: c}]
"""


@pytest.fixture
def check(tmp_path: Path) -> Callable[..., Report]:
    """Check a pack made of the usual head, these questions and one that has nothing wrong with it."""

    def checked(questions: str, head: str = HEAD, *, mutate: bool = False) -> Report:
        file = tmp_path / "trial.yaml"
        file.write_text(head + questions + (FOOT if head == HEAD else ""), encoding="utf-8")
        return check_packs([file], MODELS, mutate=mutate)

    return checked
