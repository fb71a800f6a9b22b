"""Every measured model: what its config.json says must be what its real attention module was."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from quiz.attention.checkpoint.attention import Attention
from quiz.attention.checkpoint.inspection import Inspection, inspect

TRUTH = Path(__file__).parents[4] / "shared" / "truth" / "models.json"
ENTRIES: list[dict[str, Any]] = json.loads(TRUTH.read_text(encoding="utf-8")) if TRUTH.is_file() else []
KINDS = {"mqa_shared_kv": "other"}
SOURCES = {"derived": "derived", "class": "family", "explicit": "explicit", "mla": "explicit"}


def table(*, legal: bool) -> pytest.MarkDecorator:
    rows = [entry for entry in ENTRIES if entry["truth"]["legal"] is legal]
    return pytest.mark.parametrize(
        "entry", [pytest.param(entry, id=f"{entry['built_as']}-{entry['id']}") for entry in rows]
    )


def read(entry: Mapping[str, Any]) -> Inspection:
    return inspect(entry["config"])


def check(layer: Attention, truth: Mapping[str, Any]) -> None:
    """One type of layer against one module that was built."""
    assert layer.kind == KINDS.get(truth["attention_kind"], truth["attention_kind"])
    assert layer.num_heads == truth["num_query_heads"]
    assert layer.num_kv_heads == truth["num_kv_heads"]
    assert layer.group_size == truth["group_size"]
    assert layer.qk_head_dim == truth["qk_head_dim"]
    assert layer.v_head_dim == truth["v_head_dim"]
    assert layer.head_dim == (None if layer.kind == "mla" else truth["qk_head_dim"])
    assert layer.weights == truth["params"]["proj_weights"]
    assert layer.biases == truth["params"]["proj_biases"]
    cache = truth["kv_cache"] or {}
    assert layer.cache_elements == cache.get("architectural_elements_per_token_per_layer")
    assert layer.projections is not None
    for role, shape in truth["qkvo_weight_out_in"].items():
        assert list(layer.projections[role]) == shape, role


@table(legal=True)
def test_the_main_attention_is_the_module_that_was_built(entry: dict[str, Any]) -> None:
    found, truth = read(entry), entry["truth"]
    check(found.main, truth["attention"])
    assert found.legal
    assert found.model_type == entry["model_type"]
    assert (found.hidden_size, found.num_layers) == (truth["hidden_size"], truth["num_hidden_layers"])
    assert found.head_dim_source == SOURCES[truth["head_dim_source"].split()[0].split(":")[0]]


@table(legal=True)
def test_all_weights_in_the_module_are_among_the_projections(entry: dict[str, Any]) -> None:
    main = read(entry).main
    assert main.projections is not None
    assert main.others is not None
    measured = entry["truth"]["attention"]["projections"]
    if not main.fused:
        ours = sorted(sorted(shape) for shape in (*main.projections.values(), *main.others.values()))
        assert ours == sorted(sorted(one["weight"]) for one in measured.values())
    else:
        assert list(main.fused.shape) == measured[main.fused.weight]["weight"]
        [split] = entry["truth"]["attention"]["fused_split"].values()
        assert split["layout"] in (main.fused.layout, "other")


@table(legal=True)
def test_every_other_type_of_layer_is_as_it_was_built(entry: dict[str, Any]) -> None:
    found, truth = read(entry), entry["truth"]
    types = {layer.layer_type: layer for layer in found.layers}
    for variant in truth.get("layer_variants") or ():
        same = truth["attention"] if "same_as" in variant else variant
        check(types[variant.get("layer_type") or variant["where"]], same)
    counts = truth["layers_by_type"] or {}
    if len(counts) > 1:
        assert {name: layer.count for name, layer in types.items()} == counts
    elif not truth.get("layer_variants"):
        assert not types


@table(legal=True)
def test_the_cache_of_all_layers_has_the_measured_bytes(entry: dict[str, Any]) -> None:
    found, truth = read(entry), entry["truth"]
    totals, deep = truth.get("kv_cache_totals_arith"), truth.get("full_depth_cache")
    elements = (totals or {}).get("elements_per_token_all_layers_architectural")
    if deep:
        elements = deep["elements_per_token_all_layers"]
    if elements is not None:
        assert (found.dtype, found.cache_bytes) == ("bf16", 2 * elements)
    elif truth["attention"]["kv_cache"] is None:
        assert found.cache_bytes is None


@table(legal=True)
def test_only_a_floored_size_is_a_problem(entry: dict[str, Any]) -> None:
    found = read(entry)
    stages = [problem.stage for problem in found.problems]
    assert stages == (["never-but-wrong"] if entry["truth"]["silently_floored"] else [])
    for problem in found.problems:
        assert all(str(list(shape)) in problem.why for shape in (found.main.projections or {}).values())


@table(legal=True)
def test_the_bias_switches_of_the_file_are_obeyed(entry: dict[str, Any]) -> None:
    key = entry["config_text_key"]
    for flip in entry["truth"].get("bias_switch_flipped") or ():
        inner = (entry["config"][key] if key else entry["config"]) | {flip["switch"]: flip["value"]}
        found = inspect(entry["config"] | {key: inner} if key else inner)
        if "error" in flip:
            assert found.problems[0].stage == "config"
        else:
            assert found.main.biases == flip["proj_biases"], flip["switch"]


@table(legal=False)
def test_an_illegal_config_raises_where_it_was_seen_to(entry: dict[str, Any]) -> None:
    found, error = read(entry), entry["truth"]["error"]
    assert not found.legal
    first = found.problems[0]
    assert first.stage == {"construct": "build"}.get(error["stage"], error["stage"])
    assert (first.error, first.cause) == (error["type"], error["cause"])


@table(legal=False)
def test_what_was_built_before_it_failed_has_these_weights(entry: dict[str, Any]) -> None:
    built = entry["truth"].get("built_shapes_before_failing")
    found = read(entry).main
    if not built:
        assert found.projections is None or entry["config"].get("head_dim")
        return
    [shapes] = built.values()
    assert found.projections is not None
    rows = {role: shape[0] for role, shape in found.projections.items()}
    assert sum(rows.values()) == sum(shape[0] for shape in shapes.values())


def test_all_measured_models_are_in_the_tables(shared: Path) -> None:
    assert len(ENTRIES) == 148
