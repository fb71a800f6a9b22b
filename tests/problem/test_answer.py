import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quiz.problem.answer import Reading, Unreadable, read_number, read_shape
from quiz.render.numbers import show_quantity, show_shape

UNITS = st.sampled_from([None, "1", "B", "FLOP", "FLOP/B", "%", "GiB", "heads", "wibble"])
ALPHABET = "0123456789.,_' +-*/^%()[]xX×·–−eEkKMGiBb=;:½²³⁻√n\t\u00a0"


@pytest.fixture
def shared() -> Path:
    folder = Path(__file__).resolve().parents[3] / "shared"
    if not folder.is_dir():
        pytest.skip("no shared cases beside the checkout")
    return folder


def value_of(text: str, unit: str | None = None) -> object:
    return read_number(text, unit).value


def refusal_of(text: str, unit: str | None = None) -> str:
    with pytest.raises(Unreadable) as caught:
        read_number(text, unit)
    assert str(caught.value).isprintable()
    return caught.value.why


def said_of_number(text: str, unit: str | None) -> str:
    try:
        return read_number(text, unit).text
    except Unreadable as refused:
        return f"{refused.why}: {refused}"


def said_of_shape(text: str) -> str:
    try:
        return read_shape(text).text
    except Unreadable as refused:
        return f"{refused.why}: {refused}"


def test_every_shared_case_is_read_or_refused_as_it_says(shared: Path) -> None:
    rows = json.loads((shared / "cases" / "typed_answers.json").read_text())
    wrong = []
    for row in rows:
        typed = row["typed"]
        try:
            reading = (
                read_shape(typed) if row["kind"] == "shape" else read_number(typed, {"bytes": "B"}.get(row["kind"]))
            )
            outcome = list(reading.value) if isinstance(reading.value, tuple) else str(reading.value)
        except Unreadable as refused:
            outcome = refused.why
        if outcome != row.get("value", row.get("why")):
            wrong.append((typed[:60], outcome))
    assert rows
    assert wrong == []


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("1,048,576", 1048576),
        ("1 000 000", 1000000),
        ("1\u00a0024", 1024),
        ("1\u202f024", 1024),
        ("1’024", 1024),
        ("0064", 64),
        (" 64\n", 64),
        ("5/10,000", Fraction(1, 2000)),
        ("138*10^-3", Fraction(138, 1000)),
        ("10⁻³", Fraction(1, 1000)),
        ("2^10²", 2**100),
        ("-1 1/2", Fraction(-3, 2)),
        ("1 024/2", 512),
        ("2·½", 1),
        ("1 ½", Fraction(3, 2)),
        ("½ %", Fraction(1, 200)),
        ("1/2 %", Fraction(1, 200)),
        ("-2^2", -4),
        ("1/√(64)", Fraction(1, 8)),
        ("√4,096", 64),
        ("max(3, 5)", 5),
        ("sqrt(4,096)", 64),
        ("5e35", 5 * 10**35),
        ("0.1234567890123456789", Fraction(1234567890123456789, 10**19)),
        ("8x", 8),
        ("8×", 8),
        ("128 KV heads", 128),
        ("128 elements per token per layer", 128),
        ("٣٫٥", Fraction(7, 2)),
        ("－3", -3),
        ("hidden_size=4096", 4096),
    ],
)
def test_a_count_is_read_however_it_is_written(typed: str, value: int | Fraction) -> None:
    assert value_of(typed) == value


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("1,5", "1.5"),
        ("1,5 KiB", "1.5 KiB"),
        ("-0,125 GiB", "-0.125 GiB"),
        ("1.024,5 kB", "1024.5 kB"),
        ("2 * 1,5 MB", "2 * 1.5 MB"),
        ("1,5.", "1.5"),
        ("1,5 + 2,5", "1.5"),
    ],
)
def test_a_decimal_comma_is_answered_with_the_whole_answer_that_was_meant(typed: str, meant: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read_number(typed, "B")
    assert (caught.value.why, str(caught.value)) == ("decimal comma", f"Use a point: did you mean {meant}?")


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "empty"),
        ("\u200b", "empty"),
        ("0,125", "decimal comma"),
        ("10,24", "decimal comma"),
        ("1.024.000", "separator"),
        ("0.123_4", "separator"),
        ("1 024,000", "mixed separators"),
        ("1 100/200", "stray blank"),
        ("6 4/2", "stray blank"),
        ("1e 3", "stray blank"),
        ("1e3.5", "malformed"),
        ("1 1/2^2", "malformed"),
        ("1.5½", "malformed"),
        ("10₂", "malformed"),
        ("①", "malformed"),
        ("2(3)", "malformed"),
        ("(2)3", "malformed"),
        ("(2", "malformed"),
        ("2)", "malformed"),
        ("64=64", "malformed"),
        ("4 + 50 %", "malformed"),
        ("800 % 12", "malformed"),
        ("64–128", "two numbers"),
        ("64, 128", "two numbers"),
        ("max(1,024)", "separator"),
        ("=", "no number"),
        ("inf", "words"),
        ("I do not know", "words"),
        ("10*e", "name"),
        ("log(8)", "not arithmetic"),
        ("1e400", "too large"),
        ("1e999999999", "too large"),
        ("6/0", "division by zero"),
        ("2^(1/2)", "domain"),
        ("7B", "wrong dimension"),
        ("1 KiB", "wrong dimension"),
        ("4K", "incomplete unit"),
        ("8x smaller", "unknown unit"),
        ("12\u202e34", "control character"),
        ("6\n4", "control character"),
        ("1" * 241, "too long"),
    ],
)
def test_what_could_mean_two_things_or_none_is_refused(typed: str, why: str) -> None:
    assert refusal_of(typed) == why


def test_a_decimal_comma_is_answered_with_the_number_that_was_probably_meant() -> None:
    with pytest.raises(Unreadable, match=r"did you mean 0\.125\?"):
        read_number("0,125", None)
    with pytest.raises(Unreadable, match=r"did you mean 1024\.5\?"):
        read_number("1.024,5", None)


@pytest.mark.parametrize(
    ("typed", "value", "prefixed"),
    [
        ("16", 16, False),
        ("16 B", 16, False),
        ("8 bits", 1, False),
        ("16 KiB", 16384, True),
        ("16kB", 16000, True),
        ("1.07 GB", 1070000000, True),
        ("1 PiB", 2**50, True),
        ("8 Gbit", 10**9, True),
        ("2 kibibytes", 2048, True),
        ("128 KiB per token", 131072, True),
        ("131072 B/token", 131072, False),
        ("131,072 per token", 131072, False),
        ("(1 + 2) GiB", 3 * 2**30, True),
    ],
)
def test_bytes_are_read_with_any_prefix(typed: str, value: int, prefixed: bool) -> None:
    assert read_number(typed, "B") == Reading(value, show_quantity(value, "B"), prefixed)


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("16 gb", "bits or bytes"),
        ("16 kb", "bits or bytes"),
        ("16 Gib", "bits or bytes"),
        ("16 b", "bits or bytes"),
        ("1 + 2 GiB", "malformed"),
        ("1 GiB + 2 MiB", "two numbers"),
        ("1 GB/s", "unknown unit"),
        ("50 %", "wrong dimension"),
        ("5 FLOP", "wrong dimension"),
    ],
)
def test_bytes_that_could_be_bits_or_something_else_are_refused(typed: str, why: str) -> None:
    assert refusal_of(typed, "B") == why


def test_work_is_read_with_decimal_prefixes() -> None:
    assert (
        value_of("1.2 GFLOP", "FLOP") == value_of("1.2e9 flops", "FLOP") == value_of("1200000000", "FLOP") == 1200000000
    )
    assert not read_number("1.2 GFLOP", "FLOP").prefixed
    assert refusal_of("5 MACs", "FLOP") == "unknown unit"


def test_any_other_unit_takes_a_bare_number_or_itself() -> None:
    assert value_of("64", "FLOP/B") == value_of("64 FLOP/B", "FLOP/B") == value_of("64 FLOPs per byte", "FLOP/B") == 64
    assert value_of("16 Wibble", "wibble") == value_of("16", "wibble") == 16
    assert refusal_of("64 B", "FLOP/B") == "wrong dimension"
    assert refusal_of("16 GiB", "wibble") == "wrong dimension"


def test_a_per_cent_is_a_hundredth_whatever_the_question_asks_in() -> None:
    assert value_of("12.5 %", None) == Fraction(1, 8)
    assert value_of("12.5 %", "%") == value_of("12.5", "%") == Fraction(25, 2)


def test_another_unit_of_the_dimension_is_turned_into_the_questions_own() -> None:
    assert value_of("17.179869184 GB", "GiB") == value_of("16", "GiB") == 16


@pytest.mark.parametrize(
    ("typed", "sizes"),
    [
        ("2x12x3", (2, 12, 3)),
        ("((2, 3))", (2, 3)),
        ("shape = (2, 3)", (2, 3)),
        ("x.shape=(2,3)", (2, 3)),
        ("<2 3>", (2, 3)),
        ("4,128", (4, 128)),
        ("(2*64,)", (128,)),
        ("(2*3, (1+2))", (6, 3)),
        ("(8, 4.0)", (8, 4)),
        ("(0, 3)", (0, 3)),
        ("[]", ()),
    ],
)
def test_a_shape_is_read_in_any_brackets(typed: str, sizes: tuple[int, ...]) -> None:
    assert read_shape(typed).value == sizes


@pytest.mark.parametrize(
    "typed",
    [
        "(4,096, 1,024)",
        "(4,128, 1,256)",
        "1,024",
        "(1 024, 64)",
        "2x12, 3",
        "[2, 12)",
        "(2,3)(4)",
        "(2,,3)",
        ",",
        "(2, 3.5)",
        "(2, 3 heads)",
        "½",
        "-1",
    ],
)
def test_a_shape_that_could_be_another_is_refused(typed: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read_shape(typed)
    assert caught.value.why == "ambiguous or not a shape"


@given(st.integers(-(2**512) + 1, 2**512 - 1), UNITS)
def test_a_shown_whole_number_is_read_back(number: int, unit: str | None) -> None:
    assert value_of(show_quantity(number, unit), unit) == number


@given(st.integers(-(10**18), 10**18), st.integers(0, 10), UNITS)
def test_a_shown_short_decimal_is_read_back(digits: int, places: int, unit: str | None) -> None:
    number = Fraction(digits, 10**places)
    assert value_of(show_quantity(number, unit), unit) == number


@given(st.fractions(), UNITS)
def test_a_reading_in_words_is_read_back_nearly(number: Fraction, unit: str | None) -> None:
    back = value_of(show_quantity(number, unit), unit)
    assert isinstance(back, int | Fraction)
    assert abs(back - number) <= abs(number) / 10_000


@given(st.lists(st.integers(0, 10**9), max_size=8).map(tuple))
def test_a_shown_shape_is_read_back(sizes: tuple[int, ...]) -> None:
    assert read_shape(show_shape(sizes)).value == sizes


@given(st.text() | st.text(ALPHABET, max_size=12), UNITS)
@example("√", None)
@example("1 1/0", None)
@example("=½", "%")
@example("⅟", None)
@example("1ª", None)
def test_any_text_is_read_or_refused_in_printable_words(text: str, unit: str | None) -> None:
    for words in (said_of_number(text, unit), said_of_shape(text)):
        assert words
        assert words.isprintable()
