"""Arrays with a shape and no bulk: every stride is zero, so all elements are one and the same.

NumPy reshapes, transposes and splits them as it would the real ones, and refuses where it would refuse, but a shape of
terabytes costs nothing. A reshape never copies while *all* strides are zero; with only some zero, it would.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from quiz.attention.sizes import Number, whole
from quiz.errors import SolveError

Array: TypeAlias = NDArray[Any]

# Unsigned integers stand in for the floats of the same width, because NumPy has no bf16 or fp8.
_TYPES: dict[Number, np.dtype[Any]] = {width: np.dtype(f"u{width}") for width in (1, 2, 4, 8)}
_ELEMENT = bytes(8)


def phantom(*shape: int, bytes_per_element: Number = 2) -> Array:
    """An array of this shape that occupies one element: ``np.broadcast_to``, without its detour through an iterator.

    Raises:
        SolveError: no array can have so many elements.
    """
    dtype = _TYPES.get(bytes_per_element, _TYPES[1])
    try:
        return np.ndarray(shape, dtype, _ELEMENT, 0, (0,) * len(shape))
    except (ValueError, OverflowError) as error:
        raise _too_large(shape) from error


def stored_bytes(array: Array, bytes_per_element: Number) -> Number:
    """Bytes that the elements occupy: ``nbytes``, or counted elements where no NumPy type has this width (int4)."""
    if array.itemsize == bytes_per_element:
        return array.nbytes
    return whole(array.size * bytes_per_element)


def products(left: Array, right: Array) -> np.broadcast:
    """The products of a contraction, from its operands aligned on all its axes; ``.shape`` and ``.size`` tell them.

    A sum of n products is n multiply-adds (the first addition is to zero), and a multiply-add is 2 FLOP.

    Raises:
        SolveError: there are more than can be counted.
    """
    try:
        return np.broadcast(left, right)
    except ValueError as error:
        raise _too_large((*left.shape, *right.shape)) from error


def padded(length: int, step: int) -> int:
    """Length of an axis filled up to whole blocks of ``step``: the blocks that begin on it, laid end to end."""
    blocks = phantom(length)[::step].size
    return phantom(blocks, step).reshape(-1).size


def _too_large(shape: Sequence[int]) -> SolveError:
    return SolveError(f"sizes {' × '.join(map(str, shape))} are more than any array can hold", "too large")
