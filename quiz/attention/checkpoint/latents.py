"""Families of multi-head latent attention, and DeepSeek-V4. Read from the classes of transformers 5.24.0."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from quiz.attention.checkpoint.family import INDEXER, LATENT, SHARED_KV, Bias, Cycle, Family, Matrices

_V3 = Family(
    7168,
    61,
    128,
    form="latent",
    matrices=LATENT,
    defaults={
        "kv_lora_rank": 512,
        "q_lora_rank": 1536,
        "qk_nope_head_dim": 128,
        "qk_rope_head_dim": 64,
        "v_head_dim": 128,
    },
    null_head_dim=None,
    nullable=("q_lora_rank", "v_head_dim"),
    biases=(Bias(("q_a", "kv_a", "o"), "attention_bias", False),),
)
_STRICT = replace(_V3, reads_head_dim=False, null_head_dim="config", null_kv_heads="config", nullable=())
_INDEXED = replace(_STRICT, others={"": INDEXER}, layers=Cycle("indexed_attention", "indexed_attention", 1))
_LINEAR_LATENT = replace(
    _V3,
    hidden_size=2304,
    num_layers=27,
    num_heads=32,
    reads_head_dim=False,
    defaults={**_V3.defaults, "q_lora_rank": None},
    rotary=None,
    layers=Cycle("linear_attention", "full_attention", 4, at=0, first=("linear_attention",)),
)
_COMPRESSED: Matrices = dict.fromkeys(("compressor.kv_proj", "compressor.gate_proj"), (("head_dim",), ("hidden_size",)))

LATENTS: Mapping[str, Family] = {
    "axk1": replace(_V3, num_heads=64, null_kv_heads="config", nullable=()),
    "bailing_hybrid": replace(
        _LINEAR_LATENT,
        hidden_size=2560,
        num_layers=42,
        null_head_dim="config",
        nullable=("q_lora_rank",),
        rotary=_V3.rotary,
        others={"full_attention": {"g_proj": (("num_heads",), ("hidden_size",))}},
        layers=Cycle("linear_attention", "full_attention", 6, key="layer_group_size"),
    ),
    "deepseek_v2": replace(
        _V3,
        hidden_size=4096,
        num_layers=32,
        num_heads=32,
        reads_head_dim=False,
        nullable=("q_lora_rank",),
        uneven="config",
    ),
    "deepseek_v3": _V3,
    "deepseek_v32": replace(_INDEXED, defaults={**_V3.defaults, "index_n_heads": 64, "index_head_dim": 128}),
    "deepseek_v4": Family(
        4096,
        43,
        64,
        num_kv_heads=1,
        head_dim=512,
        form="shared",
        matrices=SHARED_KV,
        defaults={
            "q_lora_rank": 1024,
            "o_groups": 8,
            "o_lora_rank": 1024,
            "index_n_heads": 64,
            "index_head_dim": 128,
        },
        rotary=Fraction(1, 8),
        rotary_key="qk_rope_head_dim",
        null_head_dim="config",
        null_kv_heads="config",
        others={
            "heavily_compressed_attention": _COMPRESSED,
            "compressed_sparse_attention": {
                **dict.fromkeys(_COMPRESSED, ((2, "head_dim"), ("hidden_size",))),
                "compressor.indexer.kv_proj": ((2, "index_head_dim"), ("hidden_size",)),
                "compressor.indexer.gate_proj": ((2, "index_head_dim"), ("hidden_size",)),
                "compressor.indexer.q_b_proj": (("index_n_heads", "index_head_dim"), ("q_lora_rank",)),
                "compressor.indexer.scorer.weights_proj": (("index_n_heads",), ("hidden_size",)),
            },
        },
        layers=Cycle(
            "heavily_compressed_attention",
            "compressed_sparse_attention",
            2,
            first=("heavily_compressed_attention",) * 2,
        ),
        notes=(
            "one vector per token is both key and value of all heads: transformers keeps it twice",
            "compressed layers also keep one entry per 4 or 128 tokens and drop tokens outside the window; not counted",
        ),
    ),
    "glm4_moe_lite": replace(
        _V3,
        hidden_size=2048,
        num_layers=47,
        num_heads=20,
        head_dim_is_rope=True,
        null_kv_heads="config",
        nullable=("q_lora_rank",),
        defaults={**_V3.defaults, "q_lora_rank": 768, "qk_nope_head_dim": 192, "v_head_dim": 256},
    ),
    "glm_moe_dsa": replace(
        _INDEXED,
        hidden_size=6144,
        num_layers=78,
        num_heads=64,
        defaults={
            **_V3.defaults,
            "q_lora_rank": 2048,
            "qk_nope_head_dim": 192,
            "v_head_dim": 256,
            "index_n_heads": 32,
            "index_head_dim": 128,
        },
    ),
    "kimi_linear": _LINEAR_LATENT,
    "longcat_flash": replace(
        _V3,
        hidden_size=6144,
        num_layers=28,
        num_heads=64,
        head_dim=64,
        null_head_dim="config",
        nullable=(),
        attentions_per_layer=2,
        notes=("every layer has two attentions, each with its own weights and cache; the numbers here are of one",),
    ),
    "minicpm3": replace(
        _V3,
        hidden_size=2560,
        num_layers=62,
        num_heads=40,
        reads_head_dim=False,
        uneven="config",
        defaults={
            "kv_lora_rank": 256,
            "q_lora_rank": 768,
            "qk_nope_head_dim": 64,
            "qk_rope_head_dim": 32,
            "v_head_dim": 64,
        },
    ),
    "mistral4": replace(
        _V3,
        hidden_size=4096,
        num_layers=36,
        num_heads=32,
        turns_share=True,
        null_head_dim="build",
        defaults={**_V3.defaults, "kv_lora_rank": 256, "q_lora_rank": 1024, "qk_nope_head_dim": 64},
    ),
    "mistral_large4_text": replace(
        _INDEXED,
        hidden_size=6144,
        num_layers=72,
        num_heads=64,
        defaults={
            "kv_lora_rank": 512,
            "qk_nope_head_dim": 64,
            "qk_rope_head_dim": 64,
            "v_head_dim": 128,
            "index_n_heads": 32,
            "index_head_dim": 128,
        },
        biases=(Bias(("kv_a", "o"), "attention_bias", False),),
        others={"": {**INDEXER, "indexer.wq_b": (("index_n_heads", "index_head_dim"), ("hidden_size",))}},
        notes=(
            "layers without rotary positions (no_rope_layers, else every fourth) cache kv_lora_rank elements only, and "
            "project no qk_rope_head_dim; they are counted as if they rotated",
            "layers that take the latent of another (kv_source_layers) or its indexer (indexer_types) are counted as "
            "if they had their own",
        ),
    ),
    "sarvam_mla": replace(
        _V3,
        hidden_size=4096,
        num_layers=32,
        num_heads=64,
        reads_head_dim=False,
        defaults={**_V3.defaults, "q_lora_rank": None},
    ),
    "youtu": replace(_V3, hidden_size=2048, num_layers=32, num_heads=16, null_kv_heads="config"),
}
"""By model_type."""
