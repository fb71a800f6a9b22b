"""Multi-head latent attention (DeepSeek-V2, section 2.1), in its two equal forms.

A token leaves a latent, of which the keys and values of all heads are linear functions, and one rotary key that all
heads share: r + dr numbers in the cache, however many heads there are, where MHA keeps n * (d + dv).

It can be computed in two orders. Expanded, keys and values are made from the latents for every head, and the rest is
MHA: fewer FLOP per query and key, so prefill runs this way. Absorbed, the query is carried down to the latents instead,
q · (W_UK c) = (W_UKᵀ q) · c, and what was gathered is carried up by W_UV at the end: the cache is read once for all
heads, so decoding runs this way. The rotary part stays outside, as a key of its own: a rotation between the two
matrices depends on the position, and would not let them change places.

Sizes in the comments: B sequences, S tokens that query, T tokens attended to, n heads, r the latent's width, dn and dr
the widths of a head's part without position and of its rotary part, dv the width of a value head.
"""

from dataclasses import dataclass

import numpy as np

from quiz.attention.linear import Floats, Linear, rms_norm
from quiz.attention.reshape import merge_heads, repeat_kv, split_heads
from quiz.attention.rope import Rotary
from quiz.attention.scores import attend, causal_mask, masked, softmax
from quiz.attention.spec import LatentSpec
from quiz.errors import SolveError


@dataclass(frozen=True, slots=True)
class QueryLatent:
    """The way of queries over a latent of their own: down (q_rank, hidden), the norm's weight (q_rank,)."""

    down: Linear
    norm: Floats


@dataclass(frozen=True, slots=True)
class LatentWeights:
    """q (n·(dn+dr), q_rank or hidden), kv_a (r+dr, hidden), kv_norm (r,), kv_b (n·(dn+dv), r), o (hidden, n·dv).

    The rows of kv_b are head by head: dn for its key, dv for its value.
    """

    q: Linear
    kv_a: Linear
    kv_norm: Floats
    kv_b: Linear
    o: Linear
    q_latent: QueryLatent | None = None
    eps: float = 1e-6


@dataclass(frozen=True, slots=True)
class LatentCache:
    """Normed latents ``(B, T, r)`` and rotated keys ``(B, 1, T, dr)``: all that a token leaves, whatever the heads."""

    latents: Floats
    rotary_keys: Floats

    @property
    def tokens(self) -> int:
        """Tokens held."""
        return int(self.latents.shape[-2])

    def grown(self, latents: Floats, rotary_keys: Floats) -> "LatentCache":
        """The cache with more tokens after those it holds."""
        return LatentCache(
            np.concatenate([self.latents, latents], axis=-2), np.concatenate([self.rotary_keys, rotary_keys], axis=-2)
        )


@dataclass(frozen=True, slots=True)
class LatentResult:
    """Output ``(B, S, hidden)``, what a head gathered ``(B, n, S, dv)``, its weights ``(B, n, S, T)``, the cache."""

    output: Floats
    context: Floats
    weights: Floats
    cache: LatentCache


def expanded(
    spec: LatentSpec,
    weights: LatentWeights,
    hidden: Floats,
    rotary: Rotary,
    *,
    scale: float | None = None,
    cache: LatentCache | None = None,
) -> LatentResult:
    """Causal attention over ``hidden`` (B, S, hidden), with keys and values made for every head.

    ``scale`` is 1/sqrt(dn + dr) unless given (YaRN). With a ``cache`` the tokens stand after those it holds.

    Raises:
        SolveError: the weights are not those of the spec.
    """
    q_nope, q_rope, held = _queries_and_cache(spec, weights, hidden, rotary, cache)
    up = split_heads(weights.kv_b(held.latents), spec.num_heads)  # (B, n, T, dn+dv)
    k_nope, values = up[..., : spec.qk_nope_head_dim], up[..., spec.qk_nope_head_dim :]
    k_rope = repeat_kv(held.rotary_keys, spec.num_heads)  # (B, n, T, dr)
    queries = np.concatenate([q_nope, q_rope], axis=-1)  # (B, n, S, dn+dr)
    keys = np.concatenate([k_nope, k_rope], axis=-1)  # (B, n, T, dn+dr)
    mask = causal_mask(hidden.shape[-2], held.tokens)
    context, shares = attend(queries, keys, values, _scale(spec, scale), mask)  # (B, n, S, dv), (B, n, S, T)
    return LatentResult(weights.o(merge_heads(context)), context, shares, held)


def absorbed(
    spec: LatentSpec,
    weights: LatentWeights,
    hidden: Floats,
    rotary: Rotary,
    *,
    scale: float | None = None,
    cache: LatentCache | None = None,
) -> LatentResult:
    """The same as `expanded`, but it attends to the latents themselves: they are keys and values of all heads at once.

    So this is MQA with one KV head, whose keys are r + dr wide and whose values are the first r of the same numbers.

    Raises:
        SolveError: the weights are not those of the spec.
    """
    q_nope, q_rope, held = _queries_and_cache(spec, weights, hidden, rotary, cache)
    w_uk, w_uv = _up_projections(spec, weights)  # (n, dn, r), (n, dv, r)
    latents = held.latents[:, None]  # (B, 1, T, r): one KV head for all
    q_latent = q_nope @ w_uk  # (B, n, S, r)
    scores = q_latent @ latents.swapaxes(-1, -2) + q_rope @ held.rotary_keys.swapaxes(-1, -2)  # (B, n, S, T)
    # Still the width of the expanded query: absorbing changes the order of the products, not the scores.
    shares = softmax(masked(scores * _scale(spec, scale), causal_mask(hidden.shape[-2], held.tokens)))
    gathered = shares @ latents  # (B, n, S, r)
    context = gathered @ w_uv.swapaxes(-1, -2)  # (B, n, S, dv)
    return LatentResult(weights.o(merge_heads(context)), context, shares, held)


def _queries_and_cache(
    spec: LatentSpec, weights: LatentWeights, hidden: Floats, rotary: Rotary, cache: LatentCache | None
) -> tuple[Floats, Floats, LatentCache]:
    """What both forms share: the queries in two parts (B, n, S, dn) and (B, n, S, dr), and the grown cache."""
    _check(spec, weights)
    first = cache.tokens if cache else 0
    narrow = hidden
    if weights.q_latent:
        narrow = rms_norm(weights.q_latent.down(hidden), weights.q_latent.norm, weights.eps)
    queries = split_heads(weights.q(narrow), spec.num_heads)  # (B, n, S, dn+dr)
    q_nope, q_rope = queries[..., : spec.qk_nope_head_dim], queries[..., spec.qk_nope_head_dim :]
    down = weights.kv_a(hidden)  # (B, S, r+dr)
    latents = rms_norm(down[..., : spec.kv_lora_rank], weights.kv_norm, weights.eps)
    shared_key = split_heads(down[..., spec.kv_lora_rank :], 1)  # (B, 1, S, dr)
    rotary_keys = rotary.turn(shared_key, first)
    held = cache.grown(latents, rotary_keys) if cache else LatentCache(latents, rotary_keys)
    return q_nope, rotary.turn(q_rope, first), held


def _up_projections(spec: LatentSpec, weights: LatentWeights) -> tuple[Floats, Floats]:
    """W_UK ``(n, dn, r)`` and W_UV ``(n, dv, r)``, the two halves of every head's rows of kv_b."""
    by_head = weights.kv_b.weight.reshape(spec.num_heads, -1, spec.kv_lora_rank)
    return by_head[:, : spec.qk_nope_head_dim], by_head[:, spec.qk_nope_head_dim :]


def _scale(spec: LatentSpec, given: float | None) -> float:
    return spec.qk_head_dim**-0.5 if given is None else given


def _check(spec: LatentSpec, weights: LatentWeights) -> None:
    """That the weights are as the spec says.

    Raises:
        SolveError: one is not.
    """
    n, r = spec.num_heads, spec.kv_lora_rank
    wanted = {
        "q" if spec.q_lora_rank is None else "q_b": (
            weights.q,
            n * spec.qk_head_dim,
            spec.q_lora_rank or spec.hidden_size,
        ),
        "kv_a": (weights.kv_a, spec.cache_width, spec.hidden_size),
        "kv_b": (weights.kv_b, n * (spec.qk_nope_head_dim + spec.v_head_dim), r),
        "o": (weights.o, spec.hidden_size, n * spec.v_head_dim),
    }
    if spec.q_lora_rank is not None:
        if weights.q_latent is None:
            raise SolveError("the spec has a query latent, but the weights have none", "weights")
        wanted["q_a"] = (weights.q_latent.down, spec.q_lora_rank, spec.hidden_size)
    for role, (projection, out, into) in wanted.items():
        if projection.weight.shape != (out, into):
            raise SolveError(
                f"{role}_proj.weight is {projection.weight.shape}; these sizes need {(out, into)}", "weights"
            )
