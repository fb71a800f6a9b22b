"""All families by model_type, and which of them a wrapper or another name means."""

from collections.abc import Mapping
from dataclasses import replace

from quiz.attention.checkpoint.decoders import DECODERS
from quiz.attention.checkpoint.encoders import ENCODERS
from quiz.attention.checkpoint.family import Bias, Family, one_weight
from quiz.attention.checkpoint.fused import BLOCKS, FUSED, PER_GROUP
from quiz.attention.checkpoint.hybrids import HYBRIDS
from quiz.attention.checkpoint.latents import LATENTS

_REMOTE = ("this family's code comes with its checkpoints: what raises where is not known here",)

ELSEWHERE: Mapping[str, Family] = {
    "baichuan": Family(
        4096, 32, 32, reads_head_dim=False, reads_kv_heads=False, fused=one_weight("W_pack", BLOCKS), notes=_REMOTE
    ),
    "chatglm": Family(
        4096,
        28,
        32,
        grouped_if="multi_query_attention",
        null_head_dim=None,
        biases=(Bias("qkv", "add_qkv_bias", False), Bias("o", "add_bias_linear", False)),
        fused=one_weight("query_key_value", BLOCKS),
        notes=_REMOTE,
    ),
    "internlm2": Family(
        4096,
        32,
        32,
        reads_head_dim=False,
        biases=(Bias("qkvo", "bias"),),
        fused=one_weight("wqkv", PER_GROUP),
        notes=_REMOTE,
    ),
    "qwen": Family(
        4096,
        32,
        32,
        reads_kv_heads=False,
        null_head_dim=None,
        biases=(Bias("qkv"), Bias("o", "no_bias", negated=True)),
        fused=one_weight("c_attn", BLOCKS),
        notes=_REMOTE,
    ),
    "RefinedWeb": replace(
        FUSED["falcon"], kv_heads_key=None, grouped_if=None, shared_if=None, refuses={}, notes=_REMOTE
    ),
}

"""Families whose code comes with their checkpoints."""

FAMILIES: Mapping[str, Family] = {**DECODERS, **HYBRIDS, **LATENTS, **FUSED, **ENCODERS, **ELSEWHERE}

STANDS_FOR: Mapping[str, str] = {
    "audioflamingo3": "qwen2",
    "aria": "aria_text",
    "aya_vision": "cohere2",
    "blip-2": "opt",
    "clip": "clip_text_model",
    "cohere2_vision": "cohere2",
    "colpali": "gemma",
    "deepseek_vl": "llama",
    "deepseek_vl_hybrid": "llama",
    "emu3": "emu3_text_model",
    "encoder-decoder": "bert",
    "ernie4_5_vl_moe": "ernie4_5_moe",
    "ernie4_5_vl_moe_text": "ernie4_5_moe",
    "exaone4_5": "exaone4",
    "fast_vlm": "qwen2",
    "florence2": "bart",
    "gemma3": "gemma3_text",
    "gemma3n": "gemma3n_text",
    "gemma4": "gemma4_text",
    "glm46v": "glm4v_text",
    "glm4v": "glm4v_text",
    "glm4v_moe": "glm4v_moe_text",
    "glmasr": "llama",
    "got_ocr2": "qwen2",
    "gpt-sw3": "gpt2",
    "granite_speech": "granite",
    "hyperclovax_vision_v2": "hyperclovax",
    "idefics2": "mistral",
    "idefics3": "llama",
    "instructblip": "opt",
    "internvl": "qwen2",
    "janus": "llama",
    "kimi_k2": "deepseek_v3",
    "kimi_k25": "deepseek_v3",
    "lfm2_vl": "lfm2",
    "lighton_ocr": "qwen3",
    "llama4": "llama4_text",
    "llava": "llama",
    "llava_next": "llama",
    "llava_next_video": "llama",
    "llava_onevision": "qwen2",
    "mistral3": "mistral",
    "mistral_large4": "mistral_large4_text",
    "mllama": "mllama_text_model",
    "ovis2": "qwen2",
    "paligemma": "gemma",
    "perception_lm": "llama",
    "qianfan_ocr": "qwen3",
    "qwen2_5_omni": "qwen2_5_omni_text",
    "qwen2_5_omni_thinker": "qwen2_5_omni_text",
    "qwen2_5_vl": "qwen2_5_vl_text",
    "qwen2_audio": "qwen2",
    "qwen2_vl": "qwen2_vl_text",
    "qwen3_5": "qwen3_5_text",
    "qwen3_5_moe": "qwen3_5_moe_text",
    "qwen3_asr": "qwen3",
    "qwen3_omni_moe": "qwen3_omni_moe_text",
    "qwen3_omni_moe_thinker": "qwen3_omni_moe_text",
    "qwen3_vl": "qwen3_vl_text",
    "qwen3_vl_moe": "qwen3_vl_moe_text",
    "RefinedWebModel": "falcon",
    "shieldgemma2": "gemma3_text",
    "siglip": "siglip_text_model",
    "smolvlm": "llama",
    "video_llama_3": "qwen2",
    "video_llava": "llama",
    "vipllava": "llama",
    "vision-encoder-decoder": "bert",
    "voxtral": "llama",
}
"""The family of the text model inside a wrapper, or of another name."""

WITHOUT_ATTENTION = frozenset({"falcon_mamba", "mamba", "mamba2", "rwkv", "xlstm"})
"""State-space and recurrent models: no token leaves keys and values."""
