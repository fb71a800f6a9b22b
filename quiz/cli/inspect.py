"""The command that reads a model's config.json."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from quiz.cli.printing import as_json, packs_of, print_json, say
from quiz.errors import UsageError

if TYPE_CHECKING:
    from quiz.attention.checkpoint.attention import Attention
    from quiz.attention.checkpoint.inspection import Inspection
    from quiz.attention.legality import Outcome


@click.command()
@click.argument("config", metavar="CONFIG.json|MODEL")
@as_json
@click.pass_obj
def inspect(home: Path | None, config: str, as_json: bool) -> int:
    """Show what a config.json says of its model's attention: sizes, weights, cache, and what is wrong.

    MODEL is a folder with a config.json, or one of the models that the lessons cite, such as llama-3-8b.
    """
    from quiz.attention.checkpoint.inspection import inspect as read

    found = read(_config(home, config))
    if as_json:
        print_json(document(found))
    else:
        say("\n".join(lines(found, config)))
    return 0 if found.legal else 1


def _config(home: Path | None, name: str) -> Mapping[str, object]:
    """The object in the file or folder of this name, else the sizes of the library's model."""
    from quiz.attention.checkpoint.document import read_config

    path = Path(name)
    with suppress(OSError):  # a name too long for a file is none
        if path.exists():
            return read_config(path)
    with packs_of(home) as library:
        models = library.models()
    if name in models:
        return _as_config(models[name])
    from quiz.render.nearest import did_you_mean

    hint = did_you_mean(name, models) or f"known models are {', '.join(models) or 'none'}"
    raise UsageError(f"no file and no model is called {name[:80]!r}; {hint}")


def _as_config(sizes: Mapping[str, int | str]) -> Mapping[str, object]:
    """A model's sizes as its config.json would say them.

    They are all sizes that it has, while a file leaves some to the class; and some that its class works out by itself.
    """
    from quiz.attention.checkpoint.families import FAMILIES

    family = FAMILIES.get(str(sizes.get("model_type")))
    config = {key: value for key, value in sizes.items() if family is None or key not in family.refuses}
    return {"q_lora_rank": None, **config} if "kv_lora_rank" in sizes else config


def document(found: "Inspection") -> dict[str, Any]:
    """`quiz inspect --json`.

    Sizes are null where this kind of attention has none, or the file does not settle them. ``projections`` are by role
    as if unfused, [out, in]; ``fused`` is how q, k and v are stored, if in one weight; ``other_projections`` are what
    else the module multiplies by (gates, indexers). ``attention_params_per_layer`` counts both. ``layers`` has an
    entry for each type of layer, where there are several: ``count`` layers, of which ``storing`` keep a cache.
    """
    main = found.main
    return {
        "model_type": found.model_type,
        "kind": main.kind,
        "hidden_size": found.hidden_size,
        "num_layers": found.num_layers,
        **_sizes(main),
        "head_dim_source": found.head_dim_source,
        "kv_cache_bytes_per_token": {
            "dtype": found.dtype,
            "value": found.cache_bytes if isinstance(found.cache_bytes, int | None) else float(found.cache_bytes),
        },
        "rotary_dim": found.rotary_dim,
        "latent": dict(found.latent) if found.latent else None,
        "legal": found.legal,
        "problems": [_problem(problem) for problem in found.problems],
        "notes": list(found.notes),
        "layers": [_layer(layer) for layer in found.layers],
    }


def _sizes(one: "Attention") -> dict[str, Any]:
    fused = one.fused
    return {
        "num_heads": one.num_heads,
        "num_kv_heads": one.num_kv_heads,
        "head_dim": one.head_dim,
        "qk_head_dim": one.qk_head_dim,
        "v_head_dim": one.v_head_dim,
        "group_size": one.group_size,
        "projections": {role: list(shape) for role, shape in (one.projections or {}).items()},
        "other_projections": {name: list(shape) for name, shape in (one.others or {}).items()},
        "fused": fused
        and {"weight": fused.weight, "shape": list(fused.shape), "stored": fused.stored, "layout": fused.layout},
        "attention_params_per_layer": {"weights": one.weights, "biases": one.biases},
        "kv_cache_elements_per_token_per_layer": one.cache_elements,
    }


def _layer(one: "Attention") -> dict[str, Any]:
    return {
        "layer_type": one.layer_type,
        "count": one.count,
        "storing": one.storing,
        "kind": one.kind,
        **_sizes(one),
    }


def _problem(problem: "Outcome") -> str:
    """Where it raises and what, as one text: ``build: ValueError: ...``."""
    error = f"{problem.error} (from {problem.cause})" if problem.cause else problem.error
    return ": ".join(part for part in (problem.stage, error, problem.why) if part)


def lines(found: "Inspection", name: str) -> Iterator[str]:
    """The same for people: the numbers, how they come about, and what there is to say of the model of this name."""
    from quiz.render.numbers import counted, group_digits

    main = found.main
    depth = "number of layers unknown" if found.num_layers is None else counted(found.num_layers, "layer")
    yield f"{(found.model_type or name)[:60]}: {main.kind}, {depth}"
    rows = [
        ("hidden_size", found.hidden_size, ""),
        ("num_heads", main.num_heads, ""),
        ("num_kv_heads", main.num_kv_heads, _groups(main)),
        ("head_dim", main.head_dim, _source(found)),
        *((size, number, "") for size, number in (found.latent or {}).items()),
        ("qk_head_dim", main.qk_head_dim if found.latent else None, "qk_nope_head_dim + qk_rope_head_dim"),
        ("v_head_dim", main.v_head_dim if main.v_head_dim != main.head_dim else None, ""),
        ("rotary_dim", found.rotary_dim, ""),
    ]
    for name, number, why in rows:
        if number is not None:
            yield f"  {name:<18} {group_digits(number):>14}  {why}".rstrip()
    for role, shape in {**(main.projections or {}), **(main.others or {})}.items():
        yield f"  {role:<18} {list(shape)!s:>14}"
    if main.fused:
        stored = main.fused.stored.replace("_", ", ")
        yield f"  {main.fused.weight:<18} {list(main.fused.shape)!s:>14}  {main.fused.layout}, stored [{stored}]"
    if main.weights is not None:
        biases = f"and {group_digits(main.biases)} biases" if main.biases else "no biases"
        yield f"  {'params per layer':<18} {group_digits(main.weights):>14}  {biases}"
    yield from _cache_lines(found)
    for layer in found.layers:
        yield f"  {group_digits(layer.count)} × {layer.layer_type}: {_summary(layer)}"
    for problem in found.problems:
        yield f"{'raises' if problem.raises else 'wrong'}: {_problem(problem)}"
    for note in found.notes:
        yield f"note: {note}"


def _groups(main: "Attention") -> str:
    if main.group_size is None or main.group_size == 1:
        return ""
    return f"{main.num_heads} / {main.num_kv_heads} = {main.group_size} query heads to each"


def _source(found: "Inspection") -> str:
    if found.head_dim_source == "derived":
        # Zamba's heads share two vectors, the hidden one and the embedding.
        shared = (found.main.projections or {}).get("q", (0, found.hidden_size))[1]
        return f"{shared} / {found.main.num_heads}, derived"
    return "in the file" if found.head_dim_source == "explicit" else "the family's default"


def _cache_lines(found: "Inspection") -> Iterator[str]:
    from quiz.render.numbers import counted, group_digits, show_quantity

    main = found.main
    if not main.cache_elements:
        return
    if found.latent:
        why = "kv_lora_rank + qk_rope_head_dim"
    elif main.kind == "other":
        why = "one vector, key and value at once"
    else:
        why = f"{main.num_kv_heads} × ({main.head_dim} + {main.v_head_dim})"
    yield f"  {'cache per token':<18} {group_digits(main.cache_elements):>14}  elements per layer: {why}"
    if found.cache_bytes is None or found.num_layers is None:
        return
    every = f"all {counted(found.num_layers, 'layer')}" if len(found.layers) < 2 else "all layers"
    yield f"  {'':<18} {show_quantity(found.cache_bytes, 'B'):>14}  over {every} in {found.dtype}"


def _summary(layer: "Attention") -> str:
    from quiz.render.numbers import counted

    if layer.num_heads is None:
        return "no keys and values to keep"
    heads = f"{layer.kind}, {counted(layer.num_heads, 'head')}"
    heads += f", {layer.num_kv_heads} KV" if layer.num_kv_heads else ""
    width = f", head_dim {layer.head_dim}" if layer.head_dim else ""
    kept = f", {layer.cache_elements} elements kept" if layer.cache_elements else ", nothing kept"
    fewer = f" by {layer.storing} of them" if layer.cache_elements and layer.storing < layer.count else ""
    return heads + width + kept + fewer
