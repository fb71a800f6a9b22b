from collections.abc import Callable

import pytest

from quiz.lint.check import Report

Check = Callable[..., Report]
LEAK = "answer-in-prompt"


def leaks(check: Check, question: str) -> list[str]:
    report = check(question)
    assert report.errors == ()
    return [fault.message for fault in report.advice if fault.rule == LEAK]


def term(prompt: str, accept: str = "[latent]") -> str:
    return f'  - {{id: q, kind: text, lesson: l, sources: [s], prompt: "{prompt}", accept: {accept}}}\n'


@pytest.mark.parametrize(
    "prompt", ["What is the latent?", "LATENT, in short?", "Which latents?", "The ｌａｔｅｎｔ?", "(latent)"]
)
def test_a_term_in_its_own_prompt_is_noticed_in_any_spelling(check: Check, prompt: str) -> None:
    assert leaks(check, term(prompt)) == ["q: the prompt contains the answer 'latent'"]


@pytest.mark.parametrize("prompt", ["What does MLA cache?", "What is blatent?", "What is late?"])
def test_a_term_inside_another_word_is_none(check: Check, prompt: str) -> None:
    assert leaks(check, term(prompt)) == []


def test_any_accepted_spelling_counts(check: Check) -> None:
    assert leaks(check, term("The latent vector?", "[compressed, latent vector]")) == [
        "q: the prompt contains the answer 'latent vector'"
    ]


def numeric(prompt: str, rest: str) -> str:
    return f'  - {{id: q, kind: numeric, lesson: l, sources: [s], unit: "1", prompt: "{prompt}", {rest}}}\n'


def test_a_number_that_is_the_answer_is_noticed_however_it_is_grouped(check: Check) -> None:
    assert leaks(check, numeric("Is it 4,096 or not?", "formula: 4096")) == ["q: the answer 4096 stands in the prompt"]


@pytest.mark.parametrize(
    "prompt", ["Is it 40960?", "Is it x4096?", "Is it 4096.5?", "Is it 14,096?", "It is 4096x as large.", "v4096"]
)
def test_a_number_inside_another_is_none(check: Check, prompt: str) -> None:
    assert leaks(check, numeric(prompt, "formula: 4096")) == []


DRAW = "draw: {n: {from: 1, to: 40}}"


def test_a_derived_number_that_the_prompt_says_is_noticed(check: Check) -> None:
    assert leaks(check, numeric("Twice {n} is {2 * n}. How much?", f"{DRAW}, formula: 2 * n"))


def test_a_drawn_number_may_be_the_answer(check: Check) -> None:
    assert leaks(check, numeric("One of {n} and {n + 50}: which is smaller?", f"{DRAW}, formula: n")) == []


def test_a_coincidence_in_a_few_variants_is_none(check: Check) -> None:
    assert leaks(check, numeric("Twice {n}, and not 20?", f"{DRAW}, formula: 2 * n")) == []
