"""Weights of the four projections, counted; biases apart."""

from quiz.attention.measured.shapes import features, weight
from quiz.attention.phantom import Array, phantom
from quiz.attention.quantity import Measured, quantity

_AINSLIE = "Ainslie et al. 2023, GQA, section 2.2"
_LLAMA = "transformers, modeling_llama.py (LlamaAttention)"


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
    source="transformers, modeling_llama.py (LlamaAttention, attention_bias)",
)
def attention_biases_per_layer(hidden_size: int, num_heads: int, num_kv_heads: int, head_dim: int) -> Measured:
    """Biases of the q, k, v and o projections of one layer, where all four have one."""
    q, kv, o = features(num_heads, head_dim), features(num_kv_heads, head_dim), phantom(1, hidden_size)
    return (
        q.size + kv.size + kv.size + o.size,
        f"one per output: q {q.size:,}, k {kv.size:,}, v {kv.size:,}, o {o.size:,}",
    )


@quantity(formula="2 * hidden_size * head_dim * (num_heads - num_kv_heads)", source=_AINSLIE)
def kv_weights_saved_per_layer(hidden_size: int, num_heads: int, num_kv_heads: int, head_dim: int) -> Measured:
    """Weights of one layer that MHA has and GQA does not."""
    _, mha_k, mha_v, _ = projections(hidden_size, num_heads, num_heads, head_dim, head_dim)
    _, gqa_k, gqa_v, _ = projections(hidden_size, num_heads, num_kv_heads, head_dim, head_dim)
    saved = mha_k.size + mha_v.size - gqa_k.size - gqa_v.size
    return saved, f"k and v, each {mha_k.shape} with MHA and {gqa_k.shape} with GQA"


QUANTITIES = (
    q_proj_params,
    attention_params_per_layer,
    attention_params,
    attention_biases_per_layer,
    kv_weights_saved_per_layer,
)
