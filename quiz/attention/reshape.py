"""The reshapes between a projection's features and its heads, on real arrays, and where they fail.

Nothing is checked beforehand: NumPy does the reshape, and where it refuses, its error is told again in the words of
attention. Head h owns the features h * head_dim ... (h + 1) * head_dim - 1, and query head q reads KV head q // group.
"""

from collections.abc import Iterable

import numpy as np

from quiz.attention.phantom import Array
from quiz.attention.sizes import as_size
from quiz.errors import SolveError

_REACH = 4096


def split_heads(features: Array, num_heads: int) -> Array:
    """``(..., tokens, num_heads * head_dim)`` -> ``(..., num_heads, tokens, head_dim)`` (Vaswani 2017, section 3.2.2).

    Raises:
        SolveError: the features do not split over the heads.
    """
    heads = as_size("num_heads", num_heads)
    if features.ndim < 2:
        raise SolveError(f"split_heads needs (..., tokens, features), not {features.shape}", "axes")
    try:
        return features.reshape(*features.shape[:-1], heads, -1).swapaxes(-3, -2)
    except ValueError as error:
        width = features.shape[-1]
        if width % heads == 0:
            raise SolveError(f"split_heads: {error}", "empty") from error
        problem = uneven(width, heads, "features", "heads", "hidden")
        raise SolveError(f"split_heads: {problem} (NumPy: {error})", "reshape") from error


def merge_heads(heads: Array) -> Array:
    """``(..., num_heads, tokens, head_dim)`` -> ``(..., tokens, num_heads * head_dim)``: the way back.

    Raises:
        SolveError: the array has fewer than three axes.
    """
    if heads.ndim < 3:
        raise SolveError(f"merge_heads needs (..., heads, tokens, head_dim), not {heads.shape}", "axes")
    *leading, count, tokens, width = heads.shape
    return heads.swapaxes(-3, -2).reshape(*leading, tokens, count * width)


def repeat_kv(kv_heads: Array, num_heads: int) -> Array:
    """``(..., num_kv_heads, tokens, width)`` -> ``(..., num_heads, tokens, width)`` (Ainslie 2023, section 2.2).

    Each KV head is repeated for the query heads of its group, next to each other: query head q gets q // group.

    Raises:
        SolveError: the KV heads do not divide the query heads.
    """
    wanted = as_size("num_heads", num_heads)
    if kv_heads.ndim < 3:
        raise SolveError(f"repeat_kv needs (..., kv heads, tokens, width), not {kv_heads.shape}", "axes")
    *leading, count, tokens, width = kv_heads.shape
    group = wanted // as_size("num_kv_heads", count)
    try:
        shared = np.broadcast_to(kv_heads[..., :, None, :, :], (*leading, count, group, tokens, width))
        return shared.reshape(*leading, wanted, tokens, width)
    except ValueError as error:
        if count * group == wanted:
            raise SolveError(f"repeat_kv: no array can hold {wanted} heads of this size", "too large") from error
        problem = uneven(wanted, count, "query heads", "KV heads", "query heads")
        raise SolveError(f"repeat_kv: {problem} (NumPy: {error})", "reshape") from error


def split_ranks(heads: Array, tp: int, what: str = "heads") -> Array:
    """``(heads,)`` -> ``(tp, heads per rank)``: whole heads over the ranks of a tensor-parallel group.

    Raises:
        SolveError: the heads do not split over the ranks.
    """
    try:
        return heads.reshape(tp, -1)
    except ValueError as error:
        raise SolveError(f"split_ranks: {uneven(heads.size, tp, what, 'ranks', what)}", "reshape") from error


def uneven(total: int, parts: int, things: str, places: str, instead: str) -> str:
    """Says that ``total`` things do not split over ``parts`` places, what is left over, and the nearest that would."""
    each, left = divmod(total, parts)
    counts = _near_divisors(total, parts)
    totals = [parts * count for count in (each, each + 1) if count]
    return (
        f"{total} {things} do not split over {parts} {places}: {parts} × {each} = {parts * each} leaves {left}; "
        f"nearest: {f'{_either(counts)} {places}, ' if counts else ''}{_named(instead, _either(totals))}"
    )


def _near_divisors(total: int, near: int) -> list[int]:
    """The divisors of ``total`` next below and above ``near``, as far as 4096 steps away."""
    below = next((n for n in range(near - 1, max(0, near - _REACH), -1) if total % n == 0), None)
    above = next((n for n in range(near + 1, min(total, near + _REACH) + 1) if total % n == 0), None)
    return [count for count in (below, above) if count is not None]


def _either(numbers: Iterable[int]) -> str:
    return " or ".join(map(str, numbers))


def _named(what: str, numbers: str) -> str:
    return f"hidden {numbers}" if what == "hidden" else f"{numbers} {what}"
