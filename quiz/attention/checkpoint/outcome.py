"""Where an illegal size shows, and with what error; and the versions of the libraries in which it was tried."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias

Stage: TypeAlias = Literal["config", "build", "load", "forward", "kernel", "never-but-wrong", "never"]
"""The config object refuses; the module's constructor; load; forward; kernel; it runs, but not with the sizes asked for
(never-but-wrong); it runs, and rightly (never). These are the stages of the packs' stage questions."""

VERSIONS: Mapping[str, str] = MappingProxyType(
    {"torch": "2.13.0+cpu", "transformers": "5.24.0", "numpy": "2.4.6", "einops": "0.8.2"}
)

_ERRORS: Mapping[str, tuple[str, str | None]] = {
    "config": ("StrictDataclassClassValidationError", "ValueError"),
    "build": ("ValueError", None),
    "forward": ("RuntimeError", None),
}


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


def raises(stage: Literal["config", "build", "forward"], why: str) -> Outcome:
    """A failure with the error that its stage usually has."""
    error, cause = _ERRORS[stage]
    return Outcome(stage, why, error, cause)


def null(stage: Literal["config", "build", "forward"], key: str) -> Outcome:
    """A null where a number is needed: refused by the config object, or used later."""
    if stage == "config":
        return Outcome(stage, f"{key} must be a number, not null", "StrictDataclassFieldValidationError", "TypeError")
    return Outcome(stage, f"{key} is null, and used as a number", "TypeError")
