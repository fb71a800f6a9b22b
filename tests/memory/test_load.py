from quiz.memory.cards import Card
from quiz.memory.load import expected
from quiz.memory.model import DEFAULT_WEIGHTS
from quiz.memory.schedule import DEFAULTS, Parameters

TODAY = 9_617


def known(stability: float, ahead: int) -> Card:
    return Card("p/a", "review", None, stability, 5.0, due_day=TODAY + ahead, last_day=TODAY - 3, reps=3)


def test_what_is_due_within_the_days_counts_and_what_follows_it() -> None:
    assert expected([known(30, 29)], TODAY, (30,), DEFAULTS)[0] == 1
    assert expected([known(30, 30)], TODAY, (30,), DEFAULTS)[0] == 0
    assert expected([known(2, -1)], TODAY, (90,), DEFAULTS)[0] > 2
    assert expected([Card("p/new")], TODAY, (90,), DEFAULTS)[0] == 0


def test_a_slower_growth_brings_more() -> None:
    slow = (*DEFAULT_WEIGHTS[:8], DEFAULT_WEIGHTS[8] - 1.2, *DEFAULT_WEIGHTS[9:])
    cards = [known(3, 0)] * 10
    assert expected(cards, TODAY, (90,), Parameters(weights=slow)) > expected(cards, TODAY, (90,), DEFAULTS)


def test_a_higher_retention_brings_more() -> None:
    cards = [known(3, 0)] * 10
    more = Parameters(desired_retention=0.95)
    assert expected(cards, TODAY, (90,), more) > expected(cards, TODAY, (90,), DEFAULTS)


def test_each_horizon_counts_what_comes_before_it() -> None:
    cards = [known(30, 0), known(30, 29), known(30, 30)]
    month, quarter = expected(cards, TODAY, (30, 90), DEFAULTS)
    assert month == 2
    assert quarter == expected(cards, TODAY, (90,), DEFAULTS)[0] > 3
