"""Text we did not write reaches the terminal as plain text."""

from hypothesis import given
from hypothesis import strategies as st

from quiz.render.printable import one_line, printable


def test_control_characters_are_made_visible() -> None:
    assert printable("a\x1b[31mb") == "a␛[31mb"
    assert printable("bell\x07 delete\x7f") == "bell␇ delete␡"
    assert printable("\x9b31m") == "‹009B›31m"


def test_text_that_turns_or_hides_is_made_visible() -> None:
    assert printable("abc\u202edef") == "abc‹202E›def"
    assert printable("zero\u200bwidth") == "zero‹200B›width"
    assert printable("lone \ud800") == "lone ‹D800›"


def test_lines_and_tabs_stay_what_they_are() -> None:
    assert printable("a\r\nb\rc\td") == "a\nb\nc    d"
    assert one_line(" a\n\tb ") == "a b"


def test_ordinary_letters_of_any_script_are_left_alone() -> None:
    assert printable("√d · θ₁ ≤ 漢字 é") == "√d · θ₁ ≤ 漢字 é"


@given(st.text())
def test_nothing_that_a_terminal_obeys_comes_through(text: str) -> None:
    out = printable(text)
    assert all(character == "\n" or character.isprintable() or character.isspace() for character in out)
    assert not any(ord(character) < 32 and character != "\n" for character in out)
