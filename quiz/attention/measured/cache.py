"""The KV cache and the scores: elements, bytes, and what fits in memory. Every layer attends to all tokens."""

from fractions import Fraction

from quiz.attention.measured.shapes import scores
from quiz.attention.phantom import Array, phantom, stored_bytes
from quiz.attention.quantity import Measured, quantity
from quiz.attention.reshape import split_heads
from quiz.attention.sizes import Number, whole

_SHAZEER = "Shazeer 2019, Fast Transformer Decoding, section 2.4"
_AINSLIE = "Ainslie et al. 2023, GQA, section 2.2"


def cached_heads(tokens: tuple[int, ...], num_kv_heads: int, width: int, bytes_per_element: Number = 2) -> Array:
    """Keys (or values) as they are cached: projected for ``(..., tokens)`` and split into their heads."""
    return split_heads(phantom(*tokens, num_kv_heads * width, bytes_per_element=bytes_per_element), num_kv_heads)


@quantity(formula="num_kv_heads * (head_dim + v_head_dim)", source=_SHAZEER, optional=("v_head_dim",))
def kv_cache_elements_per_token_per_layer(num_kv_heads: int, head_dim: int, v_head_dim: int) -> Measured:
    """Numbers that one layer caches for one token."""
    keys, values = cached_heads((1,), num_kv_heads, head_dim), cached_heads((1,), num_kv_heads, v_head_dim)
    return keys.size + values.size, f"one token's keys {keys.shape} and values {values.shape}"


@quantity(formula="num_layers * num_kv_heads * (head_dim + v_head_dim)", source=_AINSLIE, optional=("v_head_dim",))
def kv_cache_elements_per_token(num_layers: int, num_kv_heads: int, head_dim: int, v_head_dim: int) -> Measured:
    """Numbers that all layers cache for one token."""
    keys = cached_heads((num_layers, 1), num_kv_heads, head_dim)
    values = cached_heads((num_layers, 1), num_kv_heads, v_head_dim)
    return keys.size + values.size, f"one token's keys {keys.shape} and values {values.shape}"


@quantity(
    formula="num_layers * num_kv_heads * (head_dim + v_head_dim) * batch * context",
    source=_AINSLIE,
    optional=("v_head_dim", "batch"),
)
def kv_cache_elements(
    num_layers: int, num_kv_heads: int, head_dim: int, v_head_dim: int, batch: int, context: int
) -> Measured:
    """Numbers in the KV cache of a batch of sequences."""
    keys = cached_heads((num_layers, batch, context), num_kv_heads, head_dim)
    values = cached_heads((num_layers, batch, context), num_kv_heads, v_head_dim)
    return keys.size + values.size, f"keys {keys.shape} and values {values.shape}"


@quantity(
    unit="B",
    formula="num_kv_heads * (head_dim + v_head_dim) * bytes_per_element",
    source=_SHAZEER,
    optional=("v_head_dim", "bytes_per_element"),
)
def kv_cache_bytes_per_token_per_layer(
    num_kv_heads: int, head_dim: int, v_head_dim: int, bytes_per_element: Number
) -> Measured:
    """Bytes that one layer caches for one token."""
    keys = cached_heads((1,), num_kv_heads, head_dim, bytes_per_element)
    values = cached_heads((1,), num_kv_heads, v_head_dim, bytes_per_element)
    return _bytes(keys, values, bytes_per_element), f"one token's keys {keys.shape} and values {values.shape}"


@quantity(
    unit="B",
    formula="num_layers * num_kv_heads * (head_dim + v_head_dim) * bytes_per_element",
    source=_AINSLIE,
    optional=("v_head_dim", "bytes_per_element"),
)
def kv_cache_bytes_per_token(
    num_layers: int, num_kv_heads: int, head_dim: int, v_head_dim: int, bytes_per_element: Number
) -> Measured:
    """Bytes that all layers cache for one token."""
    keys = cached_heads((num_layers, 1), num_kv_heads, head_dim, bytes_per_element)
    values = cached_heads((num_layers, 1), num_kv_heads, v_head_dim, bytes_per_element)
    return _bytes(keys, values, bytes_per_element), f"one token's keys {keys.shape} and values {values.shape}"


@quantity(
    unit="B",
    formula="num_layers * num_kv_heads * (head_dim + v_head_dim) * bytes_per_element * batch * context",
    source=_AINSLIE,
    optional=("v_head_dim", "bytes_per_element", "batch"),
)
def kv_cache_bytes(
    num_layers: int,
    num_kv_heads: int,
    head_dim: int,
    v_head_dim: int,
    bytes_per_element: Number,
    batch: int,
    context: int,
) -> Measured:
    """Bytes of the KV cache of a batch of sequences."""
    keys = cached_heads((num_layers, batch, context), num_kv_heads, head_dim, bytes_per_element)
    values = cached_heads((num_layers, batch, context), num_kv_heads, v_head_dim, bytes_per_element)
    return _bytes(keys, values, bytes_per_element), f"keys {keys.shape} and values {values.shape}"


@quantity(
    formula="memory // (2 * num_layers * num_kv_heads * head_dim * bytes_per_element)",
    source=_AINSLIE,
    optional=("bytes_per_element",),
)
def tokens_in_memory(
    memory: int, num_layers: int, num_kv_heads: int, head_dim: int, bytes_per_element: Number
) -> Measured:
    """Tokens whose keys and values fit in so many bytes."""
    keys = cached_heads((num_layers, 1), num_kv_heads, head_dim, bytes_per_element)
    token = _bytes(keys, keys, bytes_per_element)
    return entries_in(memory, token), f"one token's keys and values, each {keys.shape}: {token} B"


@quantity(
    formula="memory // (2 * num_layers * num_kv_heads * head_dim * bytes_per_element * context)",
    source=_AINSLIE,
    optional=("bytes_per_element",),
)
def batch_in_memory(
    memory: int, num_layers: int, num_kv_heads: int, head_dim: int, bytes_per_element: Number, context: int
) -> Measured:
    """Sequences of this length whose keys and values fit in so many bytes."""
    keys = cached_heads((num_layers, context), num_kv_heads, head_dim, bytes_per_element)
    sequence = _bytes(keys, keys, bytes_per_element)
    return entries_in(memory, sequence), f"one sequence's keys and values, each {keys.shape}: {sequence} B"


@quantity(
    unit="B",
    formula="batch * num_heads * seq_len * context * bytes_per_element",
    source="Dao et al. 2022, FlashAttention, section 2.2 (the N × N matrix that it does not store)",
    optional=("batch", "context", "bytes_per_element"),
)
def scores_bytes(batch: int, num_heads: int, seq_len: int, context: int, bytes_per_element: Number) -> Measured:
    """Bytes of the attention scores of one layer, were they stored."""
    maps = scores(batch, num_heads, seq_len, context, bytes_per_element)
    return stored_bytes(maps, bytes_per_element), f"every query against every key, head by head: {maps.shape}"


def _bytes(keys: Array, values: Array, bytes_per_element: Number) -> Number:
    return whole(stored_bytes(keys, bytes_per_element) + stored_bytes(values, bytes_per_element))


def entries_in(memory: int, entry: Number) -> int:
    """How many whole entries of so many bytes fit: the last bytes of each, counted along the memory."""
    last, size = Fraction(entry).as_integer_ratio()
    return phantom(memory * size, bytes_per_element=1)[last - 1 :: last].size


QUANTITIES = (
    kv_cache_elements_per_token_per_layer,
    kv_cache_elements_per_token,
    kv_cache_elements,
    kv_cache_bytes_per_token_per_layer,
    kv_cache_bytes_per_token,
    kv_cache_bytes,
    tokens_in_memory,
    batch_in_memory,
    scores_bytes,
)
