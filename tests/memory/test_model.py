from datetime import UTC, datetime, timedelta

import pytest
from fsrs.scheduler import DEFAULT_PARAMETERS, LOWER_BOUNDS_PARAMETERS, UPPER_BOUNDS_PARAMETERS
from hypothesis import given
from hypothesis import strategies as st

from quiz.memory.cards import Card
from quiz.memory.days import Moment, moment
from quiz.memory.model import DEFAULT_WEIGHTS, model_of
from quiz.memory.schedule import AGAIN, GOOD, STABILITY_MAX, Parameters, replay, review

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
TODAY = moment(NOON, UTC).day
WEIGHTS = st.tuples(
    *(
        st.floats(max(low, default * 0.7), min(high, default * 1.4))
        for low, default, high in zip(LOWER_BOUNDS_PARAMETERS, DEFAULT_PARAMETERS, UPPER_BOUNDS_PARAMETERS, strict=True)
    )
)
CARDS = st.builds(
    lambda stability, difficulty, ago: Card(
        "p/q", "review", None, stability, difficulty, due_day=TODAY, last_day=TODAY - ago, reps=3
    ),
    st.floats(0.01, 2_000),
    st.floats(1, 10),
    st.integers(1, 400),
)


def after(minutes: int) -> Moment:
    return moment(NOON + timedelta(minutes=minutes), UTC)


def test_the_default_weights_are_those_of_the_scheduler() -> None:
    assert DEFAULT_WEIGHTS == DEFAULT_PARAMETERS


def test_after_its_stability_a_question_is_known_with_nine_tenths() -> None:
    model = model_of(None)
    assert model.recall(10, 10.0) == pytest.approx(0.9)
    assert model.recall(0, 10.0) == 1
    assert model.recall(365, 10.0) == pytest.approx(0.573559, abs=1e-6)


@given(CARDS, WEIGHTS)
def test_a_success_leaves_what_the_scheduler_would_leave(card: Card, weights: tuple[float, ...]) -> None:
    assert card.stability is not None
    assert card.difficulty is not None
    assert card.last_day is not None
    model = model_of(weights)
    recall = model.recall(TODAY - card.last_day, card.stability)
    found = review(card, GOOD, after(0), Parameters(weights=weights))
    expected = min(model.after_success(card.difficulty, card.stability, recall), STABILITY_MAX)
    assert found.stability == pytest.approx(expected)
    assert found.difficulty == pytest.approx(model.harder(card.difficulty, GOOD))


@given(CARDS, WEIGHTS)
def test_a_lapse_leaves_what_the_scheduler_would_leave(card: Card, weights: tuple[float, ...]) -> None:
    assert card.stability is not None
    assert card.difficulty is not None
    assert card.last_day is not None
    model, parameters = model_of(weights), Parameters(weights=weights)
    recall = model.recall(TODAY - card.last_day, card.stability)
    found = review(review(card, AGAIN, after(0), parameters), GOOD, after(10), parameters)
    assert found.stability == pytest.approx(model.after_lapse(card.difficulty, card.stability, recall))
    assert found.difficulty == pytest.approx(model.harder(model.harder(card.difficulty, AGAIN), GOOD))


@given(st.booleans(), WEIGHTS)
def test_a_first_day_leaves_what_the_scheduler_would_leave(known: bool, weights: tuple[float, ...]) -> None:
    ratings = [GOOD, GOOD] if known else [AGAIN, GOOD, GOOD]
    steps = [(rating, after(10 * index)) for index, rating in enumerate(ratings)]
    found = replay("p/q", steps, Parameters(weights=weights))
    assert (found.stability, found.difficulty) == pytest.approx(model_of(weights).after_first(known))
