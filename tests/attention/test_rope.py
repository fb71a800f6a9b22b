"""Rotary positions in both conventions."""

from typing import Any

import numpy as np
import pytest

from quiz.attention.rope import Rotary, deinterleaved
from quiz.errors import SolveError

Cases = dict[str, dict[str, Any]]
CLOSE = 1e-10


def test_the_angles_are_those_of_the_real_one(cases: Cases) -> None:
    assert abs(Rotary(8).angles(7) - cases["rope"]["angles"]).max() <= CLOSE


@pytest.mark.parametrize("interleaved", [False, True])
def test_queries_keys_and_scores_are_those_of_the_real_one(cases: Cases, interleaved: bool) -> None:
    case, name = cases["rope"], "interleaved" if interleaved else "half_split"
    rotary = Rotary(8, interleaved=interleaved)
    queries, keys = rotary.turn(case["q"]), rotary.turn(case["k"])
    assert abs(queries - case[f"{name}_q"]).max() <= CLOSE
    assert abs(keys - case[f"{name}_k"]).max() <= CLOSE
    assert abs(queries @ keys.swapaxes(-1, -2) - case[f"{name}_scores"]).max() <= CLOSE


def test_deepseek_stores_interleaved_rotations_deinterleaved(cases: Cases) -> None:
    case, rotary = cases["rope"], Rotary(8, interleaved=True)
    queries, keys = deinterleaved(rotary.turn(case["q"])), deinterleaved(rotary.turn(case["k"]))
    assert abs(queries - case["deepseek_v3_q"]).max() <= CLOSE
    assert abs(keys - case["deepseek_v3_k"]).max() <= CLOSE
    assert abs(queries @ keys.swapaxes(-1, -2) - case["interleaved_scores"]).max() <= CLOSE


def test_a_part_of_the_head_rotates_with_frequencies_of_its_own_width(cases: Cases) -> None:
    case, rotary = cases["rope_partial"], Rotary(4)
    assert abs(rotary.angles(7) - case["angles"]).max() <= CLOSE
    assert abs(rotary.turn(case["q"]) - case["half_split_first4_q"]).max() <= CLOSE


def test_later_tokens_turn_as_if_the_earlier_were_there() -> None:
    heads = np.random.default_rng(1).normal(size=(2, 9, 8))
    rotary = Rotary(6, theta=100.0)
    assert np.allclose(rotary.turn(heads)[:, 4:], rotary.turn(heads[:, 4:], first=4))


def test_turning_keeps_the_length_of_every_head() -> None:
    heads = np.random.default_rng(2).normal(size=(3, 9, 8))
    assert np.allclose(np.linalg.norm(Rotary(8).turn(heads), axis=-1), np.linalg.norm(heads, axis=-1))


def test_an_odd_width_does_not_rotate() -> None:
    with pytest.raises(SolveError, match="rotary_dim must be even, not 65"):
        Rotary(65)


def test_a_narrow_head_does_not_rotate() -> None:
    with pytest.raises(SolveError, match="a head of 6 has no 8 dimensions"):
        Rotary(8).turn(np.zeros((2, 6)))
