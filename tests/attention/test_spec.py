"""The specs of a layer refuse sizes that no layer can have."""

from typing import Any

import pytest

from quiz.attention.spec import LatentSpec, LayerSpec
from quiz.errors import SolveError

GROUPED: dict[str, Any] = {"hidden_size": 4096, "num_heads": 32, "num_kv_heads": 8, "head_dim": 128}
LATENT: dict[str, Any] = {
    "hidden_size": 7168,
    "num_heads": 128,
    "kv_lora_rank": 512,
    "q_lora_rank": 1536,
    "qk_nope_head_dim": 128,
    "qk_rope_head_dim": 64,
    "v_head_dim": 128,
}


def test_values_are_as_wide_as_keys_unless_said_otherwise() -> None:
    assert LayerSpec(**GROUPED).value_dim == 128
    assert LayerSpec(**GROUPED, v_head_dim=64).value_dim == 64


def test_query_heads_share_kv_heads_in_groups() -> None:
    assert LayerSpec(**GROUPED).group_size == 4


def test_the_heads_need_not_fill_the_hidden_size() -> None:
    assert LayerSpec(hidden_size=20, num_heads=6, num_kv_heads=3, head_dim=8).hidden_size == 20


def test_a_latent_layer_caches_the_latent_and_one_rotary_key() -> None:
    spec = LatentSpec(**LATENT)
    assert (spec.qk_head_dim, spec.cache_width) == (192, 576)


def test_the_query_latent_may_be_missing() -> None:
    assert LatentSpec(**LATENT | {"q_lora_rank": None}).q_lora_rank is None


@pytest.mark.parametrize("name", [*GROUPED, "v_head_dim"])
@pytest.mark.parametrize("size", [0, -8, True, 2**63, 1.5, "8"])
def test_a_layer_refuses_what_is_no_size(name: str, size: object) -> None:
    with pytest.raises(SolveError, match=name):
        LayerSpec(**GROUPED | {name: size})


@pytest.mark.parametrize("name", LATENT)
@pytest.mark.parametrize("size", [0, -8, True, 2**63, 1.5, "8"])
def test_a_latent_layer_refuses_what_is_no_size(name: str, size: object) -> None:
    with pytest.raises(SolveError, match=name):
        LatentSpec(**LATENT | {name: size})


def test_kv_heads_must_divide_the_query_heads() -> None:
    with pytest.raises(SolveError, match="nearest: 4 or 6 KV heads"):
        LayerSpec(**GROUPED | {"num_heads": 12, "num_kv_heads": 5})


def test_a_rotary_width_is_even() -> None:
    with pytest.raises(SolveError, match="qk_rope_head_dim must be even"):
        LatentSpec(**LATENT | {"qk_rope_head_dim": 63})
