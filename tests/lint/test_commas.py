from collections.abc import Callable

import pytest

from quiz.lint.check import Report, check_packs
from quiz.paths import content_dir

Check = Callable[..., Report]


def found(check: Check, lists: str) -> list[str]:
    question = (
        f"  - {{id: q, kind: open, lesson: l, sources: [s], prompt: P, approach: A, rubric: [{{point: R}}], {lists}}}\n"
    )
    return [fault.message for fault in check(question).advice if fault.rule == "yaml-comma"]


@pytest.mark.parametrize(
    ("lists", "piece"),
    [
        ("hints: [Count the payload, then the scales.]", "then the scales."),
        ("hints: [Count the payload, scales and zeros]", "scales and zeros"),
        ("steps: [It takes 1,500 bytes.]", "500 bytes."),
        ("steps: [Divide by the heads, 32 of them.]", "32 of them."),
        ("hints: [Call f(a, b).]", "b)."),
        ("hints: ['Use `repeat_kv(k', Use `repeat_kv(k, 2)` here.]", "2)` here."),
        ("red_flags: [Says heads are free, which they are not.]", "which they are not."),
        ("steps: [hidden_size is shared, a part for each head.]", "a part for each head."),
        ("hints: [First this, then that, then the rest.]", "then that"),
    ],
)
def test_a_sentence_that_a_comma_parts_is_noticed_once(check: Check, lists: str, piece: str) -> None:
    assert found(check, lists) == [f"q: a comma ends a text of `{lists.partition(':')[0]}`, and {piece!r} is another"]


@pytest.mark.parametrize(
    "lists",
    [
        "hints: [Count the payload., Then the scales.]",
        "hints: [Count the payload, Then the scales]",
        "hints: [one, two, three]",
        "steps: [2 * 3 = 6, 6 * 4 = 24]",
        'hints: ["Count the payload, then the scales."]',
        'hints: ["Count the payload", "then the scales."]',
    ],
)
def test_texts_of_their_own_are_left_alone(check: Check, lists: str) -> None:
    assert found(check, lists) == []


def test_a_list_with_dashes_is_left_alone(check: Check) -> None:
    question = (
        "  - id: q\n    kind: card\n    prompt: P\n    back: B\n    hints:\n      - Count it\n      - then weigh it.\n"
    )
    assert [fault for fault in check(question).advice if fault.rule == "yaml-comma"] == []


@pytest.mark.parametrize(
    ("question", "piece"),
    [
        ("kind: order, items: [Make scores, scale them, then softmax.]", "then softmax."),
        ("kind: text, accept: [Yes, but only with GQA]", "but only with GQA"),
        ("kind: order, items: [scores, softmax, weighted sum]", None),
        ("kind: order, items: [Scores of QK, softmax, weighted sum]", None),
        ('kind: text, accept: [latent, "latent vector", the latent]', None),
    ],
)
def test_terms_are_held_to_less_than_sentences(check: Check, question: str, piece: str | None) -> None:
    report = check(f"  - {{id: q, lesson: l, sources: [s], prompt: P, {question}}}\n")
    said = [fault.message for fault in report.advice if fault.rule == "yaml-comma"]
    assert len(said) == (piece is not None)
    assert all(repr(piece) in one for one in said)


def test_it_points_at_what_stands_behind_the_comma_in_lessons_too(check: Check) -> None:
    talk = "{id: l, title: L, tldr: T, body: B, talk_track: [Keys are kept, one for each token.]}"
    text = f'format: 1\npack: t\ntitle: T\nversion: "1"\nlessons: [{talk}]\nquestions:\n'
    (fault,) = [
        one for one in check("  - {id: q, kind: card, prompt: P, back: B}\n", text).advice if one.rule == "yaml-comma"
    ]
    assert text.split("\n")[fault.line - 1][fault.column - 1 :].startswith("one for each token.")


def test_the_shipped_packs_have_no_such_list() -> None:
    assert [fault for fault in check_packs([content_dir()], {}).advice if fault.rule == "yaml-comma"] == []
