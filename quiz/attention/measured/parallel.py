"""Tensor parallelism: whole heads per rank, KV heads that are split or replicated, padding that makes it work."""

from quiz.attention.measured.cache import cached_heads
from quiz.attention.phantom import Array, padded, phantom, stored_bytes
from quiz.attention.quantity import Measured, quantity
from quiz.attention.reshape import repeat_kv, split_heads, split_ranks
from quiz.attention.sizes import Number, whole
from quiz.errors import SolveError

_MEGATRON = "Shoeybi et al. 2019, Megatron-LM, section 3"
_VLLM = "vLLM, model_executor/layers/linear.py (QKVParallelLinear: KV heads are split, or replicated)"
_MOST_RANKS = 65_536


@quantity(formula="num_heads // tp", source=_MEGATRON)
def heads_per_rank(num_heads: int, tp: int) -> Measured:
    """Query heads that one rank computes."""
    ranks = split_ranks(phantom(num_heads), tp)
    return ranks.shape[1], f"{num_heads} heads over {tp} ranks: {ranks.shape}"


@quantity(formula="max(1, num_kv_heads // tp)", source=_VLLM)
def kv_heads_per_rank(num_kv_heads: int, tp: int) -> Measured:
    """KV heads that one rank holds: its share, or a copy where there are more ranks than heads."""
    held = _held_per_rank(num_kv_heads, tp)
    return held, f"{num_kv_heads} KV heads over {tp} ranks, split or replicated: ({tp}, {held})"


@quantity(formula="max(1, tp // num_kv_heads)", source=_VLLM)
def kv_replication(num_kv_heads: int, tp: int) -> Measured:
    """Ranks that hold the same KV head."""
    total = phantom(tp, _held_per_rank(num_kv_heads, tp))
    copies = split_heads(phantom(1, total.size), num_kv_heads).shape[-1]
    return copies, f"{total.size} KV heads are held by {tp} ranks, and {num_kv_heads} are different"


@quantity(
    formula="(ranks for ranks in divisors(num_heads)"
    " if ranks in divisors(num_kv_heads) or num_kv_heads in divisors(ranks))",
    source=_VLLM,
)
def legal_tp_sizes(num_heads: int, num_kv_heads: int) -> Measured:
    """Ranks over which the heads split evenly and the KV heads split or replicate evenly, in ascending order."""
    if num_heads > _MOST_RANKS:
        raise SolveError(f"no more than {_MOST_RANKS:,} ranks are tried one by one, not {num_heads:,}", "too large")
    heads, kv_heads = phantom(num_heads), phantom(num_kv_heads)
    legal = tuple(
        tp
        for tp in range(1, num_heads + 1)
        if _splits(heads, tp) and (_splits(kv_heads, tp) or _splits(phantom(tp), num_kv_heads))
    )
    return legal, f"1 to {num_heads} ranks tried with {num_heads} heads and {num_kv_heads} KV heads: {len(legal)} fit"


def _splits(heads: Array, ranks: int) -> bool:
    """Whether NumPy lays the heads out as (ranks, heads per rank)."""
    try:
        heads.reshape(ranks, -1)
    except ValueError:
        return False
    return True


@quantity(
    unit="B",
    formula="2 * num_layers * max(1, num_kv_heads // tp) * head_dim * bytes_per_element",
    source=_VLLM,
    optional=("bytes_per_element",),
)
def kv_cache_bytes_per_token_per_gpu(
    num_layers: int, num_kv_heads: int, head_dim: int, tp: int, bytes_per_element: Number
) -> Measured:
    """Bytes that one rank caches for one token, all layers."""
    held = _held_per_rank(num_kv_heads, tp)
    keys = cached_heads((num_layers, 1), held, head_dim, bytes_per_element)
    size = whole(2 * stored_bytes(keys, bytes_per_element))
    return size, f"one rank's keys and values of one token, each {keys.shape}"


@quantity(
    formula="ceil(vocab_size / (multiple * tp)) * multiple * tp",
    source="Megatron-LM, vocab_size_with_padding (make-vocab-size-divisible-by × tensor-parallel size)",
)
def padded_vocab_size(vocab_size: int, multiple: int, tp: int) -> Measured:
    """Vocabulary, padded so that every rank has the same number of rows, a whole multiple."""
    rows = split_ranks(phantom(padded(vocab_size, multiple * tp)), tp, "rows")
    return rows.size, f"{vocab_size} rows filled up to {multiple} × {tp}: {rows.shape[1]} on each rank"


@quantity(
    formula="ceil(num_kv_heads / tp) * tp * (num_heads // num_kv_heads)",
    source="vllm-omni, pull request 5716 (padding heads for sequence parallelism)",
)
def padded_num_heads(num_heads: int, num_kv_heads: int, tp: int) -> Measured:
    """Query heads after padding: KV heads are filled up to whole ranks, and every group keeps its size."""
    groups = repeat_kv(phantom(num_kv_heads, 1, 1), num_heads).reshape(num_kv_heads, -1)
    kv_heads = split_ranks(phantom(padded(num_kv_heads, tp)), tp, "KV heads")
    heads = phantom(kv_heads.size, groups.shape[1])
    return (
        heads.size,
        f"{num_kv_heads} KV heads filled up to {kv_heads.size}, in groups of {groups.shape[1]}: {heads.shape}",
    )


def _held_per_rank(num_kv_heads: int, tp: int) -> int:
    """KV heads on each rank.

    Raises:
        SolveError: neither do the ranks divide the heads, nor the heads the ranks.
    """
    if tp <= num_kv_heads:
        return int(split_ranks(phantom(num_kv_heads), tp, "KV heads").shape[1])
    try:
        copies = repeat_kv(phantom(num_kv_heads, 1, 1), tp)
    except SolveError as error:
        raise SolveError(
            f"{num_kv_heads} KV heads neither split nor replicate evenly over {tp} ranks: "
            f"{num_kv_heads} does not divide {tp}",
            "reshape",
        ) from error
    return int(split_ranks(copies.reshape(-1), tp, "KV heads").shape[1])


QUANTITIES = (
    heads_per_rank,
    kv_heads_per_rank,
    kv_replication,
    legal_tp_sizes,
    kv_cache_bytes_per_token_per_gpu,
    padded_vocab_size,
    padded_num_heads,
)
