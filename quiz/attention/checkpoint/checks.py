"""What is wrong with the sizes of a config: where it raises, or what results without a word."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from quiz.attention.checkpoint.family import Family, Stage
from quiz.attention.checkpoint.outcome import Outcome
from quiz.attention.checkpoint.reading import Sizes

_TINY = 4
"""Test models with heads as narrow as this may rotate an odd width, as far as the config object is concerned."""

_ERRORS: Mapping[Stage, tuple[str, str | None]] = {
    "config": ("StrictDataclassClassValidationError", "ValueError"),
    "build": ("ValueError", None),
    "forward": ("RuntimeError", None),
}


@dataclass(frozen=True, slots=True)
class Case:
    """The main attention: its family, sizes, weights by role, and the share of a head that rotates.

    ``eager`` is the attention written out, instead of SDPA.
    """

    family: Family
    sizes: Sizes
    weights: Mapping[str, tuple[int, int]]
    share: Fraction | None
    eager: bool = False


def problems_with(case: Case) -> list[Outcome]:
    """Every problem with the sizes, in no order."""
    return [outcome for check in _CHECKS if (outcome := check(case))]


def raises(stage: Stage, why: str) -> Outcome:
    """A failure with the error that its stage usually has."""
    error, cause = _ERRORS[stage]
    return Outcome(stage, why, error, cause)


def _uneven(case: Case) -> Outcome | None:
    hidden, heads = case.sizes["hidden_size"], case.sizes["num_heads"]
    if case.family.uneven and hidden % heads:
        return raises(case.family.uneven, f"hidden_size {hidden} is not a multiple of {heads} heads")
    return None


def _floored(case: Case) -> Outcome | None:
    """The width of a head is a floor, and everything agrees on it: nothing raises."""
    sizes = case.sizes
    if not sizes.remainder or not sizes.known or _uneven(case) or _mismatch(case):
        return None
    hidden, heads, width = sizes["hidden_size"], sizes["num_heads"], sizes["head_dim"]
    shapes = ", ".join(f"{role} {list(shape)}" for role, shape in case.weights.items())
    why = f"{hidden} / {heads} is floored to head_dim {width}: the heads cover {heads * width} of {hidden} ({shapes})"
    return Outcome("never-but-wrong", why)


def _mismatch(case: Case) -> Outcome | None:
    """The output projection takes another width than the heads give."""
    if case.family.form != "heads" or "o" not in case.weights:
        return None
    heads, width, taken = case.sizes["num_heads"], case.sizes["v_head_dim"], case.weights["o"][1]
    if heads * width == taken:
        return None
    return raises("forward", f"{heads} heads of {width} are {heads * width} wide, where the weights have {taken}")


def _kv_heads(case: Case) -> Outcome | None:
    heads, kv_heads = case.sizes["num_heads"], case.sizes["num_kv_heads"]
    copies = heads // kv_heads
    if case.family.form != "latent":
        why = f"{kv_heads} KV heads, repeated {copies} times, are not {heads} query heads"
        return raises("forward", why) if heads % kv_heads else None
    why = f"the file says {kv_heads} KV heads, so keys of all {heads} heads are repeated {copies} times"
    if copies > 1 or (case.eager and not copies):
        return raises("forward", why)
    return None if copies else Outcome("never-but-wrong", f"{why}: eager attention raises, SDPA does not")


def _odd(case: Case) -> Outcome | None:
    """Rotary positions turn pairs. An odd part of a head is rounded up; a head that rotates whole cannot be.

    The config object tests the head_dim that it has: the file's, even where the module takes another, and in some
    families the derived one. Elsewhere it shows in forward.
    """
    family, sizes = case.family, case.sizes
    if case.share is None or family.odd is None:
        return None
    width = sizes["qk_rope_head_dim"] if family.form == "latent" else sizes["head_dim"]
    tested = sizes.named or (width if sizes.source != "derived" or family.odd == "config" else None)
    if case.share == 1 and tested and tested % 2 and tested > _TINY and "rotary_dim" not in family.defaults:
        return raises("config", f"rotary positions turn pairs of dimensions, and head_dim {tested} is odd")
    part = int(width * case.share)
    stage = family.odd_part if part < width else "forward"
    if part % 2 == 0 or stage is None or not sizes.known:
        return None
    return raises(stage, f"rotary positions turn pairs of dimensions, and {part} of {width} is an odd number of them")


def _empty(case: Case) -> Outcome | None:
    sizes = case.sizes
    if case.family.form == "latent" or sizes["head_dim"] or _uneven(case):
        return None
    return raises("forward", f"{sizes['num_heads']} heads of {sizes['hidden_size']} features have no width")


_CHECKS: tuple[Callable[[Case], Outcome | None], ...] = (_uneven, _floored, _mismatch, _kv_heads, _odd, _empty)
