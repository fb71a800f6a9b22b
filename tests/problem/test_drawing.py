from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from quiz.bank.pack import AnyQuestion, Pack
from quiz.problem.drawing import draw
from quiz.problem.judge import DisagreementError
from quiz.problem.marking import mark
from quiz.problem.space import SpaceError
from quiz.problem.variant import Idea, KnownMistake, RubricPoint, Tolerance, Variant

PACK = Pack.model_validate(
    {
        "format": 1,
        "pack": "trial",
        "title": "T",
        "version": "1.2.0",
        "sources": {"s": {"title": "A paper", "url": "https://example.org"}, "book": {"title": "A book"}},
        "misconceptions": {"a": {"says": "Says", "truth": "Truth"}},
        "questions": ({"id": "q", "kind": "card", "prompt": "P", "back": "B"},),
    }
)


def question(**parts: Any) -> AnyQuestion:
    made: AnyQuestion = TypeAdapter(AnyQuestion).validate_python({"id": "q", "prompt": "P"} | parts)
    return made


def drawn(seed: int = 1, **parts: Any) -> Variant:
    return draw(PACK, question(**parts), seed, {})


def test_the_line_break_that_ends_a_block_is_not_shown() -> None:
    numeric = drawn(kind="numeric", prompt="How\nwide?\n", formula="1/3", hints=("Think.\n",), steps=("Look.\n",))
    assert numeric.prompt == "How\nwide? (within 1 % counts as right)"
    assert (numeric.hints, numeric.steps) == (("Think.",), ("Look.",))
    staged = drawn(kind="stage", answer="load", snippet="a = 1\nb = 2\n", why={"load": "So.\n"})
    assert (staged.snippet, staged.why["load"]) == ("a = 1\nb = 2", "So.")
    assert drawn(kind="card", back="Back.\n").answer.display == "Back."


def test_a_number_comes_with_its_prompt_steps_mistakes_and_ideas_filled() -> None:
    variant = drawn(
        kind="numeric",
        depth="onsite",
        draw={"heads": (32,), "width": (128,)},
        let={"hidden": "heads * width"},
        prompt="{heads} heads of {width}?",
        formula="hidden",
        unit="1",
        hints=("Multiply by {width}.",),
        steps=("{heads} · {width} = {hidden:,}",),
        mistakes=({"formula": "heads + width", "misconception": "a", "why": "{heads + width} is a sum."},),
        sources=("s", "book"),
        as_of={"date": "2026-11", "torch": "2.13"},
    )
    assert (variant.key, variant.seed, variant.pack_version) == ("trial/q", 1, "1.2.0")
    assert (variant.kind, variant.depth, variant.unit) == ("numeric", "onsite", "1")
    assert dict(variant.givens) == {"heads": 32, "width": 128, "hidden": 4096}
    assert list(variant.givens) == ["heads", "width", "hidden"]
    assert variant.prompt == "32 heads of 128?"
    assert (variant.answer.value, variant.answer.display) == (4096, "4,096")
    assert variant.hints == ("Multiply by 128.",)
    assert variant.steps == ("32 · 128 = 4,096",)
    assert variant.mistakes == (KnownMistake(160, "a", "160 is a sum."),)
    assert dict(variant.ideas) == {"a": Idea("Says", "Truth")}
    assert variant.sources == ("A paper — https://example.org", "A book")
    assert variant.as_of == "2026-11, torch 2.13"
    assert variant.tolerance == Tolerance()


def test_without_steps_of_the_author_the_measurement_tells_them() -> None:
    variant = drawn(kind="numeric", draw={"hidden_size": (768,), "num_heads": (12,)}, solve="head_dim")
    assert variant.answer.value == 64
    assert variant.steps
    assert "768" in " ".join(variant.steps)


@pytest.mark.parametrize(
    ("parts", "display", "tail"),
    [
        ({"formula": "131072", "unit": "B"}, "131,072 B", ""),
        ({"formula": "7 / 2"}, "3.5", " (within 1 % counts as right)"),
        ({"formula": "2 / 3", "tolerance": 0}, "2/3", ""),
        ({"formula": "1 / 8", "tolerance": 0, "unit": "GiB"}, "0.125 GiB", ""),
        ({"formula": "2 / 3", "tolerance": 0, "unit": "FLOP/B"}, "2/3 FLOP/B", ""),
        ({"formula": "1 / 3", "tolerance": 0.05}, "0.333333", " (within 5 % counts as right)"),
        ({"formula": "8", "tolerance": {"absolute": 0.2}}, "8", " (± 0.2 counts as right)"),
    ],
)
def test_the_answer_is_shown_so_that_it_can_be_typed_and_the_tolerance_is_stated(
    parts: dict[str, Any], display: str, tail: str
) -> None:
    variant = drawn(kind="numeric", **parts)
    assert variant.answer.display == display
    assert variant.prompt == f"P{tail}"
    assert mark(variant, display).verdict == "right"


def test_a_shape_is_its_sizes() -> None:
    variant = drawn(kind="shape", draw={"n": (2,)}, formula=("n", "12", "16", "64"))
    assert (variant.answer.value, variant.answer.display) == ((2, 12, 16, 64), "(2, 12, 16, 64)")


CHOICES = (
    {"text": "{n}", "why": "Yes: {n}.", "right": True},
    {"text": "{n + 1}", "why": "No.", "misconception": "a"},
    {"text": "{n + 2}", "why": "Yes.", "when": "n > 1"},
    {"text": "None of these", "why": "No.", "last": True},
)


def test_choices_are_filled_shuffled_and_the_last_stays_last() -> None:
    variants = [drawn(seed, kind="choice", draw={"n": (5,)}, choices=CHOICES) for seed in range(60)]
    assert {tuple(choice.text for choice in variant.choices) for variant in variants} == {
        (*order, "None of these")
        for order in (
            ("5", "6", "7"),
            ("5", "7", "6"),
            ("6", "5", "7"),
            ("6", "7", "5"),
            ("7", "5", "6"),
            ("7", "6", "5"),
        )
    }
    for variant in variants:
        right = tuple(i for i, choice in enumerate(variant.choices, start=1) if choice.text in ("5", "7"))
        assert variant.answer.value == right
        assert variant.answer.display == ", ".join(map(str, right))
        assert [choice.misconception for choice in variant.choices if choice.text == "6"] == ["a"]
        assert [choice.why for choice in variant.choices if choice.text == "5"] == ["Yes: 5."]


def test_the_givens_may_decide_what_is_right() -> None:
    variant = drawn(kind="choice", draw={"n": (1,)}, choices=CHOICES)
    assert [choice.text for choice in variant.choices if choice.right] == ["1"]


def test_an_order_is_never_shown_in_the_right_order() -> None:
    variants = [drawn(seed, kind="order", draw={"n": (3,)}, items=("{n}", "four", "five")) for seed in range(60)]
    shown = {tuple(choice.text for choice in variant.choices) for variant in variants}
    assert len(shown) == 5
    assert ("3", "four", "five") not in shown
    for variant in variants:
        assert isinstance(variant.answer.value, tuple)
        assert [variant.choices[int(index) - 1].text for index in variant.answer.value] == ["3", "four", "five"]


def test_a_stage_has_its_place_its_reasons_and_its_code_with_the_braces_of_code() -> None:
    variant = drawn(
        kind="stage",
        draw={"heads": (5,)},
        answer="forward",
        snippet='x = {"a": {}}\ny = f"{x!r}"\nn = {heads}  # {{heads}}',
        why={"forward": "{heads} does not divide 8", "build": "No."},
    )
    assert (variant.answer.value, variant.answer.display) == ("forward", "forward")
    assert variant.snippet == 'x = {"a": {}}\ny = f"{x!r}"\nn = 5  # {{heads}}'
    assert dict(variant.why) == {"forward": "5 does not divide 8", "build": "No."}


def test_a_term_has_every_accepted_spelling() -> None:
    variant = drawn(kind="text", draw={"n": (2,)}, accept=("latent {n}", "latent"))
    assert variant.accept == ("latent 2", "latent")
    assert variant.answer.display == "latent 2"


def test_what_the_learner_judges_has_a_display_and_no_value() -> None:
    card = drawn(kind="card", draw={"n": (2,)}, back="Two: {n}")
    assert (card.answer.value, card.answer.display) == (None, "Two: 2")
    interview = drawn(
        kind="open",
        draw={"n": (2,)},
        approach="Begin with {n}.",
        rubric=({"point": "Says {n}", "weight": 3}, {"point": "Asks"}),
        red_flags=("Says {n + 1}",),
    )
    assert (interview.answer.value, interview.answer.display) == (None, "Begin with 2.")
    assert interview.rubric == (RubricPoint("Says 2", 3), RubricPoint("Asks", 1))
    assert interview.red_flags == ("Says 3",)


def test_a_formula_that_the_solver_contradicts_is_never_shown() -> None:
    with pytest.raises(DisagreementError):
        drawn(
            kind="numeric",
            draw={"num_layers": (2,)},
            solve="head_dim",
            formula="1",
            let={"hidden_size": "64", "num_heads": "4"},
        )


def test_without_a_sound_tuple_nothing_is_drawn() -> None:
    with pytest.raises(SpaceError, match="trial/q"):
        drawn(kind="numeric", formula="6", mistakes=({"formula": "2 * 3", "misconception": "a"},))


@given(st.integers(0, 2**63 - 1))
def test_a_seed_stands_for_one_variant(seed: int) -> None:
    parts: dict[str, Any] = {
        "kind": "numeric",
        "draw": {"n": {"from": 1, "to": 30}, "f": (0.25, 0.5)},
        "formula": "n * f",
        "unit": "B",
        "prompt": "{n} {f}",
        "mistakes": ({"formula": "n / f", "misconception": "a"},),
    }
    variant = drawn(seed, **parts)
    assert drawn(seed, **parts) == variant
    assert variant.answer.value == int(variant.givens["n"]) * Fraction(variant.givens["f"])
    assert mark(variant, variant.answer.display).verdict == "right"
