"""Multi-head latent attention: DeepSeek-V2 (2024), section 2.1, in the names of the Hugging Face config."""

from fractions import Fraction

from quiz.attention.logarithms import natural_logarithm
from quiz.attention.measured.cache import entries_in
from quiz.attention.measured.shapes import features, weight
from quiz.attention.measured.widths import dot_products
from quiz.attention.phantom import Array, phantom, products, stored_bytes
from quiz.attention.quantity import Measured, quantity
from quiz.attention.reshape import split_heads
from quiz.attention.roots import square_root
from quiz.attention.sizes import Number, whole

_V2 = "DeepSeek-AI 2024, DeepSeek-V2, section 2.1"
_HF = "transformers, modeling_deepseek_v3.py (DeepseekV3Attention)"
_FLASH_MLA = "FlashMLA, README and deep-dive (2025-04-22)"


@quantity(formula="qk_nope_head_dim + qk_rope_head_dim", source=_HF)
def qk_head_dim(qk_nope_head_dim: int, qk_rope_head_dim: int) -> Measured:
    """Width over which one head's query meets its key."""
    query = phantom(_query_width(qk_nope_head_dim, qk_rope_head_dim))
    return query.size, f"a query of {query.size}: {qk_nope_head_dim} without position, {qk_rope_head_dim} rotary"


@quantity(formula="(num_heads * (qk_nope_head_dim + qk_rope_head_dim), hidden_size)", source=_HF)
def mla_q_proj_shape(hidden_size: int, num_heads: int, qk_nope_head_dim: int, qk_rope_head_dim: int) -> Measured:
    """Weight of the query projection where there is no query latent (q_lora_rank is null), (out, in)."""
    out = features(num_heads, _query_width(qk_nope_head_dim, qk_rope_head_dim))
    return weight(out, phantom(hidden_size)).shape, f"{num_heads} query heads, merged: {out.shape}"


@quantity(formula="(q_lora_rank, hidden_size)", source=_HF)
def mla_q_a_proj_shape(hidden_size: int, q_lora_rank: int) -> Measured:
    """Weight of the projection down to the query latent, (out, in)."""
    shape = weight(phantom(q_lora_rank), phantom(hidden_size)).shape
    return shape, f"{hidden_size} features down to a latent of {q_lora_rank}"


@quantity(formula="(num_heads * (qk_nope_head_dim + qk_rope_head_dim), q_lora_rank)", source=_HF)
def mla_q_b_proj_shape(q_lora_rank: int, num_heads: int, qk_nope_head_dim: int, qk_rope_head_dim: int) -> Measured:
    """Weight of the projection from the query latent to all query heads, (out, in)."""
    out = features(num_heads, _query_width(qk_nope_head_dim, qk_rope_head_dim))
    return weight(out, phantom(q_lora_rank)).shape, f"{num_heads} query heads, merged: {out.shape}"


@quantity(formula="(kv_lora_rank + qk_rope_head_dim, hidden_size)", source=_HF)
def mla_kv_a_proj_shape(hidden_size: int, kv_lora_rank: int, qk_rope_head_dim: int) -> Measured:
    """Weight of the projection down to the latent and the shared rotary key, (out, in)."""
    latent, rotary = phantom(kv_lora_rank), phantom(qk_rope_head_dim)
    out = phantom(latent.size + rotary.size)
    return weight(out, phantom(hidden_size)).shape, f"latent {latent.shape} and one rotary key {rotary.shape}"


@quantity(formula="(num_heads * (qk_nope_head_dim + v_head_dim), kv_lora_rank)", source=_HF)
def mla_kv_b_proj_shape(kv_lora_rank: int, num_heads: int, qk_nope_head_dim: int, v_head_dim: int) -> Measured:
    """Weight of the projection from the latent up to all heads' keys (without position) and values, (out, in)."""
    keys, values = features(num_heads, qk_nope_head_dim), features(num_heads, v_head_dim)
    out = phantom(keys.size + values.size)
    return weight(out, phantom(kv_lora_rank)).shape, f"keys {keys.shape} and values {values.shape} of {num_heads} heads"


@quantity(formula="(hidden_size, num_heads * v_head_dim)", source=_HF)
def mla_o_proj_shape(hidden_size: int, num_heads: int, v_head_dim: int) -> Measured:
    """Weight of the output projection, (out, in)."""
    into = features(num_heads, v_head_dim)
    return weight(phantom(hidden_size), into).shape, f"{num_heads} heads of values, merged: {into.shape}"


@quantity(
    formula="hidden_size * q_lora_rank + q_lora_rank * num_heads * (qk_nope_head_dim + qk_rope_head_dim)"
    " + hidden_size * (kv_lora_rank + qk_rope_head_dim) + kv_lora_rank * num_heads * (qk_nope_head_dim + v_head_dim)"
    " + num_heads * v_head_dim * hidden_size",
    source=_HF,
)
def mla_attention_params_per_layer(
    hidden_size: int,
    num_heads: int,
    q_lora_rank: int,
    kv_lora_rank: int,
    qk_nope_head_dim: int,
    qk_rope_head_dim: int,
    v_head_dim: int,
) -> Measured:
    """Weights of the five projections of one layer, without the norms of the latents."""
    hidden, q_latent, latent = phantom(hidden_size), phantom(q_lora_rank), phantom(kv_lora_rank)
    values = features(num_heads, v_head_dim)
    keys = features(num_heads, qk_nope_head_dim)
    weights = {
        "q_a": weight(q_latent, hidden),
        "q_b": weight(features(num_heads, _query_width(qk_nope_head_dim, qk_rope_head_dim)), q_latent),
        "kv_a": weight(phantom(latent.size + qk_rope_head_dim), hidden),
        "kv_b": weight(phantom(keys.size + values.size), latent),
        "o": weight(hidden, values),
    }
    seen = ", ".join(f"{role} {one.shape}" for role, one in weights.items())
    return sum(one.size for one in weights.values()), seen


@quantity(
    formula="hidden_size * num_heads * (qk_nope_head_dim + qk_rope_head_dim)"
    " + hidden_size * (kv_lora_rank + qk_rope_head_dim) + kv_lora_rank * num_heads * (qk_nope_head_dim + v_head_dim)"
    " + num_heads * v_head_dim * hidden_size",
    source="transformers, modeling_deepseek_v2.py (DeepseekV2Attention, q_lora_rank null: V2-Lite)",
)
def mla_attention_params_per_layer_without_q_latent(
    hidden_size: int,
    num_heads: int,
    kv_lora_rank: int,
    qk_nope_head_dim: int,
    qk_rope_head_dim: int,
    v_head_dim: int,
) -> Measured:
    """Weights of the four projections of one layer that projects its queries directly, without the latent's norm."""
    hidden, latent = phantom(hidden_size), phantom(kv_lora_rank)
    keys, values = features(num_heads, qk_nope_head_dim), features(num_heads, v_head_dim)
    weights = {
        "q": weight(features(num_heads, _query_width(qk_nope_head_dim, qk_rope_head_dim)), hidden),
        "kv_a": weight(phantom(latent.size + qk_rope_head_dim), hidden),
        "kv_b": weight(phantom(keys.size + values.size), latent),
        "o": weight(hidden, values),
    }
    seen = ", ".join(f"{role} {one.shape}" for role, one in weights.items())
    return sum(one.size for one in weights.values()), seen


@quantity(formula="kv_lora_rank + qk_rope_head_dim", source=f"{_V2}, table 1")
def mla_kv_cache_elements_per_token_per_layer(kv_lora_rank: int, qk_rope_head_dim: int) -> Measured:
    """Numbers that one layer caches for one token: the latent and one rotary key, whatever the heads."""
    latent, rotary = _cache((1,), kv_lora_rank, qk_rope_head_dim)
    return latent.size + rotary.size, f"one token's latent {latent.shape} and rotary key {rotary.shape}"


@quantity(
    unit="B",
    formula="(kv_lora_rank + qk_rope_head_dim) * bytes_per_element",
    source=f"{_V2}, table 1",
    optional=("bytes_per_element",),
)
def mla_kv_cache_bytes_per_token_per_layer(
    kv_lora_rank: int, qk_rope_head_dim: int, bytes_per_element: Number
) -> Measured:
    """Bytes that one layer caches for one token."""
    latent, rotary = _cache((1,), kv_lora_rank, qk_rope_head_dim, bytes_per_element)
    size = whole(stored_bytes(latent, bytes_per_element) + stored_bytes(rotary, bytes_per_element))
    return size, f"one token's latent {latent.shape} and rotary key {rotary.shape}"


@quantity(
    unit="B",
    formula="num_layers * (kv_lora_rank + qk_rope_head_dim) * bytes_per_element",
    source=f"{_V2}, table 1",
    optional=("bytes_per_element",),
)
def mla_kv_cache_bytes_per_token(
    num_layers: int, kv_lora_rank: int, qk_rope_head_dim: int, bytes_per_element: Number
) -> Measured:
    """Bytes that all layers cache for one token."""
    latent, rotary = _cache((num_layers, 1), kv_lora_rank, qk_rope_head_dim, bytes_per_element)
    size = whole(stored_bytes(latent, bytes_per_element) + stored_bytes(rotary, bytes_per_element))
    return size, f"one token's latents {latent.shape} and rotary keys {rotary.shape}"


@quantity(
    unit="B",
    formula="num_layers * (kv_lora_rank + qk_rope_head_dim) * bytes_per_element * batch * context",
    source=f"{_V2}, table 1",
    optional=("bytes_per_element", "batch"),
)
def mla_kv_cache_bytes(
    num_layers: int, kv_lora_rank: int, qk_rope_head_dim: int, bytes_per_element: Number, batch: int, context: int
) -> Measured:
    """Bytes of the cache of a batch of sequences."""
    latent, rotary = _cache((num_layers, batch, context), kv_lora_rank, qk_rope_head_dim, bytes_per_element)
    size = whole(stored_bytes(latent, bytes_per_element) + stored_bytes(rotary, bytes_per_element))
    return size, f"latents {latent.shape} and rotary keys {rotary.shape}"


@quantity(
    formula="memory // (num_layers * (kv_lora_rank + qk_rope_head_dim) * bytes_per_element)",
    source=f"{_V2}, table 1",
    optional=("bytes_per_element",),
)
def mla_tokens_in_memory(
    memory: int, num_layers: int, kv_lora_rank: int, qk_rope_head_dim: int, bytes_per_element: Number
) -> Measured:
    """Tokens whose latents and rotary keys fit in so many bytes."""
    latent, rotary = _cache((num_layers, 1), kv_lora_rank, qk_rope_head_dim, bytes_per_element)
    token = whole(stored_bytes(latent, bytes_per_element) + stored_bytes(rotary, bytes_per_element))
    return entries_in(memory, token), f"one token's latents {latent.shape} and rotary keys {rotary.shape}: {token} B"


@quantity(formula="(kv_lora_rank + qk_rope_head_dim) / (2 * head_dim)", source=f"{_V2}, section 2.1.4")
def mla_equivalent_gqa_groups(kv_lora_rank: int, qk_rope_head_dim: int, head_dim: int) -> Measured:
    """KV heads with which GQA would cache as much."""
    latent, rotary = _cache((1,), kv_lora_rank, qk_rope_head_dim)
    group = phantom(2, head_dim)
    seen = f"latent {latent.shape} and rotary key {rotary.shape}, against one KV head's key and value {group.shape}"
    return whole(Fraction(latent.size + rotary.size, group.size)), seen


@quantity(formula="2 * num_heads * head_dim / (kv_lora_rank + qk_rope_head_dim)", source=f"{_V2}, table 1")
def mla_cache_saving(num_heads: int, head_dim: int, kv_lora_rank: int, qk_rope_head_dim: int) -> Measured:
    """Factor by which the cache is smaller than that of MHA with as many heads."""
    keys_values = phantom(2, num_heads, 1, head_dim)
    latent, rotary = _cache((1,), kv_lora_rank, qk_rope_head_dim)
    seen = f"MHA's keys and values {keys_values.shape}, against latent {latent.shape} and rotary key {rotary.shape}"
    return whole(Fraction(keys_values.size, latent.size + rotary.size)), seen


@quantity(formula="2 * num_kv_heads * head_dim / (kv_lora_rank + qk_rope_head_dim)", source=f"{_V2}, table 1")
def mla_cache_saving_over_gqa(num_kv_heads: int, head_dim: int, kv_lora_rank: int, qk_rope_head_dim: int) -> Measured:
    """Factor by which the cache is smaller than that of GQA; below 1, it is larger."""
    keys_values = phantom(2, num_kv_heads, 1, head_dim)
    latent, rotary = _cache((1,), kv_lora_rank, qk_rope_head_dim)
    seen = f"GQA's keys and values {keys_values.shape}, against latent {latent.shape} and rotary key {rotary.shape}"
    return whole(Fraction(keys_values.size, latent.size + rotary.size)), seen


@quantity(formula="2 * head_dim / (kv_lora_rank + qk_rope_head_dim)", source=f"{_V2}, table 1")
def mla_cache_saving_over_mqa(head_dim: int, kv_lora_rank: int, qk_rope_head_dim: int) -> Measured:
    """Factor by which the cache is smaller than that of MQA; below 1, as it mostly is, it is larger."""
    keys_values = phantom(2, 1, 1, head_dim)
    latent, rotary = _cache((1,), kv_lora_rank, qk_rope_head_dim)
    seen = f"MQA's key and value {keys_values.shape}, against latent {latent.shape} and rotary key {rotary.shape}"
    return whole(Fraction(keys_values.size, latent.size + rotary.size)), seen


@quantity(
    formula="(2 * kv_lora_rank + qk_rope_head_dim) / (qk_nope_head_dim + qk_rope_head_dim + v_head_dim)",
    source=_FLASH_MLA,
)
def mla_absorbed_flop_ratio(
    kv_lora_rank: int, qk_rope_head_dim: int, qk_nope_head_dim: int, v_head_dim: int
) -> Measured:
    """Work per head and cached token with absorbed weights, against expanded keys and values."""
    absorbed = _score_adds(1, kv_lora_rank + qk_rope_head_dim, kv_lora_rank)
    expanded = _score_adds(1, _query_width(qk_nope_head_dim, qk_rope_head_dim), v_head_dim)
    seen = f"per head and cached token: {absorbed:,} multiply-adds absorbed, {expanded:,} expanded"
    return whole(Fraction(absorbed, expanded)), seen


@quantity(
    unit="FLOP/B",
    formula="2 * num_heads * (2 * kv_lora_rank + qk_rope_head_dim)"
    " / ((kv_lora_rank + qk_rope_head_dim) * bytes_per_element)",
    source=_FLASH_MLA,
    optional=("bytes_per_element",),
)
def mla_decode_intensity(
    num_heads: int, kv_lora_rank: int, qk_rope_head_dim: int, bytes_per_element: Number
) -> Measured:
    """Work per byte read from the cache while decoding one token with absorbed weights."""
    flop = 2 * _score_adds(num_heads, kv_lora_rank + qk_rope_head_dim, kv_lora_rank)
    latent, rotary = _cache((1,), kv_lora_rank, qk_rope_head_dim, bytes_per_element)
    read = stored_bytes(latent, bytes_per_element) + stored_bytes(rotary, bytes_per_element)
    return whole(flop / Fraction(read)), f"per cached token: {flop:,} FLOP over {whole(Fraction(read))} B"


@quantity(formula="1 / sqrt(qk_nope_head_dim + qk_rope_head_dim)", source=_HF)
def mla_softmax_scale(qk_nope_head_dim: int, qk_rope_head_dim: int) -> Measured:
    """What the dot products are multiplied by before the softmax, without YaRN; the same expanded and absorbed."""
    terms = dot_products(_query_width(qk_nope_head_dim, qk_rope_head_dim))
    return square_root(Fraction(1, terms)), f"one query meets one key in {terms} products; the scale is 1/√{terms}"


@quantity(
    formula="(mscale_all_dim * ln(factor) / 10 + 1) ** 2 / sqrt(qk_nope_head_dim + qk_rope_head_dim)",
    source="Peng et al. 2023, YaRN, section 3.4; transformers, modeling_deepseek_v3.py (mscale_all_dim)",
)
def mla_yarn_softmax_scale(
    qk_nope_head_dim: int, qk_rope_head_dim: int, factor: Number, mscale_all_dim: Number
) -> Measured:
    """What the dot products are multiplied by before the softmax, where YaRN stretches the context."""
    terms = dot_products(_query_width(qk_nope_head_dim, qk_rope_head_dim))
    mscale = mscale_all_dim * natural_logarithm(factor) / 10 + 1
    # Squared, because YaRN corrects the query and the key alike.
    return whole(mscale**2 * square_root(Fraction(1, terms))), (
        f"one query meets one key in {terms} products; 1/√{terms} is corrected by mscale² = {float(mscale**2):.6g}"
    )


def _query_width(qk_nope_head_dim: int, qk_rope_head_dim: int) -> int:
    """Width of one query head: the part without position beside the rotary part."""
    nope, rotary = phantom(qk_nope_head_dim), phantom(qk_rope_head_dim)
    return nope.size + rotary.size


def _cache(
    tokens: tuple[int, ...], kv_lora_rank: int, qk_rope_head_dim: int, bytes_per_element: Number = 2
) -> tuple[Array, Array]:
    """What is cached for ``(..., tokens)``: the latents, and the rotary keys as the one head that all heads share."""
    latent = phantom(*tokens, kv_lora_rank, bytes_per_element=bytes_per_element)
    rotary = split_heads(phantom(*tokens, qk_rope_head_dim, bytes_per_element=bytes_per_element), 1)
    return latent, rotary


def _score_adds(num_heads: int, key_width: int, value_width: int) -> int:
    """Multiply-adds per cached token: one query token with the key, and its weight with the value."""
    scored = products(phantom(num_heads, key_width), phantom(1, key_width)).size
    summed = products(phantom(num_heads, 1), phantom(1, value_width)).size
    return scored + summed


QUANTITIES = (
    qk_head_dim,
    mla_q_proj_shape,
    mla_q_a_proj_shape,
    mla_q_b_proj_shape,
    mla_kv_a_proj_shape,
    mla_kv_b_proj_shape,
    mla_o_proj_shape,
    mla_attention_params_per_layer,
    mla_attention_params_per_layer_without_q_latent,
    mla_kv_cache_elements_per_token_per_layer,
    mla_kv_cache_bytes_per_token_per_layer,
    mla_kv_cache_bytes_per_token,
    mla_kv_cache_bytes,
    mla_tokens_in_memory,
    mla_equivalent_gqa_groups,
    mla_cache_saving,
    mla_cache_saving_over_gqa,
    mla_cache_saving_over_mqa,
    mla_absorbed_flop_ratio,
    mla_decode_intensity,
    mla_softmax_scale,
    mla_yarn_softmax_scale,
)
