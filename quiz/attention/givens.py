"""The named numbers that quantities are measured for: what each means, what it may be, and what it is if left out."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from quiz.attention.sizes import Number, as_even, as_size, whole
from quiz.errors import SolveError, UsageError
from quiz.render.nearest import did_you_mean

Read: TypeAlias = Callable[[str, object], Number]

_WIDTHS: dict[Number, str] = {
    8: "fp64 float64 int64",
    4: "fp32 float32 tf32 int32",
    2: "bf16 bfloat16 fp16 float16 half int16",
    1: "fp8 fp8_e4m3 fp8_e5m2 float8_e4m3fn float8_e5m2 int8 uint8",
    Fraction(1, 2): "int4 uint4 fp4 nf4",
}
BYTES_PER_ELEMENT: dict[str, Number] = {name: width for width, names in _WIDTHS.items() for name in names.split()}
"""Bytes of one stored element. tf32 is an arithmetic mode: its numbers are stored in four bytes."""


@dataclass(frozen=True, slots=True)
class Given:
    """One number a quantity needs.

    ``domain`` says what it is and may be; ``default``, or the given named by ``same_as``, stands in where it is left
    out. ``symbol`` is its name in formulas; ``read`` turns what was given into a legal number or raises a `SolveError`.
    """

    name: str
    domain: str
    symbol: str
    read: Read
    default: int | str | None = None
    same_as: str | None = None

    @property
    def needed(self) -> bool:
        """Whether it cannot be left out."""
        return self.default is None and self.same_as is None

    def required(self) -> "Given":
        """The same given where nothing stands in for it."""
        return self if self.needed else replace(self, default=None, same_as=None)


def named_with_domains(givens: Iterable[Given]) -> str:
    """The givens by name, each with what it is and may be."""
    return ", ".join(f"{given.name} ({given.domain})" for given in givens)


def check_names(asker: str, names: Iterable[str], known: Collection[str]) -> None:
    """That all names are known.

    Raises:
        UsageError: one is not; the message says all that ``asker`` takes, and the nearest.
    """
    for name in names:
        if name not in known:
            near = did_you_mean(name, known)
            takes = f"it takes {', '.join(known)}" + (f"; {near}" if near else "")
            raise UsageError(f"{asker} does not take {name[:80]!r}; {takes}")


def read_dtype(name: str, value: object) -> Number:
    """Bytes per element of a dtype by name, or as a number of bytes (from 1/8, one bit, to 16).

    Raises:
        UsageError: no dtype has this name.
        SolveError: the number is no possible width.
    """
    if isinstance(value, str):
        width = BYTES_PER_ELEMENT.get(value.lower())
        if width is None:
            known = " ".join(name for names in _WIDTHS.values() for name in names.split())
            raise UsageError(f"unknown dtype {value[:40]!r}; known are {known}, or a number of bytes per element")
        return width
    if isinstance(value, int | Fraction) and not isinstance(value, bool) and Fraction(1, 8) <= value <= 16:
        return whole(value)
    raise SolveError(f"{name} must be a name such as bf16, or 1/8 to 16 bytes per element", "size")


def _read_index(name: str, value: object) -> Number:
    return as_size(name, value, least=0)


def _read_share(name: str, value: object) -> Number:
    if isinstance(value, int | Fraction) and not isinstance(value, bool) and 0 < value <= 1:
        return whole(value)
    raise SolveError(f"{name} must be a share over 0, up to 1", "size")


def _read_positive(name: str, value: object) -> Number:
    if isinstance(value, int | Fraction) and not isinstance(value, bool) and 0 < value < 2**63:
        return whole(value)
    raise SolveError(f"{name} must be a number over 0", "size")


def _read_factor(name: str, value: object) -> Number:
    if isinstance(value, int | Fraction) and not isinstance(value, bool) and 1 <= value < 2**63:
        return whole(value)
    raise SolveError(f"{name} must be a number from 1", "size")


def _size(name: str, meaning: str, default: int | None = None, same_as: str | None = None) -> Given:
    return Given(name, f"{meaning}, from 1", name, as_size, default, same_as)


def _table(*givens: Given) -> dict[str, Given]:
    return {given.symbol: given for given in givens}


GIVENS = _table(
    _size("hidden_size", "width of the residual stream"),
    _size("num_heads", "query heads"),
    _size("num_kv_heads", "key and value heads, a divisor of num_heads"),
    _size("head_dim", "width of one query or key head"),
    _size("v_head_dim", "width of one value head", same_as="head_dim"),
    _size("num_layers", "attention layers"),
    _size("kv_lora_rank", "width of the cached latent"),
    _size("q_lora_rank", "width of the query latent"),
    _size("qk_nope_head_dim", "width of a head's part without position"),
    Given("qk_rope_head_dim", "width of a head's rotary part, even", "qk_rope_head_dim", as_even),
    _size("batch", "sequences at once", default=1),
    _size("seq_len", "tokens that query"),
    _size("context", "tokens attended to", same_as="seq_len"),
    Given("dtype", "a dtype's name, or bytes per element", "bytes_per_element", read_dtype, "bf16"),
    _size("tp", "ranks of the tensor-parallel group"),
    Given("query_head", "a query head, from 0", "query_head", _read_index),
    _size("multiple", "what the size must be a whole multiple of", default=8),
    _size("vocab_size", "entries of the vocabulary"),
    _size("memory", "bytes of memory"),
    Given(
        "partial_rotary_factor",
        "share of the head that rotates, over 0 up to 1",
        "partial_rotary_factor",
        _read_share,
        1,
    ),
    Given(
        "query_pre_attn_scalar",
        "what the softmax scale is the root of, over 0",
        "query_pre_attn_scalar",
        _read_positive,
    ),
    Given("factor", "YaRN's stretch of the context, from 1", "factor", _read_factor),
    Given("mscale_all_dim", "YaRN's weight of the correction, over 0", "mscale_all_dim", _read_positive),
)
"""Every given by the name it has in formulas."""
