from collections.abc import Callable

import pytest

from quiz.lint.check import Report

Check = Callable[..., Report]


def choice(first: str, second: str, draw: str = "") -> str:
    return (
        f"  - {{id: q, kind: choice, lesson: l, sources: [s], prompt: P, {draw}choices: "
        f'[{{text: "{first}", right: true, why: W}}, {{text: "{second}", why: W}}]}}\n'
    )


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The KV cache", "the kv cache"),
        ("two  blanks", "two blanks"),
        ("a\\u00a0b", "a b"),
        ("ｈｅａｄ", "head"),
        ("zero\\u200bwidth", "zerowidth"),
        ("ﬁne", "fine"),
        ("Straße", "STRASSE"),
    ],
)
def test_choices_that_the_eye_does_not_tell_apart_are_an_error(check: Check, first: str, second: str) -> None:
    (fault,) = check(choice(first, second)).errors
    assert fault.rule == "look-alike"
    assert fault.line == 13
    assert fault.fix


@pytest.mark.parametrize(
    ("first", "second"),
    [("10²", "102"), ("x₂", "x2"), ("½", "1/2"), ("B", "8"), ("one", "ones"), ("O(n)", "O(n²)")],
)
def test_choices_that_read_differently_are_none(check: Check, first: str, second: str) -> None:
    assert check(choice(first, second)).errors == ()


def test_a_drawn_number_may_bring_it_about_and_is_told(check: Check) -> None:
    (fault,) = check(choice("N {n}", "n {4 - n}", "draw: {n: [1, 2, 3]}, ")).errors
    assert fault.message == "q: 'N 2' and 'n 2' look alike with n = 2"


def test_items_of_an_order_are_looked_at_too(check: Check) -> None:
    (fault,) = check(
        "  - {id: q, kind: order, lesson: l, sources: [s], prompt: P, items: [Scale, mask, scale]}\n"
    ).errors
    assert fault.rule == "look-alike"
    assert "'Scale' and 'scale'" in fault.message
