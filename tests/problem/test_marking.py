import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz.errors import UsageError
from quiz.problem.marking import mark
from quiz.problem.variant import Answer, Choice, Variant


def made(kind: str, answer: Answer, **more: object) -> Variant:
    return Variant("pack/question", 1, "1.0.0", kind, "screen", None, "Which?", answer, **more)  # type: ignore[arg-type]


VARIANTS = [
    made("numeric", Answer(131072, "131,072 B"), unit="B", givens={"num_layers": 32, "dtype": "bf16"}),
    made("numeric", Answer(128, "128")),
    made("shape", Answer((2, 12, 16, 64), "(2, 12, 16, 64)")),
    made("choice", Answer((2,), "2"), choices=(Choice("a"), Choice("b", right=True))),
    made("order", Answer((3, 1, 2), "3, 1, 2"), choices=tuple(map(Choice, "bca"))),
    made("stage", Answer("never-but-wrong", "never-but-wrong")),
    made("text", Answer("latent", "latent"), accept=("latent",)),
]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.kind)
def test_the_display_typed_back_is_right(variant: Variant) -> None:
    judged = mark(variant, variant.answer.display)
    assert (judged.verdict, judged.answer) == ("right", variant.answer.display)
    assert judged.credit == 1
    assert judged.feedback.startswith("Right: ")


@pytest.mark.parametrize("kind", ["card", "open"])
def test_what_the_learner_judges_cannot_be_marked(kind: str) -> None:
    with pytest.raises(UsageError, match="judge your answer yourself"):
        mark(made(kind, Answer(None, "the back")), "anything")


@given(st.sampled_from(VARIANTS), st.text() | st.text("0123456789,. ()xKMGiB%/*^", max_size=12))
def test_any_text_gets_a_mark_in_words_that_are_safe_to_show(variant: Variant, typed: str) -> None:
    judged = mark(variant, typed)
    assert judged.verdict in ("right", "wrong", "unreadable")
    assert 0 <= judged.credit <= 1
    assert (judged.credit == 1) == (judged.verdict == "right")
    assert judged.feedback.replace("\n", "").isprintable()
    assert (judged.reading == "") == (judged.verdict == "unreadable")
