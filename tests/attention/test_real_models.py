"""The quantities against real attention modules that were built and read (models.json)."""

from typing import Any

import pytest

from quiz.attention.solver import solve

# Their query projection makes an output gate too, or the values have no projection of their own.
ODD = {"Qwen3NextAttention", "Qwen3_5MoeAttention", "Qwen3_5Attention"}


def givens_of(model: dict[str, Any]) -> dict[str, Any]:
    truth = model["truth"]
    layer = truth["attention"]
    return {
        "hidden_size": truth["hidden_size"],
        "num_heads": layer["num_query_heads"],
        "num_kv_heads": layer["num_kv_heads"],
        "head_dim": layer["qk_head_dim"],
        "v_head_dim": layer["v_head_dim"],
    }


def test_the_projections_have_the_shapes_that_the_module_has(grouped_model: dict[str, Any]) -> None:
    layer = grouped_model["truth"]["attention"]
    roles = {role: tuple(shape) for role, shape in layer["qkvo_weight_out_in"].items()}
    if layer["attention_class"] in ODD:
        out, into = roles["q"]
        roles["q"] = (out // 2, into)
    givens = givens_of(grouped_model)
    assert {role: solve(f"{role}_proj_shape", givens).value for role in roles} == roles


def test_the_module_has_as_many_weights(grouped_model: dict[str, Any]) -> None:
    layer = grouped_model["truth"]["attention"]
    if layer["attention_class"] in ODD or "v" not in layer["qkvo_weight_out_in"]:
        pytest.skip("has an output gate, or no values of its own")
    assert solve("attention_params_per_layer", givens_of(grouped_model)).value == layer["params"]["proj_weights"]


def test_the_module_caches_as_many_elements(grouped_model: dict[str, Any]) -> None:
    cache = grouped_model["truth"]["attention"]["kv_cache"]
    if not cache:
        pytest.skip("an encoder caches nothing")
    elements = cache["architectural_elements_per_token_per_layer"]
    assert solve("kv_cache_elements_per_token_per_layer", givens_of(grouped_model)).value == elements


def test_the_latent_projections_have_the_shapes_that_the_module_has(latent_model: dict[str, Any]) -> None:
    truth = latent_model["truth"]
    layer = truth["attention"]
    givens = _latent_givens(latent_model)
    modules = {
        "q_a_proj": "mla_q_a_proj_shape",
        "q_b_proj": "mla_q_b_proj_shape",
        "kv_a_proj_with_mqa": "mla_kv_a_proj_shape",
        "kv_b_proj": "mla_kv_b_proj_shape",
        "o_proj": "mla_o_proj_shape",
    }
    shapes = {name: tuple(layer["projections"][name]["weight"]) for name in modules if name in layer["projections"]}
    assert {name: solve(modules[name], givens).value for name in shapes} == shapes
    assert len(shapes) >= 3


def test_the_latent_module_caches_as_many_elements(latent_model: dict[str, Any]) -> None:
    layer = latent_model["truth"]["attention"]
    elements = layer["mla"]["latent_elements_per_token_per_layer"]
    assert solve("mla_kv_cache_elements_per_token_per_layer", _latent_givens(latent_model)).value == elements


def test_the_latent_module_has_as_many_weights(latent_model: dict[str, Any]) -> None:
    layer = latent_model["truth"]["attention"]
    if layer["mla"]["q_lora_rank"] is None or any("indexer" in name for name in layer["norm_params_inside"]):
        pytest.skip("no query latent, or an indexer whose weights count too")
    assert (
        solve("mla_attention_params_per_layer", _latent_givens(latent_model)).value == layer["params"]["proj_weights"]
    )


def _latent_givens(model: dict[str, Any]) -> dict[str, Any]:
    layer = model["truth"]["attention"]
    return dict(layer["mla"]) | {"hidden_size": model["truth"]["hidden_size"], "num_heads": layer["num_query_heads"]}
