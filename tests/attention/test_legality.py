"""What libraries do with illegal sizes, against what they did (divisibility.json) and what the packs say of it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from quiz.attention.legality import (
    CUTS,
    FAMILIES,
    OPERATIONS,
    VERSIONS,
    Outcome,
    family_outcome,
    sdpa_outcome,
    split_outcome,
)
from quiz.bank.pack import StageQuestion
from quiz.bank.reader import read_pack
from quiz.paths import content_dir

CALLS = {
    ("torch", "view"): "torch.Tensor.view",
    ("torch", "reshape"): "torch.Tensor.reshape",
    ("torch", "unflatten"): "torch.Tensor.unflatten",
    ("torch", "chunk"): "torch.chunk",
    ("torch", "tensor_split"): "torch.tensor_split",
    ("torch", "split"): "torch.split",
    ("numpy", "reshape"): "numpy.reshape",
    ("numpy", "split"): "numpy.split",
    ("numpy", "array_split"): "numpy.array_split",
    ("einops", "rearrange"): "einops.rearrange",
    ("nn.MultiheadAttention", "MultiheadAttention"): "torch.nn.MultiheadAttention",
    ("nn.Transformer*", "TransformerEncoderLayer"): "torch.nn.TransformerEncoderLayer",
    ("functional", "F.multi_head_attention_forward"): "torch.nn.functional.multi_head_attention_forward",
}


@pytest.fixture(scope="module")
def tried(shared: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((shared / "truth" / "divisibility.json").read_text(encoding="utf-8"))
    return found


def test_it_says_with_which_versions_it_was_tried(tried: dict[str, Any]) -> None:
    assert tried["versions"] == VERSIONS


def looked_up(record: dict[str, Any], *, eager: bool) -> Outcome:
    keys = record["keys"]
    outcome = family_outcome(
        record["family"],
        hidden_size=record["hidden"],
        num_heads=record["heads"],
        num_kv_heads=record["kv"],
        head_dim=keys.get("head_dim", "absent"),
        eager=eager,
    )
    assert outcome, record
    return outcome


@pytest.mark.parametrize("family", FAMILIES)
def test_every_case_of_a_family_ends_as_it_did(family: str, tried: dict[str, Any]) -> None:
    records = [record for record in tried["transformers"] if record["family"] == family]
    assert len(records) >= 3
    for record in records:
        for implementation in ("eager", "sdpa"):
            truth = record.get(implementation)
            if truth is None or "does not support an attention" in truth.get("gist", ""):
                continue
            outcome = looked_up(_without_guess(record), eager=implementation == "eager")
            stage = {"construct": "build", None: "never"}.get(truth.get("stage"), truth.get("stage"))
            assert (outcome.stage.removesuffix("-but-wrong"), outcome.error, outcome.cause) == (
                stage,
                truth.get("type"),
                truth.get("cause"),
            ), record["label"]


def _without_guess(record: dict[str, Any]) -> dict[str, Any]:
    """The record as a case of its own: head_dim 64 beside 768 / 12 is what every derived width is as well."""
    is_derived = record["keys"].get("head_dim") == 64 and record["hidden"] == 768
    keys = {key: value for key, value in record["keys"].items() if not (is_derived and key == "head_dim")}
    takes_head_dim = FAMILIES[record["family"]].null is not None
    return record if takes_head_dim else record | {"keys": keys}


@pytest.mark.parametrize("family", FAMILIES)
def test_the_heads_are_as_wide_as_the_projections_were(family: str, tried: dict[str, Any]) -> None:
    for record in tried["transformers"]:
        shapes = record["eager"].get("shapes", {})
        queries = shapes.get("q_proj") or shapes.get("q")
        if record["family"] != family or not record["eager"]["ok"] or queries is None:
            continue
        outcome = looked_up(_without_guess(record), eager=True)
        assert sum(outcome.widths) == queries[0], record["label"]
        is_floored = (
            record["hidden"] % record["heads"] != 0 and outcome.widths[0] == record["hidden"] // record["heads"]
        )
        assert outcome.stage == ("never-but-wrong" if is_floored else "never")


def test_no_family_that_was_tried_is_missing(tried: dict[str, Any]) -> None:
    assert {record["family"] for record in tried["transformers"]} == set(FAMILIES)


def test_every_way_to_split_ends_as_it_did(tried: dict[str, Any]) -> None:
    seen = set()
    for record in tried["primitives"]:
        case = re.match(r"(\d+)/(\d+) (\w+)|([\w.]+)\((\d+),(\d+)[,)]", record["case"])
        if case is None or "parameters" in record["case"] or "separate" in record["case"]:
            continue
        features, heads, call = (case[1], case[2], case[3]) if case[3] else (case[5], case[6], case[4])
        if int(features) == 0 or int(heads) == 0:
            continue
        name = CALLS[record["area"], call] + (" with a float" if "float" in record["case"] else "")
        outcome = split_outcome(name, int(features), int(heads))
        assert outcome
        assert outcome.error == record.get("type"), record["case"]
        if name in CUTS:
            assert outcome.widths == tuple(record["result"])
        seen.add(name)
    assert seen == {*OPERATIONS, *CUTS}


def test_scaled_dot_product_attention_ends_as_it_did(tried: dict[str, Any]) -> None:
    pattern = re.compile(r"q heads (\d+), k heads ([1-9]\d*), v heads \2, enable_gqa=(\w+)")
    found = [(pattern.fullmatch(record["case"]), record) for record in tried["primitives"]]
    cases = [(case, record) for case, record in found if case]
    assert len(cases) >= 12
    for case, record in cases:
        outcome = sdpa_outcome(int(case[1]), int(case[2]), enable_gqa=case[3] == "True")
        assert outcome.error == record.get("type"), record["case"]
        if record["ok"]:
            assert (outcome.stage == "never") == (record["result"][1] == int(case[1]))


def test_mistral_floors_and_says_to_what() -> None:
    outcome = family_outcome("mistral", hidden_size=800, num_heads=12)
    assert outcome == Outcome(
        "never-but-wrong",
        "the width is floored to 66: the projections are 792 wide, not 800",
        widths=(66,) * 12,
    )
    assert not outcome.raises


def test_what_nobody_tried_is_not_guessed() -> None:
    assert family_outcome("weather", hidden_size=768, num_heads=12) is None
    assert family_outcome("bert", hidden_size=768, num_heads=12, num_kv_heads=4) is None
    assert family_outcome("bert", hidden_size=768, num_heads=12, head_dim=32) is None
    assert family_outcome("qwen3", hidden_size=768, num_heads=12, head_dim=65) is None
    assert split_outcome("jax.numpy.reshape", 800, 12) is None


def questions() -> list[Any]:
    packs = [read_pack(file).pack for file in sorted(content_dir().glob("*.yaml")) if file.stem != "models"]
    return [
        pytest.param(question, id=f"{pack.pack}/{question.id}")
        for pack in packs
        for question in pack.questions
        if isinstance(question, StageQuestion)
    ]


@pytest.mark.parametrize("question", questions())
def test_a_stage_question_of_the_packs_is_answered_as_it_was_tried(question: StageQuestion) -> None:
    outcome = asked(question.snippet or "")
    if outcome is None:
        pytest.skip("asks about memory layout, not about sizes")
    assert outcome.stage == question.answer


def asked(snippet: str) -> Outcome | None:
    """The outcome of the config, the module or the call that a snippet makes, if it makes one we know."""
    if config := re.search(r"(\w+)Config\(", snippet):
        sizes = {name: int(size) for name, size in re.findall(r"(\w+)=(\d+)", snippet)}
        family = next(name for name in FAMILIES if name.replace("_", "") == config[1].lower())
        return family_outcome(
            family,
            hidden_size=sizes["hidden_size"],
            num_heads=sizes["num_attention_heads"],
            num_kv_heads=sizes.get("num_key_value_heads"),
            head_dim=sizes.get("head_dim", "absent"),
        )
    if module := re.search(r"nn\.MultiheadAttention\((\d+), (\d+)\)", snippet):
        return split_outcome("torch.nn.MultiheadAttention", int(module[1]), int(module[2]))
    if "scaled_dot_product_attention" in snippet:
        heads = [int(count) for count in re.findall(r"= torch\.randn\(\d+, (\d+),", snippet)]
        return sdpa_outcome(heads[0], heads[1], enable_gqa="enable_gqa=True" in snippet)
    return None


def test_most_stage_questions_of_the_packs_are_about_sizes_that_were_tried() -> None:
    known = [parameter.values[0] for parameter in questions() if asked(parameter.values[0].snippet or "")]
    assert len(known) >= 8
