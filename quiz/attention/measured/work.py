"""Arithmetic: FLOP per token and layer, counted as multiply-adds of the contractions, and what they read."""

from fractions import Fraction

from quiz.attention.measured.params import projections
from quiz.attention.phantom import Array, phantom, products, stored_bytes
from quiz.attention.quantity import Measured, quantity
from quiz.attention.sizes import Number, whole

_KAPLAN = "Kaplan et al. 2020, Scaling Laws, section 2.1 (2 FLOP per weight and token)"
_SHAZEER = "Shazeer 2019, Fast Transformer Decoding, section 2.4"
FLOP_PER_MULTIPLY_ADD = 2


@quantity(unit="FLOP", formula="4 * hidden_size * (num_heads + num_kv_heads) * head_dim", source=_KAPLAN)
def projection_flops_per_token(hidden_size: int, num_heads: int, num_kv_heads: int, head_dim: int) -> Measured:
    """Work of the q, k, v and o projections for one token in one layer."""
    adds = _projection_adds(hidden_size, num_heads, num_kv_heads, head_dim)
    return FLOP_PER_MULTIPLY_ADD * adds, f"one token through q, k, v and o: {adds:,} multiply-adds of 2 FLOP"


@quantity(unit="FLOP", formula="4 * num_heads * head_dim * context", source=_KAPLAN)
def score_flops_per_token(num_heads: int, head_dim: int, context: int) -> Measured:
    """Work of the scores and of the weighted sum of values for one token in one layer."""
    adds = _score_adds(num_heads, head_dim, context)
    return (
        FLOP_PER_MULTIPLY_ADD * adds,
        f"one query against {context} keys, then values: {adds:,} multiply-adds of 2 FLOP",
    )


@quantity(formula="hidden_size * (num_heads + num_kv_heads) / num_heads", source=_KAPLAN)
def crossover_context(hidden_size: int, num_heads: int, num_kv_heads: int, head_dim: int) -> Measured:
    """Context at which scores and values cost as much as the projections."""
    projected = _projection_adds(hidden_size, num_heads, num_kv_heads, head_dim)
    scored = _score_adds(num_heads, head_dim, 1)
    seen = f"projections {projected:,} multiply-adds; scores and values {scored:,} for each token of context"
    return whole(Fraction(projected, scored)), seen


@quantity(
    unit="FLOP/B",
    formula="2 * num_heads / (num_kv_heads * bytes_per_element)",
    source=_SHAZEER,
    optional=("bytes_per_element",),
)
def decode_intensity(num_heads: int, num_kv_heads: int, bytes_per_element: Number) -> Measured:
    """Work per byte read from the KV cache while decoding one token. Context and head width cancel."""
    flop = FLOP_PER_MULTIPLY_ADD * _score_adds(num_heads, 1, 1)
    cached = phantom(2, num_kv_heads, 1, 1, bytes_per_element=bytes_per_element)
    read = stored_bytes(cached, bytes_per_element)
    return whole(flop / Fraction(read)), f"per cached token and dimension: {flop} FLOP over {read} B"


def _projection_adds(hidden_size: int, num_heads: int, num_kv_heads: int, head_dim: int) -> int:
    """Multiply-adds of one token through the four projections: every weight meets one feature."""
    layer = projections(hidden_size, num_heads, num_kv_heads, head_dim, head_dim)
    return sum(_linear_adds(weight) for weight in layer)


def _linear_adds(weight: Array) -> int:
    return products(phantom(1, weight.shape[1]), weight).size


def _score_adds(num_heads: int, head_dim: int, context: int) -> int:
    """Multiply-adds of one query token: it meets the keys, and its weights meet the values."""
    queries, keys = phantom(num_heads, 1, head_dim), phantom(num_heads, context, head_dim)
    weights, values = phantom(num_heads, context, 1), phantom(num_heads, context, head_dim)
    return products(queries, keys).size + products(weights, values).size


QUANTITIES = (projection_flops_per_token, score_flops_per_token, crossover_context, decode_intensity)
