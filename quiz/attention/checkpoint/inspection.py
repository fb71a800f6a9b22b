"""A config.json -> the attention of its model: what `quiz inspect` shows."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod

from quiz.attention.checkpoint.attention import Attention, attention, named_by, sizes_of_type, widthless
from quiz.attention.checkpoint.checks import Case, problems_with
from quiz.attention.checkpoint.family import LATENT, Bias, Family
from quiz.attention.checkpoint.keys import entry, layer_count
from quiz.attention.checkpoint.layers import ATTENDS, KEEP_A_STATE, layer_types, main_type, storing
from quiz.attention.checkpoint.mixer import mixer_problem
from quiz.attention.checkpoint.model_type import described
from quiz.attention.checkpoint.outcome import VERSIONS, Outcome, raises
from quiz.attention.checkpoint.reading import LATENT_SIZES, UNKNOWN, Findings, Sizes, read_sizes, shared_layers
from quiz.attention.checkpoint.rotary import rotary_share
from quiz.attention.givens import BYTES_PER_ELEMENT
from quiz.attention.sizes import Number, whole

_SHORT = {"bfloat16": "bf16", "float16": "fp16", "half": "fp16", "float32": "fp32", "float64": "fp64"}
_OF_ENCODERS = ("self", "encoder_self", "cross")
_USUAL_BIASES = (
    Bias("qkvo", "attention_bias", False),
    Bias("qkvo", "use_bias", False),
    Bias("qkv", "qkv_bias", False),
    Bias("qkv", "add_qkv_bias", False),
    Bias("qkv", "use_qkv_bias", False),
    Bias("o", "attention_out_bias", False),
)


@dataclass(frozen=True, slots=True)
class Inspection:
    """What a config.json says of its model's attention.

    ``main`` is the self-attention that stands for the model (full attention where types differ, the decoder's where
    there is an encoder); ``layers`` are all types, where there are several. ``latent`` holds the sizes of MLA.
    ``cache_bytes`` are per token over all layers, in ``dtype``; None where no cache is kept, or where nobody knows
    ``num_layers``, which is None then.
    """

    model_type: str | None
    hidden_size: int
    num_layers: int | None
    main: Attention
    head_dim_source: str
    rotary_dim: int | None
    latent: Mapping[str, int | None] | None
    layers: tuple[Attention, ...]
    dtype: str
    cache_bytes: Number | None
    problems: tuple[Outcome, ...]
    notes: tuple[str, ...]

    @property
    def legal(self) -> bool:
        """Whether the library builds and runs it."""
        return not any(problem.raises for problem in self.problems)


_STAGES = ("config", "build", "load", "forward", "kernel", "never-but-wrong", "never")


def inspect(config: Mapping[str, object], *, eager: bool = False) -> Inspection:
    """The attention of the model that a config.json describes (of its text model, where it has several).

    ``eager`` asks what raises where the attention is written out, instead of SDPA, the default.

    Raises:
        UsageError: a size is no whole number, or one that nothing can stand in for is missing.
    """
    found = Findings()
    model = described(config, found)
    family = _guessed(model.config) if model.family.unknown else model.family
    file = model.config
    sizes = read_sizes(file, model.name, family, found)
    types = _types(file, family, sizes["num_layers"], found)
    layers = _layers(file, family, sizes, types, found)
    standing = sizes if not types else _standing(file, family, sizes, main_type(types))
    main = next(layer for layer in layers if layer.layer_type == main_type(types)) if types else layers[0]
    share = rotary_share(file, family, standing, main.layer_type)
    found.problems += _settings(file, family, sizes)
    found.problems += problems_with(Case(family, standing, main.projections or {}, share, eager))
    found.problems += _unshared(layer for layer in layers if layer is not main)
    for note in family.notes:
        found.note(note)
    if main.projections and family.form == "heads" and "v" not in main.projections:
        found.note(f"{main.layer_type} layers have no v weight: values are taken from the key projection")
    _note_cache(found, family, file, layers)
    dtype = _dtype(config, file, found)
    own = (layer for layer in layers if layer.layer_type != "cross")
    stored = sum(layer.storing * (layer.cache_elements or 0) for layer in own) * family.attentions_per_layer
    return Inspection(
        model.model_type,
        sizes["hidden_size"],
        None if found.is_one_layer else sizes["num_layers"],
        main,
        standing.source,
        _rotary_dim(standing, family, share),
        {size: sizes.numbers.get(size) for size in LATENT_SIZES[:-1]} if family.form == "latent" else None,
        layers if len(layers) > 1 else (),
        dtype,
        whole(stored * BYTES_PER_ELEMENT[dtype]) if main.cache_elements and not found.is_one_layer else None,
        tuple(sorted(found.problems, key=lambda problem: _STAGES.index(problem.stage))),
        tuple(found.notes),
    )


def _guessed(config: Mapping[str, object]) -> Family:
    """How an unknown family is read: as latent attention where the file has its sizes, with the biases it names."""
    named = tuple(bias for bias in _USUAL_BIASES if bias.key in config)
    if "kv_lora_rank" in config and "qk_rope_head_dim" in config:
        return replace(
            UNKNOWN,
            form="latent",
            matrices=LATENT,
            defaults=dict.fromkeys(LATENT_SIZES),
            reads_head_dim=False,
            nullable=("q_lora_rank",),
        )
    return replace(UNKNOWN, biases=named)


def _types(config: Mapping[str, object], family: Family, num_layers: int, found: Findings) -> tuple[str, ...]:
    """The type of each layer; empty where all are alike."""
    types = layer_types(config, family, num_layers)
    if types is not None and len(types) != num_layers:
        why = f"the file lists the types of {len(types)} layers, and says that there are {num_layers}"
        found.problems.append(raises("config", why))
    if types is None and family.unlisted:
        found.note(f"{family.unlisted}; the numbers are of a layer that attends, and no cache is counted")
    return types or ()


def _settings(config: Mapping[str, object], family: Family, sizes: Sizes) -> Iterator[Outcome]:
    """What the class makes of other keys: those that it refuses, those that repeat a size, those of a Mamba mixer."""
    yield from (outcome for key, outcome in family.refuses.items() if key in config and config[key] is not False)
    for key, (product, stage) in family.must_equal.items():
        said, wanted = entry(config, key), prod(sizes[size] if isinstance(size, str) else size for size in product)
        value = said.value if said else sizes.numbers.get(key)
        if value not in (None, wanted):
            yield raises(stage, f"{key} {value} is not {wanted}, which the other sizes give")
    if family.mixer and (problem := mixer_problem(config, family.mixer, sizes["hidden_size"])):
        yield problem


def _unshared(others: Iterable[Attention]) -> Iterator[Outcome]:
    """Layers that do not stand for the model, and whose KV heads do not divide their query heads (MiMo's sliding)."""
    for layer in others:
        heads, kv_heads = layer.num_heads, layer.num_kv_heads
        if heads and kv_heads and heads % kv_heads:
            yield raises("forward", f"{layer.layer_type} layers have {kv_heads} KV heads for {heads} query heads")


def _layers(
    config: Mapping[str, object], family: Family, sizes: Sizes, types: tuple[str, ...], found: Findings
) -> tuple[Attention, ...]:
    """One entry for each type of layer, and for the encoder and cross attention where there are such."""
    names = types or ("self" if family.encoder else "full_attention",) * sizes["num_layers"]
    shared = shared_layers(config, family)
    keeping = storing(names, shared)
    if shared and set(keeping) != set(names):
        found.problems.append(raises("build", f"no layer before the last {shared} keeps the keys that they would use"))
    if shared:
        found.note(f"the last {shared} layers have no k and v of their own: they use those of earlier layers")
    decodes = (family.decodes or config.get("is_decoder") is True) and not (family.unlisted and not types)
    layers = [
        _layer(config, family, sizes, name, count, keeping[name] if decodes else 0)
        for name, count in Counter(names).items()
    ]
    if family.encoder:
        own = entry(config, family.encoder_heads_key) if family.encoder_heads_key else None
        heads = own if own and own.value else entry(config, "encoder_heads")
        depth = entry(config, "encoder_layers")
        encoder_heads = heads.value if heads and heads.value else sizes["num_heads"]
        encoder_layers = layer_count("encoder_layers", depth.value if depth and depth.value else sizes["num_layers"])
        encoder = dict(sizes.numbers) | {"num_heads": encoder_heads, "num_kv_heads": encoder_heads}
        if family.head_dim is None:
            encoder["head_dim"] = encoder["v_head_dim"] = encoder["hidden_size"] // encoder_heads
        layers.append(_layer(config, family, replace(sizes, numbers=encoder), "encoder_self", encoder_layers, 0))
        layers.append(_layer(config, family, sizes, "cross", sizes["num_layers"], sizes["num_layers"]))
    return tuple(layers)


def _layer(
    config: Mapping[str, object], family: Family, sizes: Sizes, name: str, count: int, keeping: int
) -> Attention:
    if name not in (*ATTENDS, *_OF_ENCODERS):
        return Attention(name, count, "other")
    if not sizes.known:
        return widthless(family, sizes.numbers, name, count)
    own = sizes_of_type(config, family, sizes.numbers, name)
    return attention(config, family, own, name, count=count, storing=keeping)


def _standing(config: Mapping[str, object], family: Family, sizes: Sizes, name: str) -> Sizes:
    """The sizes of the layers that stand for the model."""
    own = replace(sizes, numbers=sizes_of_type(config, family, sizes.numbers, name))
    key = named_by(family, "head_dim", name)
    return replace(own, source="explicit" if config.get(key) is not None else "family") if key else own


def _rotary_dim(sizes: Sizes, family: Family, share: Fraction | None) -> int | None:
    """Dimensions of a head that rotate; an odd share is rounded up, because pairs turn."""
    if share is None or not sizes.known:
        return None
    width = sizes["qk_rope_head_dim"] if family.form == "latent" else sizes["head_dim"]
    part = int(width * share)
    return part + part % 2 if part < width else part


def _note_cache(found: Findings, family: Family, config: Mapping[str, object], layers: tuple[Attention, ...]) -> None:
    """Say what the counted cache leaves out, and what a library may hold instead."""
    kinds = {layer.layer_type for layer in layers}
    main = layers[0]
    if family.form == "latent" and main.num_heads:
        latent = next(layer for layer in layers if layer.projections)
        expanded = (latent.num_heads or 0) * ((latent.qk_head_dim or 0) + (latent.v_head_dim or 0))
        found.note(
            f"counted is the latent; a library that caches expanded keys and values holds {expanded} elements per "
            "token and layer"
        )
    if family.grouped_if == "new_decoder_architecture" and main.kind == "gqa" and main.num_heads:
        expanded = main.num_heads * 2 * (main.head_dim or 0)
        found.note(f"distinct KV heads are counted; transformers {VERSIONS['transformers']} caches {expanded}")
    if kinds & {"sliding_attention", "chunked_attention", "hybrid_sliding", "reference_sliding_attention"}:
        found.note("the cache is counted as if every layer kept every token; sliding and chunked layers keep a window")
    if family.layers == "window" and (window := config.get("sliding_window")):
        found.note(f"every layer keeps only its last {str(window)[:20]} tokens, however long the context")
    if unknown := sorted(kinds - {*ATTENDS, *KEEP_A_STATE, *_OF_ENCODERS}):
        named = ", ".join(map(repr, unknown[:4])) + (", ..." if len(unknown) > 4 else "")
        found.note(f"what layers of type {named} keep of a token is not known here; nothing of it is counted")
    if kinds & {*KEEP_A_STATE}:
        found.note("layers without attention keep a state of fixed size instead of a cache; it is not counted")
    if family.encoder:
        found.note("cross attention also keeps keys and values, per token of the encoder's input; not in the bytes")
    if not family.decodes and not any(layer.cache_elements for layer in layers) and main.projections:
        found.note("an encoder keeps no cache")


def _dtype(config: Mapping[str, object], inner: Mapping[str, object], found: Findings) -> str:
    """The dtype in which the cache is counted: the file's, of the text model before the whole."""
    quantized = config.get("quantization_config")
    if isinstance(quantized, dict) and quantized.get("kv_cache_scheme") is not None:
        found.note("kv_cache_scheme in the file stores the cache in fewer bits; its bytes are counted in the dtype")
    for place in (inner, config):
        for key in ("dtype", "torch_dtype"):
            said = place.get(key)
            if said is None:
                continue
            name = said.removeprefix("torch.").lower() if isinstance(said, str) else ""
            if name in BYTES_PER_ELEMENT:
                return _SHORT.get(name, name)
            found.note(f"{key} {str(said)[:40]!r} is not known here; bytes are counted in bf16")
            return "bf16"
    return "bf16"
