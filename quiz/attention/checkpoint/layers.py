"""Which type of attention each layer has: listed in the file, or by the family's turn."""

from collections import Counter
from collections.abc import Mapping

from quiz.attention.checkpoint.family import Cycle, Family
from quiz.attention.checkpoint.keys import layer_count, setting, whole
from quiz.errors import UsageError

ATTENDS = (
    "full_attention",
    "indexed_attention",
    "sliding_attention",
    "chunked_attention",
    "compressed_sparse_attention",
    "heavily_compressed_attention",
    "hybrid",
    "hybrid_sliding",
    "window_attention",
    "minimax_m3_sparse",
    "reference_sliding_attention",
)
"""The types that keep keys and values of their tokens."""

KEEP_A_STATE = ("linear_attention", "mamba", "conv", "recurrent", "moe", "mlp")
"""The types that keep a state of fixed size or nothing. What is neither here nor above is not known."""

_SPELLINGS = {
    "attention": "full_attention",
    "deepseek_sparse_attention": "indexed_attention",
    "qwen_sparse_attention": "indexed_attention",
    "global": "full_attention",
    "local": "sliding_attention",
    "*": "full_attention",
    "M": "linear_attention",
    "E": "moe",
    "-": "mlp",
}
_MOST_TYPES = 64
_BY_RATIO = {0: "sliding_attention", 4: "compressed_sparse_attention", 128: "heavily_compressed_attention"}


def layer_types(config: Mapping[str, object], family: Family, num_layers: int) -> tuple[str, ...] | None:
    """The type of each layer, or None where all are alike.

    Raises:
        UsageError: the file's list is not a list of words.
    """
    if family.layers is None or family.layers == "window":
        return None
    listed = _listed(config, num_layers)
    if listed is not None:
        layer_count("the number of listed layers", len(listed))
        if len(kinds := set(listed)) > _MOST_TYPES:
            raise UsageError(f"the config lists layers of {len(kinds):,} types; no model has more than {_MOST_TYPES}")
        return _last_fixed(listed, family)
    if family.layers == "listed":
        return None
    if family.layers == "tail":
        return _tail(config, num_layers)
    assert isinstance(family.layers, Cycle)
    return _in_turn(config, family.layers, num_layers)


def main_type(types: tuple[str, ...]) -> str:
    """The type that stands for the model: full attention if there is any, else the first that attends."""
    if "full_attention" in types:
        return "full_attention"
    return next((name for name in types if name in ATTENDS), types[0])


def storing(types: tuple[str, ...], shared: int) -> Counter[str]:
    """How many layers of each type keep a cache of their own: the last ``shared`` use those of earlier layers."""
    return Counter(types[: max(0, len(types) - shared)])


def _listed(config: Mapping[str, object], num_layers: int) -> tuple[str, ...] | None:
    for key in ("layer_types", "layers_block_type", "hybrid_override_pattern"):
        value = config.get(key)
        if value is None:
            continue
        names: list[object] = value if isinstance(value, list) else []
        if key == "hybrid_override_pattern" and isinstance(value, str):
            # Nemotron-H writes a letter for each layer.
            names = list(value)
        words = [name for name in names if isinstance(name, str)]
        if not words or len(words) < len(names):
            raise UsageError(f"the config's {key} must be a list of words")
        return tuple(_SPELLINGS.get(word, word[:40]) for word in words)
    if "attention_types" in config:
        return _repeated(config["attention_types"])
    ratios = config.get("compress_ratios")
    if isinstance(ratios, list) and all(type(ratio) is int for ratio in ratios):
        return tuple(_BY_RATIO.get(ratio, f"compressed by {ratio}") for ratio in ratios) or None
    return _picked(config, num_layers)


def _repeated(types: object) -> tuple[str, ...]:
    """GPT-Neo's attention_types: [[["global", "local"], 12]] is twelve times two layers."""
    found: list[str] = []
    for one in types if isinstance(types, list) else [None]:
        words, count = one if isinstance(one, list) and len(one) == 2 else (None, None)
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise UsageError("the config's attention_types must be lists of words, each with a count")
        layer_count("the number of listed layers", len(found) + len(words) * whole("count in attention_types", count))
        found += words * whole("count in attention_types", count)
    return tuple(_SPELLINGS.get(word, word[:40]) for word in found)


def _picked(config: Mapping[str, object], num_layers: int) -> tuple[str, ...] | None:
    """The layers that attend, named by their numbers: from 0, or from 1 in Kimi's linear_attn_config."""
    linear = config.get("linear_attn_config")
    layers, first = config.get("full_attn_idxs", config.get("attn_layer_indices")), 0
    if isinstance(linear, dict):
        layers, first = linear.get("full_attn_layers"), 1
    if not isinstance(layers, list):
        return None
    chosen = {layer - first for layer in layers if type(layer) is int}
    return tuple("full_attention" if i in chosen else "linear_attention" for i in range(num_layers))


def _tail(config: Mapping[str, object], num_layers: int) -> tuple[str, ...] | None:
    """Qwen2: with use_sliding_window, the layers from max_window_layers on slide."""
    if not setting(config, "use_sliding_window", False) or not config.get("sliding_window"):
        return None
    start = config.get("max_window_layers")
    full = start if type(start) is int and start >= 0 else 28
    return tuple("full_attention" if i < full else "sliding_attention" for i in range(num_layers))


def _in_turn(config: Mapping[str, object], cycle: Cycle, num_layers: int) -> tuple[str, ...]:
    period = _count(config, cycle.key, cycle.period)
    at = (0 if cycle.at_key and config.get(cycle.at_key) == 0 else _count(config, cycle.at_key, cycle.at)) % period
    types: list[str] = [cycle.rest if i % period == at else cycle.most for i in range(num_layers)]
    types[: len(cycle.first)] = cycle.first[:num_layers]
    if cycle.last:
        types[-1] = cycle.last
    return tuple(types)


def _count(config: Mapping[str, object], key: str | None, default: int) -> int:
    value = config.get(key) if key else None
    # An offset may be 0; a period of 0 or null means the class's own.
    return default if key is None or not value else whole(key, value)


def _last_fixed(types: tuple[str, ...], family: Family) -> tuple[str, ...]:
    if isinstance(family.layers, Cycle) and family.layers.last:
        return (*types[:-1], family.layers.last)
    return types
