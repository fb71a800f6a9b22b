"""Attention with keys and values per head: MHA, GQA, MQA and cross attention are one function.

They differ in how many KV heads there are: as many as query heads (MHA: Vaswani 2017, section 3.2.2), one for each
group of query heads (GQA: Ainslie 2023, section 2.2), or one for all (MQA: Shazeer 2019, section 2.4). With 8 query
heads and 2 KV heads, query heads 0 to 3 read KV head 0 and query heads 4 to 7 read KV head 1.

What is saved is the cache. A decoded token reads the keys and values of every token before it, m * (d + dv) numbers
each, and has to fetch them all from memory: fewer KV heads, fewer numbers. The queries of the past are never needed
again, so their heads may stay as many as they are; the scores are then computed as if every query head had keys and
values of its own.

Sizes in the comments: B sequences, S tokens that query, T tokens attended to, n query heads, m KV heads, d and dv the
widths of a key and of a value head.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quiz.attention.linear import Floats, Linear, rms_norm
from quiz.attention.reshape import merge_heads, repeat_kv, split_heads
from quiz.attention.rope import Rotary
from quiz.attention.scores import attend, causal_mask
from quiz.attention.spec import LayerSpec
from quiz.errors import SolveError


@dataclass(frozen=True, slots=True)
class HeadNorm:
    """RMS norm of each query and key head before its rotation (Qwen3); weights are (head_dim,)."""

    q: Floats
    k: Floats
    eps: float


@dataclass(frozen=True, slots=True)
class GroupedWeights:
    """The four projections: q (n·d, hidden), k (m·d, source), v (m·dv, source), o (out, n·dv)."""

    q: Linear
    k: Linear
    v: Linear
    o: Linear
    norm: HeadNorm | None = None


@dataclass(frozen=True, slots=True)
class KVCache:
    """Keys ``(B, m, T, d)``, already rotated, and values ``(B, m, T, dv)``: of the KV heads, not of the query heads."""

    keys: Floats
    values: Floats

    @property
    def tokens(self) -> int:
        """Tokens held."""
        return int(self.keys.shape[-2])

    def grown(self, keys: Floats, values: Floats) -> "KVCache":
        """The cache with more tokens after those it holds."""
        return KVCache(np.concatenate([self.keys, keys], axis=-2), np.concatenate([self.values, values], axis=-2))


@dataclass(frozen=True, slots=True)
class GroupedResult:
    """Output ``(B, S, out)``, what a head gathered ``(B, n, S, dv)``, its weights ``(B, n, S, T)``, the cache."""

    output: Floats
    context: Floats
    weights: Floats
    cache: KVCache


def forward(
    spec: LayerSpec,
    weights: GroupedWeights,
    hidden: Floats,
    *,
    source: Floats | None = None,
    rotary: Rotary | None = None,
    causal: bool = False,
    mask: NDArray[Any] | None = None,
    scale: float | None = None,
    cache: KVCache | None = None,
) -> GroupedResult:
    """One layer of attention over ``hidden`` (B, S, hidden).

    Keys and values come from ``source`` (B, T, any width) where there is one (cross attention), else from ``hidden``.
    With a ``cache`` the tokens stand after those it holds, and the result carries the longer cache; the source of cross
    attention does not grow, so its cache serves as it is. ``mask`` broadcasts to (B, n, S, T): bools (True may look) or
    numbers to add; ``causal`` makes the usual one in its place. ``scale`` is 1/sqrt(head_dim) unless given.

    Raises:
        SolveError: the weights are not those of the spec, a product fails, or cross attention is to be rotated.
    """
    _check(spec, weights)
    if rotary and source is not None:
        raise SolveError("queries and keys of two sequences have no common positions to rotate by", "rotary")
    first = cache.tokens if cache else 0
    queries = split_heads(weights.q(hidden), spec.num_heads)  # (B, n, S, d)
    if weights.norm:
        queries = rms_norm(queries, weights.norm.q, weights.norm.eps)
    if rotary:
        queries = rotary.turn(queries, first)
    if cache and source is not None:
        held = cache
    else:
        made = _keys_and_values(spec, weights, hidden if source is None else source, rotary, first)
        held = cache.grown(made.keys, made.values) if cache else made
    if causal:
        mask = causal_mask(hidden.shape[-2], held.tokens)
    # Only now does every query head get keys and values of its own; the cache keeps the m heads.
    all_keys, all_values = repeat_kv(held.keys, spec.num_heads), repeat_kv(held.values, spec.num_heads)
    factor = spec.head_dim**-0.5 if scale is None else scale
    context, shares = attend(queries, all_keys, all_values, factor, mask)  # (B, n, S, dv), (B, n, S, T)
    return GroupedResult(weights.o(merge_heads(context)), context, shares, held)


def _keys_and_values(
    spec: LayerSpec, weights: GroupedWeights, source: Floats, rotary: Rotary | None, first: int
) -> KVCache:
    """What the tokens of ``source`` (B, S, any width), from position ``first``, add to the cache."""
    keys = split_heads(weights.k(source), spec.num_kv_heads)  # (B, m, S, d)
    values = split_heads(weights.v(source), spec.num_kv_heads)  # (B, m, S, dv)
    if weights.norm:
        keys = rms_norm(keys, weights.norm.k, weights.norm.eps)
    return KVCache(rotary.turn(keys, first) if rotary else keys, values)


def _check(spec: LayerSpec, weights: GroupedWeights) -> None:
    """That the weights are as the spec says.

    Raises:
        SolveError: one is not.
    """
    n, m, d, dv = spec.num_heads, spec.num_kv_heads, spec.head_dim, spec.value_dim
    wanted = {
        "q": (weights.q.weight.shape, (n * d, spec.hidden_size)),
        "k": (weights.k.weight.shape, (m * d, weights.k.weight.shape[1])),
        "v": (weights.v.weight.shape, (m * dv, weights.v.weight.shape[1])),
        "o": (weights.o.weight.shape, (weights.o.weight.shape[0], n * dv)),
    }
    for role, (has, needs) in wanted.items():
        if has != needs:
            raise SolveError(f"{role}_proj.weight is {has}; these sizes need {needs}", "weights")
