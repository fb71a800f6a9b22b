from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz.problem.diagnosis import Diagnosis, diagnose

GIVENS: dict[str, int | Fraction | str] = {
    "num_layers": 80,
    "num_kv_heads": 10,
    "num_heads": 70,
    "head_dim": 96,
    "dtype": "bf16",
}
KEY = 2 * 80 * 10 * 96 * 2


def said(typed: int | Fraction, unit: str | None = "B", **more: Fraction | bool) -> str:
    found = diagnose(typed, KEY, GIVENS, unit, **more)  # type: ignore[arg-type]
    return found.text if found else ""


def test_a_forgotten_given_is_named() -> None:
    assert said(KEY // 80) == "Off by exactly num_layers = 80: as if num_layers had been left out."


def test_a_given_too_many_is_named() -> None:
    assert said(KEY * 96) == "Off by exactly head_dim = 96: as if head_dim were in it once too often."


def test_one_given_in_place_of_another_is_named() -> None:
    assert (
        said(KEY * 7)
        == "Off by exactly num_heads / num_kv_heads = 7: as if num_heads stood where num_kv_heads belongs."
    )


def test_two_forgotten_givens_are_named() -> None:
    assert (
        said(KEY // 7680)
        == "Off by exactly num_layers × head_dim = 7,680: as if num_layers and head_dim had both been left out."
    )


def test_a_factor_of_two_is_named_with_what_it_usually_is() -> None:
    assert said(KEY // 2).startswith("Exactly half the answer: as if a factor 2 were missing (K and V")
    assert said(KEY * 2).startswith("Exactly twice the answer")
    assert "a multiply and an add" in said(KEY // 2, "FLOP")


def test_a_square_and_a_root_are_named() -> None:
    assert "head_dim²" in said(KEY * 96 * 96)
    assert "square root of head_dim = 96" in said(Fraction(KEY * 9798, 1000), slack=Fraction(1, 100))


def test_slips_of_the_unit_are_near() -> None:
    slips: list[tuple[int | Fraction, str]] = [
        (Fraction(KEY) * Fraction(1000, 1024) ** 3, "GB for GiB"),
        (Fraction(KEY) * Fraction(1024, 1000) ** 2, "MiB for MB"),
        (KEY * 8, "Bits for bytes"),
        (Fraction(KEY, 8), "Bytes for bits"),
        (Fraction(KEY, 1024), "right in KiB"),
        (Fraction(KEY, 10**6), "right in MB"),
        (KEY * 1024, "prefix is too large"),
    ]
    for typed, text in slips:
        found = diagnose(typed, KEY, GIVENS, "B")
        assert found is not None
        assert found.near
        assert text in found.text


def test_a_share_and_a_per_cent_are_told_apart() -> None:
    assert diagnose(Fraction(25, 2), Fraction(1, 8), {}, None) == Diagnosis(
        "That is in per cent: type the % with it.", True
    )
    assert diagnose(Fraction(1, 8), Fraction(25, 2), {}, "%") == Diagnosis(
        "That is a share: times 100 it is in %.", True
    )


def test_a_given_that_explains_as_well_as_a_unit_costs_the_near_miss() -> None:
    found = diagnose(KEY * 8, KEY, GIVENS | {"group_size": 8}, "B")
    assert found is not None
    assert not found.near
    assert "group_size = 8" in found.text
    assert "Bits for bytes" in found.text


def test_a_wrong_sign_is_named() -> None:
    assert said(-KEY) == "The sign is the wrong way round."


@pytest.mark.parametrize("typed", [0, KEY, KEY + 1, KEY * 11, -KEY * 2])
def test_nothing_is_said_without_an_honest_reason(typed: int) -> None:
    assert said(typed) == ""


def test_nothing_is_said_when_the_reasons_are_too_many() -> None:
    powers: dict[str, int | Fraction | str] = {f"size_{exponent}": 2**exponent for exponent in range(2, 12)}
    assert diagnose(2**13, 1, powers, None) is None


def test_a_guess_that_hits_the_ratio_of_two_givens_by_chance_is_told_nothing() -> None:
    # 4 GiB typed for 5 GiB: 32 / 40 and 4 / 5 both give it, and so does any guess.
    givens = {"num_layers": 40, "num_kv_heads": 4, "group_size": 5, "head_dim": 64, "batch": 32, "seq_len": 4096}
    assert diagnose(4 * 2**30, 5 * 2**30, givens, "GiB") is None
    assert diagnose(4, 5, {"num_layers": 40, "batch": 32}, "1") is None
    assert diagnose(32, 39, {"num_layers": 39, "batch": 32}, "1") is not None


def test_of_two_explanations_by_two_factors_none_is_told() -> None:
    assert diagnose(21, 1, {"a": 3, "b": 7}, "1") is not None
    assert diagnose(21, 1, {"a": 3, "b": 7, "c": 42, "d": Fraction(1, 2)}, "1") is None


def test_a_rounded_number_is_off_by_about_a_factor() -> None:
    assert said(Fraction(KEY * 10045, 1000), slack=Fraction(1, 100)).startswith("Off by about num_kv_heads = 10")
    assert said(Fraction(KEY * 10045, 1000)) == ""


@given(st.fractions(), st.fractions(), st.dictionaries(st.sampled_from("abcd"), st.fractions()), st.sampled_from("1B%"))
def test_any_numbers_are_diagnosed_or_not(
    typed: Fraction, right: Fraction, givens: dict[str, Fraction], unit: str
) -> None:
    found = diagnose(typed, right, givens, unit, Fraction(1, 100))
    assert found is None or found.text.isprintable()
