from collections.abc import Callable

import pytest

from quiz.lint.check import Report

Check = Callable[..., Report]
RULE = "prompt-lacks-given"


def numeric(prompt: str, formula: str = "n * m", draw: str = "{n: {from: 1, to: 8}, m: {from: 1, to: 5}}") -> str:
    return (
        f'  - {{id: q, kind: numeric, lesson: l, sources: [s], unit: B, prompt: "{prompt}", draw: {draw}, '
        f"formula: {formula}}}\n"
    )


def test_a_number_that_is_needed_and_not_said_is_an_error(check: Check) -> None:
    (fault,) = check(numeric("{n} heads of some width?")).errors
    assert fault.rule == RULE
    assert fault.message == "q: two variants read the same, but the answers are 1 B and 2 B: m = 1 and 2"
    assert fault.fix == "say {m} in the prompt"


@pytest.mark.parametrize(
    ("prompt", "formula"),
    [
        ("{n} by {m}?", "n * m"),
        ("{n:,} by {m:bytes}?", "n * m"),
        ("{n * 100 + m}?", "n * m"),
        ("`x.view({n}, {m})`?", "n * m"),
        ("{n}?", "n + 0 * m"),
        ("A fixed text?", "7 + 0 * n"),
    ],
)
def test_what_decides_the_answer_may_be_said_in_any_way(check: Check, prompt: str, formula: str) -> None:
    assert RULE not in [fault.rule for fault in check(numeric(prompt, formula)).errors]


def test_braces_that_are_written_and_not_filled_say_nothing(check: Check) -> None:
    assert RULE in [fault.rule for fault in check(numeric("{n} of {{m}}?")).errors]


def test_a_rounded_number_may_say_too_little(check: Check) -> None:
    question = numeric("{n} and {m // 2}?")
    (fault,) = check(question).errors
    assert fault.rule == RULE
    assert "m = 2 and 3" in fault.message


def test_a_choice_is_decided_by_its_choices_too(check: Check) -> None:
    said = "  - {id: q, kind: choice, lesson: l, sources: [s], prompt: P, draw: {n: [1, 2, 3, 4]}, choices: "
    shown = '[{text: "{n}", when: n % 2 == 0, why: W}, {text: "{n + 10}", when: n % 2 == 1, why: W}]}\n'
    hidden = "[{text: Even, when: n % 2 == 0, why: W}, {text: Odd, when: n % 2 == 1, why: W}]}\n"
    assert check(said + shown).errors == ()
    (fault,) = check(said + hidden).errors
    assert fault.rule == RULE
    assert "the answers are Odd and Even: n = 1 and 2" in fault.message
