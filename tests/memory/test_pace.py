import pytest

from quiz.memory.pace import pace
from quiz.memory.totals import Totals


def totals(paces: dict[str, dict[int, int]], recent: tuple[int, ...] = ()) -> Totals:
    return Totals((), {}, (), (), paces, recent)


def test_few_answers_tell_no_pace() -> None:
    found = pace(totals({"p": {5: 9}}, (5_000,) * 9))
    assert (found.median, found.recent, found.topics, found.slowest) == (None, None, {}, None)


def test_the_median_lies_within_its_bin() -> None:
    assert pace(totals({"p": {5: 10}})).median == 5.5
    assert pace(totals({"p": {5: 10, 22: 30}})).median == pytest.approx(30 + 5 / 3, abs=0.1)


def test_the_topic_that_is_half_as_slow_again_is_named() -> None:
    found = pace(totals({"quick": {10: 90}, "slow": {30: 20}}))
    assert found.slowest == "slow"
    assert pace(totals({"quick": {10: 90}, "like": {12: 20}})).slowest is None


def test_lately_is_the_median_of_the_newest() -> None:
    assert pace(totals({}, (1_000, 9_000) * 5)).recent == 5.0
