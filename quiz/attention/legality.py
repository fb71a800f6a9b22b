"""Does it raise, and where: what libraries do with sizes that do not fit, as it was tried with the `VERSIONS` below.

Transformers families differ in few ways, so each is a row of rules, and `family_outcome` applies them to any sizes. The
stages are those of the packs' stage questions: config (the config object refuses), build (the module's constructor),
load, forward, kernel; never-but-wrong (it runs, but not with the sizes asked for) and never (it runs, and rightly).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Literal, TypeAlias

Stage: TypeAlias = Literal["config", "build", "load", "forward", "kernel", "never-but-wrong", "never"]

VERSIONS: Mapping[str, str] = MappingProxyType(
    {"torch": "2.13.0+cpu", "transformers": "5.24.0", "numpy": "2.4.6", "einops": "0.8.2"}
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happens, and where.

    ``error`` is the exception's class, ``cause`` the class of the one it wraps; None where nothing is raised. ``why``
    says it in one line. ``widths`` are those of the heads that result, one for each; empty where there are none.
    """

    stage: Stage
    why: str
    error: str | None = None
    cause: str | None = None
    widths: tuple[int, ...] = ()

    @property
    def raises(self) -> bool:
        """Whether an exception ends it."""
        return self.error is not None


@dataclass(frozen=True, slots=True)
class Family:
    """How one transformers family treats sizes.

    ``check``: the stage that demands hidden_size % num_heads == 0, None where nothing does. ``own``: the class's width
    of a head where the config names none; without it the width is hidden_size // num_heads. ``odd``: the stage that
    fails where the rotary part (``rotary_share`` of the head) is odd, or "runs". ``null``: what "head_dim": null does,
    "derives" or the stage that fails. ``needs_head_dim``: left out, it is null. ``kv``: "groups" (KV heads must divide
    query heads), "latent" (MLA: keys are made for all query heads, yet are repeated by the config's count), "ignored".
    ``odd``, ``null`` and ``kv`` are None where it was not tried.
    """

    check: Literal["config", "build", "forward"] | None = None
    own: int | None = None
    odd: Literal["config", "forward", "runs"] | None = None
    rotary_share: Fraction = Fraction(1)
    null: Literal["config", "build", "derives"] | None = None
    needs_head_dim: bool = False
    kv: Literal["groups", "latent", "ignored"] | None = None


_ROWS: tuple[tuple[str, Family], ...] = (
    ("llama", Family(check="config", null="derives", kv="groups")),
    ("gemma2 gemma3_text", Family(check="config", own=256, null="config", kv="groups")),
    ("gpt_neox xlnet clip_vision_model", Family(check="config")),
    ("deepseek_v2 minicpm3", Family(check="config", kv="latent")),
    ("deepseek_v3 deepseek_v32", Family(kv="latent")),
    ("falcon", Family(check="build", odd="config", kv="groups")),
    ("stablelm", Family(check="build", kv="groups")),
    ("gpt_bigcode", Family(check="build", kv="ignored")),
    ("gpt2 openai-gpt gpt_neo gptj codegen bloom opt persimmon", Family(check="build")),
    ("bert roberta distilbert deberta-v2 modernbert bart whisper siglip_vision_model", Family(check="build")),
    ("electra albert mpt", Family(check="forward")),
    ("mistral", Family(odd="config", null="derives", kv="groups")),
    ("mixtral starcoder2", Family(odd="forward", null="derives", kv="groups")),
    ("nemotron", Family(odd="runs", null="derives", kv="groups")),
    ("cohere2", Family(odd="config", null="build", kv="groups")),
    ("qwen2 qwen3_moe phi3 olmo olmo2", Family(odd="forward", null="build", kv="groups")),
    ("granite exaone4 smollm3", Family(odd="forward", null="build", kv="groups")),
    ("phi", Family(odd="forward", rotary_share=Fraction(1, 2), null="build", kv="groups")),
    ("glm4_moe", Family(odd="runs", null="build", kv="groups")),
    ("hunyuan_v1_dense", Family(null="build", needs_head_dim=True, kv="groups")),
    ("phimoe cohere olmo3", Family(odd="forward", kv="groups")),
    ("vit dinov2", Family(odd="runs")),
    ("qwen3 glm4 llama4_text", Family(own=128, null="config", kv="groups")),
    ("gemma", Family(own=256, null="config", kv="groups")),
    ("gpt_oss", Family(own=64, null="config", kv="groups")),
    ("ernie4_5 seed_oss", Family(own=128, null="derives", kv="groups")),
    ("t5", Family(own=64, odd="runs")),
)

FAMILIES: Mapping[str, Family] = MappingProxyType({name: rules for names, rules in _ROWS for name in names.split()})
"""The rules by ``model_type``."""


def family_outcome(
    family: str,
    *,
    hidden_size: int,
    num_heads: int,
    num_kv_heads: int | None = None,
    head_dim: int | Literal["absent"] | None = "absent",
    eager: bool = False,
) -> Outcome | None:
    """What a transformers family does with these sizes, from the config to the first forward; None if nobody tried.

    ``num_kv_heads`` is ``num_heads`` unless given (left out of a config, it is the class's default: 8 for Mistral).
    ``head_dim`` None means null in the config. ``eager`` is the attention written out, instead of SDPA.
    """
    rules = FAMILIES.get(family)
    kv_heads = num_heads if num_kv_heads is None else num_kv_heads
    if rules is None or (head_dim != "absent" and not rules.null) or (kv_heads != num_heads and not rules.kv):
        return None
    is_null = head_dim is None or (head_dim == "absent" and rules.needs_head_dim)
    is_derived = rules.kv != "latent" and not isinstance(head_dim, int) and (rules.own is None or is_null)
    derived = hidden_size // num_heads if is_derived else None
    width = head_dim if isinstance(head_dim, int) else derived or rules.own
    uneven = hidden_size % num_heads != 0
    failures = [
        _uneven(rules, hidden_size, num_heads) if uneven and rules.check else None,
        _null(rules) if is_null and rules.null != "derives" else None,
        _odd(rules, width) if width else None,
        _kv_heads(rules, num_heads, kv_heads, eager),
    ]
    for stage in ("config", "build", "forward"):
        for failure in failures:
            if failure and failure.stage == stage:
                return failure
    if derived == 0 or (width and rules.odd is None and width % 2):
        return None
    widths = (width,) * num_heads if width else ()
    if uneven and derived:
        why = f"the width is floored to {derived}: the projections are {num_heads * derived} wide, not {hidden_size}"
        return Outcome("never-but-wrong", why, widths=widths)
    return Outcome("never", "every size that is used has a place", widths=widths)


def _uneven(rules: Family, hidden_size: int, num_heads: int) -> Outcome | None:
    why = f"hidden_size {hidden_size} is not a multiple of num_heads {num_heads}"
    if rules.check == "config":
        return Outcome("config", why, "StrictDataclassClassValidationError", "ValueError")
    if rules.check == "build":
        return Outcome("build", why, "ValueError")
    return Outcome("forward", f"{why}: heads and projections differ in width", "RuntimeError")


def _null(rules: Family) -> Outcome:
    if rules.null == "config":
        return Outcome(
            "config", "head_dim must be an int, not null", "StrictDataclassFieldValidationError", "TypeError"
        )
    return Outcome("build", "head_dim null is used as a number", "TypeError")


def _odd(rules: Family, width: int) -> Outcome | None:
    rotary = int(width * rules.rotary_share)
    if rotary % 2 == 0 or rules.odd in (None, "runs"):
        return None
    why = f"RoPE turns pairs, and {rotary} dimensions are odd"
    if rules.odd == "config":
        return Outcome("config", why, "StrictDataclassClassValidationError", "ValueError")
    return Outcome("forward", f"{why}: it makes cosines for {rotary + 1}", "RuntimeError")


def _kv_heads(rules: Family, num_heads: int, kv_heads: int, eager: bool) -> Outcome | None:
    copies = num_heads // kv_heads
    if rules.kv == "latent" and (copies > 1 or (eager and copies == 0)):
        why = f"keys of {num_heads} heads are repeated {copies} times, because the config says {kv_heads} KV heads"
        return Outcome("forward", why, "RuntimeError")
    if rules.kv == "groups" and num_heads % kv_heads:
        why = f"{kv_heads} KV heads, repeated {copies} times, are not {num_heads} query heads"
        return Outcome("forward", why, "RuntimeError")
    return None


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
