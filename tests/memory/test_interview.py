"""From the day an interview is set until it is over: the schedule and the queue work toward it."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz.memory.cards import Card
from quiz.memory.days import Moment, moment
from quiz.memory.model import model_of
from quiz.memory.queue import MOST_NEW, Counts, brought_forward, due_counts, new_allowance, queue
from quiz.memory.schedule import GOOD, Parameters, preview, review
from quiz.memory.worth import gain, showings, worth, worth_of_new
from tests.memory.catalogue import Question

START = datetime(2026, 5, 1, 12, tzinfo=UTC)
TODAY = moment(START, UTC).day


def at(days: int) -> Moment:
    return moment(START + timedelta(days=days), UTC)


def card(key: str = "p/q", stability: float = 10.0, ago: int = 5, due: int = 5, difficulty: float = 5.0) -> Card:
    return Card(key, "review", None, stability, difficulty, due_day=TODAY + due, last_day=TODAY - ago, reps=3)


def toward(days: int) -> Parameters:
    return Parameters(interview_day=TODAY + days)


CARDS = st.one_of(
    st.just(Card("p/q")),
    st.builds(
        lambda stability, ago, due, difficulty, reps: card("p/q", stability, ago, due - ago, difficulty)._replace(
            reps=reps
        ),
        st.floats(0.1, 5_000),
        st.integers(0, 200),
        st.integers(1, 400),
        st.floats(1, 10),
        st.integers(1, 50),
    ),
)


@given(CARDS, st.integers(0, 400))
def test_up_to_the_interview_no_card_comes_back_later_than_on_its_day(before: Card, left: int) -> None:
    waits = []
    for after in preview(before, at(0), toward(left))[1:]:
        shown = brought_forward(after, at(0), toward(left))
        if shown.due_day is not None and after.due_day is not None:
            assert shown.due_day == (min(after.due_day, TODAY + left) if left else after.due_day)
            waits.append(shown.due_day)
        assert brought_forward(after, at(left + 1), toward(left)) == after
    assert waits == sorted(waits)


@given(CARDS, st.integers(-400, 400))
def test_the_interview_changes_nothing_about_the_schedule(before: Card, left: int) -> None:
    assert preview(before, at(0), toward(left)) == preview(before, at(0))


def test_a_gain_is_the_hand_computed_one() -> None:
    # R after 5 days: 0.940344. Good: S = 10·(1 + e^1.8722·6·10^-0.1666·(e^(0.059656·0.796) - 1)) = 22.929, R 0.94659
    # after 10 days more. Again: 1.4835·5^-0.0614·(11^0.2629 - 1)·e^(0.059656·1.6483) = 1.30241, with the Good of its
    # step times e^(0.5425·0.0912)·1.30241^-0.0658 = 1.34488, R 0.72171. Without a review R after 15 days is 0.86983.
    expected = 0.940344 * 0.94659 + 0.059656 * 0.72171 - 0.86983
    assert gain(model_of(None), card(), TODAY, TODAY + 10) == pytest.approx(expected, abs=2e-5)


def test_a_question_seen_today_or_never_gains_nothing_by_another_review() -> None:
    model = model_of(None)
    assert gain(model, card(ago=0), TODAY, TODAY + 10) == 0
    assert gain(model, Card("p/q"), TODAY, TODAY + 10) == 0
    assert worth(model, Card("p/q"), TODAY, TODAY + 10) == 0


def test_worth_is_gain_by_the_times_a_question_is_shown() -> None:
    model = model_of(None)
    assert showings(1.0) == 1
    assert worth(model, card(), TODAY, TODAY + 10) == pytest.approx(
        gain(model, card(), TODAY, TODAY + 10) / showings(model.recall(5, 10.0))
    )
    # R(1 day) is 0.945 with S = 2.3065 and 0.787 with S = 0.2842; 0.7·2.5 + 0.3·3.5 showings.
    expected = (0.7 * model.recall(1, 2.3065) + 0.3 * model.recall(1, 0.28420636)) / 2.8
    assert worth_of_new(model, TODAY, TODAY + 1) == pytest.approx(expected)


def asked(
    places: list[Question], cards: list[Card], parameters: Parameters, new: int = 0, day: int = 0
) -> tuple[str, ...]:
    held = {held.key: held for held in cards}
    return queue(places, held, at(day), new_per_day=new, introduced=0, parameters=parameters)


def test_before_an_interview_what_gains_most_a_minute_comes_first() -> None:
    places = [Question(f"p/{name}", position=place) for place, name in enumerate("abc")]
    cards = [card("p/a", 300.0, 400, 0), card("p/b", 4.0, 4, 0), card("p/c", 1.0, 30, 0)]
    worths = {held.key: worth(model_of(None), held, TODAY, TODAY + 20) for held in cards}
    assert asked(places, cards, toward(20)) == tuple(sorted(worths, key=lambda key: -worths[key]))


def test_questions_that_are_not_due_come_only_in_the_last_week_and_if_they_gain() -> None:
    places = [Question("p/a"), Question("p/b")]
    cards = [card("p/a", 5.0, 5, 3), card("p/b", 5_000.0, 5, 3)]
    assert asked(places, cards, toward(8)) == ()
    assert asked(places, cards, toward(7)) == ("p/a",)
    assert asked(places, cards, Parameters()) == ()


def test_on_the_day_itself_what_is_likeliest_forgotten_comes_first() -> None:
    places = [Question("p/a"), Question("p/b"), Question("p/new")]
    cards = [card("p/a", 50.0, 5, 3), card("p/b", 5.0, 5, 3)]
    assert asked(places, cards, toward(0)) == ("p/b", "p/a")
    assert asked(places, cards, toward(1), new=5) == ("p/new", "p/b", "p/a")


@given(st.lists(CARDS, max_size=8), st.integers(-60, -1), st.integers(0, 5))
def test_after_the_interview_the_queue_is_the_plain_one(found: list[Card], left: int, new: int) -> None:
    cards = [held._replace(key=f"p/{index}") for index, held in enumerate(found)]
    places = [Question(held.key, lesson=str(index % 3), position=index) for index, held in enumerate(cards)]
    assert asked(places, cards, toward(left), new) == asked(places, cards, Parameters(), new)


@given(st.lists(CARDS, max_size=8), st.integers(0, 12))
def test_before_an_interview_all_that_is_due_still_comes_once(found: list[Card], left: int) -> None:
    cards = [held._replace(key=f"p/{index}") for index, held in enumerate(found)]
    places = [Question(held.key, lesson=str(index % 3), position=index) for index, held in enumerate(cards)]
    line = asked(places, cards, toward(left))
    assert len(set(line)) == len(line)
    assert set(asked(places, cards, Parameters())) <= set(line)


def test_new_questions_come_by_depth_before_an_interview() -> None:
    depths = ["research", "onsite", "screen", "none of these", "screen"]
    places = [Question(f"p/{place}", depth=depth, position=place) for place, depth in enumerate(depths)]
    assert asked(places, [], toward(20), new=4) == ("p/2", "p/4", "p/1", "p/0")
    assert asked(places, [], Parameters(), new=4) == ("p/0", "p/1", "p/2", "p/3")


def test_a_suspended_question_stays_away_before_an_interview_too() -> None:
    assert asked([Question("p/a")], [card("p/a", 5.0)._replace(suspended=True)], toward(3)) == ()


def test_what_the_queue_asks_is_what_is_counted() -> None:
    places = [Question("p/a"), Question("p/b"), Question("p/new")]
    held = {"p/a": card("p/a", 5.0, 5, 3), "p/b": card("p/b", 5.0, 5, 0)}
    counts = due_counts(places, held, at(0), new_per_day=5, introduced=0, parameters=toward(5))
    assert counts == {"p": Counts(due=2, learning=0, new=1)}
    assert due_counts(places, held, at(0), new_per_day=5, introduced=0) == {"p": Counts(due=1, learning=0, new=1)}


def test_more_new_questions_a_day_are_allowed_where_some_would_not_be_met_before_the_interview() -> None:
    assert new_allowance(74, 21, 12) == 12
    assert new_allowance(74, 4, 12) == 19
    assert new_allowance(74, 0, 12) == 0
    assert new_allowance(74, 4, 0) == 0
    assert new_allowance(100_000, 4, 12) == MOST_NEW
    assert new_allowance(100_000, 4, 200) == 200


def test_a_step_that_is_due_still_comes_first() -> None:
    learning = Card("p/l", "learning", 0, 0.2, 6.4, due_at=START - timedelta(minutes=5), last_day=TODAY, reps=1)
    assert asked([Question("p/a"), Question("p/l")], [card("p/a", 5.0, 5, 0), learning], toward(3)) == ("p/l", "p/a")
    assert review(learning, GOOD, at(0), toward(3)).due_at is not None
