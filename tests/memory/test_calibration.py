import pytest

from quiz.memory.calibration import calibration
from quiz.memory.model import model_of
from quiz.memory.rollups import MILLION
from quiz.memory.totals import RatioTotal


def test_before_the_first_review_nothing_is_told() -> None:
    found = calibration([])
    assert (found.tested, found.predicted, found.kept, found.gap) == (0, None, None, 0.0)
    assert {one.tested for one in found.bins} == {0}


def test_what_was_predicted_stands_beside_what_was_kept() -> None:
    # At t = S the chance is 0.9, at t = 20 S by the curve about 0.63.
    found = calibration([RatioTotal(100, 80, 100 * MILLION), RatioTotal(10, 5, 200 * MILLION)])
    late = model_of(None).recall(20, 1.0)
    assert found.tested == 110
    assert found.kept == round(85 / 110, 4)
    assert found.predicted == pytest.approx((90 + 10 * late) / 110, abs=1e-4)
    assert [(one.low, one.tested, one.kept) for one in found.bins if one.tested] == [(0.5, 10, 0.5), (0.85, 100, 0.8)]
    assert found.gap == pytest.approx((found.kept or 0) - (found.predicted or 0))


def test_a_few_reviews_tell_no_gap() -> None:
    assert calibration([RatioTotal(10, 0, 10 * MILLION)]).gap == 0
