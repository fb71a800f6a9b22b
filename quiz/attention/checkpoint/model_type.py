"""Which family a config.json is of, and where in the file its text model is described."""

from collections.abc import Mapping
from dataclasses import dataclass

from quiz.attention.checkpoint.families import FAMILIES, STANDS_FOR, WITHOUT_ATTENTION
from quiz.attention.checkpoint.family import Family
from quiz.attention.checkpoint.keys import unread
from quiz.attention.checkpoint.reading import UNKNOWN, Findings
from quiz.errors import UsageError

_INNER = ("text_config", "thinker_config", "llm_config", "language_config", "language_model_config", "decoder")
_LONGEST_NAME = 200
_HEADS = ("ForCausalLM", "ForConditionalGeneration", "LMHeadModel", "ForMaskedLM", "Model")


@dataclass(frozen=True, slots=True)
class Described:
    """The file's ``model_type``, the ``family`` and what it is called in notes, and the part of the file it reads."""

    model_type: str | None
    name: str
    family: Family
    config: Mapping[str, object]


def described(config: Mapping[str, object], found: Findings) -> Described:
    """The family and its part of the file, with notes on how they were found.

    Raises:
        UsageError: model_type is no text, or that of a model without attention.
    """
    outer = _model_type(config)
    name, part = outer, config
    # A wrapper may hold a wrapper: thinker_config.text_config.
    for _ in _INNER:
        key = next((key for key in _INNER if isinstance(part.get(key), dict)), None)
        if key is None:
            break
        inner = part[key]
        assert isinstance(inner, dict)
        name, part = _model_type(inner) or name, inner
        found.note(f"read from {key}: other parts of the model have attention of their own, which is not counted")
    name = name or _of_architecture(part, found)
    if name in WITHOUT_ATTENTION:
        raise UsageError(f"a {name} model has no attention: it keeps a state of fixed size, and no keys and values")
    family = FAMILIES.get(STANDS_FOR.get(name or "", name or ""))
    if family is None:
        said = f"model_type {name[:60]!r} is not known here" if name else "the file has no model_type"
        found.note(f"{said}: sizes are read by their usual names, biases only where the file says so")
        if others := unread(part):
            found.note(f"the file also says {', '.join(others[:8])}: what that means for attention is not known here")
        return Described(outer, name or "the model", UNKNOWN, part)
    return Described(outer, STANDS_FOR.get(name or "", name or ""), family, part)


def _model_type(config: Mapping[str, object]) -> str | None:
    value = config.get("model_type")
    if value is not None and (not isinstance(value, str) or len(value) > _LONGEST_NAME):
        raise UsageError(f"the config's model_type must be a text of at most {_LONGEST_NAME} characters")
    return value or None


def _of_architecture(config: Mapping[str, object], found: Findings) -> str | None:
    """The family that the class in ``architectures`` belongs to: LlamaForCausalLM is llama."""
    names = config.get("architectures")
    if not isinstance(names, list) or not names or not isinstance(names[0], str):
        return None
    bare = next((names[0].removesuffix(head) for head in _HEADS if names[0].endswith(head)), names[0]).lower()
    family = next((one for one in FAMILIES if one.replace("_", "").replace("-", "").lower() == bare), None)
    if family:
        found.note(f"the file has no model_type; {names[0][:60]} in architectures is {family}")
    return family
