"""What reviews say about a learner's pace, and about how far the model can be believed."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz.memory.cards import Card
from quiz.memory.days import moment
from quiz.memory.habits import (
    ENOUGH,
    PRIOR_SPREAD,
    SECONDS,
    Habits,
    bias,
    habits,
    minutes_a_day,
    shifted,
)
from quiz.memory.model import DEFAULT_WEIGHTS, model_of
from quiz.memory.review import Review
from quiz.memory.worth import KNOWN_AT_FIRST

START = datetime(2026, 5, 1, 12, tzinfo=UTC)
TODAY = moment(START, UTC).day
Answered = Callable[..., Review]
CHANCES = st.floats(0.01, 0.99)


def answered(
    seconds: float = 0, *, days: int = 0, rating: int = 3, sitting: str = "one", before: Card | None = None
) -> Review:
    at = moment(START + timedelta(days=days, seconds=seconds), UTC)
    card = before or Card("p/q")
    verdict = "right" if rating > 1 else "wrong"
    return Review(
        *("id", "p/q", 1, "p", "1.0.0", {}, at, "", verdict, Fraction(1), None),  # type: ignore[arg-type]
        *(rating, rating, 5_000, 0, sitting, "device", card, card),
    )


def test_until_enough_was_answered_a_pace_is_assumed() -> None:
    assert habits([]).seconds == SECONDS
    assert habits([answered(30 * at) for at in range(ENOUGH)]).seconds == SECONDS
    assert habits([answered(30 * at) for at in range(ENOUGH + 1)]).seconds == 30


def test_pauses_and_the_time_between_sittings_are_no_pace() -> None:
    steady = [answered(20 * at) for at in range(ENOUGH + 1)]
    paused = [answered(10_000 + 700 * at) for at in range(50)]
    apart = [answered(90_000 + 100 * at, sitting=str(at)) for at in range(50)]
    assert habits([*steady, *paused, *apart]).seconds == 20


def test_the_share_known_at_first_moves_from_the_usual_to_the_learners_own() -> None:
    known, missed = answered(rating=3), answered(rating=1)
    assert habits([]).known_at_first == pytest.approx(KNOWN_AT_FIRST)
    assert habits([missed] * ENOUGH).known_at_first == pytest.approx(KNOWN_AT_FIRST / 2)
    assert habits([known] * 2_000).known_at_first > 0.99


def test_only_reviews_on_a_later_day_test_the_model() -> None:
    held = Card("p/q", "review", None, 10.0, 5.0, due_day=TODAY, last_day=TODAY - 5, reps=3)
    same_day, step = held._replace(last_day=TODAY), held._replace(state="relearning")
    found = habits([answered(before=card, rating=rating) for card in (held, same_day, step) for rating in (1, 3)])
    assert (found.tested, found.kept) == (2, 1)
    assert found.predicted == pytest.approx(model_of(None).recall(5, 10.0))


def test_the_minutes_a_day_are_the_mean_since_the_first_of_the_last_two_weeks() -> None:
    reviews = [answered(days=days) for days in (-20, -15, -4, -4, -4, -1, -1, -1, 0, 0)]
    assert minutes_a_day(reviews, TODAY, 60.0) == round(6 / 4)
    assert minutes_a_day(reviews, TODAY, 600.0) == 15
    assert minutes_a_day(reviews, TODAY, 1.0) == 1
    assert minutes_a_day(reviews[-2:], TODAY, 60.0) is None
    assert minutes_a_day([], TODAY, 60.0) is None


def test_without_a_test_the_model_is_believed_as_far_as_is_usual() -> None:
    assert bias(Habits()) == (0.0, PRIOR_SPREAD)


def test_many_tests_move_the_model_to_what_was_kept() -> None:
    for kept in (7_000, 8_500, 9_000, 9_700):
        shift, spread = bias(Habits(tested=10_000, kept=kept, predicted=0.9))
        assert shifted(0.9, shift, Habits().decay) == pytest.approx(kept / 10_000, abs=0.002)
        assert spread < 0.1


def test_few_tests_move_it_less_and_leave_more_doubt() -> None:
    few, many = (bias(Habits(tested=count, kept=count * 7 // 10, predicted=0.9)) for count in (10, 1_000))
    assert many[0] < few[0] < 0
    assert PRIOR_SPREAD > few[1] > many[1] > 0


@given(st.integers(1, 500), st.data(), st.floats(0, 1))
def test_whatever_was_seen_the_bias_is_finite(tested: int, data: st.DataObject, predicted: float) -> None:
    shift, spread = bias(Habits(tested=tested, kept=data.draw(st.integers(0, tested)), predicted=predicted))
    assert -10 <= shift <= 10
    assert 0 < spread <= PRIOR_SPREAD


@given(CHANCES, st.floats(-3, 3), st.floats(0.1, 0.8))
def test_a_shift_is_a_factor_of_time_on_the_curve(chance: float, shift: float, decay: float) -> None:
    model = model_of((*DEFAULT_WEIGHTS[:20], decay))
    # At this stability the chance after ten days is the one given.
    stability = model.factor * 10 / (chance ** (-1 / model.decay) - 1)
    slower = stability * 2.718281828459045**shift
    assert shifted(chance, shift, decay) == pytest.approx(model.recall(10, slower), rel=1e-6)


@given(CHANCES, CHANCES, st.floats(-3, 3), st.floats(0.1, 0.8))
def test_a_shift_keeps_the_order_and_moves_all_one_way(one: float, other: float, shift: float, decay: float) -> None:
    low, high = sorted((one, other))
    assert shifted(low, shift, decay) <= shifted(high, shift, decay)
    assert (shifted(one, shift, decay) >= one) == (shift >= 0) or shifted(one, shift, decay) == pytest.approx(one)
    assert shifted(0.0, shift, decay) == 0
    assert shifted(1.0, shift, decay) == 1
