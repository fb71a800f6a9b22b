"""MLA with absorbed weights: what meets what, once the query is carried down to the latents (FlashMLA's MQA mode)."""

from quiz.attention.phantom import Array, phantom
from quiz.attention.quantity import Measured, quantity
from quiz.attention.reshape import split_heads

_V2 = "DeepSeek-AI 2024, DeepSeek-V2, section 2.1.2 and appendix C"
_V3 = "deepseek-ai/DeepSeek-V3, inference/model.py (MLA.forward, attn_impl absorb)"


@quantity(formula="(num_heads, qk_nope_head_dim, kv_lora_rank)", source=_V3)
def mla_w_uk_shape(kv_lora_rank: int, num_heads: int, qk_nope_head_dim: int, v_head_dim: int) -> Measured:
    """The keys' half of kv_b, head by head: it takes a query part down to the latent."""
    keys, _, seen = _halves(kv_lora_rank, num_heads, qk_nope_head_dim, v_head_dim)
    return keys.shape, seen


@quantity(formula="(num_heads, v_head_dim, kv_lora_rank)", source=_V3)
def mla_w_uv_shape(kv_lora_rank: int, num_heads: int, qk_nope_head_dim: int, v_head_dim: int) -> Measured:
    """The values' half of kv_b, head by head: it takes the gathered latent up to a head's values."""
    _, values, seen = _halves(kv_lora_rank, num_heads, qk_nope_head_dim, v_head_dim)
    return values.shape, seen


@quantity(formula="kv_lora_rank + qk_rope_head_dim", source=_V2)
def mla_absorbed_qk_head_dim(kv_lora_rank: int, qk_rope_head_dim: int) -> Measured:
    """Width over which one head's absorbed query meets the cache."""
    key = _key((1, 1), kv_lora_rank, qk_rope_head_dim)
    return key.shape[-1], f"latent of {kv_lora_rank} beside rotary key of {qk_rope_head_dim}: {key.shape}"


@quantity(formula="(batch, num_heads, seq_len, kv_lora_rank + qk_rope_head_dim)", source=_V3, optional=("batch",))
def mla_absorbed_query_shape(
    batch: int, seq_len: int, num_heads: int, kv_lora_rank: int, qk_rope_head_dim: int
) -> Measured:
    """Queries, carried down to the latent, beside their rotary parts."""
    width = _key((1, 1), kv_lora_rank, qk_rope_head_dim).shape[-1]
    queries = split_heads(phantom(batch, seq_len, num_heads * width), num_heads)
    return queries.shape, f"{num_heads} queries of {kv_lora_rank} + {qk_rope_head_dim} each: {queries.shape}"


@quantity(formula="(batch, 1, context, kv_lora_rank + qk_rope_head_dim)", source=_V3, optional=("batch",))
def mla_absorbed_key_shape(batch: int, context: int, kv_lora_rank: int, qk_rope_head_dim: int) -> Measured:
    """Keys of all heads at once: the latents beside the rotary keys."""
    keys = split_heads(_key((batch, context), kv_lora_rank, qk_rope_head_dim), 1)
    return keys.shape, f"the cache as one KV head: {keys.shape}"


@quantity(formula="(batch, 1, context, kv_lora_rank)", source=_V3, optional=("batch",))
def mla_absorbed_value_shape(batch: int, context: int, kv_lora_rank: int) -> Measured:
    """Values of all heads at once: the latents alone."""
    values = split_heads(phantom(batch, context, kv_lora_rank), 1)
    return values.shape, f"the latents as one value head: {values.shape}"


def _halves(kv_lora_rank: int, num_heads: int, qk_nope_head_dim: int, v_head_dim: int) -> tuple[Array, Array, str]:
    """W_UK (n, dn, r) and W_UV (n, dv, r): the rows of kv_b, laid out by head and cut."""
    stored = phantom(num_heads * (qk_nope_head_dim + v_head_dim), kv_lora_rank)
    by_head = stored.reshape(num_heads, -1, kv_lora_rank)
    keys, values = by_head[:, :qk_nope_head_dim], by_head[:, qk_nope_head_dim:]
    return keys, values, f"kv_b {stored.shape} by head: {by_head.shape}, cut into {keys.shape} and {values.shape}"


def _key(tokens: tuple[int, int], kv_lora_rank: int, qk_rope_head_dim: int) -> Array:
    """Latent and rotary key of every token, side by side: ``(batch, tokens, r + dr)``."""
    latent, rotary = phantom(*tokens, kv_lora_rank), phantom(*tokens, qk_rope_head_dim)
    return phantom(*tokens, latent.shape[-1] + rotary.shape[-1])


QUANTITIES = (
    mla_w_uk_shape,
    mla_w_uv_shape,
    mla_absorbed_qk_head_dim,
    mla_absorbed_query_shape,
    mla_absorbed_key_shape,
    mla_absorbed_value_shape,
)
