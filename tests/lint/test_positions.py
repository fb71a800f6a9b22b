from collections.abc import Callable

import pytest

from quiz.lint.check import Report

Check = Callable[..., Report]


def advice(check: Check, text: str, last: str = "") -> list[str]:
    report = check(
        "  - {id: q, kind: choice, lesson: l, sources: [s], prompt: P, choices: [{text: One, right: true, why: W}, "
        f'{{text: Two, why: W}}, {{text: "{text}", why: W{last}}}]}}\n'
    )
    assert report.errors == ()
    return [fault.fix for fault in report.advice if fault.rule == "shuffled-choice"]


@pytest.mark.parametrize(
    "text", ["All of the above", "none of the above", "Neither of the others.", "Both of the below"]
)
def test_a_choice_on_all_others_is_to_stay_last(check: Check, text: str) -> None:
    assert advice(check, text) == ["add `last: true`"]
    assert advice(check, text, ", last: true") == []


@pytest.mark.parametrize("text", ["A and B", "Both A and C", "B or C only", "1 and 3", "A, B and C", "neither A nor B"])
def test_a_choice_that_names_letters_is_told_even_at_the_end(check: Check, text: str) -> None:
    assert advice(check, text) == advice(check, text, ", last: true") == ["say what they say"]


@pytest.mark.parametrize(
    "text", ["K and V", "above 64", "A and B are cached", "all of the heads", "the mask above the diagonal"]
)
def test_other_choices_are_left_alone(check: Check, text: str) -> None:
    assert advice(check, text) == []
