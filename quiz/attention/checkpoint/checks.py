"""What is wrong with the sizes of a config: where it raises, or what results without a word."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from quiz.attention.checkpoint.family import Family
from quiz.attention.checkpoint.outcome import Outcome, raises
from quiz.attention.checkpoint.reading import Sizes
from quiz.render.numbers import counted

_TINY = 4
"""Test models with heads as narrow as this may rotate an odd width, as far as the config object is concerned."""


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
    hidden, heads, width = case.family.spread * sizes["hidden_size"], sizes["num_heads"], sizes["head_dim"]
    shapes = ", ".join(f"{role} {list(shape)}" for role, shape in case.weights.items())
    why = f"{hidden} / {heads} is floored to head_dim {width}: the heads cover {heads * width} of {hidden} ({shapes})"
    return Outcome("never-but-wrong", why)


def _mismatch(case: Case) -> Outcome | None:
    """The output projection takes another width than the heads give."""
    if case.family.form != "heads" or case.family.routed or "o" not in case.weights:
        return None
    heads, width, taken = case.sizes["num_heads"], case.sizes["v_head_dim"], case.weights["o"][1]
    if heads * width == taken:
        return None
    return raises("forward", f"{heads} heads of {width} are {heads * width} wide, where the weights have {taken}")


def _kv_heads(case: Case) -> Outcome | None:
    heads, kv_heads = case.sizes["num_heads"], case.sizes["num_kv_heads"]
    copies = heads // kv_heads
    if case.family.form != "latent":
        why = f"{kv_heads} KV heads, repeated {counted(copies, 'time')}, are not {heads} query heads"
        return raises("forward", why) if heads % kv_heads else None
    why = f"the file says {kv_heads} KV heads, so keys of all {heads} heads are repeated {copies} times"
    if copies > 1:
        # SDPA shares heads by itself where it has no mask to apply, and then heads of equal number pass.
        return raises("forward", why if case.eager else f"{why}; SDPA passes if no sequence is padded")
    if case.eager and not copies:
        return raises("forward", why)
    return None if copies else Outcome("never-but-wrong", f"{why}: eager attention raises, SDPA does not")


def _odd(case: Case) -> Outcome | None:
    """Rotary positions turn pairs. An odd part of a head is rounded up; a head that rotates whole cannot be.

    The config object tests the head_dim that it has: the file's, even where the module takes another or switches
    rotary positions off, and in some families the derived one. Elsewhere it shows in forward.
    """
    family, sizes = case.family, case.sizes
    tested_share = family.rotary if family.rotary_if and case.share is None else case.share
    if tested_share is None or family.odd is None:
        return None
    latent = family.form == "latent"
    width = sizes["qk_rope_head_dim"] if latent else sizes["head_dim"]
    derived = None if latent or (sizes.source == "derived" and family.odd != "config") else width
    tested = sizes.named or derived
    whole = tested_share == 1 and "rotary_dim" not in family.defaults and not family.turns_share
    if whole and tested and tested % 2 and tested > _TINY:
        return raises("config", f"rotary positions turn pairs of dimensions, and head_dim {tested} is odd")
    if case.share is None:
        return None
    part = int(width * case.share)
    stage = family.odd_part if part < width else "forward"
    if part % 2 == 0 or stage is None or not sizes.known:
        return None
    return raises(stage, f"rotary positions turn pairs of dimensions, and {part} of {width} is an odd number of them")


def _turned(case: Case) -> Outcome | None:
    """Latent attention: a head_dim of the config object decides how many dimensions turn, not qk_rope_head_dim."""
    if case.family.form != "latent" or case.share is None:
        return None
    made, wanted = case.sizes["rotary_width"], case.sizes["qk_rope_head_dim"]
    if made == wanted:
        return None
    # Mistral 4 makes its stretched frequencies (YaRN) when it is built, and pairs do not fit an odd width.
    stage: Literal["build", "forward"] = "build" if case.family.turns_share and made % 2 and made > 3 else "forward"
    return raises(stage, f"rotary positions are made for {made} dimensions, and qk_rope_head_dim is {wanted}")


def _turned_named(case: Case) -> Outcome | None:
    """Rotary positions are made for the file's head_dim, and the module turns a share of a width of its own."""
    named, share = case.sizes.named, case.share
    if not case.family.turns_named or named is None or share is None:
        return None
    made, turned = int(named * share), int(case.sizes["head_dim"] * share)
    made += made % 2
    if made == turned:
        return None
    why = f"rotary positions are made for {made} dimensions, by head_dim {named} in the file, and {turned} turn"
    return raises("forward", why)


def _odd_kv_heads(case: Case) -> Outcome | None:
    """DiffLlama takes the values of the two halves of its KV heads apart."""
    stage, kv_heads = case.family.odd_kv_heads, case.sizes["num_kv_heads"]
    return raises(stage, f"{kv_heads} KV heads cannot be halved") if stage and kv_heads % 2 else None


def _output_groups(case: Case) -> Outcome | None:
    """DeepSeek-V4 cuts what the heads gathered into groups before the output's low rank."""
    if case.family.form != "shared":
        return None
    sizes = case.sizes
    gathered, groups = sizes["num_heads"] * sizes["head_dim"], sizes["o_groups"]
    if gathered % groups == 0:
        return None
    return raises("forward", f"{sizes['num_heads']} heads of {sizes['head_dim']} do not split over o_groups {groups}")


def _empty(case: Case) -> Outcome | None:
    sizes = case.sizes
    if case.family.form == "latent" or sizes["head_dim"] or _uneven(case):
        return None
    return raises("forward", f"{sizes['num_heads']} heads of {sizes['hidden_size']} features have no width")


_CHECKS: tuple[Callable[[Case], Outcome | None], ...] = (
    _uneven,
    _floored,
    _mismatch,
    _kv_heads,
    _odd,
    _turned,
    _turned_named,
    _odd_kv_heads,
    _output_groups,
    _empty,
)
