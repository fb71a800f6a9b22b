"""Widths: of heads, of what the projections make, of the rotary part, of what kernels really load."""

from fractions import Fraction
from math import floor

from quiz.attention.phantom import Array, padded, phantom, products
from quiz.attention.quantity import Measured, quantity
from quiz.attention.reshape import merge_heads, split_heads, uneven
from quiz.attention.roots import square_root
from quiz.attention.sizes import Number, whole
from quiz.errors import SolveError

_VASWANI = "Vaswani et al. 2017, Attention Is All You Need"
_ALIGNMENT = "NVIDIA, Matrix Multiplication Background User's Guide: dimensions in multiples of 8 (fp16)"
_FLASH = "flash-attention, csrc/flash_attn/flash_api.cpp (FlashAttention-2)"


@quantity(formula="hidden_size // num_heads", source=f"{_VASWANI}, section 3.2.2")
def head_dim(hidden_size: int, num_heads: int) -> Measured:
    """Width of one head where the config sets none."""
    heads = split_heads(phantom(1, 1, hidden_size), num_heads)
    return heads.shape[-1], f"split {hidden_size} features over {num_heads} heads: {heads.shape}"


@quantity(formula="hidden_size // head_dim", source=f"{_VASWANI}, section 3.2.2")
def num_heads(hidden_size: int, head_dim: int) -> Measured:
    """Heads of this width that fill the hidden size."""
    try:
        heads = phantom(hidden_size).reshape(-1, head_dim)
    except ValueError as error:
        raise SolveError(
            uneven(hidden_size, head_dim, "features", "dimensions per head", "hidden"), "reshape"
        ) from error
    return heads.shape[0], f"cut {hidden_size} features into heads of {head_dim}: {heads.shape}"


@quantity(formula="num_heads * head_dim", source=f"{_VASWANI}, section 3.2.2")
def hidden_size(num_heads: int, head_dim: int) -> Measured:
    """Hidden size that these heads fill, where the config sets no head_dim of its own."""
    merged = merge_heads(phantom(1, num_heads, 1, head_dim))
    return merged.shape[-1], f"{num_heads} heads of {head_dim} side by side: {merged.shape}"


@quantity(formula="num_heads * head_dim", source=f"{_VASWANI}, section 3.2.2")
def inner_width(num_heads: int, head_dim: int) -> Measured:
    """Width of all query heads side by side: what q_proj makes and o_proj takes."""
    merged = merge_heads(phantom(1, num_heads, 1, head_dim))
    return merged.shape[-1], f"merge {num_heads} heads of {head_dim}: {merged.shape}"


@quantity(formula="hidden_size % num_heads", source=f"{_VASWANI}, section 3.2.2")
def head_dim_remainder(hidden_size: int, num_heads: int) -> Measured:
    """Features left over when the hidden size is split over the heads."""
    features = phantom(hidden_size)
    # One row per feature that every head gets; what does not fill a row is left.
    filled = features[num_heads - 1 :: num_heads].size * num_heads
    left = features[filled:]
    return left.size, f"{filled} of {hidden_size} features fill {num_heads} equal heads: {left.size} left"


@quantity(
    formula="ceil(hidden_size / (num_heads * multiple)) * num_heads * multiple",
    source=_ALIGNMENT,
    optional=("multiple",),
)
def next_hidden_size(hidden_size: int, num_heads: int, multiple: int) -> Measured:
    """Smallest hidden size, from the given one up, whose head_dim is a whole multiple."""
    size = padded(hidden_size, num_heads * multiple)
    heads = split_heads(phantom(1, 1, size), num_heads)
    return size, f"{hidden_size} filled up to whole blocks of {num_heads} × {multiple}: heads {heads.shape}"


@quantity(
    formula="hidden_size // (num_heads * multiple) * num_heads * multiple",
    source=_ALIGNMENT,
    optional=("multiple",),
)
def previous_hidden_size(hidden_size: int, num_heads: int, multiple: int) -> Measured:
    """Largest hidden size, from the given one down, whose head_dim is a whole multiple."""
    step = num_heads * multiple
    # The last feature of every whole block: as many as there are blocks.
    blocks = phantom(hidden_size)[step - 1 :: step].size
    if not blocks:
        raise SolveError(f"{hidden_size} features are less than {num_heads} heads of {multiple} need", "reshape")
    heads = split_heads(phantom(1, 1, blocks * step), num_heads)
    return blocks * step, f"{blocks} whole blocks of {num_heads} × {multiple} in {hidden_size}: heads {heads.shape}"


@quantity(
    formula="floor(head_dim * partial_rotary_factor)",
    source="Su et al. 2021, RoFormer, section 3.2; transformers, modeling_rope_utils.py (partial_rotary_factor)",
)
def rotary_dim(head_dim: int, partial_rotary_factor: Number) -> Measured:
    """Dimensions of a head that RoPE rotates."""
    halves = _rotary_halves(head_dim, partial_rotary_factor)
    return halves.size, f"the rotated slice in two halves: {halves.shape}"


@quantity(
    formula="floor(head_dim * partial_rotary_factor) // 2",
    source="Su et al. 2021, RoFormer, section 3.2",
    optional=("partial_rotary_factor",),
)
def rope_pairs(head_dim: int, partial_rotary_factor: Number) -> Measured:
    """Pairs of dimensions that RoPE turns, each at its own frequency."""
    halves = _rotary_halves(head_dim, partial_rotary_factor)
    return halves.shape[1], f"the rotated slice in two halves: {halves.shape}"


@quantity(formula="1 / sqrt(head_dim)", source=f"{_VASWANI}, section 3.2.1")
def softmax_scale(head_dim: int) -> Measured:
    """What the dot products are multiplied by before the softmax."""
    terms = dot_products(head_dim)
    return square_root(Fraction(1, terms)), f"one query meets one key in {terms} products; the scale is 1/√{terms}"


@quantity(formula="sqrt(head_dim)", source=f"{_VASWANI}, section 3.2.1, footnote 4")
def logit_std(head_dim: int) -> Measured:
    """Standard deviation of an unscaled dot product of independent entries with unit variance."""
    terms = dot_products(head_dim)
    return square_root(terms), f"{terms} products of variance 1 add up to variance {terms}"


@quantity(
    formula="sqrt(query_pre_attn_scalar / head_dim)",
    source="Gemma Team 2024, Gemma 2; transformers, Gemma2Config (query_pre_attn_scalar)",
)
def logit_inflation(head_dim: int, query_pre_attn_scalar: Number) -> Measured:
    """Factor by which the logits are too large if the scale is taken from head_dim and not from the config."""
    terms = dot_products(head_dim)
    return square_root(Fraction(query_pre_attn_scalar) / terms), f"{terms} products: 1/√{terms} was used"


@quantity(
    formula="ceil(head_dim / (32 if head_dim <= 128 else 64)) * (32 if head_dim <= 128 else 64)",
    source=f"{_FLASH}: head_size_rounded",
)
def fast_kernel_width(head_dim: int) -> Measured:
    """Head width that FlashAttention-2 computes with inside."""
    lanes = phantom(_kernel_lanes(head_dim))
    return lanes.size, f"{head_dim} filled up to whole tiles: {lanes.size} lanes"


@quantity(
    formula="1 - head_dim / (ceil(head_dim / (32 if head_dim <= 128 else 64)) * (32 if head_dim <= 128 else 64))",
    source=f"{_FLASH}: head_size_rounded",
)
def fast_kernel_waste(head_dim: int) -> Measured:
    """Share of the kernel's lanes that carry padding."""
    lanes = phantom(_kernel_lanes(head_dim))
    idle = lanes[head_dim:]
    return whole(Fraction(idle.size, lanes.size)), f"{idle.size} of {lanes.size} lanes carry padding"


def dot_products(width: int) -> int:
    """The products that one query and one key of this width add up."""
    return products(phantom(width), phantom(width)).size


def _rotary_halves(head_dim: int, factor: Number) -> Array:
    """The rotated slice as (2, pairs), as half-split RoPE takes it."""
    rotated = phantom(head_dim)[: floor(head_dim * factor)]
    if not rotated.size:
        raise SolveError(f"no dimension rotates: {factor} of {head_dim} is less than one", "reshape")
    try:
        return rotated.reshape(2, -1)
    except ValueError as error:
        raise SolveError(f"RoPE turns pairs, and {rotated.size} dimensions do not split in two", "odd") from error


def _kernel_lanes(head_dim: int) -> int:
    if head_dim > 256:
        raise SolveError(f"FlashAttention-2 takes heads up to 256 wide, not {head_dim}", "kernel")
    return padded(head_dim, 32 if head_dim <= 128 else 64)


QUANTITIES = (
    head_dim,
    num_heads,
    hidden_size,
    inner_width,
    head_dim_remainder,
    next_hidden_size,
    previous_hidden_size,
    rotary_dim,
    rope_pairs,
    softmax_scale,
    logit_std,
    logit_inflation,
    fast_kernel_width,
    fast_kernel_waste,
)
