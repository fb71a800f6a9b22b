"""Scaled dot-product attention: masks, the softmax, the weighted sum (Vaswani 2017, section 3.2.1)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quiz.attention.linear import Floats


def causal_mask(queries: int, keys: int, first: int | None = None, window: int | None = None) -> NDArray[np.bool_]:
    """``(queries, keys)``, True where a query may look: at itself and before, ``window`` tokens at most.

    ``first`` is the position of the first query. Left out, the last query stands at the last key, as decoding with a
    cache needs it; 0 aligns the first query with the first key, as ``is_causal=True`` does in PyTorch.
    """
    start = keys - queries if first is None else first
    distance = (start + np.arange(queries))[:, None] - np.arange(keys)
    allowed: NDArray[np.bool_] = distance >= 0
    return allowed if window is None else allowed & (distance < window)


def softmax(scores: Floats) -> Floats:
    """Each row of the last axis, made shares of 1. A row of minus infinity only (a query may look nowhere) is 0."""
    highest = scores.max(axis=-1, keepdims=True)
    powers = np.exp(scores - np.where(np.isfinite(highest), highest, 0.0))
    total = powers.sum(axis=-1, keepdims=True)
    shares: Floats = powers / np.where(total == 0, 1.0, total)
    return shares


def masked(scores: Floats, mask: NDArray[Any] | None) -> Floats:
    """Scores with a mask that broadcasts to them: of bools (True may look) or of numbers to add."""
    if mask is None:
        return scores
    if mask.dtype == np.bool_:
        return np.where(mask, scores, -np.inf)
    added: Floats = scores + mask
    return added


def attend(
    queries: Floats, keys: Floats, values: Floats, scale: float, mask: NDArray[Any] | None = None
) -> tuple[Floats, Floats]:
    """One head or many: what every query gathers, and the weights with which it does.

    Queries are ``(..., queries, d)``, keys ``(..., keys, d)``, values ``(..., keys, dv)``: only the first two share a
    width. Returns ``(..., queries, dv)`` and the weights ``(..., queries, keys)``.
    """
    scores = queries @ keys.swapaxes(-1, -2) * scale
    weights = softmax(masked(scores, mask))
    return weights @ values, weights
