"""The Mamba mixers beside the attention of hybrid models: the sizes at which the config object refuses."""

from collections.abc import Mapping

from quiz.attention.checkpoint.family import Mixer
from quiz.attention.checkpoint.keys import entry
from quiz.attention.checkpoint.outcome import Outcome, raises


def mixer_problem(config: Mapping[str, object], mixer: Mixer, hidden_size: int) -> Outcome | None:
    """The mixer's heads must share its inner width, and be as wide as the file says.

    Raises:
        UsageError: a size is no whole number.
    """
    heads = _said(config, mixer.heads_key, mixer.heads)
    inner = _said(config, "mamba_d_ssm", mixer.inner) if mixer.inner else None
    if inner is None or config.get("mamba_d_ssm", mixer.inner) is None:
        inner = _said(config, "mamba_expand", 2) * hidden_size
    if inner % heads:
        return raises("config", f"the Mamba mixer is {inner} wide, which is not a multiple of its {heads} heads")
    if mixer.sized_heads and config.get("mamba_d_head") != "auto":
        width = _said(config, "mamba_d_head", inner // heads)
        if width * heads != inner:
            return raises("config", f"{heads} Mamba heads of {width} are not the {inner} of the mixer")
    return None


def _said(config: Mapping[str, object], key: str, default: int) -> int:
    said = entry(config, key)
    return default if said is None or said.value is None else said.value
