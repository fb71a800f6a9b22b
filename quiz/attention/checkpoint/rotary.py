"""How much of a head rotates by position."""

from collections.abc import Mapping
from fractions import Fraction

from quiz.attention.checkpoint.family import Family
from quiz.attention.checkpoint.keys import entry
from quiz.attention.checkpoint.reading import Sizes
from quiz.errors import UsageError

_SHARES = ("partial_rotary_factor", "rotary_pct", "rope_pct", "rotary_emb_fraction")
_NESTED = ("rope_parameters", "rope_scaling")


def rotary_share(config: Mapping[str, object], family: Family, sizes: Sizes, layer_type: str) -> Fraction | None:
    """The share of a head that rotates in layers of one type; None where positions enter otherwise, or nobody says.

    Raises:
        UsageError: the file's share is not over 0 and up to 1.
    """
    if family.rotary is None or config.get("alibi") is True:
        return None
    if family.rotary_if and config.get(family.rotary_if[0]) != family.rotary_if[1]:
        return None
    if family.form == "latent":
        return Fraction(1)
    said = entry(config, family.rotary_key) if family.rotary_key else None
    width = said.value if said else family.defaults.get("rotary_dim")
    if width is not None and sizes["head_dim"]:
        return min(Fraction(1), Fraction(width, sizes["head_dim"]))
    share = _said_share(config, layer_type)
    if share is not None:
        return share
    return None if family.unknown and not _has_rope(config) else family.rotary


def _said_share(config: Mapping[str, object], layer_type: str) -> Fraction | None:
    places: list[Mapping[str, object]] = [config]
    for key in _NESTED:
        inner = config.get(key)
        if isinstance(inner, dict):
            own = inner.get(layer_type)
            places += [own, inner] if isinstance(own, dict) else [inner]
    for place in reversed(places):
        for key in _SHARES:
            value = place.get(key)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:
                raise UsageError(f"the config's {key} must be over 0 and up to 1")
            return Fraction(str(value))
    return None


def _has_rope(config: Mapping[str, object]) -> bool:
    return any(key in config for key in ("rope_theta", *_NESTED, *_SHARES))
