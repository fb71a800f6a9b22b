from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz.render.numbers import counted, group_digits, show_band, show_number, show_quantity, show_shape


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0"),
        (64, "64"),
        (131072, "131,072"),
        (-1048576, "-1,048,576"),
        (Fraction(64), "64"),
        (Fraction(1, 8), "0.125"),
        (Fraction(-1, 8), "-0.125"),
        (Fraction(2049, 2), "1,024.5"),
        (Fraction(1, 1024), "0.0009765625"),
        (Fraction(1, 3), "0.333333"),
        (Fraction(200, 3), "66.6667"),
        (Fraction(-200, 3), "-66.6667"),
        (Fraction(2, 3_000_000), "0.000000666667"),
        (Fraction(10**9, 3), "333,333,333"),
        (Fraction(1, 3 * 10**13), "3.33333e-14"),
        (Fraction(999_999_999, 1_000_000_007), "1"),
    ],
)
def test_a_number_is_exact_when_short_and_rounded_otherwise(value: int | Fraction, shown: str) -> None:
    assert show_number(value) == shown


def test_digits_come_in_groups_of_three() -> None:
    assert group_digits(17179869184) == "17,179,869,184"


def test_a_unit_follows_the_number_and_a_count_has_none() -> None:
    assert show_quantity(131072, "B") == "131,072 B"
    assert show_quantity(Fraction(5, 2), "FLOP/B") == "2.5 FLOP/B"
    assert show_quantity(64, "1") == show_quantity(64, None) == "64"


def test_shapes_are_written_as_python_writes_them() -> None:
    assert show_shape((2, 12, 16, 64)) == "(2, 12, 16, 64)"
    assert show_shape((64,)) == "(64,)"
    assert show_shape(()) == "()"


@given(st.lists(st.integers(0, 10**12), max_size=6).map(tuple))
def test_a_shown_shape_is_the_repr_of_the_tuple(sizes: tuple[int, ...]) -> None:
    assert show_shape(sizes) == repr(sizes)


@given(st.fractions())
def test_a_shown_number_is_within_a_hundredth_of_a_percent(value: Fraction) -> None:
    shown = Fraction(show_number(value).replace(",", ""))
    assert abs(shown - value) <= abs(value) / 10_000


@given(st.integers(-(10**18), 10**18), st.integers(0, 10))
def test_short_decimals_are_shown_exactly(digits: int, places: int) -> None:
    value = Fraction(digits, 10**places)
    assert Fraction(show_number(value).replace(",", "")) == value


def test_a_band_is_written_in_whole_percents() -> None:
    assert show_band(0.7, 0.849) == "70–85 %"
    assert show_band(0, 1) == "0–100 %"


def test_one_is_no_plural() -> None:
    assert [counted(count, "answer") for count in (0, 1, 2, 1000)] == [
        "0 answers",
        "1 answer",
        "2 answers",
        "1,000 answers",
    ]
