"""Ready on the day: what will be known, in which band, and the minutes it takes."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quiz.errors import UsageError
from quiz.memory.ahead import PLAYS
from quiz.memory.cards import Card
from quiz.memory.days import Moment, moment
from quiz.memory.habits import Habits
from quiz.memory.model import model_of
from quiz.memory.readiness import MINUTES, Outlook, Readiness, readiness
from quiz.memory.schedule import Parameters
from tests.memory.catalogue import Question

START = datetime(2026, 5, 1, 12, tzinfo=UTC)
TODAY = moment(START, UTC).day
DEPTHS = ("screen", "onsite", "research")


def at(days: int) -> Moment:
    return moment(START + timedelta(days=days), UTC)


def questions(count: int) -> list[Question]:
    return [Question(f"p{at % 2}/q{at}", f"p{at % 2}", None, DEPTHS[at % 3], at) for at in range(count)]


def card(key: str, stability: float = 10.0, ago: int = 5, due: int = 5) -> Card:
    return Card(key, "review", None, stability, 5.0, due_day=TODAY + due, last_day=TODAY - ago, reps=3)


def ready(places: list[Question], cards: list[Card], days: int, **asked: object) -> Readiness:
    known = {one.key: one for one in cards}
    chosen = {"new_per_day": 12, "introduced": 0, "parameters": Parameters(interview_day=TODAY + days), **asked}
    return readiness(places, known, at(0), **chosen)  # type: ignore[arg-type]


def test_if_one_stops_the_share_is_the_mean_chance_on_the_day() -> None:
    places = questions(2)
    found = ready(places, [card("p0/q0", 10.0), card("p1/q1", 40.0)], 20)
    model = model_of(None)
    assert found.stop.overall.known == pytest.approx((model.recall(25, 10.0) + model.recall(25, 40.0)) / 2)
    assert found.stop.topics["p0"].known == pytest.approx(model.recall(25, 10.0))
    assert found.stop.depths["onsite"].known == pytest.approx(model.recall(25, 40.0))


def test_what_was_never_asked_or_is_in_its_first_steps_counts_as_unknown() -> None:
    learning = Card("p1/q1", "learning", 0, 2.0, 5.0, due_at=START, last_day=TODAY, reps=1)
    share = ready(questions(3), [card("p0/q0"), learning], 20).stop.overall
    assert (share.questions, share.unlearned) == (3, 2)
    assert share.known == pytest.approx(model_of(None).recall(25, 10.0) / 3)
    assert share.high <= 1 / 3


def test_what_is_suspended_counts_nowhere() -> None:
    found = ready(questions(2), [card("p0/q0"), card("p1/q1")._replace(suspended=True)], 20)
    assert found.stop.overall.questions == 1
    assert list(found.stop.topics) == ["p0"]


def test_the_minutes_needed_lead_to_the_goal_and_fewer_do_not() -> None:
    places = questions(74)
    needed = ready(places, [], 20).needed
    assert needed is not None
    enough, less = (ready(places, [], 20, minutes=minutes).plan.overall.known for minutes in (needed, needed - 1))
    assert less < 0.9 <= enough


def test_without_minutes_the_plan_is_what_the_goal_needs_or_else_the_most_there_is() -> None:
    reached, missed = ready(questions(74), [], 20), ready(questions(74), [], 20, goal=0.9999)
    assert reached.minutes == reached.needed
    assert missed.needed is None
    assert missed.minutes == MINUTES[-1]
    assert missed.plan.overall.known == pytest.approx(missed.most)


def test_who_already_knows_enough_needs_nothing() -> None:
    assert ready(questions(6), [card(f"p{at % 2}/q{at}", 1_000.0) for at in range(6)], 5).needed == 0


def test_minutes_done_today_are_not_there_again() -> None:
    fresh, done = (ready(questions(74), [], 1, minutes=60, done_today=done).plan.overall.known for done in (0, 45))
    assert done < fresh / 2


def test_nothing_new_a_day_leaves_the_new_ones_unknown() -> None:
    assert ready(questions(10), [], 10, minutes=60, new_per_day=0).plan.overall.known == 0


def test_the_goal_may_be_about_some_depths_only() -> None:
    places = questions(300)
    screen, every = (ready(places, [], 10, depths=depths).needed for depths in (("screen",), ()))
    assert screen is not None
    assert every is None or screen < every


def test_on_the_day_itself_no_minute_changes_a_thing() -> None:
    found = ready(questions(2), [card("p0/q0"), card("p1/q1")], 0)
    assert found.days == 0
    assert found.plan == found.stop
    assert {known for _, known in found.curve} == {found.stop.overall.known}


@pytest.mark.parametrize(
    ("places", "days", "asked", "message"),
    [
        ([], 5, {}, "there are no questions"),
        (questions(1), -1, {}, "no interview is ahead"),
        (questions(1), 5, {"depths": ("research",)}, "no questions of these depths"),
    ],
)
def test_where_there_is_nothing_to_be_ready_for_it_says_so(
    places: list[Question], days: int, asked: dict[str, object], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        ready(places, [], days, **asked)


def test_a_learner_who_forgets_more_is_expected_to_know_less() -> None:
    cards = [card(f"p{at % 2}/q{at}") for at in range(20)]
    kept = {
        kept: ready(questions(20), cards, 20, found=Habits(tested=400, kept=kept, predicted=0.9)) for kept in (280, 390)
    }
    assert kept[280].stop.overall.known < kept[390].stop.overall.known
    assert kept[280].plan.overall.known < kept[390].plan.overall.known


def test_reviews_that_bore_the_model_out_narrow_the_band() -> None:
    cards = [card(f"p{at % 2}/q{at}") for at in range(200)]
    fresh = ready(questions(200), cards, 20, minutes=5).stop.overall
    tried = ready(questions(200), cards, 20, minutes=5, found=Habits(tested=900, kept=810, predicted=0.9)).stop.overall
    assert tried.high - tried.low < 0.9 * (fresh.high - fresh.low)


def test_few_questions_have_a_wider_band_than_many_alike() -> None:
    few, many = (
        ready(questions(count), [card(f"p{at % 2}/q{at}") for at in range(count)], 20).stop.overall
        for count in (4, 400)
    )
    assert few.known == pytest.approx(many.known)
    assert few.high - few.low > many.high - many.low


def test_a_slower_learner_needs_more_minutes() -> None:
    slow, quick = (ready(questions(74), [], 20, found=Habits(seconds=seconds)).needed for seconds in (90.0, 20.0))
    assert slow is not None
    assert quick is not None
    assert slow > 2 * quick


def test_of_many_questions_a_sample_stands_for_all() -> None:
    count = 3 * PLAYS
    cards = [card(f"p{at % 2}/q{at}", 1.0 + at % 50) for at in range(count)]
    found = ready(questions(count), cards, 20, minutes=30)
    model = model_of(None)
    exact = sum(model.recall(25, 1.0 + at % 50) for at in range(count)) / count
    # If one stops, all are counted; with nothing to do, so would the plays.
    assert found.stop.overall.known == pytest.approx(exact)
    idle = ready(questions(count), cards, 20, minutes=0).plan
    assert idle.overall.known == pytest.approx(exact)
    assert found.plan.overall.questions == count
    assert found.plan.overall.known > exact


CARDS = st.builds(card, st.just(""), st.floats(0.1, 2_000), st.integers(0, 60), st.integers(-20, 60))


@settings(max_examples=25)
@given(st.lists(st.none() | CARDS, min_size=1, max_size=12), st.integers(0, 40), st.integers(0, 200))
def test_shares_lie_in_their_bands_and_more_minutes_never_harm(
    held: list[Card | None], days: int, minutes: int
) -> None:
    places = questions(len(held))
    cards = [one._replace(key=place.key) for one, place in zip(held, places, strict=True) if one is not None]
    found = ready(places, cards, days, minutes=minutes)

    def shares(outlook: Outlook) -> list[tuple[float, float, float]]:
        parts = (outlook.overall, *outlook.topics.values(), *outlook.depths.values())
        return [(part.low, part.known, part.high) for part in parts]

    for low, known, high in shares(found.stop) + shares(found.plan):
        assert 0 <= low <= known + 1e-9
        assert known <= high + 1e-9 <= 1 + 2e-9
    curve = [known for _, known in found.curve]
    assert curve == sorted(curve)
    assert found == ready(places, cards, days, minutes=minutes)
