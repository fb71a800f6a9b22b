"""The learner's own weights, kept as one small JSON file beside the log."""

import json
from pathlib import Path
from typing import NamedTuple

from quiz.errors import StorageError, UsageError
from quiz.memory.schedule import Parameters

FILE = "weights.json"


class Personal(NamedTuple):
    """The ``weights`` in use, None for FSRS-6's own, and the ``previous`` ones, to which one can go back."""

    weights: tuple[float, ...] | None = None
    previous: tuple[float, ...] | None = None


def load_personal(data: Path) -> Personal:
    """What is kept in the folder; FSRS-6's own weights where there is nothing.

    Raises:
        StorageError: the file holds no weights that can be used.
    """
    path = data / FILE
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        found = Personal(_weights(kept["weights"]), _weights(kept["previous"]))
    except FileNotFoundError:
        return Personal()
    except (OSError, ValueError, KeyError, TypeError, RecursionError, UsageError) as error:
        raise StorageError(f"{path} cannot be used ({error}); delete it to go back to the usual weights") from None
    return found


def save_personal(data: Path, personal: Personal) -> None:
    """Write them whole, so that a crash leaves the old file or the new one.

    Raises:
        StorageError: they could not be written.
    """
    path = data / FILE
    scratch = path.with_suffix(".tmp")
    try:
        scratch.write_text(json.dumps(personal._asdict()) + "\n", encoding="utf-8")
        scratch.replace(path)
    except OSError as error:
        raise StorageError(f"the weights could not be written to {path}: {error.strerror}") from None


def _weights(kept: list[float] | None) -> tuple[float, ...] | None:
    if kept is None:
        return None
    weights = tuple(float(weight) for weight in kept)
    Parameters(weights=weights)
    return weights
