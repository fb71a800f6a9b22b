import pytest

from quiz.bank.flow_slips import item_around

LINE = "  - {id: q, prompt: the size: it, hints: [one, two], back: B}"


@pytest.mark.parametrize(
    ("column_of", "text"),
    [
        ("q,", "q"),
        ("the size", "the size: it"),
        (": it", "the size: it"),
        ("two]", "two]"),
        ("B}", "B"),
    ],
)
def test_a_text_between_brackets_goes_from_its_key_to_the_next(column_of: str, text: str) -> None:
    found = item_around(LINE, LINE.index(column_of))
    assert found == (text, LINE.index(text))


def test_a_key_is_the_text_until_its_value_begins() -> None:
    assert item_around(LINE, LINE.index("id")) == ("id: q", LINE.index("id"))


@pytest.mark.parametrize(("line", "column"), [("a: b", 3), ("", 0), ("just text", 5), (LINE, 2)])
def test_where_no_bracket_was_opened_there_is_none(line: str, column: int) -> None:
    assert item_around(line, column) is None


def test_a_text_may_run_to_the_end_of_its_line() -> None:
    assert item_around("  {prompt: goes on", 12) == ("goes on", 11)
