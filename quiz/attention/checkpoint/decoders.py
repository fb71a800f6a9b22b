"""Decoders with a weight each for queries, keys, values and output. Read from the classes of transformers 5.24.0."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from quiz.attention.checkpoint.family import (
    GATED_QUERY,
    HEADS,
    SQUARE_OUT,
    Bias,
    Cycle,
    Family,
    Override,
    Product,
    Stage,
)
from quiz.attention.checkpoint.outcome import raises

_ON_REQUEST = (Bias("qkvo", "attention_bias", False),)
_QKV_ON_REQUEST = (Bias("qkv", "attention_bias", False),)
_HALF = Fraction(1, 2)
_QUARTER = Fraction(1, 4)

_ALTERNATE = Cycle("sliding_attention", "full_attention", 2)
_EVERY_FOURTH = Cycle("sliding_attention", "full_attention", 4, key="sliding_window_pattern")
# A norm over the heads side by side, as wide as the hidden vector.
_FILLS_HIDDEN: Mapping[str, tuple[Product, Stage]] = {"hidden_size": (("num_heads", "head_dim"), "forward")}
_LINEAR = Cycle("linear_attention", "full_attention", 4, key="full_attention_interval")

_LLAMA = Family(4096, 32, 32, null_head_dim=None, uneven="config", odd="config", biases=_ON_REQUEST)
_MISTRAL = Family(
    4096, 32, 32, num_kv_heads=8, null_head_dim=None, null_kv_heads="config", odd="config", layers="window"
)
_OLMO = Family(4096, 32, 32, biases=_ON_REQUEST)
_GEMMA = Family(
    3072,
    28,
    16,
    num_kv_heads=16,
    head_dim=256,
    null_head_dim="config",
    null_kv_heads="config",
    biases=_ON_REQUEST,
)
_QWEN3_5 = Family(
    4096,
    32,
    16,
    num_kv_heads=4,
    head_dim=256,
    null_head_dim="config",
    null_kv_heads="config",
    rotary=_QUARTER,
    matrices=GATED_QUERY,
    biases=_ON_REQUEST,
    layers=_LINEAR,
    notes=("q also gives an output gate of its own width: rows are 2 × heads × head_dim, per head [q | gate]",),
)
_QWEN2_VL = Family(
    8192, 80, 64, num_kv_heads=8, reads_head_dim=False, uneven="build", biases=(Bias("qkv"),), layers="tail"
)
_GEMMA2 = replace(
    _GEMMA,
    hidden_size=2304,
    num_layers=26,
    num_heads=8,
    num_kv_heads=4,
    head_dim=256,
    uneven="config",
    layers=_ALTERNATE,
)

_NO_BIAS = {key: raises("config", f"{key} must not be set") for key in ("qkv_bias", "bias")}

DECODERS: Mapping[str, Family] = {
    "afmoe": Family(
        2048,
        32,
        16,
        head_dim=128,
        biases=_ON_REQUEST,
        others={"": {"gate_proj": (("num_heads", "head_dim"), ("hidden_size",))}},
        layers=Cycle("sliding_attention", "full_attention", 4, key="global_attn_every_n_layers"),
    ),
    "apertus": _OLMO,
    "arcee": replace(_LLAMA, hidden_size=2560),
    "aria_text": _LLAMA,
    "bitnet": replace(
        _OLMO,
        hidden_size=2560,
        num_layers=30,
        num_heads=20,
        num_kv_heads=5,
        must_equal=_FILLS_HIDDEN,
    ),
    "cohere": replace(_OLMO, hidden_size=8192, num_layers=40, num_heads=64),
    "cohere2": replace(_OLMO, hidden_size=8192, num_layers=40, num_heads=64, odd="config", layers=_EVERY_FOURTH),
    "cwm": Family(
        6144,
        64,
        48,
        num_kv_heads=8,
        head_dim=128,
        null_head_dim="config",
        null_kv_heads="config",
        uneven="config",
        layers=Cycle("sliding_attention", "full_attention", 4, at=0),
    ),
    "diffllama": replace(_LLAMA, hidden_size=2048, num_layers=16, uneven=None, odd="config", odd_kv_heads="build"),
    "doge": replace(
        _OLMO,
        hidden_size=1024,
        num_heads=8,
        others={"": {"dt_proj": (("num_kv_heads",), ("num_kv_heads", "v_head_dim"))}},
    ),
    "dots1": replace(_OLMO, hidden_size=4608, num_layers=62, layers="tail"),
    "emu3_text_model": replace(_LLAMA, num_kv_heads=8, uneven=None, odd="forward"),
    "ernie4_5": Family(
        1024, 18, 16, num_kv_heads=2, head_dim=128, null_head_dim=None, biases=(Bias("qkvo", "use_bias", False),)
    ),
    "ernie4_5_moe": Family(
        2560, 28, 20, num_kv_heads=4, null_kv_heads="build", biases=(Bias("qkvo", "use_bias", False),)
    ),
    "exaone": replace(_LLAMA, num_kv_heads=8),
    "exaone4": Family(4096, 32, 32, num_kv_heads=32, null_kv_heads="config", layers=_EVERY_FOURTH),
    "exaone_moe": Family(4096, 32, 32, num_kv_heads=32, null_kv_heads="config", layers=_EVERY_FOURTH),
    "flex_olmo": _OLMO,
    "gemma": _GEMMA,
    "gemma2": _GEMMA2,
    "gemma3_text": replace(
        _GEMMA2, layers=Cycle("sliding_attention", "full_attention", 6, key="sliding_window_pattern")
    ),
    "gemma3n_text": replace(
        _GEMMA2,
        hidden_size=2048,
        num_layers=35,
        num_kv_heads=2,
        defaults={"num_kv_shared_layers": 15},
        layers=Cycle("sliding_attention", "full_attention", 5),
    ),
    "gemma4_text": replace(
        _GEMMA2,
        num_layers=30,
        uneven=None,
        defaults={"num_kv_shared_layers": 0},
        rotary=_QUARTER,
        layers=Cycle("sliding_attention", "full_attention", 6, last="full_attention"),
        by_layer={
            "full_attention": (
                Override("head_dim", "global_head_dim", 512),
                Override("num_kv_heads", "num_global_key_value_heads", needs="attention_k_eq_v"),
                Override(drops="v", needs="attention_k_eq_v"),
            )
        },
    ),
    "glm": Family(
        4096,
        40,
        32,
        num_kv_heads=2,
        head_dim=128,
        null_kv_heads="build",
        rotary=_HALF,
        biases=(Bias("qkv", "attention_bias"),),
    ),
    "glm4": replace(
        _GEMMA,
        num_layers=40,
        hidden_size=4096,
        num_heads=32,
        num_kv_heads=2,
        head_dim=128,
        rotary=_HALF,
        biases=(Bias("qkv", "attention_bias"),),
    ),
    "glm4_moe": Family(4096, 46, 96, num_kv_heads=8, null_kv_heads="config", rotary=_HALF, biases=_QKV_ON_REQUEST),
    "glm4v_moe_text": Family(
        4096,
        46,
        96,
        num_kv_heads=8,
        null_kv_heads="config",
        rotary=_HALF,
        biases=(Bias("qkv", "attention_bias"),),
    ),
    "glm4v_text": Family(4096, 40, 32, num_kv_heads=2, reads_head_dim=False, biases=(Bias("qkv"),)),
    "gpt_oss": replace(
        _GEMMA,
        hidden_size=2880,
        num_layers=36,
        num_heads=64,
        num_kv_heads=8,
        head_dim=64,
        biases=(Bias("qkvo", "attention_bias"),),
        layers=_ALTERNATE,
    ),
    "granite": _OLMO,
    "granitemoe": _OLMO,
    "granitemoeshared": _OLMO,
    "helium": replace(
        _GEMMA,
        hidden_size=2560,
        num_layers=24,
        num_heads=20,
        num_kv_heads=20,
        head_dim=128,
        matrices=SQUARE_OUT,
        biases=_QKV_ON_REQUEST,
    ),
    "hunyuan_v1_dense": replace(_OLMO, needs_head_dim=True),
    "hunyuan_v1_moe": replace(_OLMO, needs_head_dim=True),
    "hyperclovax": _LLAMA,
    "internlm3": replace(
        _LLAMA, num_layers=48, num_kv_heads=2, head_dim=128, biases=(), odd="forward", refuses=_NO_BIAS
    ),
    "jais2": replace(_LLAMA, hidden_size=3328, num_heads=26, biases=(Bias("qkvo", "attention_bias"),)),
    "jetmoe": Family(
        2048,
        12,
        32,
        num_kv_heads=16,
        head_dim=128,
        routed=True,
        defaults={"num_experts_per_tok": 2, "num_local_experts": 8},
        null_head_dim="config",
        null_kv_heads="config",
        matrices={
            **HEADS,
            "q": (("num_local_experts", "num_kv_heads", "head_dim"), ("hidden_size",)),
            "o": (("hidden_size",), ("num_local_experts", "num_kv_heads", "head_dim")),
        },
        fused=None,
        others={"": {"experts.router": (("num_local_experts",), ("hidden_size",))}},
        notes=(
            "q and o are of experts: all are counted, and a token uses num_experts_per_tok of them",
            "query head i uses KV head i mod num_kv_heads, not i // group_size",
        ),
    ),
    "lfm2": Family(2560, 32, 32, num_kv_heads=8, null_kv_heads="config", layers="listed"),
    "lfm2_moe": Family(2048, 32, 32, num_kv_heads=8, null_kv_heads="config", layers="listed"),
    "llama": _LLAMA,
    "llama4_text": replace(
        _GEMMA,
        hidden_size=5120,
        num_layers=48,
        num_heads=40,
        num_kv_heads=8,
        head_dim=128,
        layers=Cycle("chunked_attention", "full_attention", 4, key="no_rope_layer_interval"),
    ),
    "mimo_v2_flash": replace(
        _GEMMA,
        hidden_size=4096,
        num_layers=48,
        num_heads=64,
        num_kv_heads=4,
        head_dim=192,
        defaults={"v_head_dim": 128},
        rotary=Fraction("0.334"),
        biases=_QKV_ON_REQUEST,
        layers=Cycle("sliding_attention", "full_attention", 6, first=("full_attention",)),
        by_layer={"sliding_attention": (Override("num_kv_heads", times=2),)},
    ),
    "minimax": replace(_MISTRAL, odd="forward", layers=Cycle("linear_attention", "full_attention", 2, at=0)),
    "minimax_m2": Family(
        3072,
        62,
        48,
        num_kv_heads=8,
        head_dim=128,
        null_head_dim="config",
        null_kv_heads="config",
        rotary_key="rotary_dim",
    ),
    "ministral": Family(4096, 32, 32, num_kv_heads=8, needs_head_dim=True, null_kv_heads="config", layers="listed"),
    "ministral3": replace(_MISTRAL, num_layers=34, head_dim=128, null_head_dim="config", odd="forward"),
    "mistral": _MISTRAL,
    "mixtral": replace(_MISTRAL, odd="forward"),
    "mllama_text_model": replace(
        _LLAMA,
        num_layers=40,
        num_kv_heads=8,
        reads_head_dim=False,
        null_kv_heads="config",
        uneven=None,
        odd="forward",
        biases=(),
        notes=("layers listed in cross_attention_layers attend to the image and cache its keys and values instead",),
    ),
    "moshi": Family(4096, 32, 32, null_head_dim=None, uneven="build", odd="config", layers="window"),
    "nanochat": replace(_OLMO, hidden_size=768, num_layers=12, num_heads=6),
    "nemotron": Family(
        6144,
        32,
        48,
        needs_kv_heads=True,
        null_head_dim=None,
        null_kv_heads="build",
        rotary=_HALF,
        biases=_ON_REQUEST,
    ),
    "olmo": _OLMO,
    "olmo2": _OLMO,
    "olmo3": replace(_OLMO, layers=Cycle("sliding_attention", "full_attention", 4)),
    "olmoe": replace(_OLMO, hidden_size=2048, num_layers=16, num_heads=16, must_equal=_FILLS_HIDDEN),
    "phi": Family(2048, 24, 32, rotary=_HALF, odd_part="forward", biases=(Bias("qkvo"),)),
    "phimoe": replace(_OLMO, num_kv_heads=8, null_kv_heads="config", layers="window"),
    "qwen2": Family(4096, 32, 32, num_kv_heads=32, biases=(Bias("qkv"),), layers="tail"),
    "qwen2_5_omni_text": replace(_QWEN2_VL, hidden_size=3584, num_layers=28, num_heads=28, num_kv_heads=4),
    "qwen2_5_vl_text": _QWEN2_VL,
    "qwen2_moe": Family(
        2048,
        24,
        16,
        num_kv_heads=16,
        null_kv_heads="build",
        biases=(Bias("qkv", "qkv_bias"),),
        layers="tail",
    ),
    "qwen2_vl_text": _QWEN2_VL,
    "qwen3": Family(
        4096,
        32,
        32,
        num_kv_heads=32,
        head_dim=128,
        null_head_dim="config",
        biases=_ON_REQUEST,
        layers="tail",
    ),
    "qwen3_5_moe_text": replace(_QWEN3_5, hidden_size=2048, num_layers=40, num_kv_heads=2),
    "qwen3_5_text": _QWEN3_5,
    "qwen3_moe": Family(2048, 24, 32, num_kv_heads=4, null_kv_heads="config", biases=_ON_REQUEST),
    "qwen3_next": replace(_QWEN3_5, hidden_size=2048, num_layers=48, num_kv_heads=2),
    "qwen3_omni_moe_text": Family(2048, 28, 28, num_kv_heads=4, null_kv_heads="config", biases=_ON_REQUEST),
    "qwen3_vl_moe_text": replace(
        _MISTRAL, hidden_size=2048, num_layers=24, num_heads=16, num_kv_heads=16, biases=_ON_REQUEST
    ),
    "qwen3_vl_text": Family(4096, 32, 32, num_kv_heads=32, head_dim=128, null_head_dim="config", biases=_ON_REQUEST),
    "recurrent_gemma": Family(
        2560,
        26,
        10,
        rotary=_HALF,
        biases=(Bias("qkv", "attention_bias", False), Bias("o")),
        layers=Cycle("recurrent", "sliding_attention", 3),
    ),
    "sarvam_moe": replace(
        _GEMMA,
        hidden_size=4096,
        num_layers=19,
        num_heads=64,
        num_kv_heads=4,
        head_dim=64,
        biases=_QKV_ON_REQUEST,
    ),
    "seed_oss": Family(
        4096,
        64,
        80,
        num_kv_heads=8,
        head_dim=128,
        null_head_dim=None,
        odd="config",
        biases=(Bias("qkv", "attention_bias"), Bias("o", "attention_out_bias", False)),
    ),
    "smollm3": Family(2048, 36, 16, num_kv_heads=4, biases=_ON_REQUEST, layers="listed"),
    "solar_open": replace(
        _GEMMA,
        hidden_size=4096,
        num_layers=48,
        num_heads=64,
        num_kv_heads=8,
        head_dim=128,
        biases=_QKV_ON_REQUEST,
    ),
    "stablelm": Family(
        2560,
        32,
        32,
        num_kv_heads=32,
        reads_head_dim=False,
        turns_named=True,
        null_kv_heads="config",
        uneven="build",
        odd_part="forward",
        rotary=_QUARTER,
        biases=(Bias("qkv", "use_qkv_bias", False),),
    ),
    "starcoder2": Family(
        3072,
        30,
        24,
        num_kv_heads=2,
        null_head_dim=None,
        null_kv_heads="config",
        biases=(Bias("qkvo", "use_bias"),),
        layers="window",
    ),
    "vaultgemma": _GEMMA2,
}
"""By model_type."""
