"""Rotary positions (Su 2021, RoFormer, section 3.2): each pair of dimensions turns by position times its frequency.

Two conventions pair the dimensions differently. The scores are the same only if queries, keys and weights agree on one.
"""

from dataclasses import dataclass

import numpy as np

from quiz.attention.linear import Floats
from quiz.attention.sizes import as_even
from quiz.errors import SolveError


@dataclass(frozen=True, slots=True)
class Rotary:
    """Turns the first ``rotary_dim`` dimensions of a head; the rest pass through (partial rotary).

    Pair i turns by position * theta ** (-2i / rotary_dim). Half-split (Llama, GPT-NeoX) pairs dimension i with
    i + rotary_dim / 2; ``interleaved`` (RoFormer, GPT-J, DeepSeek) pairs 2i with 2i + 1.

    Raises:
        SolveError: ``rotary_dim`` is odd.
    """

    rotary_dim: int
    theta: float = 10_000.0
    interleaved: bool = False

    def __post_init__(self) -> None:
        as_even("rotary_dim", self.rotary_dim)

    def angles(self, tokens: int, first: int = 0) -> Floats:
        """``(tokens, rotary_dim / 2)`` for the positions from ``first``."""
        frequencies = self.theta ** (-np.arange(0, self.rotary_dim, 2) / self.rotary_dim)
        turned: Floats = np.arange(first, first + tokens)[:, None] * frequencies
        return turned

    def turn(self, heads: Floats, first: int = 0) -> Floats:
        """``(..., tokens, head_dim)``, turned for the positions from ``first``.

        Raises:
            SolveError: the heads are narrower than ``rotary_dim``.
        """
        if heads.shape[-1] < self.rotary_dim:
            raise SolveError(f"a head of {heads.shape[-1]} has no {self.rotary_dim} dimensions to rotate", "reshape")
        angles = self.angles(heads.shape[-2], first)
        cos, sin = np.cos(angles), np.sin(angles)
        ones, others = self._pairs
        turned = heads.copy()
        one, other = heads[..., ones], heads[..., others]
        turned[..., ones] = one * cos - other * sin
        turned[..., others] = other * cos + one * sin
        return turned

    @property
    def _pairs(self) -> tuple[slice, slice]:
        """Where the first and the second dimension of every pair are."""
        if self.interleaved:
            return slice(0, self.rotary_dim, 2), slice(1, self.rotary_dim, 2)
        half = self.rotary_dim // 2
        return slice(0, half), slice(half, self.rotary_dim)


def deinterleaved(heads: Floats) -> Floats:
    """``(..., width)`` with the even dimensions first, then the odd ones: interleaved pairs become half-split ones.

    Done to queries and keys alike it leaves their scores as they are.
    """
    return np.concatenate([heads[..., 0::2], heads[..., 1::2]], axis=-1)
