"""Sizes that do not fit, tried in 61 families: `inspect` must say what happened, and where."""

import json
from math import prod
from pathlib import Path
from typing import Any

import pytest

from quiz.attention.checkpoint.inspection import inspect

TRUTH = Path(__file__).parents[4] / "shared" / "truth" / "divisibility.json"
RECORDS: list[dict[str, Any]] = json.loads(TRUTH.read_text(encoding="utf-8"))["transformers"] if TRUTH.is_file() else []


def outcome(record: dict[str, Any]) -> dict[str, Any]:
    """What happened with the attention that runs where nobody asks for another: SDPA, if the family has it."""
    sdpa: dict[str, Any] = record.get("sdpa") or {}
    missing = not sdpa or "does not support an attention implementation" in sdpa.get("gist", "")
    eager: dict[str, Any] = record["eager"]
    return eager if missing else sdpa


@pytest.mark.parametrize(
    "record", [pytest.param(record, id=f"{record['family']}: {record['label']}") for record in RECORDS]
)
def test_a_config_does_what_it_did_when_it_was_tried(record: dict[str, Any]) -> None:
    found, tried = inspect({"model_type": record["family"], **record["keys"]}), outcome(record)
    assert found.legal is tried["ok"]
    if tried["ok"]:
        shapes = tried.get("shapes") or {}
        assert not shapes or found.main.weights == sum(map(prod, shapes.values()))
        return
    first = found.problems[0]
    assert first.stage == {"construct": "build"}.get(tried["stage"], tried["stage"])
    assert (first.error, first.cause) == (tried["type"], tried["cause"])
