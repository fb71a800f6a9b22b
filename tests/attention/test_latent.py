"""MLA, expanded and absorbed, against the outputs of the real modules."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from quiz.attention.latent import LatentResult, LatentWeights, QueryLatent, absorbed, expanded
from quiz.attention.linear import Linear
from quiz.attention.rope import Rotary, deinterleaved
from quiz.attention.spec import LatentSpec
from quiz.errors import SolveError

Cases = dict[str, dict[str, Any]]
Form = Callable[..., LatentResult]
CLOSE = 1e-10
ROTARY = Rotary(4, interleaved=True)

both_forms = pytest.mark.parametrize("form", [expanded, absorbed])
every_case = pytest.mark.parametrize("name", ["mla_v3", "mla_v3_no_qlora_bias", "mla_v2"])


def layer_of(case: dict[str, Any]) -> tuple[LatentSpec, LatentWeights]:
    def linear(name: str) -> Linear:
        return Linear(case[f"param:{name}.weight"], case.get(f"param:{name}.bias"))

    has_latent = "param:q_a_proj.weight" in case
    spec = LatentSpec(
        hidden_size=case["x"].shape[-1],
        num_heads=4,
        kv_lora_rank=10,
        q_lora_rank=12 if has_latent else None,
        qk_nope_head_dim=6,
        qk_rope_head_dim=4,
        v_head_dim=5,
    )
    weights = LatentWeights(
        q=linear("q_b_proj" if has_latent else "q_proj"),
        kv_a=linear("kv_a_proj_with_mqa"),
        kv_norm=case["param:kv_a_layernorm.weight"],
        kv_b=linear("kv_b_proj"),
        o=linear("o_proj"),
        q_latent=QueryLatent(linear("q_a_proj"), case["param:q_a_layernorm.weight"]) if has_latent else None,
        eps=float(case["eps"]),
    )
    return spec, weights


@both_forms
@every_case
def test_every_step_is_that_of_the_real_one(cases: Cases, name: str, form: Form) -> None:
    case = cases[name]
    result = form(*layer_of(case), case["x"], ROTARY)
    assert abs(result.output - case["y"]).max() <= CLOSE
    assert abs(result.output - case["y_absorbed"]).max() <= CLOSE
    assert abs(result.context - case["context_heads"]).max() <= CLOSE
    assert abs(result.weights - case["probs"]).max() <= CLOSE


@every_case
def test_the_cache_holds_the_latent_and_one_rotary_key(cases: Cases, name: str) -> None:
    case = cases[name]
    cache = expanded(*layer_of(case), case["x"], ROTARY).cache
    assert abs(cache.latents - case["c_kv_normed"]).max() <= CLOSE
    assert abs(cache.rotary_keys - case["k_rope_interleaved"]).max() <= CLOSE
    assert abs(cache.latents[:, None] - case["hf_cache_keys"]).max() <= CLOSE
    # V3 keeps the rotated key with even dimensions first, V2 as it is.
    kept = cache.rotary_keys if name == "mla_v2" else deinterleaved(cache.rotary_keys)
    assert abs(kept - case["hf_cache_values"]).max() <= CLOSE
    assert cache.latents[0, 0].size + cache.rotary_keys[0, :, 0].size == 14


@both_forms
@every_case
@pytest.mark.parametrize("steps", [(1,) * 7, (4, 1, 1, 1), (3, 4)])
def test_decoding_with_a_cache_gives_what_the_whole_gives(
    cases: Cases, name: str, form: Form, steps: tuple[int, ...]
) -> None:
    case = cases[name]
    cache, outputs, start = None, [], 0
    for step in steps:
        result = form(*layer_of(case), case["x"][:, start : start + step], ROTARY, cache=cache)
        cache, start = result.cache, start + step
        outputs.append(result.output)
    assert abs(np.concatenate(outputs, axis=1) - case["y"]).max() <= CLOSE


def test_prefill_expanded_and_decode_absorbed(cases: Cases) -> None:
    case = cases["mla_v3"]
    prefill = expanded(*layer_of(case), case["x"][:, :6], ROTARY)
    decoded = absorbed(*layer_of(case), case["x"][:, 6:], ROTARY, cache=prefill.cache)
    assert abs(decoded.output - case["y"][:, 6:]).max() <= CLOSE


@both_forms
def test_the_scale_of_the_latents_width_is_a_mistake(cases: Cases, form: Form) -> None:
    case = cases["mla_v3"]
    assert abs(form(*layer_of(case), case["x"], ROTARY, scale=14**-0.5).output - case["y"]).max() > 1e-3


def test_a_given_scale_is_the_same_in_both_forms(cases: Cases) -> None:
    case = cases["mla_v3"]
    one = expanded(*layer_of(case), case["x"], ROTARY, scale=0.5).output
    other = absorbed(*layer_of(case), case["x"], ROTARY, scale=0.5).output
    assert abs(one - other).max() <= CLOSE


def test_half_split_pairs_are_a_mistake(cases: Cases) -> None:
    case = cases["mla_v3"]
    assert abs(expanded(*layer_of(case), case["x"], Rotary(4)).output - case["y"]).max() > 1e-3


def test_weights_of_another_layer_are_refused(cases: Cases) -> None:
    spec, weights = layer_of(cases["mla_v3"])
    wider = LatentSpec(**{name: getattr(spec, name) for name in LatentSpec.__slots__} | {"v_head_dim": 6})
    with pytest.raises(SolveError, match=r"kv_b_proj.weight is \(44, 10\); these sizes need \(48, 10\)"):
        expanded(wider, weights, cases["mla_v3"]["x"], ROTARY)


def test_a_missing_query_latent_is_refused(cases: Cases) -> None:
    spec, _ = layer_of(cases["mla_v3"])
    case = cases["mla_v3_no_qlora_bias"]
    _, weights = layer_of(case)
    with pytest.raises(SolveError, match="the weights have none"):
        expanded(spec, weights, case["x"], ROTARY)
