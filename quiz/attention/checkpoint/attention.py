"""One kind of attention layer of a model: its sizes, weights, biases and cache."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod

from quiz.attention.checkpoint.family import LATENT_DIRECT, Family, Override, Product
from quiz.attention.checkpoint.keys import entry, setting

Shapes = Mapping[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class FusedWeight:
    """A weight that holds q, k and v: its name, its sizes as ``stored``, and how its rows are laid out."""

    weight: str
    shape: tuple[int, int]
    stored: str
    layout: str


@dataclass(frozen=True, slots=True)
class Attention:
    """Layers of one type. Weights are (out, in) by role; what a kind of attention has not is None.

    ``weights`` and ``biases`` count the elements of ``projections`` and ``others``. ``cache_elements`` are the numbers
    kept per token and layer, of distinct KV heads or of the latent; ``storing`` of the ``count`` layers keep them.
    """

    layer_type: str
    count: int
    kind: str
    num_heads: int | None = None
    num_kv_heads: int | None = None
    group_size: int | None = None
    head_dim: int | None = None
    qk_head_dim: int | None = None
    v_head_dim: int | None = None
    projections: Shapes | None = None
    others: Shapes | None = None
    fused: FusedWeight | None = None
    weights: int | None = None
    biases: int | None = None
    cache_elements: int | None = None
    storing: int = 0


def sizes_of_type(
    config: Mapping[str, object], family: Family, sizes: Mapping[str, int], layer_type: str
) -> dict[str, int]:
    """The sizes of the layers of one type: the model's, where the family has no other for this type."""
    found = dict(sizes)
    for override in _overrides(config, family, layer_type):
        if override.size is None:
            continue
        said = entry(config, override.key) if override.key else None
        value = said.value if said and said.value is not None else override.default
        before = found[override.size]
        found[override.size] = (before if value is None else value) * override.times
        if override.size == "head_dim" and found["v_head_dim"] == before:
            found["v_head_dim"] = found["head_dim"]
    return found


def named_by(family: Family, size: str, layer_type: str) -> str | None:
    """The key that sets a size for this type of layer alone, such as global_head_dim."""
    return next((one.key for one in family.by_layer.get(layer_type, ()) if one.size == size), None)


def shapes_of_type(
    config: Mapping[str, object], family: Family, sizes: Mapping[str, int], layer_type: str
) -> tuple[Shapes, Shapes]:
    """The projections by role, and the other weights inside the module, of one type of layer."""
    matrices = LATENT_DIRECT if family.form == "latent" and "q_lora_rank" not in sizes else family.matrices
    dropped = {override.drops for override in _overrides(config, family, layer_type)}
    others = {**family.others.get("", {}), **family.others.get(layer_type, {})}
    return (
        {role: _shape(matrix, sizes) for role, matrix in matrices.items() if role not in dropped},
        {name: _shape(matrix, sizes) for name, matrix in others.items() if _known(matrix, sizes)},
    )


def attention(
    config: Mapping[str, object],
    family: Family,
    sizes: Mapping[str, int],
    layer_type: str,
    *,
    count: int,
    storing: int,
) -> Attention:
    """The attention of ``count`` layers of one type with these sizes; ``storing`` of them keep a cache of their own."""
    heads, kv_heads = sizes["num_heads"], sizes["num_kv_heads"]
    latent = family.form == "latent"
    kind = _kind(family, heads, kv_heads)
    qk_head_dim = sizes["qk_head_dim"] if latent else sizes["head_dim"]
    projections, others = shapes_of_type(config, family, sizes, layer_type)
    return Attention(
        layer_type,
        count,
        kind,
        heads,
        None if latent else kv_heads,
        None if latent or heads % kv_heads else heads // kv_heads,
        None if latent else qk_head_dim,
        qk_head_dim,
        sizes["v_head_dim"],
        projections,
        others,
        _fused(family, kind, projections),
        weights=sum(map(prod, (*projections.values(), *others.values()))),
        biases=sum(projections[role][0] for role in _biased(config, family) if role in projections),
        cache_elements=_cache_elements(family, sizes) if storing else None,
        storing=storing,
    )


def widthless(family: Family, sizes: Mapping[str, int], layer_type: str, count: int) -> Attention:
    """The same where the width of a head is unknown: heads, and nothing of weights or cache."""
    heads, kv_heads = sizes["num_heads"], sizes["num_kv_heads"]
    groups = None if heads % kv_heads else heads // kv_heads
    return Attention(layer_type, count, _kind(family, heads, kv_heads), heads, kv_heads, groups)


def _kind(family: Family, heads: int, kv_heads: int) -> str:
    if family.form != "heads":
        return "mla" if family.form == "latent" else "other"
    return "mha" if kv_heads == heads else "mqa" if kv_heads == 1 else "gqa"


def _cache_elements(family: Family, sizes: Mapping[str, int]) -> int:
    """Numbers per token and layer: keys and values of distinct KV heads, or the latent, or the one shared vector."""
    if family.form == "latent":
        return sizes["cache_width"]
    if family.form == "shared":
        return sizes["head_dim"]
    return sizes["num_kv_heads"] * (sizes["head_dim"] + sizes["v_head_dim"])


def _overrides(config: Mapping[str, object], family: Family, layer_type: str) -> Iterator[Override]:
    for override in family.by_layer.get(layer_type, ()):
        if override.needs is None or setting(config, override.needs, False):
            yield override


def _shape(matrix: tuple[Product, Product], sizes: Mapping[str, int]) -> tuple[int, int]:
    out, into = (prod(sizes[size] if isinstance(size, str) else size for size in side) for side in matrix)
    return out, into


def _known(matrix: tuple[Product, Product], sizes: Mapping[str, int]) -> bool:
    return all(size in sizes for side in matrix for size in side if isinstance(size, str))


def _biased(config: Mapping[str, object], family: Family) -> Iterator[str]:
    for bias in family.biases:
        has = (
            bias.default if bias.key is None else setting(config, bias.key, bias.default ^ bias.negated) ^ bias.negated
        )
        if has:
            yield from bias.roles


def _fused(family: Family, kind: str, projections: Shapes) -> FusedWeight | None:
    if family.fused is None:
        return None
    rows, columns = sum(projections[role][0] for role in "qkv"), projections["q"][1]
    shape = (rows, columns) if family.fused.stored == "out_in" else (columns, rows)
    return FusedWeight(family.fused.weight, shape, family.fused.stored, family.fused.layouts[kind])
