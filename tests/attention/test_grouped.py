"""MHA, GQA, MQA and cross attention against the outputs of the real modules."""

from typing import Any

import numpy as np
import pytest

from quiz.attention.grouped import GroupedResult, GroupedWeights, HeadNorm, forward
from quiz.attention.linear import Linear
from quiz.attention.rope import Rotary
from quiz.attention.spec import LayerSpec
from quiz.errors import SolveError

Cases = dict[str, dict[str, Any]]
CLOSE = 1e-10

PLAIN: dict[str, dict[str, Any]] = {
    "mha": {},
    "mha_causal": {"causal": True},
    "single_head": {},
    "gqa": {"causal": True},
    "gqa_decoupled": {"causal": True},
    "mqa": {"causal": True},
    "cross": {},
    "cross_gqa_dv": {},
    "no_scaling": {"scale": 1.0},
    "bool_mask": {},
    "additive_mask": {},
    "sliding_window": {},
}


def weights_of(case: dict[str, Any]) -> GroupedWeights:
    q, k, v, o = (Linear(case[f"W{role}"], case.get(f"b{role}")) for role in "qkvo")
    return GroupedWeights(q, k, v, o)


def spec_of(case: dict[str, Any]) -> LayerSpec:
    return LayerSpec(
        hidden_size=case["x"].shape[-1],
        num_heads=case["q"].shape[1],
        num_kv_heads=case["k"].shape[1],
        head_dim=case["q"].shape[-1],
        v_head_dim=case["v"].shape[-1],
    )


def run(case: dict[str, Any], **how: Any) -> GroupedResult:
    return forward(spec_of(case), weights_of(case), case["x"], source=case.get("x_kv"), mask=case.get("mask"), **how)


@pytest.mark.parametrize("name", PLAIN)
def test_every_step_is_that_of_the_real_one(cases: Cases, name: str) -> None:
    case, result = cases[name], run(cases[name], **PLAIN[name])
    assert abs(result.output - case["y"]).max() <= CLOSE
    assert abs(result.context - case["context_heads"]).max() <= CLOSE
    assert abs(result.weights - case["probs"]).max() <= CLOSE
    assert abs(result.cache.keys - case["k"]).max() <= CLOSE
    assert abs(result.cache.values - case["v"]).max() <= CLOSE


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("mha", "wrong_dim_major_heads"),
        ("mha", "wrong_merge_no_transpose"),
        ("mha", "wrong_no_transpose"),
        ("mha", "wrong_scale_sqrt_hidden"),
        ("gqa", "wrong_tile"),
    ],
)
def test_plausible_mistakes_give_something_else(cases: Cases, name: str, wrong: str) -> None:
    assert abs(run(cases[name], **PLAIN[name]).output - cases[name][wrong]).max() > 1e-3


@pytest.mark.parametrize("name", ["cross", "cross_gqa_dv"])
def test_cross_attention_projects_its_source_once(cases: Cases, name: str) -> None:
    case, spec, weights = cases[name], spec_of(cases[name]), weights_of(cases[name])
    cache, outputs = None, []
    for token in range(5):
        step = case["x"][:, token : token + 1]
        result = forward(spec, weights, step, source=case["x_kv"], cache=cache)
        cache = result.cache
        outputs.append(result.output)
    assert cache is not None
    assert cache.tokens == 7
    assert abs(np.concatenate(outputs, axis=1) - case["y"]).max() <= CLOSE


def test_two_sequences_have_no_common_positions(cases: Cases) -> None:
    with pytest.raises(SolveError, match="no common positions"):
        run(cases["cross"], rotary=Rotary(6))


def llama(case: dict[str, Any]) -> tuple[LayerSpec, GroupedWeights, Rotary]:
    q, k, v, o = (Linear(case[f"param:{role}_proj.weight"], case[f"param:{role}_proj.bias"]) for role in "qkvo")
    return LayerSpec(hidden_size=24, num_heads=6, num_kv_heads=2, head_dim=8), GroupedWeights(q, k, v, o), Rotary(8)


def test_llama(cases: Cases) -> None:
    case = cases["hf_llama_gqa"]
    spec, weights, rotary = llama(case)
    result = forward(spec, weights, case["x"], rotary=rotary, causal=True)
    assert abs(result.output - case["y"]).max() <= CLOSE
    assert abs(result.cache.keys - case["cache_keys"]).max() <= CLOSE
    assert abs(result.cache.values - case["cache_values"]).max() <= CLOSE


@pytest.mark.parametrize("steps", [(1,) * 7, (4, 1, 1, 1), (3, 4), (1, 6)])
def test_decoding_with_a_cache_gives_what_the_whole_gives(cases: Cases, steps: tuple[int, ...]) -> None:
    case = cases["hf_llama_gqa"]
    spec, weights, rotary = llama(case)
    cache, outputs, start = None, [], 0
    for step in steps:
        tokens = case["x"][:, start : start + step]
        result = forward(spec, weights, tokens, rotary=rotary, causal=True, cache=cache)
        cache, start = result.cache, start + step
        outputs.append(result.output)
    assert cache is not None
    assert cache.tokens == 7
    assert abs(np.concatenate(outputs, axis=1) - case["y"]).max() <= CLOSE
    assert abs(cache.keys - case["cache_keys"]).max() <= CLOSE


def test_qwen3_norms_queries_and_keys(cases: Cases) -> None:
    case = cases["hf_qwen3"]
    norm = HeadNorm(case["param:q_norm.weight"], case["param:k_norm.weight"], float(case["eps"]))
    q, k, v, o = (Linear(case[f"param:{role}_proj.weight"]) for role in "qkvo")
    spec = LayerSpec(hidden_size=24, num_heads=4, num_kv_heads=2, head_dim=8)
    result = forward(spec, GroupedWeights(q, k, v, o, norm), case["x"], rotary=Rotary(8), causal=True)
    assert abs(result.output - case["y"]).max() <= CLOSE


def test_gpt2_fuses_queries_keys_and_values_in_blocks(cases: Cases) -> None:
    case = cases["hf_gpt2"]
    blocks = np.split(case["param:c_attn.weight"].T, 3)
    biases = np.split(case["param:c_attn.bias"], 3)
    out = Linear(case["param:c_proj.weight"].T, case["param:c_proj.bias"])
    q, k, v = (Linear(weight, bias) for weight, bias in zip(blocks, biases, strict=True))
    spec = LayerSpec(hidden_size=24, num_heads=4, num_kv_heads=4, head_dim=6)
    result = forward(spec, GroupedWeights(q, k, v, out), case["x"], causal=True)
    assert abs(result.output - case["y"]).max() <= CLOSE


def test_gpt_neox_fuses_queries_keys_and_values_head_by_head(cases: Cases) -> None:
    case = cases["hf_gpt_neox"]
    # (heads, [q | k | v], head_dim, in): each head owns its three blocks of rows.
    weights = case["param:query_key_value.weight"].reshape(4, 3, 8, 32)
    biases = case["param:query_key_value.bias"].reshape(4, 3, 8)
    q, k, v = (Linear(weights[:, role].reshape(32, 32), biases[:, role].reshape(32)) for role in range(3))
    out = Linear(case["param:dense.weight"], case["param:dense.bias"])
    spec = LayerSpec(hidden_size=32, num_heads=4, num_kv_heads=4, head_dim=8)
    result = forward(spec, GroupedWeights(q, k, v, out), case["x"], rotary=Rotary(4), causal=True)
    assert abs(result.output - case["y"]).max() <= CLOSE


def test_t5_adds_a_bias_to_unscaled_scores(cases: Cases) -> None:
    case = cases["hf_t5_encoder"]
    q, k, v, o = (Linear(case[f"param:{role}.weight"]) for role in "qkvo")
    spec = LayerSpec(hidden_size=20, num_heads=4, num_kv_heads=4, head_dim=6)
    result = forward(spec, GroupedWeights(q, k, v, o), case["x"], mask=case["position_bias"], scale=1.0)
    assert abs(result.output - case["y"]).max() <= CLOSE


def random_layer(num_kv_heads: int) -> tuple[LayerSpec, GroupedWeights, Any]:
    random = np.random.default_rng(3)
    spec = LayerSpec(hidden_size=20, num_heads=6, num_kv_heads=num_kv_heads, head_dim=4, v_head_dim=5)
    shapes = [(24, 20), (num_kv_heads * 4, 20), (num_kv_heads * 5, 20), (20, 30)]
    q, k, v, o = (Linear(random.normal(size=shape)) for shape in shapes)
    return spec, GroupedWeights(q, k, v, o), random.normal(size=(2, 5, 20))


@pytest.mark.parametrize("num_kv_heads", [6, 3, 2, 1])
def test_every_kind_decodes_token_by_token(num_kv_heads: int) -> None:
    spec, weights, hidden = random_layer(num_kv_heads)
    whole = forward(spec, weights, hidden, causal=True, rotary=Rotary(2, interleaved=True))
    cache, outputs = None, []
    for token in range(5):
        step = hidden[:, token : token + 1]
        result = forward(spec, weights, step, causal=True, rotary=Rotary(2, interleaved=True), cache=cache)
        cache = result.cache
        outputs.append(result.output)
    assert abs(np.concatenate(outputs, axis=1) - whole.output).max() <= CLOSE
    assert whole.cache.keys.shape == (2, num_kv_heads, 5, 4)
    assert whole.cache.values.shape == (2, num_kv_heads, 5, 5)


def test_mha_with_repeated_kv_heads_is_gqa() -> None:
    spec, weights, hidden = random_layer(2)
    wide = LayerSpec(hidden_size=20, num_heads=6, num_kv_heads=6, head_dim=4, v_head_dim=5)
    k = np.repeat(weights.k.weight.reshape(2, 4, 20), 3, axis=0).reshape(24, 20)
    v = np.repeat(weights.v.weight.reshape(2, 5, 20), 3, axis=0).reshape(30, 20)
    repeated = GroupedWeights(weights.q, Linear(k), Linear(v), weights.o)
    assert np.allclose(forward(wide, repeated, hidden).output, forward(spec, weights, hidden).output)


@pytest.mark.parametrize(
    ("role", "shape", "told"),
    [
        ("q", (24, 19), r"q_proj.weight is \(24, 19\); these sizes need \(24, 20\)"),
        ("k", (9, 20), r"k_proj.weight is \(9, 20\); these sizes need \(8, 20\)"),
        ("v", (8, 20), r"v_proj.weight is \(8, 20\); these sizes need \(10, 20\)"),
        ("o", (20, 24), r"o_proj.weight is \(20, 24\); these sizes need \(20, 30\)"),
    ],
)
def test_weights_of_another_layer_are_refused(role: str, shape: tuple[int, int], told: str) -> None:
    spec, weights, hidden = random_layer(2)
    others = {name: getattr(weights, name) for name in "qkvo"} | {role: Linear(np.zeros(shape))}
    with pytest.raises(SolveError, match=told):
        forward(spec, GroupedWeights(**others), hidden)


def test_a_hidden_state_of_another_width_is_refused() -> None:
    spec, weights, _ = random_layer(2)
    with pytest.raises(SolveError, match=r"a weight of \(24, 20\) takes 20 features, not 21"):
        forward(spec, weights, np.zeros((1, 2, 21)))
