"""Shapes of the projections' weights, (out, in) as linear layers store them, and of what flows between them."""

from quiz.attention.phantom import Array, phantom, products
from quiz.attention.quantity import Measured, quantity
from quiz.attention.reshape import merge_heads, split_heads
from quiz.attention.sizes import Number

_LLAMA = "transformers, modeling_llama.py (LlamaAttention)"
_VASWANI = "Vaswani et al. 2017, section 3.2.2"


def weight(out: Array, into: Array) -> Array:
    """The weight of a linear layer between two rows of features: one row per output, one column per input."""
    return phantom(*products(out.reshape(-1, 1), into.reshape(1, -1)).shape)


def features(num_heads: int, head_dim: int) -> Array:
    """The features of one token's heads, merged: ``(1, num_heads * head_dim)``."""
    return merge_heads(phantom(num_heads, 1, head_dim))


@quantity(formula="(num_heads * head_dim, hidden_size)", source=_LLAMA)
def q_proj_shape(hidden_size: int, num_heads: int, head_dim: int) -> Measured:
    """Weight of the query projection, (out, in)."""
    out = features(num_heads, head_dim)
    return weight(out, phantom(hidden_size)).shape, f"{num_heads} query heads, merged: {out.shape}"


@quantity(formula="(num_kv_heads * head_dim, hidden_size)", source=_LLAMA)
def k_proj_shape(hidden_size: int, num_kv_heads: int, head_dim: int) -> Measured:
    """Weight of the key projection, (out, in)."""
    out = features(num_kv_heads, head_dim)
    return weight(out, phantom(hidden_size)).shape, f"{num_kv_heads} key heads, merged: {out.shape}"


@quantity(formula="(num_kv_heads * v_head_dim, hidden_size)", source=_LLAMA, optional=("v_head_dim",))
def v_proj_shape(hidden_size: int, num_kv_heads: int, head_dim: int, v_head_dim: int) -> Measured:
    """Weight of the value projection, (out, in)."""
    out = features(num_kv_heads, v_head_dim)
    return weight(
        out, phantom(hidden_size)
    ).shape, f"{num_kv_heads} value heads of {v_head_dim} (keys: {head_dim}), merged: {out.shape}"


@quantity(formula="(hidden_size, num_heads * v_head_dim)", source=_LLAMA, optional=("v_head_dim",))
def o_proj_shape(hidden_size: int, num_heads: int, head_dim: int, v_head_dim: int) -> Measured:
    """Weight of the output projection, (out, in)."""
    into = features(num_heads, v_head_dim)
    return weight(
        phantom(hidden_size), into
    ).shape, f"{num_heads} heads of {v_head_dim} values (keys: {head_dim}), merged: {into.shape}"


@quantity(
    formula="((num_heads + 2 * num_kv_heads) * head_dim, hidden_size)",
    source="transformers, modeling_phi3.py (Phi3Attention, qkv_proj)",
)
def qkv_proj_shape(hidden_size: int, num_heads: int, num_kv_heads: int, head_dim: int) -> Measured:
    """Weight of the fused query, key and value projection, (out, in)."""
    q, k, v = features(num_heads, head_dim), features(num_kv_heads, head_dim), features(num_kv_heads, head_dim)
    out = phantom(q.size + k.size + v.size)
    seen = f"queries {q.shape}, keys {k.shape} and values {v.shape} side by side"
    return weight(out, phantom(hidden_size)).shape, seen


@quantity(formula="(batch, num_heads, seq_len, head_dim)", source=_VASWANI, optional=("batch",))
def split_heads_shape(batch: int, seq_len: int, num_heads: int, head_dim: int) -> Measured:
    """Queries, ready to meet the keys."""
    projected = phantom(batch, seq_len, num_heads * head_dim)
    heads = split_heads(projected, num_heads)
    return heads.shape, f"{projected.shape} split over {num_heads} heads and transposed: {heads.shape}"


@quantity(
    formula="(batch, num_kv_heads, seq_len, head_dim)",
    source="Ainslie et al. 2023, GQA, section 2.2",
    optional=("batch",),
)
def kv_heads_shape(batch: int, seq_len: int, num_kv_heads: int, head_dim: int) -> Measured:
    """Keys, as they are cached: before they are repeated for the query heads."""
    projected = phantom(batch, seq_len, num_kv_heads * head_dim)
    heads = split_heads(projected, num_kv_heads)
    return heads.shape, f"{projected.shape} split over {num_kv_heads} KV heads and transposed: {heads.shape}"


def scores(batch: int, num_heads: int, seq_len: int, context: int, bytes_per_element: Number = 2) -> Array:
    """Scores of every query against every key. The head width is summed away, so any width will do."""
    width = 1
    queries = phantom(batch, num_heads, seq_len, 1, width)
    keys = phantom(batch, num_heads, 1, context, width)
    return phantom(*products(queries, keys).shape[:-1], bytes_per_element=bytes_per_element)


@quantity(
    formula="(batch, num_heads, seq_len, context)",
    source="Vaswani et al. 2017, section 3.2.1",
    optional=("batch", "context"),
)
def scores_shape(batch: int, num_heads: int, seq_len: int, context: int) -> Measured:
    """Attention scores: one map per query head, one row per query, one column per key."""
    shape = scores(batch, num_heads, seq_len, context).shape
    return shape, f"every query against every key, head by head: {shape}"


@quantity(formula="(batch, seq_len, num_heads * head_dim)", source=_VASWANI, optional=("batch",))
def merged_heads_shape(batch: int, seq_len: int, num_heads: int, head_dim: int) -> Measured:
    """What the output projection takes: the heads side by side again."""
    heads = phantom(batch, num_heads, seq_len, head_dim)
    merged = merge_heads(heads)
    return merged.shape, f"{heads.shape} transposed and merged: {merged.shape}"


QUANTITIES = (
    q_proj_shape,
    k_proj_shape,
    v_proj_shape,
    o_proj_shape,
    qkv_proj_shape,
    split_heads_shape,
    kv_heads_shape,
    scores_shape,
    merged_heads_shape,
)
