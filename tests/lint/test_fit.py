import pytest

from quiz.lint.fit import WIDEST, too_wide, width


@pytest.mark.parametrize(
    ("line", "columns"), [("head_dim", 8), ("", 0), ("头维", 4), ("é", 1), ("e\u0301", 1), ("Ｈ", 2), ("—", 1)]
)
def test_a_line_is_as_wide_as_a_terminal_draws_it(line: str, columns: int) -> None:
    assert width(line) == columns


def fenced(code: str) -> str:
    return f"Look:\n\n```python\n{code}\n```\n\nDone."


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (fenced("x" * WIDEST["code"]), None),
        (fenced("x" * (WIDEST["code"] + 1)), "wide-code"),
        (fenced("头" * 26), "wide-code"),
        ("x" * WIDEST["prose"], None),
        ("x" * (WIDEST["prose"] + 1), "wide-word"),
        ("word " * 40, None),
        ("https://example.org/" + "x" * 80, None),
        ("{" + "n" * 80 + "}", None),
        ("`" + "x" * 80 + "`", None),
    ],
)
def test_code_and_single_words_have_to_fit_and_prose_wraps(text: str, rule: str | None) -> None:
    found = too_wide(("prompt",), text)
    assert (found[0] if found else None) == rule


def test_a_snippet_is_code_throughout_and_has_a_little_more_room() -> None:
    assert too_wide(("snippet",), "x" * 53) is None
    found = too_wide(("snippet",), "ok\n" + "x" * 54)
    assert found is not None
    assert found[:2] == ("wide-code", "a line of code is 54 columns wide, and 53 fit")


@pytest.mark.parametrize("path", [("choices", 0, "text"), ("items", 2)])
def test_a_word_has_less_room_behind_the_number_of_a_choice(path: tuple[str | int, ...]) -> None:
    assert too_wide(path, "x" * 50) is None
    assert too_wide(path, "x" * 51) is not None


def test_a_long_word_is_quoted_in_short() -> None:
    found = too_wide(("prompt",), "y" * 200)
    assert found is not None
    assert "200 columns" in found[1]
    assert len(found[1]) < 100
