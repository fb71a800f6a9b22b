"""What tests of every room may ask for: truths that were measured elsewhere, in a folder beside the checkout."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# How long an example takes says something about the machine, not about the code.
settings.register_profile("unhurried", deadline=None)
settings.register_profile("fuzz", deadline=None, max_examples=1_000_000)
settings.load_profile("unhurried")

SHARED = Path(__file__).parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder ``shared`` beside the checkout; the test skips where it is missing."""
    if not SHARED.is_dir():
        pytest.skip("no folder `shared` beside the checkout")
    return SHARED


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that asks for a ``grouped_model`` or ``latent_model`` runs for each that was built."""
    for argument, kinds in (("grouped_model", ("mha", "gqa", "mqa")), ("latent_model", ("mla",))):
        if argument in metafunc.fixturenames:
            models = [model for model in _models() if model["truth"]["attention"]["attention_kind"] in kinds]
            metafunc.parametrize(argument, [pytest.param(model, id=model["id"]) for model in models])


def _models() -> list[dict[str, Any]]:
    file = SHARED / "truth" / "models.json"
    models: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else []
    return [model for model in models if model["truth"]["legal"]]


@pytest.fixture(scope="session")
def cases(shared: Path) -> dict[str, dict[str, Any]]:
    """Inputs, weights and outputs of attention that was computed elsewhere (attention_cases.npz), by case and array."""
    # Only some tests need NumPy, and those of other rooms do without.
    import numpy as np

    found: dict[str, dict[str, Any]] = {}
    with np.load(shared / "truth" / "attention_cases.npz") as arrays:
        for name in arrays.files:
            case, array = name.split("/")
            found.setdefault(case, {})[array] = arrays[name]
    return found
