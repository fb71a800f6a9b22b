from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz.problem.marking import mark
from quiz.problem.picked import folded
from quiz.problem.variant import Answer, Choice, Idea, Variant


def made(kind: str, answer: Answer, **more: object) -> Variant:
    return Variant("pack/question", 1, "1.0.0", kind, "screen", None, "Which?", answer, **more)  # type: ignore[arg-type]


TWO_RIGHT = made(
    "choice",
    Answer((1, 3), "1, 3"),
    choices=(
        Choice("a", right=True, why="so it is"),
        Choice("b", why="not so", misconception="query-heads"),
        Choice("c", right=True, why="so too"),
        Choice("d", why="never"),
    ),
    ideas={"query-heads": Idea("Counts query heads", "Only KV heads are cached")},
)
ORDER = made("order", Answer((3, 1, 2, 4), "3, 1, 2, 4"), choices=tuple(map(Choice, "bcad")))
STAGE = made(
    "stage", Answer("forward", "forward"), why={"forward": "it reshapes there", "build": "nothing is built wrong"}
)
TERM = made("text", Answer("latent", "latent"), accept=("latent", "latent vector", "Größe"))


@pytest.mark.parametrize("typed", ["1,3", "3, 1", "3 1", "(1, 3)", "1 and 3", "１，３", "1,3,3"])
def test_the_right_choices_are_right_in_any_order(typed: str) -> None:
    judged = mark(TWO_RIGHT, typed)
    assert (judged.verdict, judged.reading) == ("right", "1, 3")
    assert judged.credit == 1


@pytest.mark.parametrize(
    ("typed", "credit"),
    [
        ("1", Fraction(1, 2)),
        ("1,2", Fraction(0)),
        ("1,2,3", Fraction(1, 2)),
        ("2,4", Fraction(0)),
        ("1,2,3,4", Fraction(0)),
    ],
)
def test_some_of_the_right_choices_earn_their_share_less_the_wrong_ones(typed: str, credit: Fraction) -> None:
    judged = mark(TWO_RIGHT, typed)
    assert (judged.verdict, judged.credit) == ("wrong", credit)


def test_the_feedback_on_a_choice_says_why_of_each_and_names_the_slip() -> None:
    judged = mark(TWO_RIGHT, "2")
    assert judged.misconception == "query-heads"
    assert judged.feedback.splitlines() == [
        "Not right: you picked 2; right are 1, 3.",
        "The slip: Counts query heads",
        "In fact: Only KV heads are cached",
        "1. a",
        "  Right: so it is",
        "2. b",
        "  Wrong: not so",
        "3. c",
        "  Right: so too",
        "4. d",
        "  Wrong: never",
    ]
    assert mark(TWO_RIGHT, "1").misconception is None


@pytest.mark.parametrize(
    ("typed", "said"), [("5", "1 to 4"), ("0", "1 to 4"), ("13", "mean 1, 3?"), ("b", "not a number")]
)
def test_what_is_no_choice_is_asked_for_again(typed: str, said: str) -> None:
    judged = mark(TWO_RIGHT, typed)
    assert judged.verdict == "unreadable"
    assert said in judged.feedback


def test_an_order_earns_by_its_longest_run_in_order() -> None:
    assert mark(ORDER, "3 > 1 > 2 > 4").verdict == "right"
    assert mark(ORDER, "3,1,4,2").credit == Fraction(2, 3)
    assert mark(ORDER, "4,2,1,3").credit == 0
    assert "  1. a\n  2. b\n  3. c\n  4. d" in mark(ORDER, "4,2,1,3").feedback


def test_every_other_order_is_wrong_and_earns_less_than_all() -> None:
    for order in permutations((1, 2, 3, 4)):
        judged = mark(ORDER, ",".join(map(str, order)))
        assert judged.verdict == ("right" if order == (3, 1, 2, 4) else "wrong")
        assert (judged.credit == 1) == (judged.verdict == "right")


@pytest.mark.parametrize(
    ("typed", "said"), [("3,1,2", "4 is missing"), ("3,1,2,4,4", "twice"), ("3124", "mean 3, 1, 2, 4?")]
)
def test_an_order_that_leaves_items_out_is_asked_for_again(typed: str, said: str) -> None:
    judged = mark(ORDER, typed)
    assert judged.verdict == "unreadable"
    assert said in judged.feedback


def test_a_stage_goes_by_its_name_or_number() -> None:
    assert mark(STAGE, " Forward ").verdict == mark(STAGE, "4").verdict == "right"
    assert mark(STAGE, "never but wrong").reading == mark(STAGE, "Never, but wrong").reading == "never-but-wrong"
    assert mark(STAGE, "7").reading == "never"
    assert mark(STAGE, "8").verdict == mark(STAGE, "forwards").verdict == "unreadable"


def test_a_wrong_stage_says_why_not_there_and_why_here() -> None:
    assert mark(STAGE, "build").feedback.splitlines() == [
        "Not right: you said build; it is forward.",
        "build: nothing is built wrong",
        "forward: it reshapes there",
    ]


@pytest.mark.parametrize(
    "typed", ["latent", " LATENT\u00a0vector ", "ｌａｔｅｎｔ", "GRÖSSE", "Gro\u0308ße", "la\u200btent"]
)
def test_a_term_is_right_in_any_case_and_unicode_form(typed: str) -> None:
    assert mark(TERM, typed).verdict == "right"


@pytest.mark.parametrize("typed", ["laten", "latents", "latentvector", "Grosse"])
def test_a_term_is_never_right_with_a_letter_wrong(typed: str) -> None:
    judged = mark(TERM, typed)
    assert judged.verdict == "wrong"
    assert judged.credit == 0
    assert "the answer is latent" in judged.feedback


@pytest.mark.parametrize("typed", ["latent\u00a0vector", " Latent \u3000 Vector"])
def test_a_term_is_repeated_with_ordinary_blanks(typed: str) -> None:
    assert mark(TERM, typed).reading.casefold() == "latent vector"


@given(st.text())
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert folded(folded(text)) == folded(text)
