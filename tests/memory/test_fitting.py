import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from random import Random

import fsrs.scheduler
import pytest

from quiz.errors import UsageError
from quiz.memory import schedule
from quiz.memory.cards import Card
from quiz.memory.days import moment
from quiz.memory.fitting import ENOUGH, Sample, fit, samples
from quiz.memory.model import DEFAULT_WEIGHTS, WEIGHT_BOUNDS, Model, model_of
from quiz.memory.review import Review

Answer = Callable[..., Review]
START = datetime(2026, 1, 1, 12, tzinfo=UTC)
# Whoever has these forgets sooner than FSRS's own weights have it: first stabilities are a fifth, the growth is less.
FORGETFUL = (
    *(weight / 5 for weight in DEFAULT_WEIGHTS[:4]),
    *DEFAULT_WEIGHTS[4:8],
    DEFAULT_WEIGHTS[8] - 0.8,
    *DEFAULT_WEIGHTS[9:],
)


def reviews_of(answer: Answer, truth: Model, questions: int, seed: int = 5) -> list[Review]:
    """A learner whose memory follows these weights, scheduled by FSRS's own, over two hundred days."""
    random, found = Random(seed), []
    for number in range(questions):
        card, day = Card(f"p/{number}"), random.randrange(60)
        stability, difficulty = truth.after_first(known=True)
        last: int | None = None
        while day < 200:
            chance = 1.0 if last is None else truth.recall(day - last, stability)
            known = random.random() < chance
            if last is not None:
                after = truth.after_success if known else truth.after_lapse
                stability = after(difficulty, stability, chance)
                difficulty = truth.harder(difficulty, 3 if known else 1)
            at = moment(START + timedelta(days=day), UTC)
            one = answer(card, schedule.GOOD if known else schedule.AGAIN, at)
            found.append(one)
            card, last = one.after, at.day - moment(START, UTC).day
            while card.due_day is None:
                one = answer(card, schedule.GOOD, at._replace(instant=at.instant + timedelta(minutes=20)))
                found.append(one)
                card = one.after
            day = card.due_day - moment(START, UTC).day
    return sorted(found, key=lambda one: one.moment.instant)


@pytest.fixture
def package() -> None:
    pytest.importorskip("fsrs_rs_python")


def test_a_learner_who_forgets_sooner_gets_weights_that_foretell_it(answer: Answer, package: None) -> None:
    found = fit(reviews_of(answer, model_of(FORGETFUL), 100), None)
    assert found.reviews >= ENOUGH
    assert found.held_out == round(found.reviews * 0.2)
    assert found.improves
    assert found.loss_before is not None
    assert found.loss_after is not None
    assert found.loss_after < found.loss_before
    # Fitted again on the same, there is nothing left to gain.
    assert not fit(reviews_of(answer, model_of(FORGETFUL), 100), found.weights).improves


def test_a_learner_whom_the_weights_fit_keeps_them(answer: Answer, package: None) -> None:
    assert not fit(reviews_of(answer, model_of(None), 120), None).improves


def test_too_few_reviews_fit_nothing(answer: Answer, package: None) -> None:
    found = fit(reviews_of(answer, model_of(FORGETFUL), 5), None)
    assert found.weights is None
    assert not found.improves


def test_without_the_package_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsrs_rs_python", None)
    with pytest.raises(UsageError, match="pip install"):
        fit([], None)


def test_only_reviews_of_a_later_day_test_the_model(answer: Answer) -> None:
    def later(days: float) -> dict[str, object]:
        return {"moment": moment(START + timedelta(days=days), UTC)}

    first = answer(Card("p/a"), schedule.EASY, **later(0))
    second = answer(first.after, schedule.GOOD, **later(9))
    again = answer(second.after, schedule.GOOD, **later(9.1))
    lost = answer(again.after, schedule.AGAIN, **later(30))
    relearned = answer(lost.after, schedule.GOOD, **later(30.1))
    last = answer(relearned.after, schedule.GOOD, **later(33))
    assert samples([first, second, again, lost, relearned, last]) == [
        Sample(((4, 0),), 9, True),
        Sample(((4, 0), (3, 9)), 21, False),
        Sample(((4, 0), (3, 9), (1, 21), (3, 0)), 3, True),
    ]


def test_what_was_made_new_begins_again(answer: Answer) -> None:
    first = answer(Card("p/a"), schedule.EASY, moment(START, UTC))
    anew = answer(Card("p/a"), schedule.GOOD, moment(START + timedelta(days=9), UTC))
    assert samples([first, anew]) == []


def test_the_bounds_are_those_of_fsrs() -> None:
    assert WEIGHT_BOUNDS == (fsrs.scheduler.LOWER_BOUNDS_PARAMETERS, fsrs.scheduler.UPPER_BOUNDS_PARAMETERS)
