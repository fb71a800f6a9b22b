"""The traced steps against real forward passes, against the quantities, and what is refused."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quiz.attention import grouped, latent
from quiz.attention.grouped import GroupedWeights
from quiz.attention.latent import LatentResult, LatentWeights, QueryLatent
from quiz.attention.linear import Linear
from quiz.attention.rope import Rotary
from quiz.attention.solver import solve
from quiz.attention.spec import LatentSpec, LayerSpec
from quiz.attention.trace import Phase, Step, trace, trace_givens
from quiz.errors import SolveError, UsageError

LLAMA3_8B: dict[str, Any] = {"hidden_size": 4096, "num_heads": 32, "num_kv_heads": 8, "head_dim": 128}
DEEPSEEK_V3: dict[str, Any] = {
    "hidden_size": 7168,
    "num_heads": 128,
    "kv_lora_rank": 512,
    "q_lora_rank": 1536,
    "qk_nope_head_dim": 128,
    "qk_rope_head_dim": 64,
    "v_head_dim": 128,
}
few = st.integers(1, 5)


def steps_of(phase: Phase) -> dict[str, Step]:
    steps = {step.step: step for step in phase.steps}
    assert len(steps) == len(phase.steps)
    return steps


def shapes_of(phase: Phase) -> dict[str, tuple[int, ...]]:
    return {name: step.shape for name, step in steps_of(phase).items()}


def zeros(out: int, into: int) -> Linear:
    return Linear(np.zeros((out, into)))


@st.composite
def layer_specs(draw: st.DrawFn) -> LayerSpec:
    kv_heads = draw(few)
    return LayerSpec(
        hidden_size=draw(few),
        num_heads=kv_heads * draw(few),
        num_kv_heads=kv_heads,
        head_dim=draw(few),
        v_head_dim=draw(st.none() | few),
    )


@st.composite
def latent_specs(draw: st.DrawFn) -> LatentSpec:
    return LatentSpec(
        hidden_size=draw(few),
        num_heads=draw(few),
        kv_lora_rank=draw(few),
        q_lora_rank=draw(st.none() | few),
        qk_nope_head_dim=draw(few),
        qk_rope_head_dim=2 * draw(few),
        v_head_dim=draw(few),
    )


@settings(deadline=None)
@given(spec=layer_specs(), batch=few, seq_len=few, more=few)
def test_grouped_attention_goes_through_the_shapes_that_it_is_said_to(
    spec: LayerSpec, batch: int, seq_len: int, more: int
) -> None:
    q, k = (
        zeros(spec.num_heads * spec.head_dim, spec.hidden_size),
        zeros(spec.num_kv_heads * spec.head_dim, spec.hidden_size),
    )
    v, o = (
        zeros(spec.num_kv_heads * spec.value_dim, spec.hidden_size),
        zeros(spec.hidden_size, spec.num_heads * spec.value_dim),
    )
    weights = GroupedWeights(q, k, v, o)
    context = seq_len + more
    held = grouped.forward(spec, weights, np.zeros((batch, context - 1, spec.hidden_size)), causal=True).cache
    for phase in trace(spec, batch=batch, seq_len=seq_len, context=context):
        hidden = np.zeros((batch, phase.tokens, spec.hidden_size))
        result = grouped.forward(spec, weights, hidden, causal=True, cache=held if phase.phase == "decode" else None)
        shapes = shapes_of(phase)
        assert shapes["hidden"] == hidden.shape
        assert shapes["cached_keys"] == result.cache.keys.shape
        assert shapes["cached_values"] == result.cache.values.shape
        assert shapes["scores"] == shapes["weights"] == result.weights.shape
        assert shapes["context"] == result.context.shape
        assert shapes["output"] == result.output.shape
        assert ("repeated_keys" in shapes) == (spec.group_size > 1)


@settings(deadline=None)
@given(spec=latent_specs(), batch=few, seq_len=few, more=few)
def test_latent_attention_goes_through_the_shapes_that_it_is_said_to(
    spec: LatentSpec, batch: int, seq_len: int, more: int
) -> None:
    weights, rotary = latent_weights(spec), Rotary(spec.qk_rope_head_dim)
    context = seq_len + more
    held = latent.expanded(spec, weights, np.zeros((batch, context - 1, spec.hidden_size)), rotary).cache
    phases = trace(spec, batch=batch, seq_len=seq_len, context=context)
    assert [(phase.phase, phase.form) for phase in phases] == [
        ("prefill", "expanded"),
        ("prefill", "absorbed"),
        ("decode", "expanded"),
        ("decode", "absorbed"),
    ]
    for phase in phases:
        form: Callable[..., LatentResult] = latent.expanded if phase.form == "expanded" else latent.absorbed
        hidden = np.zeros((batch, phase.tokens, spec.hidden_size))
        result = form(spec, weights, hidden, rotary, cache=held if phase.phase == "decode" else None)
        shapes = shapes_of(phase)
        assert shapes["cached_latents"] == result.cache.latents.shape
        assert shapes["cached_rotary_keys"] == result.cache.rotary_keys.shape
        assert shapes["scores"] == shapes["weights"] == result.weights.shape
        assert shapes["context"] == result.context.shape
        assert shapes["output"] == result.output.shape
        assert ("query_latents" in shapes) == (spec.q_lora_rank is not None)


def latent_weights(spec: LatentSpec) -> LatentWeights:
    n, rank = spec.num_heads, spec.q_lora_rank
    return LatentWeights(
        q=zeros(n * spec.qk_head_dim, rank or spec.hidden_size),
        kv_a=zeros(spec.cache_width, spec.hidden_size),
        kv_norm=np.ones(spec.kv_lora_rank),
        kv_b=zeros(n * (spec.qk_nope_head_dim + spec.v_head_dim), spec.kv_lora_rank),
        o=zeros(spec.hidden_size, n * spec.v_head_dim),
        q_latent=QueryLatent(zeros(rank, spec.hidden_size), np.ones(rank)) if rank else None,
    )


@pytest.mark.parametrize("dtype", ["fp32", "bf16", "int4", Fraction(3, 4)])
def test_what_is_traced_is_what_the_solver_measures(dtype: str | Fraction) -> None:
    givens = LLAMA3_8B | {"batch": 3, "seq_len": 100, "context": 700, "dtype": dtype}
    prefill, decode = (steps_of(phase) for phase in trace_givens(givens))
    assert prefill["query_heads"].shape == solve("split_heads_shape", givens).value
    assert prefill["key_heads"].shape == solve("kv_heads_shape", givens).value
    assert prefill["merged_heads"].shape == solve("merged_heads_shape", givens).value
    one_token = givens | {"seq_len": 1}
    assert decode["scores"].shape == solve("scores_shape", one_token).value
    assert decode["scores"].bytes == solve("scores_bytes", one_token).value
    cached = decode["cached_keys"].bytes + decode["cached_values"].bytes
    assert cached == solve("kv_cache_bytes", givens | {"num_layers": 1}).value


def test_mla_caches_and_absorbs_as_the_solver_measures() -> None:
    givens = DEEPSEEK_V3 | {"batch": 3, "seq_len": 1, "context": 700}
    decode = steps_of(trace_givens(givens)[3])
    assert decode["latent_queries"].shape == solve("mla_absorbed_query_shape", givens).value
    assert decode["latent_keys"].shape == solve("mla_absorbed_key_shape", givens).value
    cached = decode["cached_latents"].bytes + decode["cached_rotary_keys"].bytes
    assert cached == solve("mla_kv_cache_bytes", givens | {"num_layers": 1}).value


def test_a_step_says_how_it_is_made_and_what_it_measures() -> None:
    prefill, decode = trace_givens(LLAMA3_8B | {"seq_len": 16})
    assert steps_of(prefill)["keys"] == Step("keys", "k_proj, weight (1024, 4096)", (1, 16, 1024), 16_384, 32_768)
    assert steps_of(decode)["cached_keys"].operation == "cache: 15 tokens held, 1 new"
    assert (decode.tokens, decode.context) == (1, 16)


def test_the_elements_are_those_of_the_shape() -> None:
    for phase in trace_givens(DEEPSEEK_V3 | {"seq_len": 16, "context": 131_072, "batch": 64}):
        for step in phase.steps:
            assert step.elements == int(np.prod(step.shape, dtype=np.int64))
            assert step.bytes == 2 * step.elements


def test_a_missing_given_is_named() -> None:
    with pytest.raises(UsageError, match=r"also needs num_kv_heads .*, seq_len \(tokens that query, from 1\)"):
        trace_givens({"hidden_size": 4096, "num_heads": 32, "head_dim": 128})
    with pytest.raises(UsageError, match="v_head_dim"):
        trace_givens({name: size for name, size in DEEPSEEK_V3.items() if name != "v_head_dim"} | {"seq_len": 1})


def test_an_unknown_given_is_refused() -> None:
    with pytest.raises(UsageError, match="of MLA does not take 'head_dim'; it takes hidden_size"):
        trace_givens(DEEPSEEK_V3 | {"seq_len": 1, "head_dim": 128})


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"num_kv_heads": 5}, "32 query heads do not split over 5 KV heads"),
        ({"seq_len": 0}, "seq_len must be a whole number from 1"),
        ({"seq_len": 2**40}, "more than any array can hold"),
    ],
)
def test_illegal_sizes_are_refused_with_the_reason(wrong: dict[str, Any], told: str) -> None:
    with pytest.raises(SolveError, match=told):
        trace_givens(LLAMA3_8B | {"seq_len": 16} | wrong)
