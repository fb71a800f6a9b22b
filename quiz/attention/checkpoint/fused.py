"""Decoders that store queries, keys and values in one weight, or came before GQA. Read from transformers 5.24.0."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from quiz.attention.checkpoint.family import HEADS, SQUARE, Bias, Cycle, Family, Fused, one_weight
from quiz.attention.checkpoint.outcome import Outcome

BLOCKS = "blocks [all q | all k | all v]"
PER_HEAD = "per head [q_h | k_h | v_h]"
PER_GROUP = "per kv group [q_g0..q_g(r-1) | k_g | v_g]"
_FOUR_BLOCKS = "in four parts, each [q | v | k] of a quarter of the heads"

_ALL = (Bias("qkvo"),)
_HALF = Fraction(1, 2)


_GPT2 = Family(
    768,
    12,
    12,
    reads_head_dim=False,
    reads_kv_heads=False,
    null_sizes="build",
    uneven="build",
    rotary=None,
    biases=_ALL,
    fused=Fused("c_attn", {"mha": BLOCKS}, stored="in_out"),
)
_GPTJ = replace(_GPT2, hidden_size=4096, num_layers=28, num_heads=16, biases=(), fused=None)
_NEOX = replace(
    _GPT2,
    hidden_size=6144,
    num_layers=44,
    num_heads=64,
    null_sizes="config",
    uneven="config",
    rotary=Fraction(1, 4),
    biases=(Bias("qkvo", "attention_bias"),),
    fused=one_weight("query_key_value", PER_HEAD),
)
_PHI3 = Family(3072, 32, 32, layers="window", fused=one_weight("qkv_proj", BLOCKS))
_FUYU = replace(_NEOX, hidden_size=4096, num_layers=36, uneven="build", odd_part="forward", rotary=_HALF, biases=_ALL)
_OPT = replace(_GPT2, biases=(Bias("qkvo", "enable_bias"),), fused=None)

FUSED: Mapping[str, Family] = {
    "biogpt": replace(_OPT, hidden_size=1024, num_layers=24, num_heads=16, biases=_ALL),
    "bloom": replace(_GPT2, hidden_size=64, num_layers=2, num_heads=8, fused=one_weight("query_key_value", PER_HEAD)),
    "codegen": replace(
        _GPTJ,
        rotary=Fraction(1),
        rotary_key="rotary_dim",
        defaults={"rotary_dim": 64},
        fused=one_weight("qkv_proj", _FOUR_BLOCKS),
    ),
    "ctrl": replace(_OPT, hidden_size=1280, num_layers=48, num_heads=16, uneven=None, biases=_ALL, matrices=SQUARE),
    "dbrx": Family(
        2048,
        24,
        16,
        num_kv_heads=1,
        reads_head_dim=False,
        null_sizes="build",
        fused=one_weight("Wqkv", BLOCKS),
        notes=("num_key_value_heads is attn_config.kv_n_heads in the file",),
    ),
    "falcon": Family(
        4544,
        32,
        71,
        refuses={"head_dim": Outcome("config", "head_dim cannot be set", "AttributeError")},
        uneven="build",
        odd="config",
        reads_head_dim=False,
        kv_heads_key="num_kv_heads",
        grouped_if="new_decoder_architecture",
        shared_if="multi_query",
        biases=(Bias("qkvo", "bias", False),),
        fused=Fused("query_key_value", {"mqa": BLOCKS, "mha": PER_HEAD, "gqa": PER_GROUP}),
    ),
    "fuyu": _FUYU,
    "gpt2": _GPT2,
    "gpt_bigcode": replace(_GPT2, shared_if="multi_query", fused=Fused("c_attn", {"mqa": BLOCKS, "mha": PER_HEAD})),
    "gpt_neo": replace(
        _OPT,
        hidden_size=2048,
        num_layers=24,
        num_heads=16,
        biases=(Bias("o"),),
        layers=Cycle("full_attention", "sliding_attention", 2),
    ),
    "gpt_neox": _NEOX,
    "gpt_neox_japanese": replace(
        _NEOX,
        hidden_size=2560,
        num_layers=32,
        num_heads=32,
        turns_named=True,
        uneven=None,
        rotary=Fraction(1),
        matrices=SQUARE,
        biases=(),
        notes=("the last layer's output has a bias",),
    ),
    "gptj": replace(_GPTJ, rotary=Fraction(1), rotary_key="rotary_dim", defaults={"rotary_dim": 64}),
    "imagegpt": replace(_GPT2, hidden_size=512, num_layers=24, num_heads=8),
    "mpt": replace(
        _GPT2,
        hidden_size=2048,
        num_layers=24,
        num_heads=16,
        uneven=None,
        matrices=SQUARE,
        biases=(),
        fused=one_weight("Wqkv", BLOCKS),
    ),
    "openai-gpt": _GPT2,
    "opt": _OPT,
    "persimmon": replace(_FUYU, turns_named=True),
    "phi3": _PHI3,
    "phi4_multimodal": replace(_PHI3, num_kv_heads=8),
    "xglm": replace(_OPT, hidden_size=1024, num_layers=24, num_heads=16, biases=_ALL),
    "xlm": replace(_OPT, hidden_size=2048, num_heads=16, biases=_ALL, decodes=False),
    "flaubert": replace(_OPT, hidden_size=2048, num_heads=16, biases=_ALL, decodes=False),
    "xlnet": replace(
        _OPT,
        hidden_size=1024,
        num_layers=24,
        num_heads=16,
        uneven="config",
        must_equal={"d_head": (("head_dim",), "config")},
        biases=(),
        matrices=HEADS,
        others={"": {"r": (("num_heads", "head_dim"), ("hidden_size",))}},
        decodes=False,
        notes=("weights are stored [in, heads, head_dim]; r projects the relative positions",),
    ),
}
"""By model_type."""
