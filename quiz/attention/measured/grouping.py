"""How query heads share KV heads: Ainslie et al. 2023, GQA, section 2.2."""

from fractions import Fraction

import numpy as np

from quiz.attention.phantom import phantom, stored_bytes
from quiz.attention.quantity import Measured, quantity
from quiz.attention.reshape import repeat_kv
from quiz.attention.sizes import Number, whole
from quiz.errors import SolveError

_AINSLIE = "Ainslie et al. 2023, GQA, section 2.2"
_MOST_LABELS = 65_536


@quantity(formula="num_heads // num_kv_heads", source=_AINSLIE)
def group_size(num_heads: int, num_kv_heads: int) -> Measured:
    """Query heads that share one KV head."""
    groups = repeat_kv(phantom(num_kv_heads, 1, 1), num_heads).reshape(num_kv_heads, -1)
    return groups.shape[1], f"{num_heads} query heads in {num_kv_heads} groups: {groups.shape}"


@quantity(
    formula="query_head // (num_heads // num_kv_heads)",
    source=f"{_AINSLIE}; transformers, repeat_kv (repeat_interleave)",
)
def kv_head_of_query_head(query_head: int, num_heads: int, num_kv_heads: int) -> Measured:
    """KV head that a query head reads, both counted from 0."""
    if query_head >= num_heads:
        raise SolveError(f"query_head must be from 0 to {num_heads - 1}, not {query_head}", "size")
    if num_heads > _MOST_LABELS:
        raise SolveError(f"no more than {_MOST_LABELS:,} heads are labelled one by one, not {num_heads:,}", "too large")
    labels = np.arange(num_kv_heads).reshape(num_kv_heads, 1, 1)
    read = int(repeat_kv(labels, num_heads)[query_head, 0, 0])
    return (
        read,
        f"KV heads 0 to {num_kv_heads - 1} labelled and repeated for {num_heads} heads: head {query_head} has {read}",
    )


@quantity(formula="num_heads / num_kv_heads", source=_AINSLIE)
def kv_cache_saving(num_heads: int, num_kv_heads: int) -> Measured:
    """Factor by which the KV cache is smaller than with MHA."""
    mha, gqa = phantom(2, num_heads, 1, 1), phantom(2, num_kv_heads, 1, 1)
    seen = f"keys and values: {mha.shape} with MHA, {gqa.shape} with GQA"
    return whole(Fraction(mha.size, gqa.size)), seen


@quantity(
    unit="B",
    formula="2 * num_layers * (num_heads - num_kv_heads) * head_dim * bytes_per_element",
    source=_AINSLIE,
    optional=("bytes_per_element",),
)
def kv_cache_bytes_saved_per_token(
    num_layers: int, num_heads: int, num_kv_heads: int, head_dim: int, bytes_per_element: Number
) -> Measured:
    """Bytes of one token that MHA caches and GQA does not."""
    mha = phantom(2, num_layers, num_heads, 1, head_dim, bytes_per_element=bytes_per_element)
    gqa = phantom(2, num_layers, num_kv_heads, 1, head_dim, bytes_per_element=bytes_per_element)
    saved = whole(stored_bytes(mha, bytes_per_element) - stored_bytes(gqa, bytes_per_element))
    return saved, f"keys and values: {mha.shape} with MHA, {gqa.shape} with GQA"


QUANTITIES = (group_size, kv_head_of_query_head, kv_cache_saving, kv_cache_bytes_saved_per_token)
