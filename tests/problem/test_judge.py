from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz.bank.expression import ExpressionError
from quiz.bank.pack import ChoiceQuestion, Numeric, Shape
from quiz.errors import SolveError, UsageError
from quiz.problem.judge import Confusion, DisagreementError, Judge, judge_of
from quiz.problem.units import UnitError
from quiz.problem.variant import Tolerance


def numeric(**parts: Any) -> Judge:
    return judge_of(Numeric.model_validate({"id": "q", "kind": "numeric", "prompt": "P"} | parts))


def shape(**parts: Any) -> Judge:
    return judge_of(Shape.model_validate({"id": "q", "kind": "shape", "prompt": "P"} | parts))


def mistakes(*formulas: Any) -> tuple[dict[str, Any], ...]:
    return tuple({"formula": formula, "misconception": f"m{index}"} for index, formula in enumerate(formulas))


def test_a_formula_alone_is_the_answer() -> None:
    assert numeric(formula="2 * n").right({"n": 3}) == 6
    assert shape(formula=("n", "2 * n")).right({"n": 3}) == (3, 6)


def test_a_quantity_alone_is_measured() -> None:
    assert numeric(solve="head_dim").right({"hidden_size": 768, "num_heads": 12}) == 64
    assert shape(solve="q_proj_shape").right({"hidden_size": 2560, "num_heads": 32, "head_dim": 128}) == (4096, 2560)


CACHE = {"num_layers": 32, "num_kv_heads": 8, "head_dim": 128, "context": 8192}


def test_the_measurement_comes_in_the_unit_of_the_question() -> None:
    # Llama-3-8B: 128 KiB a token, 1 GiB for 8,192 of them.
    assert numeric(solve="kv_cache_bytes_per_token", unit="B").right(CACHE) == 131072
    assert numeric(solve="kv_cache_bytes_per_token", unit="KiB").right(CACHE) == 128
    assert numeric(solve="kv_cache_bytes", unit="GiB").right(CACHE) == 1
    assert numeric(solve="kv_cache_bytes", unit="GB").right(CACHE) == Fraction(2**30, 10**9)


def test_a_formula_is_held_against_the_measurement_in_the_same_unit() -> None:
    formula = "2 * num_layers * num_kv_heads * head_dim * 2 * context / 2**30"
    assert numeric(solve="kv_cache_bytes", unit="GiB", formula=formula).right(CACHE) == 1
    with pytest.raises(DisagreementError, match=r"the formula says 1 but the solver measured .*num_layers = 32"):
        numeric(solve="kv_cache_bytes", unit="GB", formula=formula).right(CACHE)


def test_a_shape_in_another_order_disagrees() -> None:
    judge = shape(solve="q_proj_shape", formula=("hidden_size", "num_heads * head_dim"))
    with pytest.raises(DisagreementError, match=r"\(2560, 4096\) but the solver measured \(4096, 2560\)"):
        judge.right({"hidden_size": 2560, "num_heads": 32, "head_dim": 128})


def test_roots_agree_though_both_are_cut_off() -> None:
    assert numeric(solve="softmax_scale", formula="1 / sqrt(head_dim)").right({"head_dim": 64}) == Fraction(1, 8)
    root = numeric(solve="logit_std", formula="sqrt(head_dim)").right({"head_dim": 80})
    assert isinstance(root, Fraction)
    assert abs(root**2 - 80) < Fraction(1, 10**25)
    with pytest.raises(DisagreementError):
        numeric(solve="logit_std", formula="sqrt(head_dim) + 1 / 10**20").right({"head_dim": 80})


def test_what_cannot_be_solved_says_why() -> None:
    with pytest.raises(UsageError, match="num_heads"):
        numeric(solve="head_dim").right({"hidden_size": 768})
    with pytest.raises(SolveError):
        numeric(solve="group_size").right({"num_heads": 8, "num_kv_heads": 3})
    with pytest.raises(UnitError):
        numeric(solve="head_dim", unit="B").right({"hidden_size": 768, "num_heads": 12})


@pytest.mark.parametrize("formula", [("n / 2", "n"), ("n - 4", "n")])
def test_a_size_is_a_whole_number_of_at_least_nothing(formula: tuple[str, ...]) -> None:
    with pytest.raises(ExpressionError, match="not a whole number"):
        shape(formula=formula).right({"n": 3})
    with pytest.raises(ExpressionError, match="not a whole number"):
        shape(formula=("n",), mistakes=mistakes(formula)).mistakes[0].value({"n": 3})


@pytest.mark.parametrize(
    ("parts", "right", "tolerance"),
    [
        ({}, 64, Tolerance()),
        ({}, Fraction(1, 3), Tolerance(relative=Fraction(1, 100))),
        ({"tolerance": 0}, Fraction(1, 3), Tolerance()),
        ({"tolerance": 0.05}, 64, Tolerance(relative=Fraction(1, 20))),
        ({"tolerance": {"absolute": 0.2}}, 64, Tolerance(absolute=Fraction(1, 5))),
    ],
)
def test_tolerance_is_what_the_author_says_else_none_for_whole_numbers(
    parts: dict[str, Any], right: int | Fraction, tolerance: Tolerance
) -> None:
    assert numeric(formula="1", **parts).tolerance(right) == tolerance


@pytest.mark.parametrize(
    ("parts", "wrong", "is_confused"),
    [
        ({}, "1000", True),
        ({}, "1001", False),
        ({"unit": "1"}, "1010", False),
        # Bytes may be typed with a prefix and are then right within 1 %: the edge counts as inside.
        ({"unit": "B"}, "1010", True),
        ({"unit": "KiB"}, "990", True),
        ({"unit": "bytes"}, "1011", False),
        ({"unit": "GiB"}, "1011", False),
        ({"unit": "FLOP"}, "1001", False),
        ({"unit": "FLOP/B"}, "1001", False),
        ({"tolerance": 0.05}, "1050", True),
        ({"tolerance": 0.05}, "950", True),
        ({"tolerance": 0.05}, "1053", False),
        ({"tolerance": {"absolute": 3}}, "1003", True),
        ({"tolerance": {"absolute": 3}}, "1003.5", False),
        ({"tolerance": {"absolute": 3}, "unit": "B"}, "1009", True),
        ({"tolerance": {"absolute": 30}, "unit": "B"}, "1029", True),
    ],
)
def test_two_answers_within_tolerance_are_confused(parts: dict[str, Any], wrong: str, is_confused: bool) -> None:
    judge = numeric(formula="1000", mistakes=mistakes(wrong), **parts)
    assert judge.confusion({}) == (Confusion("answer", "m0") if is_confused else None)


def test_two_mistakes_may_not_be_confused_either() -> None:
    judge = numeric(formula="n", mistakes=mistakes("2 * n", "n + 5", "10"))
    assert list(judge.confusions({"n": 5})) == [Confusion("m0", "m1"), Confusion("m0", "m2"), Confusion("m1", "m2")]
    assert list(judge.confusions({"n": 10})) == [Confusion("answer", "m2")]
    assert judge.confusion({"n": 7}) is None


def test_two_mistakes_of_one_misconception_are_told_apart() -> None:
    twice = tuple({"formula": formula, "misconception": "a"} for formula in ("n + 1", "2 * n"))
    judge = numeric(formula="n", mistakes=twice)
    assert judge.confusion({"n": 1}) == Confusion("a", "a (2)")
    assert [rule.misconception for rule in judge.mistakes] == ["a", "a"]


def test_shapes_are_confused_only_when_equal() -> None:
    judge = shape(formula=("n", "m"), mistakes=mistakes(("m", "n"), ("n", "m", "1")))
    assert judge.confusion({"n": 2, "m": 2}) == Confusion("answer", "m0")
    assert judge.confusion({"n": 1000, "m": 1001}) is None


def test_choices_need_different_texts_and_a_right_one() -> None:
    judge = judge_of(
        ChoiceQuestion.model_validate(
            {
                "id": "q",
                "kind": "choice",
                "prompt": "P",
                "choices": ({"text": "{n}", "why": "W", "when": "n > 1"}, {"text": "{4 - n} ", "why": "W"}),
            }
        )
    )
    assert judge.confusion({"n": 3}) is None
    assert judge.confusion({"n": 2}) == Confusion("{n}", "{4 - n}")
    assert judge.confusion({"n": 1}) == Confusion("no right choice", "no right choice")
    assert [rule.is_right({"n": 3}) for rule in judge.choices] == [True, False]


@given(
    st.fractions(-1000, 1000, max_denominator=50),
    st.fractions(-1000, 1000, max_denominator=50),
    st.sampled_from([Fraction(0), Fraction(1, 100), Fraction(1, 20)]),
    st.sampled_from([Fraction(0), Fraction(1, 5)]),
)
def test_confusion_is_what_the_definition_says(
    right: Fraction, wrong: Fraction, relative: Fraction, absolute: Fraction
) -> None:
    tolerance = {"absolute": float(absolute)} if absolute else float(relative)
    judge = numeric(formula=f"({right})", tolerance=tolerance, mistakes=mistakes(f"({wrong})"))
    reach = absolute or relative * max(abs(right), abs(wrong))
    assert (judge.confusion({}) is not None) == (abs(right - wrong) <= reach)
