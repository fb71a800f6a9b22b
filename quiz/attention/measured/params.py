"""Weights of the four projections, counted: alone, and with their biases."""

from quiz.attention.measured.shapes import features, weight
from quiz.attention.phantom import Array, phantom
from quiz.attention.quantity import Measured, quantity

_AINSLIE = "Ainslie et al. 2023, GQA, section 2.2"
_LLAMA = "transformers, modeling_llama.py (LlamaAttention)"
_LLAMA_BIAS = "transformers, modeling_llama.py (LlamaAttention, attention_bias)"
_PHI3 = "transformers, modeling_phi3.py (Phi3Attention, qkv_proj)"
_GPT2 = "transformers, modeling_gpt2.py (GPT2Attention, c_attn)"


def projections(hidden_size: int, num_heads: int, num_kv_heads: int, head_dim: int, v_head_dim: int) -> list[Array]:
    """The weights of q, k, v and o, each (out, in)."""
    hidden = phantom(hidden_size)
    return [
        weight(features(num_heads, head_dim), hidden),
        weight(features(num_kv_heads, head_dim), hidden),
        weight(features(num_kv_heads, v_head_dim), hidden),
        weight(hidden, features(num_heads, v_head_dim)),
    ]


@quantity(formula="num_heads * head_dim * hidden_size", source=_LLAMA)
def q_proj_params(hidden_size: int, num_heads: int, head_dim: int) -> Measured:
    """Weights of the query projection."""
    q = weight(features(num_heads, head_dim), phantom(hidden_size))
    return q.size, f"q_proj.weight {q.shape}: {q.size:,} elements"


@quantity(formula="num_heads * head_dim * (hidden_size + 1)", source=_LLAMA_BIAS)
def q_proj_params_with_bias(hidden_size: int, num_heads: int, head_dim: int) -> Measured:
    """Weights and biases of the query projection."""
    return _with_bias("q_proj", features(num_heads, head_dim), hidden_size)


@quantity(formula="num_kv_heads * head_dim * hidden_size", source=_LLAMA)
def k_proj_params(hidden_size: int, num_kv_heads: int, head_dim: int) -> Measured:
    """Weights of the key projection."""
    k = weight(features(num_kv_heads, head_dim), phantom(hidden_size))
    return k.size, f"k_proj.weight {k.shape}: {k.size:,} elements"


@quantity(formula="num_kv_heads * head_dim * (hidden_size + 1)", source=_LLAMA_BIAS)
def k_proj_params_with_bias(hidden_size: int, num_kv_heads: int, head_dim: int) -> Measured:
    """Weights and biases of the key projection."""
    return _with_bias("k_proj", features(num_kv_heads, head_dim), hidden_size)


@quantity(formula="num_kv_heads * v_head_dim * hidden_size", source=_LLAMA, optional=("v_head_dim",))
def v_proj_params(hidden_size: int, num_kv_heads: int, head_dim: int, v_head_dim: int) -> Measured:
    """Weights of the value projection."""
    v = weight(features(num_kv_heads, v_head_dim), phantom(hidden_size))
    return v.size, f"v_proj.weight {v.shape}, values of {v_head_dim} (keys: {head_dim}): {v.size:,} elements"


@quantity(formula="num_kv_heads * v_head_dim * (hidden_size + 1)", source=_LLAMA_BIAS, optional=("v_head_dim",))
def v_proj_params_with_bias(hidden_size: int, num_kv_heads: int, head_dim: int, v_head_dim: int) -> Measured:
    """Weights and biases of the value projection."""
    return _with_bias(
        f"values of {v_head_dim} (keys: {head_dim}), v_proj", features(num_kv_heads, v_head_dim), hidden_size
    )


@quantity(formula="hidden_size * num_heads * v_head_dim", source=_LLAMA, optional=("v_head_dim",))
def o_proj_params(hidden_size: int, num_heads: int, head_dim: int, v_head_dim: int) -> Measured:
    """Weights of the output projection."""
    o = weight(phantom(hidden_size), features(num_heads, v_head_dim))
    return o.size, f"o_proj.weight {o.shape}, values of {v_head_dim} (keys: {head_dim}): {o.size:,} elements"


@quantity(formula="hidden_size * (num_heads * v_head_dim + 1)", source=_LLAMA_BIAS, optional=("v_head_dim",))
def o_proj_params_with_bias(hidden_size: int, num_heads: int, head_dim: int, v_head_dim: int) -> Measured:
    """Weights and biases of the output projection."""
    return _with_bias(
        f"values of {v_head_dim} (keys: {head_dim}), o_proj", phantom(hidden_size), features(num_heads, v_head_dim).size
    )


@quantity(formula="(num_heads + 2 * num_kv_heads) * head_dim * hidden_size", source=_PHI3)
def qkv_proj_params(hidden_size: int, num_heads: int, num_kv_heads: int, head_dim: int) -> Measured:
    """Weights of the fused query, key and value projection."""
    fused = weight(_fused(num_heads, num_kv_heads, head_dim), phantom(hidden_size))
    return fused.size, f"qkv_proj.weight {fused.shape}: {fused.size:,} elements"


@quantity(formula="(num_heads + 2 * num_kv_heads) * head_dim * (hidden_size + 1)", source=_GPT2)
def qkv_proj_params_with_bias(hidden_size: int, num_heads: int, num_kv_heads: int, head_dim: int) -> Measured:
    """Weights and biases of the fused query, key and value projection."""
    return _with_bias("qkv_proj", _fused(num_heads, num_kv_heads, head_dim), hidden_size)


@quantity(
    formula="hidden_size * (num_heads + num_kv_heads) * (head_dim + v_head_dim)",
    source=_AINSLIE,
    optional=("v_head_dim",),
)
def attention_params_per_layer(
    hidden_size: int, num_heads: int, num_kv_heads: int, head_dim: int, v_head_dim: int
) -> Measured:
    """Weights of the q, k, v and o projections of one layer, without biases."""
    q, k, v, o = projections(hidden_size, num_heads, num_kv_heads, head_dim, v_head_dim)
    return q.size + k.size + v.size + o.size, f"q {q.shape}, k {k.shape}, v {v.shape}, o {o.shape}"


@quantity(
    formula="num_layers * hidden_size * (num_heads + num_kv_heads) * (head_dim + v_head_dim)",
    source=_AINSLIE,
    optional=("v_head_dim",),
)
def attention_params(
    hidden_size: int, num_heads: int, num_kv_heads: int, head_dim: int, v_head_dim: int, num_layers: int
) -> Measured:
    """Weights of the q, k, v and o projections of all layers, without biases."""
    layer = projections(hidden_size, num_heads, num_kv_heads, head_dim, v_head_dim)
    stacked = [phantom(num_layers, *one.shape) for one in layer]
    q, k, v, o = (one.shape for one in stacked)
    return sum(one.size for one in stacked), f"all layers: q {q}, k {k}, v {v}, o {o}"


@quantity(
    formula="(num_heads + 2 * num_kv_heads) * head_dim + hidden_size",
    source=_LLAMA_BIAS,
)
def attention_biases_per_layer(hidden_size: int, num_heads: int, num_kv_heads: int, head_dim: int) -> Measured:
    """Biases of the q, k, v and o projections of one layer, where all four have one."""
    q, kv, o = features(num_heads, head_dim), features(num_kv_heads, head_dim), phantom(1, hidden_size)
    return (
        q.size + kv.size + kv.size + o.size,
        f"one per output: q {q.size:,}, k {kv.size:,}, v {kv.size:,}, o {o.size:,}",
    )


@quantity(
    formula="2 * hidden_size * (num_heads + num_kv_heads) * head_dim"
    " + (num_heads + 2 * num_kv_heads) * head_dim + hidden_size",
    source=_LLAMA_BIAS,
)
def attention_params_per_layer_with_biases(
    hidden_size: int, num_heads: int, num_kv_heads: int, head_dim: int
) -> Measured:
    """Weights and biases of the q, k, v and o projections of one layer, where all four have both."""
    weights = projections(hidden_size, num_heads, num_kv_heads, head_dim, head_dim)
    # One bias for each output, that is for each row.
    biases = [one[:, :1] for one in weights]
    total = sum(one.size for one in (*weights, *biases))
    return total, f"weights {', '.join(str(one.shape) for one in weights)}, and a bias for each row"


@quantity(formula="2 * hidden_size * head_dim * (num_heads - num_kv_heads)", source=_AINSLIE)
def kv_weights_saved_per_layer(hidden_size: int, num_heads: int, num_kv_heads: int, head_dim: int) -> Measured:
    """Weights of one layer that MHA has and GQA does not."""
    _, mha_k, mha_v, _ = projections(hidden_size, num_heads, num_heads, head_dim, head_dim)
    _, gqa_k, gqa_v, _ = projections(hidden_size, num_heads, num_kv_heads, head_dim, head_dim)
    saved = mha_k.size + mha_v.size - gqa_k.size - gqa_v.size
    return saved, f"k and v, each {mha_k.shape} with MHA and {gqa_k.shape} with GQA"


def _fused(num_heads: int, num_kv_heads: int, head_dim: int) -> Array:
    """One token's queries, keys and values side by side."""
    q, kv = features(num_heads, head_dim), features(num_kv_heads, head_dim)
    return phantom(q.size + kv.size + kv.size)


def _with_bias(name: str, out: Array, into: int) -> Measured:
    """The weight of a projection, counted with one more column: the bias."""
    matrix = weight(out, phantom(into))
    total = matrix.size + matrix[:, :1].size
    return total, f"{name}.weight {matrix.shape} and {name}.bias ({matrix.shape[0]},): {total:,} elements"


QUANTITIES = (
    q_proj_params,
    q_proj_params_with_bias,
    k_proj_params,
    k_proj_params_with_bias,
    v_proj_params,
    v_proj_params_with_bias,
    o_proj_params,
    o_proj_params_with_bias,
    qkv_proj_params,
    qkv_proj_params_with_bias,
    attention_params_per_layer,
    attention_params,
    attention_biases_per_layer,
    attention_params_per_layer_with_biases,
    kv_weights_saved_per_layer,
)
