"""Does it raise, and where: what libraries do with sizes that do not fit, in the `VERSIONS` that were tried.

What a transformers family does is read off its row in `checkpoint.families`, by the rules that inspect a config.json;
what a single call does is in the tables here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from quiz.attention.checkpoint.families import ELSEWHERE, FAMILIES
from quiz.attention.checkpoint.inspection import Inspection, inspect
from quiz.attention.checkpoint.outcome import VERSIONS, Outcome, Stage

__all__ = ["CUTS", "OPERATIONS", "VERSIONS", "Operation", "Outcome", "family_outcome", "sdpa_outcome", "split_outcome"]


def family_outcome(
    family: str,
    *,
    hidden_size: int,
    num_heads: int,
    num_kv_heads: int | None = None,
    head_dim: int | Literal["absent"] | None = "absent",
    eager: bool = False,
) -> Outcome | None:
    """What a transformers family does with these sizes, from the config to the first forward; None if it is unknown.

    ``num_kv_heads`` is ``num_heads`` unless given (left out of a config, it is the class's default: 8 for Mistral).
    ``head_dim`` None means null in the config. ``eager`` is the attention written out, instead of SDPA.
    """
    if family not in FAMILIES or family in ELSEWHERE:
        return None
    kv_heads = num_heads if num_kv_heads is None else num_kv_heads
    config: dict[str, object] = {
        "model_type": family,
        "hidden_size": hidden_size,
        "num_attention_heads": num_heads,
        FAMILIES[family].kv_heads_key or "num_key_value_heads": kv_heads,
    }
    if switch := FAMILIES[family].shared_if:
        config[switch] = kv_heads == 1
    if switch := FAMILIES[family].grouped_if:
        config[switch] = kv_heads not in (1, num_heads)
    found = inspect(config if head_dim == "absent" else config | {"head_dim": head_dim}, eager=eager)
    if any(problem.raises for problem in found.problems):
        return found.problems[0]
    outcome = found.problems[0] if found.problems else Outcome("never", "every size that is used has a place")
    return replace(outcome, widths=_widths(found))


def _widths(found: Inspection) -> tuple[int, ...]:
    return (found.main.qk_head_dim or 0,) * (found.main.num_heads or 0)


@dataclass(frozen=True, slots=True)
class Operation:
    """A call that refuses to split features over heads unevenly, or always."""

    stage: Stage
    error: str
    always: bool = False


OPERATIONS: Mapping[str, Operation] = MappingProxyType(
    {
        "torch.Tensor.view": Operation("forward", "RuntimeError"),
        "torch.Tensor.view with a float": Operation("forward", "TypeError", always=True),
        "torch.Tensor.reshape": Operation("forward", "RuntimeError"),
        "torch.Tensor.unflatten": Operation("forward", "RuntimeError"),
        "numpy.reshape": Operation("forward", "ValueError"),
        "numpy.reshape with a float": Operation("forward", "TypeError", always=True),
        "numpy.split": Operation("forward", "ValueError"),
        "einops.rearrange": Operation("forward", "EinopsError"),
        "torch.nn.MultiheadAttention": Operation("build", "AssertionError"),
        "torch.nn.TransformerEncoderLayer": Operation("build", "AssertionError"),
        "torch.nn.functional.multi_head_attention_forward": Operation("forward", "AssertionError"),
    }
)
"""What refuses. `CUTS` lists the calls that never do."""

CUTS = ("torch.chunk", "torch.tensor_split", "torch.split", "numpy.array_split")
"""Calls that cut features into unequal pieces without a word."""


def split_outcome(operation: str, features: int, num_heads: int) -> Outcome | None:
    """What a call of `OPERATIONS` or `CUTS` does when it splits features over heads; None if nobody tried.

    ``torch.split`` takes the width features // num_heads, the others the number of heads.
    """
    uneven = f"{features} features do not split over {num_heads} heads"
    if operation in CUTS:
        widths = _pieces(operation, features, num_heads)
        if widths == (features // num_heads,) * num_heads:
            return Outcome("never", "all pieces are as wide", widths=widths)
        return Outcome("never-but-wrong", f"{uneven}, so the pieces differ", widths=widths)
    rule = OPERATIONS.get(operation)
    if rule is None:
        return None
    if rule.always:
        return Outcome(rule.stage, "a size must be an int, even where the division is whole", rule.error)
    if features % num_heads:
        return Outcome(rule.stage, uneven, rule.error)
    return Outcome("never", "the features split evenly", widths=(features // num_heads,) * num_heads)


def _pieces(operation: str, features: int, num_heads: int) -> tuple[int, ...]:
    """The widths of the pieces."""
    width, left = divmod(features, num_heads)
    if operation in ("torch.tensor_split", "numpy.array_split"):
        return (width + 1,) * left + (width,) * (num_heads - left)
    if operation == "torch.chunk":
        width = -(-features // num_heads)
    count, last = divmod(features, width)
    return (width,) * count + ((last,) if last else ())


def sdpa_outcome(num_heads: int, num_kv_heads: int, *, enable_gqa: bool = False) -> Outcome:
    """What F.scaled_dot_product_attention does with these counts of heads, keys and values having the same."""
    if enable_gqa:
        if num_heads % num_kv_heads:
            return Outcome("forward", "KV heads must divide query heads", "RuntimeError")
        return Outcome("never", "each KV head serves its group")
    if num_kv_heads in (1, num_heads):
        return Outcome("never", "one KV head broadcasts" if num_kv_heads == 1 else "as many KV heads as query heads")
    if num_heads == 1:
        return Outcome("never-but-wrong", f"the one query head broadcasts: {num_kv_heads} heads come out")
    return Outcome("forward", f"{num_heads} and {num_kv_heads} heads do not broadcast; set enable_gqa", "RuntimeError")
