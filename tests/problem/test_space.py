import hashlib
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz.bank.pack import AnyQuestion, ChoiceQuestion, Numeric
from quiz.problem.judge import judge_of
from quiz.problem.space import Models, Space, SpaceError, draw_hash, explore, shuffle_hash, space_of

MODELS: Models = {
    "b": {"title": "B", "num_heads": 32, "head_dim": 128, "num_layers": 10},
    "a": {"title": "A", "num_heads": 12, "head_dim": 64},
    "latent": {"title": "Latent", "num_heads": 128},
}


def numeric(**parts: Any) -> AnyQuestion:
    return Numeric.model_validate({"id": "q", "kind": "numeric", "prompt": "P", "formula": "1"} | parts)


def space(**parts: Any) -> Space:
    return explore(judge_of(numeric(**parts)), MODELS)


def column(name: str, **parts: Any) -> list[Any]:
    return [givens[name] for givens in space(**parts).rows]


@pytest.mark.parametrize(
    ("draw", "values"),
    [
        ((8, 4, 8, 2), [8, 4, 2]),
        ((0.1, 0.5, 2.0), [Fraction(1, 10), Fraction(1, 2), 2]),
        ({"from": 1, "to": 9, "step": 4}, [1, 5, 9]),
        ({"from": 1, "to": 8, "step": 4}, [1, 5]),
        ({"from": -1, "to": 1}, [-1, 0, 1]),
        ({"powers_of_two": (8, 64)}, [8, 16, 32, 64]),
        ({"powers_of_two": (5, 15)}, [8]),
        ({"powers_of_two": (1, 1)}, [1]),
    ],
)
def test_a_draw_holds_both_ends_and_no_value_twice(draw: Any, values: list[Any]) -> None:
    assert column("n", draw={"n": draw}) == values


@pytest.mark.parametrize(
    ("whole", "divisors"), [(1, [1]), (12, [1, 2, 3, 4, 6, 12]), (36, [1, 2, 3, 4, 6, 9, 12, 18, 36]), (7, [1, 7])]
)
def test_divisors_of_a_given_are_drawn_ascending(whole: int, divisors: list[int]) -> None:
    draw = {"d": {"divisors_of": "n"}, "n": (whole,)}
    assert column("d", draw=draw) == divisors


def test_a_tuple_lists_draws_then_lets_as_written_whatever_needs_what() -> None:
    found = space(draw={"d": {"divisors_of": "m"}, "n": (2,)}, let={"k": "m + d", "m": "n * 3"}).rows
    assert [list(givens.items()) for givens in found[:2]] == [
        [("d", 1), ("n", 2), ("k", 7), ("m", 6)],
        [("d", 2), ("n", 2), ("k", 8), ("m", 6)],
    ]
    assert len(found) == 4


def test_the_last_draw_turns_fastest() -> None:
    found = space(draw={"a": (1, 2), "b": (3, 4)}).rows
    assert [tuple(givens.values()) for givens in found] == list(product((1, 2), (3, 4)))


def test_a_model_brings_its_fields_and_only_those_that_all_chosen_share() -> None:
    found = space(
        draw={"m": {"model": "models", "where": "head_dim >= 64"}}, let={"width": "num_heads * head_dim"}
    ).rows
    assert list(found) == [
        {"m": "B", "width": 4096, "num_heads": 32, "head_dim": 128},
        {"m": "A", "width": 768, "num_heads": 12, "head_dim": 64},
    ]
    assert column("num_heads", draw={"m": {"model": "models"}}) == [32, 12, 128]
    assert column("m", draw={"n": (12, 32), "m": {"model": "models", "where": "num_heads > 12"}}) == [
        *["B"] * 2,
        *["Latent"] * 2,
    ]


def test_an_empty_range_is_said_and_never_makes_a_long_search() -> None:
    many = {f"n{index}": tuple(range(1, 400)) for index in range(6)}
    with pytest.raises(SpaceError, match=r"empty|over 200,000"):
        space(draw={**many, "last": {"from": 5, "to": 1}})


def test_rules_turn_tuples_away_and_it_is_counted_which_rule_alone_did() -> None:
    found = space(draw={"n": {"from": 1, "to": 10}}, require=("n > 3", "n > 1", "n % 2 == 0"))
    assert [givens["n"] for givens in found.rows] == [4, 6, 8, 10]
    assert found.enumerated == 10
    # 2 by the first alone; nothing by the second; 5, 7 and 9 by the third.
    assert found.starved == (1, 0, 3)


def test_a_question_without_a_draw_has_one_variant() -> None:
    found = space(formula="64")
    assert (found.enumerated, list(found.rows), list(found.sound), found.starved) == (1, [{}], [{}], ())


def test_a_tuple_with_two_answers_alike_or_without_a_value_is_not_sound() -> None:
    found = space(
        draw={"n": {"from": 1, "to": 6}},
        formula="2 * n",
        mistakes=({"formula": "n * n", "misconception": "a"}, {"formula": "60 // (n - 5)", "misconception": "b"}),
    )
    # At 2 and at none else n² is 2n; at 5 the last divides by nothing.
    assert [givens["n"] for givens in found.sound] == [1, 3, 4, 6]
    assert len(found.rows) == 6


def test_a_choice_without_a_right_answer_or_with_two_texts_alike_is_not_sound() -> None:
    question = ChoiceQuestion.model_validate(
        {
            "id": "q",
            "kind": "choice",
            "prompt": "P",
            "draw": {"n": (1, 2, 3, 4)},
            "choices": (
                {"text": "{n}", "why": "W", "when": "n != 3"},
                {"text": "{n * n}", "why": "W"},
            ),
        }
    )
    _, found = space_of(question, MODELS)
    assert [givens["n"] for givens in found.sound] == [2, 4]


def test_the_pick_is_the_index_that_sha_256_of_key_and_seed_points_at() -> None:
    found = space(draw={"n": {"from": 0, "to": 96}})
    for seed in (0, 1, 2**63 - 1):
        digest = hashlib.sha256(f"pack/q\n{seed}".encode()).hexdigest()
        assert draw_hash("pack/q", seed) == int(digest[:16], 16)
        assert shuffle_hash("pack/q", seed) == int(digest[16:32], 16)
        assert found.pick("pack/q", seed) == {"n": int(digest[:16], 16) % 97}


def test_known_picks_never_change() -> None:
    found = space(draw={"n": {"from": 0, "to": 999}})
    assert [found.pick("gqa/cache-bytes-per-token", seed)["n"] for seed in range(5)] == [205, 343, 955, 897, 902]


@given(st.integers(0, 2**63 - 1), st.text(min_size=1, max_size=20))
def test_every_seed_of_every_key_points_at_a_sound_tuple(seed: int, key: str) -> None:
    found = space(draw={"n": {"from": 1, "to": 7}}, formula="n", mistakes=({"formula": "4", "misconception": "a"},))
    assert found.pick(key, seed)["n"] in (1, 2, 3, 5, 6, 7)


def test_seeds_reach_every_tuple() -> None:
    found = space(draw={"n": {"from": 1, "to": 50}})
    assert {found.pick("k", seed)["n"] for seed in range(1000)} == set(range(1, 51))


def test_without_a_sound_tuple_there_is_nothing_to_pick() -> None:
    with pytest.raises(SpaceError, match="k: no sound variant can be drawn") as caught:
        space(draw={"n": (1, 2)}, require=("n > 2",)).pick("k", 1)
    assert caught.value.rule == "no-variants"


@pytest.mark.parametrize(
    ("parts", "rule", "place", "words"),
    [
        ({"let": {"a": "b + 1", "b": "a + 1"}}, "draw-cycle", {("let", "a"), ("let", "b")}, "need each other"),
        ({"let": {"a": "a + 1"}}, "draw-cycle", {("let", "a")}, "a → a"),
        ({"draw": {"a": {"divisors_of": "a"}}}, "draw-cycle", {("draw", "a")}, "a → a"),
        ({"draw": {"a": {"powers_of_two": (0, 8)}}}, "draw-range", {("draw", "a")}, "0 < first"),
        ({"draw": {"a": {"powers_of_two": (1, 2**64)}}}, "draw-range", {("draw", "a")}, "2\\^64"),
        ({"draw": {"a": {"divisors_of": "n"}, "n": (0,)}}, "draw-range", {("draw", "a")}, "n is 0"),
        ({"draw": {"a": {"divisors_of": "n"}, "n": (0.5,)}}, "draw-range", {("draw", "a")}, "n is 1/2"),
        ({"draw": {"a": {"from": 0, "to": 10**15}}}, "space-too-large", {("draw", "a")}, "`a` alone"),
        ({"draw": {name: {"from": 1, "to": 9} for name in "abcdef"}}, "space-too-large", {("draw",)}, "over 200,000"),
        ({"draw": {"n": (3, 0)}, "let": {"a": "1 / n"}}, "no-value", {("let", "a")}, "division by zero.*n = 0"),
        ({"draw": {"n": (3, 0)}, "require": ("n >= 0", "1 / n > 0")}, "no-value", {("require", 1)}, "n = 0"),
        (
            {"draw": {"m": {"model": "models", "where": "1 / (num_heads - 12) > 0"}}},
            "no-value",
            {("draw", "m", "where")},
            "division by zero",
        ),
    ],
)
def test_a_draw_that_cannot_be_enumerated_says_where_and_why(
    parts: dict[str, Any], rule: str, place: set[tuple[str | int, ...]], words: str
) -> None:
    with pytest.raises(SpaceError, match=words) as caught:
        space(**parts)
    assert caught.value.rule == rule
    assert caught.value.place in place


def test_200_000_tuples_are_not_yet_too_many() -> None:
    found = space(draw={"a": {"from": 1, "to": 400}, "b": {"from": 1, "to": 500}})
    assert found.enumerated == len(found.sound) == 200_000


def test_the_more_is_worked_out_for_each_tuple_the_fewer_there_may_be() -> None:
    draw = {"a": {"from": 1, "to": 400}, "b": {"from": 1, "to": 400}}
    slow = tuple({"formula": f"{index} * ln(a + b)", "misconception": f"m{index}"} for index in range(2, 32))
    with pytest.raises(SpaceError, match="the most for one of so many formulas") as caught:
        space(draw=draw, formula="a", tolerance=0.01, mistakes=slow)
    assert caught.value.rule == "space-too-large"
    with pytest.raises(SpaceError, match="so many formulas"):
        space(draw=draw, let={f"x{index}": f"a + {index}" for index in range(60)})


def test_many_large_spaces_are_not_all_kept() -> None:
    first = numeric(draw={"a": {"from": 1, "to": 190_000}}, formula="a")
    found = space_of(first, MODELS)[1]
    assert space_of(first, MODELS)[1] is found
    for start in range(2, 14):
        space_of(numeric(draw={"a": {"from": start, "to": 190_000}}, formula="a"), MODELS)
    assert space_of(first, MODELS)[1] is not found


def test_divisors_of_many_large_numbers_are_too_many_soon() -> None:
    with pytest.raises(SpaceError, match="over 200,000"):
        space(draw={"n": {"from": 999_800_001, "to": 1_000_000_000}, "d": {"divisors_of": "n"}})


def test_questions_that_draw_alike_share_their_space_whatever_their_prose() -> None:
    one = numeric(draw={"n": (1, 2)}, prompt="One", hints=("H",))
    other = numeric(draw={"n": (1, 2)}, prompt="Other", id="other")
    wider = numeric(draw={"n": (1, 2, 3)})
    assert space_of(one, MODELS)[1] is space_of(other, MODELS)[1]
    assert len(space_of(wider, MODELS)[1].rows) == 3


def test_another_set_of_models_is_another_space() -> None:
    question = numeric(draw={"m": {"model": "models"}})
    assert len(space_of(question, MODELS)[1].rows) == 3
    assert len(space_of(question, {"b": MODELS["b"]})[1].rows) == 1
