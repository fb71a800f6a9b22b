"""What a family of models does with the keys of its config.json: one `Family` per model_type.

Sizes have one name each (`hidden_size`, `num_heads`, `num_kv_heads`, `head_dim`, `v_head_dim`, ...). A weight is a
`Matrix`: its rows (out) and columns (in), each a product of named sizes, so a family's projections are a table. Three
names are worked out: cache_width = kv_lora_rank + qk_rope_head_dim, expanded_width = qk_nope_head_dim + v_head_dim, and
o_group_width = num_heads * head_dim / o_groups.
"""

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from fractions import Fraction
from typing import Literal, TypeAlias

from quiz.attention.checkpoint.outcome import Outcome

Stage: TypeAlias = Literal["config", "build", "forward"]
"""Where an illegal size raises: making the config object, building the module, or running it."""

Product: TypeAlias = tuple[str | int, ...]
Matrix: TypeAlias = tuple[Product, Product]
Matrices: TypeAlias = Mapping[str, Matrix]

_HIDDEN: Product = ("hidden_size",)

HEADS: Matrices = {
    "q": (("num_heads", "head_dim"), _HIDDEN),
    "k": (("num_kv_heads", "head_dim"), _HIDDEN),
    "v": (("num_kv_heads", "v_head_dim"), _HIDDEN),
    "o": (_HIDDEN, ("num_heads", "v_head_dim")),
}
"""Queries, keys and values per head (Vaswani 2017; Ainslie 2023)."""

SQUARE_OUT: Matrices = {**HEADS, "o": (_HIDDEN, _HIDDEN)}
"""The output projection takes hidden_size features, whether or not the heads give as many."""

SQUARE: Matrices = dict.fromkeys("qkvo", (_HIDDEN, _HIDDEN))
"""Every weight is hidden_size × hidden_size, and only the reshape after it knows of heads."""

GATED_QUERY: Matrices = {**HEADS, "q": ((2, "num_heads", "head_dim"), _HIDDEN)}
"""The query projection also gives an output gate of the same width, per head [q | gate]."""

_LATENT_KV: Matrices = {
    "kv_a": (("cache_width",), _HIDDEN),
    "kv_b": (("num_heads", "expanded_width"), ("kv_lora_rank",)),
    "o": (_HIDDEN, ("num_heads", "v_head_dim")),
}
LATENT: Matrices = {
    "q_a": (("q_lora_rank",), _HIDDEN),
    "q_b": (("num_heads", "qk_head_dim"), ("q_lora_rank",)),
    **_LATENT_KV,
}
"""Multi-head latent attention (DeepSeek-V2, section 2.1) with a query latent."""

LATENT_DIRECT: Matrices = {"q": (("num_heads", "qk_head_dim"), _HIDDEN), **_LATENT_KV}
"""The same where queries are projected from the hidden vector (q_lora_rank null)."""

SHARED_KV: Matrices = {
    "q_a": (("q_lora_rank",), _HIDDEN),
    "q_b": (("num_heads", "head_dim"), ("q_lora_rank",)),
    "kv": (("head_dim",), _HIDDEN),
    "o_a": (("o_groups", "o_lora_rank"), ("o_group_width",)),
    "o": (_HIDDEN, ("o_groups", "o_lora_rank")),
}
"""DeepSeek-V4: one vector serves as key and as value of all heads; the output goes through a grouped low rank."""

INDEXER: Matrices = {
    "indexer.wq_b": (("index_n_heads", "index_head_dim"), ("q_lora_rank",)),
    "indexer.wk": (("index_head_dim",), _HIDDEN),
    "indexer.weights_proj": (("index_n_heads",), _HIDDEN),
}
"""DeepSeek sparse attention: a small scorer picks the tokens that MLA attends to."""


@dataclass(frozen=True, slots=True)
class Bias:
    """Which roles have a bias: always (``key`` None, ``default`` true), or as a key of the file says.

    ``negated`` where the key says that there is none.
    """

    roles: Iterable[str]
    key: str | None = None
    default: bool = True
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Fused:
    """Roles that are stored in one weight: its name, its layout by kind of attention, and which way it is stored."""

    weight: str
    layouts: Mapping[str, str]
    stored: Literal["out_in", "in_out"] = "out_in"


def one_weight(weight: str, layout: str) -> Fused:
    """One weight whose layout is the same for every kind of attention."""
    return Fused(weight, dict.fromkeys(("mha", "gqa", "mqa"), layout))


@dataclass(frozen=True, slots=True)
class Cycle:
    """Layers take turns: layer i is ``rest`` where i % period == at, and ``most`` elsewhere.

    ``at`` counts from the end where negative. ``key`` and ``at_key`` name the file's own period and offset; ``first``
    and ``last`` fix the types of the first layers and of the last one, whatever their turn.
    """

    most: str
    rest: str
    period: int
    at: int = -1
    key: str | None = None
    at_key: str | None = None
    first: tuple[str, ...] = ()
    last: str | None = None


@dataclass(frozen=True, slots=True)
class Override:
    """How one type of layer differs: a size that another ``key`` sets (or ``default``), or one of ``times`` as many.

    ``drops`` names a role without a weight of its own. It all holds only where the key ``needs`` is true.
    """

    size: str | None = None
    key: str | None = None
    default: int | None = None
    times: int = 1
    drops: str | None = None
    needs: str | None = None


@dataclass(frozen=True, slots=True)
class Mixer:
    """The Mamba mixer of a hybrid model: its heads share ``mamba_expand`` × hidden_size.

    ``inner`` is a width of its own instead, unless mamba_d_ssm is null; ``sized_heads``: mamba_d_head is tested too.
    """

    heads: int = 128
    heads_key: str = "mamba_n_heads"
    inner: int | None = None
    sized_heads: bool = True


@dataclass(frozen=True, slots=True)
class Family:
    """How one model class reads its config.json. The defaults are those of most decoders: RoPE, GQA, own head_dim.

    - ``hidden_size``, ``num_layers``, ``num_heads`` and ``defaults`` stand in for keys that are left out; so do
      ``num_kv_heads`` (None: one per query head) and ``head_dim`` (None: hidden_size // num_heads).
    - ``reads_head_dim`` and ``reads_kv_heads``: whether the class looks at these keys at all; ``needs_head_dim`` and
      ``needs_kv_heads``: whether leaving them out is as bad as null. ``head_dim_key`` and ``kv_heads_key`` are the only
      keys for these sizes. ``turns_named``: a head_dim that is not read still sets for what rotary positions are made.
    - ``spread``: the heads share this many times hidden_size. ``routed``: a token's query heads are
      num_experts_per_tok of num_local_experts, each with all KV heads' worth of queries and outputs.
    - Of latent attention: with ``reads_head_dim`` the file's head_dim, not qk_rope_head_dim, sets how much turns;
      ``head_dim_is_rope``: it is another name for qk_rope_head_dim; ``turns_share``: the class's head_dim is
      qk_head_dim, of which a share turns. ``nullable`` are the sizes that the config object takes as null.
    - ``grouped_if`` is a switch without which num_kv_heads is ignored; ``shared_if`` one that means a single KV head.
    - ``null_sizes`` (of hidden_size, heads and layers), ``null_head_dim``, ``null_kv_heads``, ``uneven`` (hidden_size
      % num_heads), ``odd`` (a derived width that rotates whole), ``odd_part`` (an odd rotary part) and
      ``odd_kv_heads`` (an odd number of them) say where that raises; None: nowhere. ``refuses`` lists keys whose being
      there raises, and with what; ``must_equal`` keys that may only repeat a product of other sizes.
    - ``rotary`` is the share of the head that rotates (None: no rotary positions), unless ``rotary_key`` says how many;
      none rotates unless the file sets the key of ``rotary_if`` to its value.
    - ``matrices`` and ``others`` are the weights by role; ``others`` by type of layer, "" for all types.
    - ``layers`` says how the types of layers follow: a cycle, "tail" (the last ones slide), "listed" in the
      file, or "window" (all slide if the file has a sliding_window). ``unlisted`` is what there is to say where the
      file should list them and does not, and full attention everywhere is not what the class makes of that.
      ``listed_count``: there are as many layers as are listed, whatever the file says of their number.
    - ``decodes``: keeps a cache. ``encoder``: has an encoder and cross attention besides, with as many heads as
      ``encoder_heads_key`` says before any other key. ``mixer``: the Mamba layers' sizes. ``unknown``: stands in for a
      family that is in no table.
    """

    hidden_size: int
    num_layers: int
    num_heads: int
    _: KW_ONLY
    num_kv_heads: int | None = None
    head_dim: int | None = None
    defaults: Mapping[str, int | None] = field(default_factory=dict)

    form: Literal["heads", "latent", "shared"] = "heads"
    reads_head_dim: bool = True
    reads_kv_heads: bool = True
    head_dim_key: str | None = None
    kv_heads_key: str | None = None
    turns_named: bool = False
    needs_head_dim: bool = False
    needs_kv_heads: bool = False
    grouped_if: str | None = None
    shared_if: str | None = None
    spread: int = 1
    routed: bool = False
    head_dim_is_rope: bool = False
    turns_share: bool = False
    nullable: tuple[str, ...] = ()

    null_sizes: Stage = "config"
    null_head_dim: Stage | None = "build"
    null_kv_heads: Stage | None = None
    uneven: Stage | None = None
    odd: Stage | None = "forward"
    odd_part: Stage | None = None
    odd_kv_heads: Stage | None = None
    refuses: Mapping[str, Outcome] = field(default_factory=dict)
    must_equal: Mapping[str, tuple[Product, Stage]] = field(default_factory=dict)

    rotary: Fraction | None = Fraction(1)
    rotary_key: str | None = None
    rotary_if: tuple[str, object] | None = None

    matrices: Matrices = field(default_factory=lambda: HEADS)
    others: Mapping[str, Matrices] = field(default_factory=dict)
    biases: tuple[Bias, ...] = ()
    fused: Fused | None = None

    layers: Cycle | Literal["tail", "listed", "window"] | None = None
    unlisted: str | None = None
    listed_count: bool = False
    by_layer: Mapping[str, tuple[Override, ...]] = field(default_factory=dict)
    attentions_per_layer: int = 1
    decodes: bool = True
    encoder: bool = False
    encoder_heads_key: str | None = None
    mixer: Mixer | None = None
    unknown: bool = False
    notes: tuple[str, ...] = ()
