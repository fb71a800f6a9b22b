"""The two layers around attention: a linear projection, and the norm of heads and latents."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from quiz.errors import SolveError

Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Linear:
    """``weight`` is (out, in), as PyTorch stores it; ``bias`` is (out,) or None."""

    weight: Floats
    bias: Floats | None = None

    def __call__(self, features: Floats) -> Floats:
        """``(..., in)`` -> ``(..., out)``: every output sees every input feature.

        Raises:
            SolveError: the features are not as wide as the weight takes.
        """
        try:
            out: Floats = features @ self.weight.T
        except ValueError as error:
            takes, has = self.weight.shape[-1], features.shape[-1]
            raise SolveError(f"a weight of {self.weight.shape} takes {takes} features, not {has}", "matmul") from error
        return out if self.bias is None else out + self.bias


def rms_norm(features: Floats, weight: Floats, eps: float) -> Floats:
    """``(..., width)`` scaled to a root mean square of 1, times ``weight`` (Zhang and Sennrich 2019)."""
    normed: Floats = features / np.sqrt(np.mean(features**2, axis=-1, keepdims=True) + eps) * weight
    return normed
