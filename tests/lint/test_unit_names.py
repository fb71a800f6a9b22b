from collections.abc import Callable

import pytest

from quiz.lint.check import Report
from quiz.lint.unit_names import unit_slip


@pytest.mark.parametrize(
    ("unit", "meant"),
    [("GBps", "GB"), ("Gb", "GB"), ("kb", "kB"), ("mb", "MB"), ("KiBs", "KiB"), ("FLOPz", "FLOP"), ("byts", "bytes")],
)
def test_a_unit_that_is_nearly_a_known_one_is_told_which(unit: str, meant: str) -> None:
    slip = unit_slip(unit)
    assert slip is not None
    said, fix = slip
    assert repr(unit) in said
    assert f"did you mean {meant!r}?" in fix
    assert "KiB to PiB" in fix


@pytest.mark.parametrize(
    "unit", ["B", "gigabytes", "GiB", "bits", "TFLOPs", "FLOP/B", "1", "%", "tokens", "heads", "kv heads"]
)
def test_a_known_unit_is_fine(unit: str) -> None:
    assert unit_slip(unit) is None


@pytest.mark.parametrize("unit", ["ms", "s", "µs", "W", "tokens/s", "GB/s", "°C", "$"])
def test_a_unit_that_is_like_none_is_the_packs_own(unit: str) -> None:
    assert unit_slip(unit) is None


def test_the_check_advises_at_the_unit(check: Callable[..., Report]) -> None:
    report = check("  - {id: q, kind: numeric, lesson: l, sources: [s], unit: GBps, prompt: P, formula: 4}\n")
    assert report.errors == ()
    assert [(fault.rule, fault.line, fault.column) for fault in report.advice] == [("unknown-unit", 13, 59)]
