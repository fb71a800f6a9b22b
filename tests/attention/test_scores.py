"""Masks, softmax and the weighted sum."""

from typing import Any

import numpy as np
import pytest

from quiz.attention.scores import attend, causal_mask, softmax

Cases = dict[str, dict[str, Any]]


def test_a_query_looks_at_itself_and_before() -> None:
    assert causal_mask(3, 3).tolist() == [[True, False, False], [True, True, False], [True, True, True]]


def test_a_window_counts_the_token_itself() -> None:
    assert causal_mask(4, 4, window=2).astype(int).tolist() == [[1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]]


def test_a_window_agrees_with_the_real_one(cases: Cases) -> None:
    assert (causal_mask(7, 7, window=3) == cases["sliding_window"]["mask"]).all()


@pytest.mark.parametrize(("first", "expected"), [(None, "decode_bottom_right"), (0, "torch_is_causal")])
def test_the_last_query_stands_at_the_last_key_unless_said_otherwise(
    cases: Cases, first: int | None, expected: str
) -> None:
    case = cases["causal_alignment"]
    context, _ = attend(case["q"], case["k"], case["v"], 0.5, causal_mask(3, 7, first))
    assert abs(context - case[expected]).max() <= 1e-10


def test_a_query_that_may_look_nowhere_gathers_nothing(cases: Cases) -> None:
    case = cases["fully_masked_row"]
    context, weights = attend(case["q"], case["k"], case["v"], 3**-0.5, case["mask"])
    assert abs(context - case["sdpa_out"]).max() <= 1e-10
    assert (weights[:, :, 2] == 0).all()


def test_softmax_does_not_overflow() -> None:
    assert softmax(np.array([1e300, 1e300, -1e300])).tolist() == [0.5, 0.5, 0.0]


def test_the_values_may_have_a_width_of_their_own() -> None:
    context, weights = attend(np.zeros((2, 4)), np.zeros((3, 4)), np.ones((3, 5)), 0.5)
    assert context.shape == (2, 5)
    assert weights.shape == (2, 3)
    assert np.allclose(context, 1)
