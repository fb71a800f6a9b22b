"""Encoders of text and images, and encoder-decoders. Read from the classes of transformers 5.24.0."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from quiz.attention.checkpoint.family import SQUARE, SQUARE_OUT, Bias, Cycle, Family, one_weight
from quiz.attention.checkpoint.fused import BLOCKS

_BERT = Family(
    768,
    12,
    12,
    reads_head_dim=False,
    reads_kv_heads=False,
    uneven="build",
    rotary=None,
    biases=(Bias("qkvo"),),
    decodes=False,
)
_CLIP = replace(_BERT, uneven="config")
_VIT = replace(_BERT, reads_head_dim=True, uneven=None, biases=(Bias("qkv", "qkv_bias"), Bias("o")))
_MODERNBERT = replace(
    _BERT,
    turns_named=True,
    num_layers=22,
    rotary=Fraction(1),
    biases=(Bias("qkvo", "attention_bias", False),),
    layers=Cycle("sliding_attention", "full_attention", 3, at=0, key="global_attn_every_n_layers"),
)
_BART = replace(_BERT, hidden_size=1024, num_heads=16, null_sizes="build", decodes=True, encoder=True)
_T5 = Family(
    512,
    6,
    8,
    head_dim=64,
    reads_kv_heads=False,
    null_sizes="build",
    rotary=None,
    encoder=True,
    notes=("positions enter through a learned bias per head, which is not counted among the projections",),
)

ENCODERS: Mapping[str, Family] = {
    "albert": replace(
        _BERT,
        hidden_size=4096,
        num_heads=64,
        uneven=None,
        matrices=SQUARE_OUT,
        notes=("all layers share one set of weights",),
    ),
    "bart": _BART,
    "beit": replace(_VIT, biases=(Bias("qvo"),)),
    "bert": _BERT,
    "big_bird": replace(_BERT, biases=(Bias("qkv", "use_bias"), Bias("o"))),
    "blenderbot": replace(_BART, hidden_size=2560, num_layers=24, num_heads=32),
    "camembert": _BERT,
    "clip_text_model": replace(_CLIP, hidden_size=512, num_heads=8),
    "clip_vision_model": _CLIP,
    "deberta-v2": replace(
        _BERT,
        hidden_size=1536,
        num_layers=24,
        num_heads=24,
        notes=("relative positions reuse the q and k weights, or have their own (share_att_key); not counted",),
    ),
    "deit": _VIT,
    "dinov2": _VIT,
    "dinov2_with_registers": _VIT,
    "distilbert": replace(_BERT, num_layers=6, null_sizes="build"),
    "electra": replace(_BERT, hidden_size=256, num_heads=4, uneven=None, matrices=SQUARE_OUT),
    "ernie": _BERT,
    "esm": _BERT,
    "eurobert": Family(
        768,
        12,
        12,
        null_head_dim=None,
        uneven="config",
        odd="config",
        biases=(Bias("qkvo", "attention_bias", False),),
        decodes=False,
    ),
    "layoutlm": _BERT,
    "led": replace(_BART, notes=("encoder layers have a second q, k and v for global attention; not counted",)),
    "longt5": _T5,
    "m2m_100": _BART,
    "marian": _BART,
    "mbart": _BART,
    "megatron-bert": replace(_BERT, hidden_size=1024, num_layers=24, num_heads=16),
    "modernbert": replace(_MODERNBERT, fused=one_weight("Wqkv", BLOCKS)),
    "modernbert-decoder": replace(_MODERNBERT, decodes=True),
    "mpnet": _BERT,
    "mt5": replace(_T5, num_layers=8, num_heads=6),
    "nllb-moe": _BART,
    "nomic_bert": Family(768, 12, 12, reads_kv_heads=False, null_head_dim=None, odd="config", decodes=False),
    "pegasus": _BART,
    "pixtral": replace(
        _BERT,
        hidden_size=1024,
        num_layers=24,
        num_heads=16,
        uneven=None,
        rotary=Fraction(1),
        odd="config",
        matrices=SQUARE,
        biases=(),
    ),
    "plbart": replace(_BART, hidden_size=768, num_layers=6, num_heads=12),
    "rembert": replace(_BERT, hidden_size=1152, num_layers=32, num_heads=18),
    "roberta": _BERT,
    "siglip_text_model": _BERT,
    "siglip_vision_model": replace(
        _BERT, notes=("a pooling head with attention of its own follows the layers; not counted",)
    ),
    "speech_to_text": replace(_BART, hidden_size=256, num_layers=6, num_heads=4),
    "switch_transformers": replace(_T5, hidden_size=768, num_layers=12, num_heads=12, head_dim_key="d_kv"),
    "t5": _T5,
    "umt5": replace(_T5, num_layers=8, num_heads=6),
    "vit": _VIT,
    "whisper": replace(
        _BART,
        hidden_size=384,
        num_layers=4,
        num_heads=6,
        encoder_heads_key="num_key_value_heads",
        biases=(Bias("qvo"),),
    ),
    "xlm-roberta": _BERT,
    "xlm-roberta-xl": replace(_BERT, hidden_size=2560, num_layers=36, num_heads=32),
}
"""By model_type."""
