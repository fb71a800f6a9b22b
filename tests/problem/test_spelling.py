import pytest

from quiz.problem.spelling import Unreadable, cleaned, plain, quoted, superscript, vulgar_fraction


def test_digits_signs_and_brackets_of_any_script_become_plain() -> None:
    assert plain("（１２８，−６４）") == "(128,-64)"
    assert plain("٤\u00a0٠٩٦") == "4 096"
    assert plain("2·3÷4") == "2*3/4"


def test_what_compatibility_forms_would_change_is_left_alone() -> None:
    assert plain("10³") == "10³"
    assert plain("1½") == "1½"
    assert plain("10₂") == "10₂"


def test_a_dash_that_may_mean_a_range_is_told_from_a_minus() -> None:
    assert plain("64—128") == "64–128"
    assert plain("64‐32") == "64-32"


def test_one_leading_name_is_dropped() -> None:
    assert plain("head_dim = 128") == plain("=128") == plain("config.head_dim=128") == "128"
    assert plain("a = b = 3") == "b = 3"
    assert plain("x == 3") == "x == 3"


def test_zero_width_characters_are_dropped_and_control_characters_refused() -> None:
    assert cleaned("\ufeff6\u200b4") == "64"
    for text in ("\x1b[2J", "6\x004", "\x9b1m", "\u202e46", "\ud800"):
        with pytest.raises(Unreadable) as caught:
            cleaned(text)
        assert caught.value.why == "control character"


def test_a_quotation_is_short_and_printable() -> None:
    assert quoted("a\x1bb") == "`a\\u001bb`"
    assert quoted("x" * 99) == "`" + "x" * 39 + "…`"


def test_raised_digits_and_vulgar_fractions_are_known() -> None:
    assert [superscript(sign) for sign in "³⁻⁺ª3"] == ["3", "-", "+", None, None]
    assert [vulgar_fraction(sign) for sign in "½⅒⅟2"] == [(1, 2), (1, 10), None, None]
