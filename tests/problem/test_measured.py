from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from quiz.problem.mark import Mark
from quiz.problem.marking import mark
from quiz.problem.measured import is_within
from quiz.problem.variant import Answer, Idea, KnownMistake, Number, Sizes, Tolerance, Variant
from quiz.render.numbers import show_quantity, show_shape

HALF = Fraction(1, 2)
EXACT = Tolerance()


def numeric(
    value: Number,
    unit: str | None = None,
    mistakes: tuple[KnownMistake, ...] = (),
    tolerance: Tolerance = EXACT,
    **givens: int,
) -> Variant:
    return Variant(
        key="pack/question",
        seed=1,
        pack_version="1.0.0",
        kind="numeric",
        depth="screen",
        lesson=None,
        prompt="How many?",
        answer=Answer(value, show_quantity(value, unit)),
        givens=givens,
        unit=unit,
        mistakes=mistakes,
        tolerance=tolerance,
        steps=("first this", "then that"),
        ideas={"query-heads": Idea("Counts query heads", "Only KV heads are cached")},
    )


def shaped(sizes: Sizes, *mistakes: KnownMistake) -> Variant:
    return Variant(
        "pack/shape", 1, "1.0.0", "shape", "screen", None, "Shape?", Answer(sizes, show_shape(sizes)), mistakes=mistakes
    )


CACHE = numeric(
    131072,
    "B",
    (KnownMistake(524288, "query-heads", "32 heads instead of 8."), KnownMistake(65536, "one-tensor")),
    num_layers=32,
    num_kv_heads=8,
)


@pytest.mark.parametrize(
    "typed", ["131072", "131,072 B", "2*32*8*128*2", "128 KiB", "131 kB", "0.131 MB", "1048576 bits"]
)
def test_the_answer_is_right_in_every_spelling_and_unit(typed: str) -> None:
    judged = mark(CACHE, typed)
    assert (judged.verdict, judged.misconception) == ("right", None)
    assert judged.credit == 1
    assert judged.answer == "131,072 B"


def test_bytes_with_a_prefix_are_right_within_one_per_cent_and_the_edge_counts() -> None:
    hundred_kb = numeric(100_000, "B")
    assert mark(hundred_kb, "101 kB").verdict == "right"
    assert mark(hundred_kb, "99 kB").verdict == "right"
    assert mark(hundred_kb, "101.001 kB").verdict == "wrong"
    assert mark(hundred_kb, "101000 B").verdict == "wrong"


@pytest.mark.parametrize("typed", ["1023", "1025", "1024.5"])
def test_a_whole_number_is_exact(typed: str) -> None:
    assert mark(numeric(1024), typed).verdict == "wrong"


def test_a_big_whole_number_has_no_neighbours() -> None:
    assert mark(numeric(2147483648), "2147000000").verdict == "wrong"
    assert mark(numeric(2**60 + 1), str(2**60)).verdict == "wrong"


def test_the_edge_of_a_stated_tolerance_is_inside() -> None:
    absolute = numeric(Fraction(458, 10), tolerance=Tolerance(absolute=Fraction(2, 10)))
    assert mark(absolute, "46").verdict == mark(absolute, "45.6").verdict == "right"
    assert mark(absolute, "46.0001").verdict == "wrong"
    relative = numeric(Fraction(1, 8), tolerance=Tolerance(relative=Fraction(1, 100)))
    assert mark(relative, "0.12625").verdict == mark(relative, "12.5 %").verdict == "right"
    assert mark(relative, "0.1262501").verdict == "wrong"


def test_a_known_mistake_is_named_and_explained_with_the_worked_steps() -> None:
    judged = mark(CACHE, "524,288")
    assert judged == Mark(
        "wrong",
        Fraction(0),
        "524,288 B",
        "query-heads",
        "Not right: read as 524,288 B; the answer is 131,072 B.\n"
        "The slip: Counts query heads\n"
        "In fact: Only KV heads are cached\n"
        "32 heads instead of 8.\n"
        "Worked:\n"
        "  first this\n"
        "  then that",
        "131,072 B",
    )


def test_a_known_mistake_is_known_in_another_unit_too() -> None:
    assert mark(CACHE, "512 KiB").misconception == "query-heads"
    assert mark(CACHE, "524 kB").misconception == "query-heads"
    assert mark(CACHE, "524,289").misconception is None


def test_the_nearest_of_two_mistakes_wins_and_a_tie_names_both() -> None:
    one, other = KnownMistake(Fraction(200), "one", "About one."), KnownMistake(Fraction(202), "other", "About other.")
    near = numeric(Fraction(501, 5), None, (one, other), Tolerance(relative=Fraction(1, 100)))
    assert mark(near, "200.9").misconception == "one"
    assert mark(near, "201.1").misconception == "other"
    tied = mark(near, "201")
    assert "About one." in tied.feedback
    assert "About other." in tied.feedback


def test_what_the_tolerance_promises_is_right_even_beside_a_mistake() -> None:
    near = numeric(Fraction(1001, 10), None, (KnownMistake(102, "close"),), Tolerance(relative=Fraction(1, 100)))
    assert mark(near, "101.1").verdict == "right"


def test_a_mistake_that_is_no_whole_number_is_known_as_it_is_shown() -> None:
    divided = numeric(66, None, (KnownMistake(Fraction(200, 3), "no-floor"),))
    assert mark(divided, "66.6667").misconception == mark(divided, "66.67").misconception == "no-floor"


@pytest.mark.parametrize(
    ("variant", "typed", "why"),
    [
        (CACHE, "131000", "rounded to 3 digits"),
        (CACHE, "128 KB", "KB for KiB"),
        (CACHE, "128", "right in KiB"),
        (numeric(16 * 2**30, "B"), "16 GB", "GB for GiB"),
        (numeric(16 * 2**30, "B"), "17.18", "right in GB"),
        (numeric(16 * 2**30, "B"), "16 MiB", "prefix is too small"),
        (numeric(16 * 2**30, "B"), str(2**37), "Bits for bytes"),
        (numeric(66), "66.67", "a whole number"),
        (numeric(Fraction(883883, 10**7), None, (), Tolerance(Fraction(1, 100))), "0.09", "rounded to 1 digit"),
    ],
)
def test_a_near_miss_is_wrong_with_half_the_credit_and_its_own_words(variant: Variant, typed: str, why: str) -> None:
    judged = mark(variant, typed)
    assert (judged.verdict, judged.credit) == ("wrong", HALF)
    assert why in judged.feedback


def test_a_small_whole_number_has_no_near_misses_by_rounding() -> None:
    assert mark(numeric(128), "130").credit == 0
    assert mark(numeric(64), "60").credit == 0
    assert mark(numeric(1), "0.5").credit == 0


def test_a_wrong_number_is_told_what_it_is_off_by() -> None:
    judged = mark(CACHE, "4096")
    assert judged.credit == 0
    assert "Off by exactly num_layers = 32: as if num_layers had been left out." in judged.feedback


def test_what_cannot_be_read_is_not_marked() -> None:
    judged = mark(CACHE, "16 Gb")
    assert (judged.verdict, judged.reading) == ("unreadable", "")
    assert judged.credit == 0
    assert "bits or bytes" in judged.feedback


def test_a_shape_is_right_in_any_brackets_and_wrong_in_another_order() -> None:
    heads = shaped((2, 12, 16, 64), KnownMistake((2, 16, 12, 64), "no-transpose"))
    assert mark(heads, "[2 12 16 64]").verdict == "right"
    assert mark(heads, "2, 16, 12, 64").misconception == "no-transpose"
    assert "another order" in mark(heads, "2,12,64,16").feedback
    assert "Only axis 4 of 4 differs: 64, not 32." in mark(heads, "2,12,16,32").feedback
    assert "4 axes; yours has 3. The number of elements is the same." in mark(heads, "2,12,1024").feedback
    assert "2 of 4 axes differ." in mark(heads, "2,12,17,65").feedback
    assert mark(heads, "(B, S)").verdict == "unreadable"


@given(st.integers(0, 10**30), st.sampled_from([None, "B", "FLOP", "FLOP/B", "%"]))
def test_the_display_of_a_whole_answer_typed_back_is_right(value: int, unit: str | None) -> None:
    variant = numeric(value, unit)
    assert mark(variant, variant.answer.display).verdict == "right"


@given(st.fractions(), st.sampled_from([None, "B", "FLOP/B", "%"]))
def test_the_display_of_any_other_answer_typed_back_is_right(value: Fraction, unit: str | None) -> None:
    variant = numeric(value, unit, tolerance=Tolerance(relative=Fraction(1, 100)))
    assert mark(variant, variant.answer.display).verdict == "right"


@given(st.integers(1, 10**9), st.integers(1, 10**9))
def test_every_displayed_mistake_is_marked_as_that_mistake(value: int, wrong_value: int) -> None:
    assume(value != wrong_value)
    variant = numeric(value, "B", (KnownMistake(wrong_value, "query-heads"),))
    assert mark(variant, show_quantity(wrong_value, "B")).misconception == "query-heads"


@given(st.lists(st.integers(0, 10**6), max_size=6).map(tuple))
def test_the_display_of_a_shape_typed_back_is_right(sizes: Sizes) -> None:
    variant = shaped(sizes)
    assert mark(variant, variant.answer.display).verdict == "right"


@given(st.fractions(), st.fractions(0, 1))
def test_the_edge_is_inside_and_a_hair_beyond_is_not(value: Fraction, share: Fraction) -> None:
    tolerance = Tolerance(relative=share)
    edge = value + abs(value) * share
    assert is_within(edge, value, tolerance, prefixed=False)
    assert not is_within(edge + Fraction(1, 10**50), value, tolerance, prefixed=False)
