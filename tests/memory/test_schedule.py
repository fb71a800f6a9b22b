import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from fsrs import Scheduler
from fsrs.scheduler import DEFAULT_PARAMETERS
from hypothesis import given
from hypothesis import strategies as st

from quiz.errors import UsageError
from quiz.memory.cards import Card, interval
from quiz.memory.days import Moment, moment
from quiz.memory.schedule import AGAIN, EASY, GOOD, HARD, Parameters, fuzz_band, preview, replay, retrievability, review

BERLIN = ZoneInfo("Europe/Berlin")
START = datetime(2026, 1, 1, 12, tzinfo=UTC)
STATES = {"Lea": "learning", "Rev": "review", "Rel": "relearning"}
DAY = 86_400

# Reviews exactly when the unfuzzed interval ends; state, step, stability, difficulty, interval in seconds.
ON_TIME: dict[str, list[tuple[str, int | None, float, float, int]]] = {
    "33333333": [
        ("Lea", 1, 2.3065, 2.11810397, 600),
        ("Rev", None, 2.3065, 2.11121424, 172800),
        ("Rev", None, 10.97104826, 2.10433139, 950400),
        ("Rev", None, 46.31685844, 2.09745543, 3974400),
        ("Rev", None, 162.99981577, 2.09058634, 14083200),
        ("Rev", None, 497.87655512, 2.08372413, 43027200),
        ("Rev", None, 1347.91862302, 2.07686877, 116467200),
        ("Rev", None, 3298.6456099, 2.07002027, 285033600),
    ],
    "4444": [
        ("Rev", None, 8.2956, 1.0, 691200),
        ("Rev", None, 65.62422616, 1.0, 5702400),
        ("Rev", None, 396.77502335, 1.0, 34300800),
        ("Rev", None, 1874.91695541, 1.0, 162000000),
    ],
    "2222": [
        ("Lea", 0, 1.2931, 5.11217071, 330),
        ("Lea", 0, 1.2931, 6.74045951, 330),
        ("Lea", 0, 1.2931, 7.8213935, 330),
        ("Lea", 0, 1.2931, 8.53896785, 330),
    ],
    "11333": [
        ("Lea", 0, 0.212, 6.4133, 60),
        ("Lea", 0, 0.08335672, 8.80630447, 60),
        ("Lea", 1, 0.10314065, 8.79272653, 600),
        ("Rev", None, 0.12584424, 8.77916218, 86400),
        ("Rev", None, 0.77896147, 8.76561138, 86400),
    ],
    "13333": [
        ("Lea", 0, 0.212, 6.4133, 60),
        ("Lea", 1, 0.24668919, 6.40211507, 600),
        ("Rev", None, 0.28420636, 6.39094132, 86400),
        ("Rev", None, 2.15207825, 6.37977875, 172800),
        ("Rev", None, 6.62432121, 6.36862734, 604800),
    ],
    "3133": [
        ("Lea", 1, 2.3065, 2.11810397, 600),
        ("Lea", 0, 0.77508398, 7.39450274, 60),
        ("Lea", 1, 0.8281648, 7.38233661, 600),
        ("Rev", None, 0.88103231, 7.37018264, 86400),
    ],
    "3243": [
        ("Lea", 1, 2.3065, 2.11810397, 600),
        ("Lea", 1, 2.3065, 4.75285849, 600),
        ("Rev", None, 3.94605407, 2.98473668, 345600),
        ("Rev", None, 17.6349013, 2.97698031, 1555200),
    ],
    "33331333": [
        ("Lea", 1, 2.3065, 2.11810397, 600),
        ("Rev", None, 2.3065, 2.11121424, 172800),
        ("Rev", None, 10.97104826, 2.10433139, 950400),
        ("Rev", None, 46.31685844, 2.09745543, 3974400),
        ("Rel", 0, 2.93384529, 7.38771571, 600),
        ("Rev", None, 2.93384529, 7.37555636, 259200),
        ("Rev", None, 7.79910223, 7.36340917, 691200),
        ("Rev", None, 18.84991602, 7.35127413, 1641600),
    ],
    "1111": [
        ("Lea", 0, 0.212, 6.4133, 60),
        ("Lea", 0, 0.08335672, 8.80630447, 60),
        ("Lea", 0, 0.03485141, 9.59286877, 60),
        ("Lea", 0, 0.01543192, 9.8514071, 60),
    ],
    "3322": [
        ("Lea", 1, 2.3065, 2.11810397, 600),
        ("Rev", None, 2.3065, 2.11121424, 172800),
        ("Rev", None, 7.51735933, 4.74828476, 691200),
        ("Rev", None, 18.88969436, 6.49889506, 1641600),
    ],
}
# Early and late: day, minute, rating, then as above.
EARLY_AND_LATE: list[tuple[int, int, int, str, int | None, float, float, int]] = [
    (0, 0, 3, "Lea", 1, 2.3065, 2.11810397, 600),
    (0, 10, 3, "Rev", None, 2.3065, 2.11121424, 172800),
    (2, 10, 3, "Rev", None, 10.97104826, 2.10433139, 950400),
    (8, 10, 3, "Rev", None, 33.24337277, 2.09745543, 2851200),
    (60, 10, 3, "Rev", None, 153.63944046, 2.09058634, 13305600),
    (400, 10, 1, "Rel", 0, 5.12517148, 7.38545788, 600),
    (400, 20, 3, "Rev", None, 5.12517148, 7.3733008, 432000),
    (401, 20, 2, "Rev", None, 6.31122087, 8.24150303, 518400),
]
RETENTION_95: list[tuple[int, int, int, str, int | None, float, float, int]] = [
    (0, 0, 4, "Rev", None, 8.2956, 1.0, 259200),
    (4, 0, 3, "Rev", None, 26.19480091, 1.0, 950400),
    (16, 0, 3, "Rev", None, 70.92660773, 1.0, 2505600),
]


def at(instant: datetime) -> Moment:
    return moment(instant, UTC)


def assert_stands(card: Card, expected: tuple[Any, ...], when: datetime, maximum: int = 36_500) -> None:
    state, step, stability, difficulty, seconds = expected
    assert (card.state, card.step) == (STATES[state], step)
    assert card.stability == pytest.approx(stability, rel=1e-6, abs=1e-8)
    assert card.difficulty == pytest.approx(difficulty, rel=1e-6)
    wait = interval(card, at(when))
    if state == "Rev":
        low, high = fuzz_band(seconds // DAY, maximum)
        assert low <= wait.days <= high
    else:
        assert wait == timedelta(seconds=seconds)


@pytest.mark.parametrize("ratings", ON_TIME)
def test_reviews_on_time_agree_with_the_reference(ratings: str) -> None:
    card, when = Card("p/q"), START
    for rating, expected in zip(ratings, ON_TIME[ratings], strict=True):
        card = review(card, int(rating), at(when))
        assert_stands(card, expected, when)
        when += timedelta(seconds=expected[-1])


@pytest.mark.parametrize(("rows", "retention"), [(EARLY_AND_LATE, 0.9), (RETENTION_95, 0.95)])
def test_early_and_late_reviews_agree_with_the_reference(rows: list[tuple[Any, ...]], retention: float) -> None:
    card = Card("p/q")
    for day, minute, rating, *expected in rows:
        when = START + timedelta(days=day, minutes=minute)
        card = review(card, rating, at(when), Parameters(desired_retention=retention))
        assert_stands(card, tuple(expected), when)


def test_the_forgetting_curve_agrees_with_the_reference() -> None:
    card = Card("p/q", "review", stability=10.0, difficulty=5.0, due_day=10, last_day=0)
    known = {0: 1.0, 1: 0.985682, 5: 0.940344, 10: 0.9, 20: 0.845885, 50: 0.760528, 100: 0.692827, 365: 0.573559}
    assert {day: retrievability(card, day) for day in known} == pytest.approx(known, abs=1e-6)
    assert retrievability(card, -5) == 1.0
    assert retrievability(Card("p/q"), 0) == 0.0


@pytest.mark.parametrize(
    ("hours", "stability"),
    [
        pytest.param([22, 24 + 8], 7.3153, id="A: an evening and the next morning are a night apart"),
        pytest.param([5, 24 + 3], 2.3065, id="B: five in the morning and three in the night are one study day"),
        pytest.param([9, 48 + 8.5], 10.96434, id="C: two nights in 47.5 hours"),
        pytest.param([9, 48 + 9.5], 10.96434, id="D: two nights in 48.5 hours"),
        pytest.param([9 + 23.5 * session for session in range(5)], 20.64970, id="E: every 23.5 hours"),
    ],
)
def test_stability_counts_nights_as_anki_does(hours: list[float], stability: float) -> None:
    midnight = datetime(2026, 5, 1, tzinfo=BERLIN)
    moments = [moment(midnight.astimezone(UTC) + timedelta(hours=hour), BERLIN) for hour in hours]
    card = replay("p/q", [(GOOD, when) for when in moments])
    assert card.stability == pytest.approx(stability, rel=1e-4)


@pytest.mark.parametrize("eve", ["2026-03-28T09:00", "2026-10-24T09:00"])
def test_a_day_with_a_clock_change_is_one_day(eve: str) -> None:
    first = datetime.fromisoformat(eve).replace(tzinfo=BERLIN)
    card = replay("p/q", [(GOOD, moment(first, BERLIN)), (GOOD, moment(first + timedelta(days=1), BERLIN))])
    assert card.stability == pytest.approx(7.3153, rel=1e-4)


def test_a_flight_never_schedules_into_the_past() -> None:
    sydney, london = ZoneInfo("Australia/Sydney"), ZoneInfo("Europe/London")
    left = datetime(2026, 5, 2, 6, tzinfo=sydney)
    card = review(Card("p/q"), EASY, moment(left, sydney))
    landed = moment(left + timedelta(hours=3), london)
    assert landed.day == moment(left, sydney).day - 1
    again = review(card, GOOD, landed)
    assert (again.last_day, again.stability, again.due_day) == (card.last_day, card.stability, card.due_day)


def test_a_clock_that_went_back_counts_as_the_last_day() -> None:
    card = review(Card("p/q"), EASY, at(START))
    earlier = at(START - timedelta(days=3))
    assert review(card, GOOD, earlier).due_day == card.due_day
    lapsed = review(card, AGAIN, earlier)
    assert lapsed.last_day == card.last_day
    assert lapsed.due_at == earlier.instant + timedelta(minutes=10)


def mature(stability: float = 17.4, due: int = 17, key: str = "p/q", reps: int = 5) -> Card:
    return Card(key, "review", None, stability, 5.0, due_day=at(START).day + due, last_day=at(START).day, reps=reps)


def test_more_successes_on_one_day_change_nothing_but_the_count() -> None:
    card = mature()
    for press in range(15):
        card = review(card, EASY, at(START + timedelta(minutes=2 * press)))
    assert card == mature(reps=20)


def test_a_lower_maximum_holds_for_a_repeated_success_too() -> None:
    after = review(mature(), GOOD, at(START), Parameters(maximum_interval=5))
    assert after.due_day == at(START).day + 5


def test_forgetting_counts_as_a_lapse_only_in_review() -> None:
    assert review(Card("p/q"), AGAIN, at(START)).lapses == 0
    lapsed = review(mature(), AGAIN, at(START + timedelta(days=17)))
    assert (lapsed.state, lapsed.lapses) == ("relearning", 1)
    assert review(lapsed, AGAIN, at(START + timedelta(days=17, minutes=10))).lapses == 1


def test_the_fuzz_band_is_the_documented_one() -> None:
    assert [fuzz_band(days, 36_500) for days in (1, 2, 3, 10, 100)] == [(1, 1), (2, 2), (2, 4), (8, 12), (93, 107)]
    assert fuzz_band(30, 30) == (27, 30)


def test_the_fuzz_is_spread_evenly_over_its_band() -> None:
    chosen = []
    for index in range(20_000):
        after = review(Card(f"p/{index}"), EASY, at(START), Parameters(weights=weights(3, 10.0)))
        chosen.append(interval(after, at(START)).days)
    counts = {days: chosen.count(days) for days in range(8, 13)}
    assert sum(counts.values()) == len(chosen)
    assert all(3_700 < count < 4_300 for count in counts.values())
    assert sum(chosen) / len(chosen) == pytest.approx(10, abs=0.05)


def weights(index: int, value: float) -> tuple[float, ...]:
    return tuple(value if at == index else weight for at, weight in enumerate(DEFAULT_PARAMETERS))


def test_a_success_never_shortens_an_interval_within_the_band() -> None:
    # With hardly any gain S stays under 3.5: the plain interval is 3, its band 2 to 4.
    waits = []
    for index in range(200):
        card = mature(3.0, 4, f"p/{index}")
        good = review(card, HARD, at(START + timedelta(days=1)), Parameters(weights=weights(8, 0.0)))
        assert good.due_day is not None
        assert good.last_day is not None
        assert good.stability == pytest.approx(3.3, abs=0.1)
        waits.append(good.due_day - good.last_day)
    assert set(waits) == {4}


def test_with_a_short_maximum_cards_do_not_pile_up_on_it() -> None:
    parameters = Parameters(maximum_interval=30)
    waits = set()
    for index in range(200):
        after = review(mature(300.0, 30, f"p/{index}"), GOOD, at(START + timedelta(days=30)), parameters)
        waits.add(interval(after, at(START)).days)
    assert waits == {27, 28, 29, 30}


def test_at_the_maximum_good_waits_no_less_than_hard() -> None:
    when = at(START + timedelta(days=4))
    parameters = Parameters(maximum_interval=30)
    waits = []
    for index in range(200):
        _, hard, good, _ = preview(mature(22.0, 29, f"p/{index}"), when, parameters)
        waits.append((interval(hard, when).days, interval(good, when).days))
    # Hard keeps to the 29 days the card had; good, cut at the maximum, would be spread from 27 on.
    assert min(hard for hard, _ in waits) == 29
    assert all(hard <= good <= 30 for hard, good in waits)


def test_each_repetition_falls_differently_within_the_band() -> None:
    when = at(START + timedelta(days=17))
    assert len({review(mature(reps=reps), GOOD, when).due_day for reps in range(30)}) > 3


def test_scheduling_neither_reads_nor_moves_the_global_random() -> None:
    random.seed(1)
    state = random.getstate()
    first = preview(mature(), at(START + timedelta(days=17)))
    assert random.getstate() == state
    random.seed(2)
    assert preview(mature(), at(START + timedelta(days=17))) == first


def test_weights_out_of_order_still_offer_no_longer_wait_for_a_lower_rating() -> None:
    crossed = Parameters(weights=weights(3, 0.5))
    learning = Card("p/q", "learning", 1, 50.0, 5.0, due_at=START, last_day=at(START).day - 1, reps=1)
    for card in (Card("p/q"), learning, mature()):
        assert_ordered(card, at(START + timedelta(days=20)), crossed)


def assert_ordered(card: Card, when: Moment, parameters: Parameters) -> None:
    again, *successes = preview(card, when, parameters)
    waits = [interval(after, when) for after in successes]
    assert waits == sorted(waits)
    assert waits[-1] <= timedelta(days=parameters.maximum_interval)
    assert interval(again, when) == timedelta(minutes=10 if again.state == "relearning" else 1)
    assert interval(again, when) < waits[0]


RATINGS = st.sampled_from([AGAIN, HARD, GOOD, EASY])
GAPS = st.one_of(st.integers(0, 60), st.integers(0, 3_000), st.integers(0, 2_000_000), st.integers(-10_000, -1)).map(
    lambda minutes: timedelta(minutes=minutes)
)
HISTORIES = st.lists(st.tuples(RATINGS, GAPS), min_size=1, max_size=12)
PARAMETERS = st.builds(
    Parameters,
    desired_retention=st.floats(0.7, 0.99),
    maximum_interval=st.one_of(st.integers(1, 60), st.just(36_500)),
)


def moments_of(history: list[tuple[int, timedelta]]) -> Iterator[tuple[int, Moment]]:
    when = START
    for rating, gap in history:
        yield rating, at(when)
        when += gap


@given(HISTORIES, PARAMETERS)
def test_memory_stays_sound_whatever_the_history(history: list[tuple[int, timedelta]], parameters: Parameters) -> None:
    card = Card("p/q")
    for rating, when in moments_of(history):
        before = card
        outcomes = preview(before, when, parameters)
        card = review(before, rating, when, parameters)
        assert card == outcomes[rating - 1]
        assert_ordered(before, when, parameters)
        assert card.stability is not None
        assert card.difficulty is not None
        assert card.last_day is not None
        assert 0 < card.stability <= 36_500
        assert 1 <= card.difficulty <= 10
        assert card.last_day >= when.day
        assert before.last_day is None or card.last_day >= before.last_day
        assert card.reps == before.reps + 1
        assert (card.due_day is None) != (card.due_at is None)
        if card.due_day is not None:
            assert card.due_day > card.last_day
        else:
            assert card.due_at is not None
            assert card.due_at > when.instant


@given(HISTORIES, PARAMETERS)
def test_an_interval_lies_in_the_band_of_the_plain_one(
    history: list[tuple[int, timedelta]], parameters: Parameters
) -> None:
    plain = Scheduler(
        desired_retention=parameters.desired_retention,
        maximum_interval=parameters.maximum_interval,
        enable_fuzzing=False,
    )
    card = Card("p/q")
    for rating, when in moments_of(history):
        before, card = card, review(card, rating, when, parameters)
        repeated = before.state == "review" and before.last_day == card.last_day
        if card.state != "review" or repeated or card.stability is None:
            continue
        low, high = fuzz_band(plain._next_interval(stability=card.stability), parameters.maximum_interval)
        assert low <= interval(card, when).days <= high


@given(HISTORIES)
def test_no_success_shortens_the_wait(history: list[tuple[int, timedelta]]) -> None:
    pairs = pairwise([Card("p/q"), *cards_along(history)])
    for (rating, _), (before, after) in zip(history, pairs, strict=True):
        if before.state == after.state == "review" and rating != AGAIN:
            assert days_of(after) >= days_of(before)


def cards_along(history: list[tuple[int, timedelta]]) -> Iterator[Card]:
    card = Card("p/q")
    for rating, when in moments_of(history):
        card = review(card, rating, when)
        yield card


def days_of(card: Card) -> int:
    assert card.due_day is not None
    assert card.last_day is not None
    return card.due_day - card.last_day


def test_ten_times_hard_keeps_difficulty_a_number_within_bounds() -> None:
    card = Card("p/q", "review", None, 5.0, 9.9, due_day=0, last_day=0)
    for day in range(10):
        card = review(card, HARD, at(START + timedelta(days=40 * day)))
    assert isinstance(card.difficulty, float)
    assert 9.9 < card.difficulty <= 10


def test_sixty_times_easy_stays_within_the_century() -> None:
    card, when = Card("p/q"), START
    for _ in range(60):
        card = review(card, EASY, at(when))
        when += timedelta(days=min(days_of(card), 20_000))
    assert card.stability == 36_500
    assert days_of(card) <= 36_500


@pytest.mark.parametrize("rating", [0, 5, -1])
def test_there_are_four_ratings(rating: int) -> None:
    with pytest.raises(UsageError, match="rating"):
        review(Card("p/q"), rating, at(START))


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"desired_retention": 0.0}, "retention"),
        ({"desired_retention": float("nan")}, "retention"),
        ({"desired_retention": 1.5}, "retention"),
        ({"maximum_interval": 0}, "maximum"),
        ({"maximum_interval": -5}, "maximum"),
        ({"maximum_interval": 10**7}, "maximum"),
        ({"rollover_hour": 24}, "rollover"),
        ({"weights": (1.0,) * 17}, "older versions"),
        ({"weights": (1.0,) * 19}, "older versions"),
        ({"weights": (-1.0, *DEFAULT_PARAMETERS[1:])}, "out of bounds"),
        ({"weights": ("a", *DEFAULT_PARAMETERS[1:])}, "cannot be used"),
    ],
)
def test_parameters_that_cannot_work_are_refused(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        Parameters(**wrong)


def test_personal_weights_flatten_the_forgetting_curve() -> None:
    flat = Parameters(weights=weights(20, 0.5))
    card = mature(10.0, 10)
    day = at(START).day
    assert retrievability(card, day + 10, flat) == pytest.approx(0.9)
    assert retrievability(card, day + 100, flat) < retrievability(card, day + 100)
