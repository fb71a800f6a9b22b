"""What libraries do with illegal sizes, against what they did (divisibility.json) and what the packs say of it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from quiz.attention.checkpoint.families import FAMILIES
from quiz.attention.legality import (
    CUTS,
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


TRUTH = Path(__file__).parents[3] / "shared" / "truth" / "divisibility.json"
TRIED: dict[str, Any] = json.loads(TRUTH.read_text(encoding="utf-8")) if TRUTH.is_file() else {"transformers": []}
NAMES = sorted({record["family"] for record in TRIED["transformers"]})


@pytest.fixture
def tried(shared: Path) -> dict[str, Any]:
    assert shared == TRUTH.parents[1]
    return TRIED


def test_it_says_with_which_versions_it_was_tried(tried: dict[str, Any]) -> None:
    assert tried["versions"] == VERSIONS


def looked_up(record: dict[str, Any], *, eager: bool) -> Outcome:
    outcome = family_outcome(
        record["family"],
        hidden_size=record["hidden"],
        num_heads=record["heads"],
        num_kv_heads=record["kv"],
        head_dim=record["keys"].get("head_dim", "absent"),
        eager=eager,
    )
    assert outcome, record
    return outcome


def of(family: str) -> list[dict[str, Any]]:
    records = [record for record in TRIED["transformers"] if record["family"] == family]
    assert len(records) >= 3
    return records


@pytest.mark.parametrize("family", NAMES)
def test_every_case_of_a_family_ends_as_it_did(family: str) -> None:
    for record in of(family):
        for implementation in ("eager", "sdpa"):
            truth = record.get(implementation)
            if truth is None or "does not support an attention" in truth.get("gist", ""):
                continue
            outcome = looked_up(record, eager=implementation == "eager")
            stage = {"construct": "build", None: "never"}.get(truth.get("stage"), truth.get("stage"))
            assert (outcome.stage.removesuffix("-but-wrong"), outcome.error, outcome.cause) == (
                stage,
                truth.get("type"),
                truth.get("cause"),
            ), record["label"]


@pytest.mark.parametrize("family", NAMES)
def test_the_heads_are_as_wide_as_the_projections_were(family: str) -> None:
    for record in of(family):
        shapes = record["eager"].get("shapes", {})
        queries = shapes.get("q_proj") or shapes.get("q")
        if not record["eager"]["ok"] or queries is None:
            continue
        outcome = looked_up(record, eager=True)
        assert sum(outcome.widths) == queries[0], record["label"]
        is_floored = (
            record["hidden"] % record["heads"] != 0 and outcome.widths[0] == record["hidden"] // record["heads"]
        )
        assert outcome.stage == ("never-but-wrong" if is_floored else "never")


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
    assert outcome
    assert (outcome.stage, outcome.widths) == ("never-but-wrong", (66,) * 12)
    assert outcome.why.startswith("800 / 12 is floored to head_dim 66: the heads cover 792 of 800")
    assert not outcome.raises


def test_fewer_query_heads_than_the_latents_kv_heads_fail_only_in_eager_attention() -> None:
    by_eager = {
        eager: family_outcome("deepseek_v3", hidden_size=768, num_heads=8, num_kv_heads=12, eager=eager)
        for eager in (True, False)
    }
    assert {eager: outcome and outcome.error for eager, outcome in by_eager.items()} == {
        True: "RuntimeError",
        False: None,
    }


def test_what_is_not_known_is_not_guessed() -> None:
    assert family_outcome("weather", hidden_size=768, num_heads=12) is None
    assert family_outcome("baichuan", hidden_size=768, num_heads=12) is None
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
