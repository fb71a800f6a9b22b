"""The numbers that fix one attention layer. Everything else about its shapes follows from them."""

from dataclasses import dataclass

from quiz.attention.phantom import phantom
from quiz.attention.reshape import repeat_kv
from quiz.attention.sizes import as_even, as_size


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerSpec:
    """A layer with keys and values per head: MHA, GQA or MQA.

    ``hidden_size`` is the width of the residual stream; ``num_heads * head_dim`` need not equal it. ``v_head_dim`` is
    the width of one value head, ``head_dim`` where it is None.

    Raises:
        SolveError: a size is not a whole number from 1, or the KV heads do not divide the query heads.
    """

    hidden_size: int
    num_heads: int
    num_kv_heads: int
    head_dim: int
    v_head_dim: int | None = None

    def __post_init__(self) -> None:
        _check_sizes(self, "hidden_size", "num_heads", "num_kv_heads", "head_dim")
        if self.v_head_dim is not None:
            _check_sizes(self, "v_head_dim")
        if self.num_heads % self.num_kv_heads:
            repeat_kv(phantom(1, self.num_kv_heads, 1, 1), self.num_heads)

    @property
    def value_dim(self) -> int:
        """Width of one value head."""
        return self.head_dim if self.v_head_dim is None else self.v_head_dim

    @property
    def group_size(self) -> int:
        """Query heads that share one KV head."""
        return self.num_heads // self.num_kv_heads


@dataclass(frozen=True, slots=True, kw_only=True)
class LatentSpec:
    """A layer of multi-head latent attention (DeepSeek-V2, section 2.1).

    A token is cached as a latent of ``kv_lora_rank`` and one rotary key of ``qk_rope_head_dim``, shared by all heads.
    ``q_lora_rank`` is None where queries are projected from the hidden vector directly.

    Raises:
        SolveError: a size is not a whole number from 1, or the rotary width is odd.
    """

    hidden_size: int
    num_heads: int
    kv_lora_rank: int
    q_lora_rank: int | None
    qk_nope_head_dim: int
    qk_rope_head_dim: int
    v_head_dim: int

    def __post_init__(self) -> None:
        _check_sizes(self, "hidden_size", "num_heads", "kv_lora_rank", "qk_nope_head_dim", "v_head_dim")
        as_even("qk_rope_head_dim", self.qk_rope_head_dim)
        if self.q_lora_rank is not None:
            _check_sizes(self, "q_lora_rank")

    @property
    def qk_head_dim(self) -> int:
        """Width over which one head's query meets its key."""
        return self.qk_nope_head_dim + self.qk_rope_head_dim

    @property
    def cache_width(self) -> int:
        """Numbers cached per token and layer."""
        return self.kv_lora_rank + self.qk_rope_head_dim


def _check_sizes(spec: LayerSpec | LatentSpec, *names: str) -> None:
    for name in names:
        as_size(name, getattr(spec, name))
