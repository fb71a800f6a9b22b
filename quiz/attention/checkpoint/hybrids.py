"""Decoders that mix attention with state-space layers (Mamba). Read from the classes of transformers 5.24.0."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from quiz.attention.checkpoint.family import HEADS, Bias, Cycle, Family, Mixer

_PLAIN = Family(4096, 32, 32, biases=(Bias("qkvo", "attention_bias", False),))
_NONE_ATTENDS = "the file does not say which layers attend; by the class's default none does"
_NEMOTRON = ("linear_attention", "moe", "full_attention", "mlp")
_ZAMBA = Family(
    3712,
    76,
    16,
    num_kv_heads=16,
    spread=2,
    null_kv_heads="config",
    rotary=None,
    matrices={
        "q": (("num_heads", "head_dim"), (2, "hidden_size")),
        "k": (("num_kv_heads", "head_dim"), (2, "hidden_size")),
        "v": (("num_kv_heads", "v_head_dim"), (2, "hidden_size")),
        "o": HEADS["o"],
    },
    must_equal={"attention_hidden_size": ((2, "hidden_size"), "forward")},
    mixer=Mixer(2, "n_mamba_heads", sized_heads=False),
    layers=Cycle("linear_attention", "hybrid", 6, at=1, first=("linear_attention", "linear_attention", "hybrid")),
    notes=(
        "attention takes the hidden vector and the embedding together, 2 × hidden_size",
        "hybrid layers share the weights of a few attentions, and each also has a Mamba mixer, which is not counted",
    ),
)

HYBRIDS: Mapping[str, Family] = {
    "bamba": replace(
        _PLAIN,
        num_kv_heads=8,
        rotary=Fraction(1, 2),
        mixer=Mixer(),
        layers="listed",
        unlisted=_NONE_ATTENDS,
    ),
    "falcon_h1": replace(
        _PLAIN,
        num_kv_heads=8,
        mixer=Mixer(inner=1024),
        notes=("every layer also has a Mamba mixer, whose state is not counted",),
    ),
    "granitemoehybrid": replace(
        _PLAIN,
        rotary_if=("position_embedding_type", "rope"),
        mixer=Mixer(),
        layers="listed",
        unlisted=_NONE_ATTENDS,
    ),
    "jamba": Family(
        4096,
        32,
        32,
        num_kv_heads=8,
        reads_head_dim=False,
        null_kv_heads="config",
        rotary=None,
        layers=Cycle("mamba", "full_attention", 8, at=4, key="attn_layer_period", at_key="attn_layer_offset"),
    ),
    "nemotron_h": Family(
        4096,
        4,
        32,
        num_kv_heads=8,
        head_dim=128,
        null_head_dim="config",
        null_kv_heads="config",
        rotary=None,
        layers=Cycle("linear_attention", "full_attention", 4, at=2, first=_NEMOTRON),
        listed_count=True,
    ),
    "zamba": _ZAMBA,
    "zamba2": replace(
        _ZAMBA,
        hidden_size=2560,
        num_layers=54,
        num_heads=32,
        num_kv_heads=None,
        null_kv_heads=None,
        odd="config",
        rotary=Fraction(1),
        rotary_if=("use_mem_rope", True),
        mixer=None,
        layers="listed",
        unlisted="the file does not list its layers; the class then has its own order",
        notes=(
            *_ZAMBA.notes,
            "adapters of q, k and v (use_shared_attention_adapter) are not counted",
        ),
    ),
}
"""By model_type."""
