from fractions import Fraction

import pytest

from quiz.problem.units import COUNT, Unit, UnitError, convert, is_unit, unit_of


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        (None, COUNT),
        ("1", COUNT),
        ("heads", COUNT),
        ("%", Unit("1", Fraction(1, 100))),
        ("B", Unit("B")),
        ("bits", Unit("B", Fraction(1, 8))),
        ("KiB", Unit("B", Fraction(1024), prefixed=True)),
        ("MB", Unit("B", Fraction(10**6), prefixed=True)),
        ("TiB", Unit("B", Fraction(2**40), prefixed=True)),
        ("FLOP", Unit("FLOP")),
        ("GFLOPs", Unit("FLOP", Fraction(10**9))),
        ("FLOP/B", Unit("FLOP/B")),
        ("FLOPs per byte", Unit("FLOP/B")),
        ("B/token", Unit("B")),
        ("GB/MB", Unit("1", Fraction(1000))),
        ("Seconds", Unit("seconds")),
    ],
)
def test_a_unit_has_a_dimension_and_a_size(text: str | None, unit: Unit) -> None:
    assert unit_of(text) == unit


def test_values_are_converted_exactly() -> None:
    assert convert(17179869184, "B", "GiB") == 16
    assert convert(1, "GiB", "MiB") == 1024
    assert convert(8, "bits", "B") == 1
    assert convert(Fraction(1, 8), "1", "%") == Fraction(25, 2)
    assert convert(64, None, "heads") == 64
    assert isinstance(convert(2048, "B", "KiB"), int)


def test_different_things_are_never_converted() -> None:
    with pytest.raises(UnitError, match="B cannot be turned into FLOP"):
        convert(1, "B", "FLOP")


def test_a_unit_alone_is_recognised() -> None:
    assert all(map(is_unit, ["GiB", "heads", "Gb", "K", "FLOP/B"]))
    assert not any(map(is_unit, ["head_dim", "sixty"]))
