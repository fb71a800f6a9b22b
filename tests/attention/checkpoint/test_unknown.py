"""Families that are in no table: what their files say is read, and what they leave open is said."""

from typing import Any

import pytest

from quiz.attention.checkpoint.families import WITHOUT_ATTENTION
from quiz.attention.checkpoint.inspection import inspect
from quiz.errors import UsageError

UNKNOWN = {"model_type": "newcomer", "hidden_size": 1024, "num_attention_heads": 16, "num_hidden_layers": 4}


def test_an_unknown_family_is_read_and_nothing_is_guessed_in_silence() -> None:
    found = inspect(UNKNOWN)
    assert (found.main.kind, found.main.num_kv_heads, found.main.head_dim) == ("mha", 16, 64)
    said = "\n".join(found.notes)
    assert "'newcomer' is not known here" in said
    assert "head_dim was derived" in said
    assert "this family may set its own" in said
    assert "one per query head is assumed" in said
    assert found.rotary_dim is None


def test_an_unknown_family_that_says_everything_leaves_less_to_say() -> None:
    found = inspect(UNKNOWN | {"num_key_value_heads": 4, "head_dim": 128, "attention_bias": True, "rope_theta": 1e4})
    assert (found.main.kind, found.main.num_kv_heads, found.main.head_dim) == ("gqa", 4, 128)
    assert found.main.biases == 2048 + 2 * 512 + 1024
    assert found.rotary_dim == 128
    assert len(found.notes) == 1


def test_an_unknown_family_whose_width_is_no_quotient_has_none() -> None:
    found = inspect(UNKNOWN | {"hidden_size": 1000, "num_attention_heads": 12})
    assert found.main.head_dim in (None, 0)
    assert found.main.projections is None
    assert any("not settled" in note for note in found.notes)


def test_what_an_unknown_family_says_in_its_own_words_is_pointed_out() -> None:
    found = inspect(UNKNOWN | {"num_attention_groups": 1, "share_q_dim": 512, "vocab_size": 32000})
    assert any("num_attention_groups 1, share_q_dim 512: what that means" in note for note in found.notes)


def test_an_unknown_family_with_a_latent_is_latent() -> None:
    widths = {"kv_lora_rank": 128, "qk_nope_head_dim": 32, "qk_rope_head_dim": 16, "v_head_dim": 32}
    found = inspect(UNKNOWN | widths)
    assert (found.main.kind, found.main.cache_elements, found.main.qk_head_dim) == ("mla", 144, 48)


@pytest.mark.parametrize("missing", ["hidden_size", "num_attention_heads"])
def test_an_unknown_family_cannot_leave_out_what_every_model_has(missing: str) -> None:
    with pytest.raises(UsageError, match="does not say"):
        inspect({key: value for key, value in UNKNOWN.items() if key != missing})


@pytest.mark.parametrize("depth", [{}, {"num_hidden_layers": None}])
def test_an_unknown_family_may_leave_open_how_many_layers_there_are(depth: dict[str, None]) -> None:
    found = inspect({key: value for key, value in UNKNOWN.items() if key != "num_hidden_layers"} | depth)
    whole = inspect(UNKNOWN)
    assert (found.num_layers, found.cache_bytes) == (None, None)
    assert (found.main.weights, found.main.cache_elements) == (whole.main.weights, whole.main.cache_elements)
    assert "the file does not say num_layers: everything is counted for one layer" in found.notes


def test_layers_that_an_unknown_family_lists_are_counted() -> None:
    found = inspect(
        {key: value for key, value in UNKNOWN.items() if key != "num_hidden_layers"}
        | {"layer_types": ["full_attention", "sliding_attention", "full_attention"]}
    )
    assert found.num_layers == 3
    assert not any("num_layers" in note for note in found.notes)


# Published files of families in no table, from memory: what their notes must not be silent about.
OPEN: dict[str, tuple[dict[str, Any], str]] = {
    "phi3small attends densely in some layers only": (
        {"num_key_value_heads": 8, "dense_attention_every_n_layers": 2},
        "dense_attention_every_n_layers 2",
    ),
    "nemotron-nas sets its KV heads layer by layer": (
        {"num_key_value_heads": None, "block_configs": [{"attention": {"n_heads_in_group": 8}}] * 4},
        "block_configs (a list of 4)",
    ),
    "hunyuan shares keys and values between layers": (
        {"num_key_value_heads": 8, "use_cla": True, "cla_share_factor": 2},
        "cla_share_factor 2",
    ),
    "minimax_text_01 lists where it attends under a name of its own": (
        {"num_key_value_heads": 8, "attn_type_list": [0, 0, 0, 1]},
        "attn_type_list (a list of 4)",
    ),
    "smallthinker lists its windows under a name of its own": (
        {"num_key_value_heads": 4, "sliding_window_layout": [0, 1, 1, 1]},
        "sliding_window_layout (a list of 4)",
    ),
    "step3_text counts groups": ({"num_attention_groups": 1, "share_q_dim": 2048}, "num_attention_groups 1"),
}


@pytest.mark.parametrize(("config", "told"), OPEN.values(), ids=OPEN)
def test_what_an_unknown_family_may_mean_otherwise_is_named(config: dict[str, Any], told: str) -> None:
    assert any(told in note for note in inspect(UNKNOWN | config).notes)


def test_what_shapes_no_attention_is_not_named() -> None:
    settings = {"mlp_layer_types": ["dense"] * 4, "n_group": 1, "topk_group": 1, "attention_dropout": 0, "ffn_dim": 64}
    said = " ".join(inspect(UNKNOWN | {"num_key_value_heads": 4, "head_dim": 64} | settings).notes)
    assert "the file also says" not in said


def test_a_null_number_of_kv_heads_is_not_taken_in_silence() -> None:
    found = inspect(UNKNOWN | {"num_key_value_heads": None})
    assert found.main.num_kv_heads == 16
    assert any("num_key_value_heads is null" in note for note in found.notes)


def test_layers_of_an_unknown_type_are_said_to_be_unknown() -> None:
    found = inspect(UNKNOWN | {"layer_types": ["full_attention", "holographic"] * 2})
    assert [(layer.layer_type, layer.storing) for layer in found.layers if layer.cache_elements] == [
        ("full_attention", 2)
    ]
    assert any("layers of type 'holographic'" in note for note in found.notes)
    assert not any("state of fixed size" in note for note in found.notes)


@pytest.mark.parametrize("name", sorted(WITHOUT_ATTENTION))
def test_a_model_without_attention_is_refused_as_such(name: str) -> None:
    with pytest.raises(UsageError, match="has no attention"):
        inspect(UNKNOWN | {"model_type": name, "num_heads": 128, "head_dim": 64})


@pytest.mark.parametrize("dtype", [16, {"a": 1}, "fp3", ["bf16"]], ids=str)
def test_a_dtype_that_is_none_is_said_to_be_none(dtype: object) -> None:
    found = inspect(UNKNOWN | {"torch_dtype": dtype})
    assert found.dtype == "bf16"
    assert any("is not known here; bytes are counted in bf16" in note for note in found.notes)


def test_a_cache_that_is_stored_in_fewer_bits_is_pointed_out() -> None:
    found = inspect({"model_type": "llama", "quantization_config": {"kv_cache_scheme": {"num_bits": 8}}})
    assert any("kv_cache_scheme" in note for note in found.notes)
