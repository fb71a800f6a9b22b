"""The steps a batch goes through in one attention layer: what each makes, its shape, its elements and its bytes.

The shapes are read off arrays that really are split, repeated and merged (`quiz.attention.reshape`). Bytes are those of
the result if it is stored: fused kernels never store the scores, nor the repeated heads. Rotation and norms change no
shape and are left out.

Sizes in the comments: B sequences, S tokens that query, T tokens attended to; the widths and heads are named as in
`quiz.attention.grouped` (n, m, d, dv) and `quiz.attention.latent` (n, r, dn, dr, dv).
"""

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from quiz.attention.givens import GIVENS, Given, check_names, named_with_domains
from quiz.attention.phantom import Array, phantom, products, stored_bytes
from quiz.attention.reshape import merge_heads, repeat_kv, split_heads
from quiz.attention.sizes import Number
from quiz.attention.spec import LatentSpec, LayerSpec
from quiz.errors import UsageError
from quiz.render.numbers import counted

Name: TypeAlias = Literal["prefill", "decode"]
Form: TypeAlias = Literal["grouped", "expanded", "absorbed"]
# The result's name, the operation that makes it, and the result.
Made: TypeAlias = tuple[str, str, Array]

_BATCH = (GIVENS["batch"], GIVENS["seq_len"], GIVENS["context"], GIVENS["bytes_per_element"])
_GROUPED = tuple(GIVENS[name] for name in ("hidden_size", "num_heads", "num_kv_heads", "head_dim", "v_head_dim"))
_LATENT = tuple(
    GIVENS[name].required()
    for name in (
        "hidden_size",
        "num_heads",
        "kv_lora_rank",
        "q_lora_rank",
        "qk_nope_head_dim",
        "qk_rope_head_dim",
        "v_head_dim",
    )
)


@dataclass(frozen=True, slots=True)
class Step:
    """One operation: the name of its result, how it is made, and what was measured of it."""

    step: str
    operation: str
    shape: tuple[int, ...]
    elements: int
    bytes: Number


@dataclass(frozen=True, slots=True)
class Phase:
    """What ``tokens`` tokens of each sequence go through, the last of which attends to ``context`` tokens.

    ``form`` is grouped (MHA, GQA, MQA), or expanded or absorbed (MLA).
    """

    phase: Name
    form: Form
    tokens: int
    context: int
    steps: tuple[Step, ...]


def trace(
    spec: LayerSpec | LatentSpec, *, batch: int, seq_len: int, context: int, bytes_per_element: Number = 2
) -> tuple[Phase, ...]:
    """Prefill of ``seq_len`` tokens; then one decoded token, with whose own entry the cache holds ``context`` tokens.

    Latent attention goes both ways in both phases: expanded, as prefill usually runs, and absorbed, as decoding does.

    Raises:
        SolveError: an array would be larger than any can be.
    """
    lengths: tuple[tuple[Name, int, int], ...] = (("prefill", seq_len, seq_len), ("decode", 1, context))
    forms: tuple[Form, ...] = ("grouped",) if isinstance(spec, LayerSpec) else ("expanded", "absorbed")
    phases = []
    for phase, tokens, held in lengths:
        hidden = phantom(batch, tokens, spec.hidden_size, bytes_per_element=bytes_per_element)
        for form in forms:
            way = _grouped(spec, hidden, held) if isinstance(spec, LayerSpec) else _latent(spec, form, hidden, held)
            steps = tuple(
                Step(name, operation, array.shape, array.size, stored_bytes(array, bytes_per_element))
                for name, operation, array in way
            )
            phases.append(Phase(phase, form, tokens, held, steps))
    return tuple(phases)


def trace_givens(givens: Mapping[str, int | Fraction | str]) -> tuple[Phase, ...]:
    """The same from named numbers, as `quiz.attention.solver.solve` takes them; ``kv_lora_rank`` makes it latent.

    ``q_lora_rank`` may be left out; ``context`` is ``seq_len`` unless given.

    Raises:
        UsageError: a given is missing or unknown, or the dtype is.
        SolveError: the sizes are illegal.
    """
    is_latent = "kv_lora_rank" in givens
    layer = _LATENT if is_latent else _GROUPED
    known = [given.name for given in (*layer, *_BATCH)]
    check_names(f"a trace of {'MLA' if is_latent else 'MHA, GQA or MQA'}", givens, known)
    numbers = _read((*layer, *_BATCH), givens)
    sizes = {given.symbol: int(numbers[given.symbol]) for given in layer if given.symbol in numbers}
    return trace(
        LatentSpec(q_lora_rank=sizes.pop("q_lora_rank", None), **sizes) if is_latent else LayerSpec(**sizes),
        batch=int(numbers["batch"]),
        seq_len=int(numbers["seq_len"]),
        context=int(numbers["context"]),
        bytes_per_element=numbers["bytes_per_element"],
    )


def _read(wanted: tuple[Given, ...], givens: Mapping[str, int | Fraction | str]) -> dict[str, Number]:
    """The legal numbers by symbol; only a query latent may be left out without anything in its place."""
    missing = [given for given in wanted if given.needed and given.name not in givens and given.name != "q_lora_rank"]
    if missing:
        raise UsageError(f"a trace {'also needs' if givens else 'needs'} {named_with_domains(missing)}")
    numbers: dict[str, Number] = {}
    for given in wanted:
        value = givens.get(given.name, given.default)
        if value is None and given.same_as:
            value = numbers[given.same_as]
        if value is not None:
            numbers[given.symbol] = given.read(given.name, value)
    return numbers


def _grouped(spec: LayerSpec, hidden: Array, held: int) -> Iterator[Made]:
    """MHA, GQA and MQA (`quiz.attention.grouped.forward`): the cache keeps the KV heads, and then they are repeated."""
    n, m = spec.num_heads, spec.num_kv_heads
    yield "hidden", "the layer's input", hidden  # (B, S, hidden)
    queries = yield from _projected("queries", "q_proj", hidden, n * spec.head_dim)  # (B, S, n*d)
    keys = yield from _projected("keys", "k_proj", hidden, m * spec.head_dim)  # (B, S, m*d)
    values = yield from _projected("values", "v_proj", hidden, m * spec.value_dim)  # (B, S, m*dv)
    query_heads = yield from _split("query_heads", queries, n)  # (B, n, S, d)
    key_heads = yield from _split("key_heads", keys, m)  # (B, m, S, d)
    value_heads = yield from _split("value_heads", values, m)  # (B, m, S, dv)
    all_keys = yield from _cached("cached_keys", key_heads, held)  # (B, m, T, d)
    all_values = yield from _cached("cached_values", value_heads, held)  # (B, m, T, dv)
    if spec.group_size > 1:
        all_keys = yield from _repeated("repeated_keys", all_keys, n)  # (B, n, T, d)
        all_values = yield from _repeated("repeated_values", all_values, n)  # (B, n, T, dv)
    scores = yield from _scored("query_heads · keysᵀ", query_heads, all_keys)  # (B, n, S, T)
    context = yield from _gathered("context", scores, all_values)  # (B, n, S, dv)
    yield from _ended(context, spec.hidden_size)


def _latent(spec: LatentSpec, form: Form, hidden: Array, held: int) -> Iterator[Made]:
    """MLA (`quiz.attention.latent`): the same queries and the same cache in both forms."""
    n = spec.num_heads
    yield "hidden", "the layer's input", hidden  # (B, S, hidden)
    narrow, role = hidden, "q_proj"
    if spec.q_lora_rank is not None:
        narrow = yield from _projected("query_latents", "q_a_proj", hidden, spec.q_lora_rank)  # (B, S, q_rank)
        role = "q_b_proj"
    queries = yield from _projected("queries", role, narrow, n * spec.qk_head_dim)  # (B, S, n*(dn+dr))
    query_heads = yield from _split("query_heads", queries, n)  # (B, n, S, dn+dr)
    down = yield from _projected("latents_and_keys", "kv_a_proj", hidden, spec.cache_width)  # (B, S, r+dr)
    latents, rotary = down[..., : spec.kv_lora_rank], down[..., spec.kv_lora_rank :]
    yield "latents", f"the first {spec.kv_lora_rank} of each", latents  # (B, S, r)
    rotary_key = yield from _split("rotary_keys", rotary, 1)  # (B, 1, S, dr)
    all_latents = yield from _cached("cached_latents", latents, held)  # (B, T, r)
    all_rotary_keys = yield from _cached("cached_rotary_keys", rotary_key, held)  # (B, 1, T, dr)
    attend = _expanded if form == "expanded" else _absorbed
    context = yield from attend(spec, query_heads, all_latents, all_rotary_keys)  # (B, n, S, dv)
    yield from _ended(context, spec.hidden_size)


def _expanded(spec: LatentSpec, query_heads: Array, latents: Array, rotary_keys: Array) -> Generator[Made, None, Array]:
    """Keys and values are made for every head."""
    n, dn = spec.num_heads, spec.qk_nope_head_dim
    up = yield from _projected("keys_and_values", "kv_b_proj", latents, n * (dn + spec.v_head_dim))
    heads = yield from _split("key_and_value_heads", up, n)  # (B, n, T, dn+dv)
    nope, values = heads[..., :dn], heads[..., dn:]
    rotary = yield from _repeated("repeated_rotary_keys", rotary_keys, n)  # (B, n, T, dr)
    keys = _beside(nope, rotary)
    yield "key_heads", f"the first {dn} of each, beside the rotary keys", keys  # (B, n, T, dn+dr)
    yield "value_heads", f"the last {spec.v_head_dim} of each", values  # (B, n, T, dv)
    scores = yield from _scored("query_heads · key_headsᵀ", query_heads, keys)  # (B, n, S, T)
    return (yield from _gathered("context", scores, values))


def _absorbed(spec: LatentSpec, query_heads: Array, latents: Array, rotary_keys: Array) -> Generator[Made, None, Array]:
    """The queries go down to the latents, which serve all heads as keys and values, and what was gathered goes up."""
    n, dn, r = spec.num_heads, spec.qk_nope_head_dim, spec.kv_lora_rank
    stored = phantom(n * (dn + spec.v_head_dim), r)
    by_head = stored.reshape(n, -1, r)
    w_uk, w_uv = by_head[:, :dn], by_head[:, dn:]  # (n, dn, r), (n, dv, r)
    nope, rotary = query_heads[..., :dn], query_heads[..., dn:]
    down = _contracted(nope[..., None, :], w_uk.swapaxes(-1, -2)[:, None])
    yield "absorbed_queries", f"queries · W_UK {w_uk.shape}, a part of kv_b_proj", down  # (B, n, S, r)
    queries = _beside(down, rotary)
    yield "latent_queries", "beside their rotary parts", queries  # (B, n, S, r+dr)
    one_head = split_heads(latents, 1)  # (B, 1, T, r)
    keys = _beside(one_head, rotary_keys)
    yield "latent_keys", "cached latents beside cached rotary keys, one KV head", keys  # (B, 1, T, r+dr)
    scores = yield from _scored("latent_queries · latent_keysᵀ", queries, keys)  # (B, n, S, T)
    gathered = yield from _gathered("gathered_latents", scores, one_head)  # (B, n, S, r)
    context = _contracted(gathered[..., None, :], w_uv[:, None])
    yield "context", f"gathered_latents · W_UVᵀ {w_uv.shape}, a part of kv_b_proj", context  # (B, n, S, dv)
    return context


def _projected(step: str, role: str, features: Array, out: int) -> Generator[Made, None, Array]:
    weight = phantom(out, features.shape[-1])
    result = _contracted(features[..., None, :], weight)
    yield step, f"{role}, weight {weight.shape}", result
    return result


def _split(step: str, features: Array, heads: int) -> Generator[Made, None, Array]:
    result = split_heads(features, heads)
    yield step, f"split_heads, {heads} of {result.shape[-1]}", result
    return result


def _cached(step: str, new: Array, held: int) -> Generator[Made, None, Array]:
    """The cache with the new tokens at its end: as many as it then holds, and otherwise like the new ones."""
    before = held - new.shape[-2]
    result = _like(new, *new.shape[:-2], before + new.shape[-2], new.shape[-1])
    yield step, f"cache: {before} tokens held, {new.shape[-2]} new", result
    return result


def _repeated(step: str, kv_heads: Array, num_heads: int) -> Generator[Made, None, Array]:
    result = repeat_kv(kv_heads, num_heads)
    yield step, f"repeat_kv, each {counted(num_heads // kv_heads.shape[-3], 'time')}", result
    return result


def _scored(operation: str, queries: Array, keys: Array) -> Generator[Made, None, Array]:
    scores = _contracted(queries[..., :, None, :], keys[..., None, :, :])
    yield "scores", operation, scores
    yield "weights", "mask, scale, softmax", scores
    return scores


def _gathered(step: str, weights: Array, values: Array) -> Generator[Made, None, Array]:
    result = _contracted(weights[..., None, :], values.swapaxes(-1, -2)[..., None, :, :])
    yield step, "weights · values", result
    return result


def _ended(context: Array, hidden_size: int) -> Iterator[Made]:
    merged = merge_heads(context)
    yield "merged_heads", "merge_heads", merged  # (B, S, n*dv)
    yield from _projected("output", "o_proj", merged, hidden_size)  # (B, S, hidden)


def _contracted(left: Array, right: Array) -> Array:
    """Two arrays with the same axes, multiplied where they meet and summed over the last axis."""
    return _like(left, *products(left, right).shape[:-1])


def _beside(left: Array, right: Array) -> Array:
    """Two arrays side by side on their last axis."""
    return _like(left, *left.shape[:-1], left.shape[-1] + right.shape[-1])


def _like(array: Array, *shape: int) -> Array:
    return phantom(*shape, bytes_per_element=array.itemsize)
