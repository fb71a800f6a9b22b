"""Under which keys a config.json holds a size, and how a size is read from it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from quiz.attention.sizes import as_size
from quiz.errors import SolveError, UsageError

KEYS: Mapping[str, tuple[str, ...]] = {
    "hidden_size": ("hidden_size", "n_embd", "d_model", "dim", "emb_dim", "n_embed", "model_dim"),
    "num_layers": (
        "num_hidden_layers",
        "n_layer",
        "n_layers",
        "num_decoder_layers",
        "decoder_layers",
        "num_layers",
        "layers",
        "encoder_layers",
    ),
    "num_heads": (
        "num_attention_heads",
        "n_head",
        "n_heads",
        "num_heads",
        "decoder_attention_heads",
        "attention_heads",
        "encoder_attention_heads",
    ),
    "num_kv_heads": (
        "num_key_value_heads",
        "num_kv_heads",
        "n_head_kv",
        "n_kv_heads",
        "num_query_groups",
        "multi_query_group_num",
        "attn_config.kv_n_heads",
    ),
    "head_dim": ("head_dim", "d_kv", "attention_head_dim", "attention_head_size", "head_size", "kv_channels"),
    "decoder_layers": ("decoder_layers", "num_decoder_layers", "num_layers", "num_hidden_layers"),
    "decoder_heads": ("decoder_attention_heads", "num_heads", "num_attention_heads"),
    "encoder_layers": ("encoder_layers", "num_layers", "num_hidden_layers"),
    "encoder_heads": ("encoder_attention_heads", "num_heads", "num_attention_heads"),
}
"""By size, the likeliest key first. A dot goes one object deeper."""

_MOST_LAYERS = 100_000
_SHAPES_ATTENTION = re.compile(
    "head|kv|group|rank|dim|attn|attention|window|pattern|interval|period|share|layout|layer_types|block_configs|cla_"
)
_SHAPES_NOTHING = re.compile(
    "dropout|bias|intermediate|implementation|mlp|ffn|expert|projection|^n_group$|^topk_group$"
)
_READ = {key for keys in KEYS.values() for key in keys} | {
    *("kv_lora_rank", "q_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim", "qk_head_dim"),
    *("ffn_dim", "layer_types", "layers_block_type", "sliding_window", "tie_word_embeddings"),
}


@dataclass(frozen=True, slots=True)
class Entry:
    """What the file says of a size: under which key, and the number or None for null."""

    key: str
    value: int | None


def entry(config: Mapping[str, object], size: str, only: str | None = None) -> Entry | None:
    """The first key for a size that holds a number, else the first that holds null; None if there is no such key.

    ``only`` is the one key that is looked at.

    Raises:
        UsageError: the value is neither a whole number from 1 nor null.
    """
    null: Entry | None = None
    for key in (only,) if only else KEYS.get(size, (size,)):
        found, value = _look(config, key)
        if found and value is None:
            null = null or Entry(key, None)
        elif found:
            return Entry(key, whole(key, value))
    return null


def rivals(config: Mapping[str, object], size: str, chosen: Entry) -> list[str]:
    """Other keys for the same size that say something else, as ``key value``."""
    said = ((key, _look(config, key)[1]) for key in KEYS.get(size, ()) if key != chosen.key)
    return [f"{key} {value}" for key, value in said if type(value) is int and value != chosen.value]


def unread(config: Mapping[str, object]) -> list[str]:
    """Settings that look as if they shaped attention, but mean nothing here, as ``key value``."""
    return [
        f"{key[:40]} {_in_short(value)}"
        for key, value in config.items()
        if _SHAPES_ATTENTION.search(key) and not _SHAPES_NOTHING.search(key) and key not in _READ and _says(value)
    ]


def _says(value: object) -> bool:
    """Whether it is a count, a switch that is on, or one number for each layer. Shares and words shape no weights."""
    return value is not False and isinstance(value, int | list)


def _in_short(value: object) -> str:
    return f"(a list of {len(value)})" if isinstance(value, list) else str(value)[:20]


def whole(key: str, value: object) -> int:
    """A size: a whole number from 1.

    Raises:
        UsageError: it is anything else.
    """
    try:
        return as_size(key, value)
    except SolveError as error:
        raise UsageError(f"the config's {error}") from error


def layer_count(key: str, value: int) -> int:
    """The same number, if a model can have so many layers.

    Raises:
        UsageError: it cannot.
    """
    if value > _MOST_LAYERS:
        raise UsageError(f"{key} in the config is {value:,}; no model has more than {_MOST_LAYERS:,} layers")
    return value


def setting(config: Mapping[str, object], key: str, default: bool) -> bool:
    """A switch of the file; ``default`` where it is left out or null.

    Raises:
        UsageError: it is neither true nor false.
    """
    value = config.get(key)
    if value is None:
        return default
    if not isinstance(value, bool):
        raise UsageError(f"the config's {key} must be true or false, not {str(value)[:40]!r}")
    return value


def _look(config: Mapping[str, object], key: str) -> tuple[bool, object]:
    outer, dot, inner = key.partition(".")
    if dot:
        deeper = config.get(outer)
        return _look(deeper, inner) if isinstance(deeper, dict) else (False, None)
    return key in config, config.get(key)
