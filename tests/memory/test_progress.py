import json
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from zoneinfo import ZoneInfo

import pytest

from quiz.memory import schedule
from quiz.memory.cards import Card
from quiz.memory.days import Moment, moment
from quiz.memory.load import Load
from quiz.memory.progress import Progress, Sitting, States, Studied, progress_json
from quiz.memory.reviews import Review, ReviewLog
from quiz.memory.schedule import retrievability
from quiz.memory.topics import Stand, Topic
from tests.memory.catalogue import Listed, Question
from tests.memory.plain import figures_of, held_as

Answer = Callable[..., Review]
START = datetime(2026, 5, 1, 12, tzinfo=UTC)


PLACES = [Question("p/a", "p"), Question("p/b", "p"), Question("p/c", "p"), Question("q/a", "q")]


def later(minutes: float = 0, days: float = 0) -> Moment:
    return moment(START + timedelta(days=days, minutes=minutes), UTC)


def figures(
    cards: list[Card],
    reviews: list[Review],
    now: Moment,
    zone: ZoneInfo | None = None,
    introduced: int = 0,
    places: Sequence[Question] = PLACES,
) -> Progress:
    with TemporaryDirectory() as folder, held_as(Path(folder), cards, reviews, later()) as log:
        return figures_of(log, Listed(places), now, new_per_day=3, introduced=introduced, zone=zone or UTC)


def test_before_the_first_review_all_is_new() -> None:
    found = figures([], [], later())
    assert (found.reviews, found.studied_days, found.due_now, found.streak, found.minutes) == (0, 0, 0, 0, 0)
    assert found.new_today == 3
    assert found.cards == States(new=4, learning=0, review=0, suspended=0)
    assert found.topics["p"] == Topic(questions=3, due=0, learning=0, new=3, reviews=0, right=None, strength=0)
    assert found.retention is None
    assert found.forecast == tuple(Load(date(2026, 5, 1) + timedelta(days=day), 0) for day in range(14))


def test_topics_count_their_own(answer: Answer) -> None:
    wrong = answer(Card("p/a"), schedule.AGAIN)
    right = answer(Card("p/b"), schedule.EASY, later(1))
    other = answer(Card("q/a"), schedule.EASY, later(2))
    now = later(5)
    found = figures([one.after for one in (wrong, right, other)], [wrong, right, other], now)
    assert found.topics["p"] == Topic(
        questions=3, due=1, learning=1, new=1, reviews=2, right=0.5, strength=round(1 / 3, 4)
    )
    assert found.topics["q"].right == 1
    assert found.due_now == 1
    assert found.cards == States(new=1, learning=1, review=2, suspended=0)


def test_strength_is_the_mean_chance_with_those_unseen_or_still_being_learned_at_nothing(answer: Answer) -> None:
    card = answer(Card("q/a"), schedule.EASY).after
    now = later(days=20)
    assert figures([card], [], now).topics["q"].strength == round(retrievability(card, now.day), 4)
    card = answer(Card("p/a"), schedule.EASY).after
    assert figures([card], [], now).topics["p"].strength == round(retrievability(card, now.day) / 3, 4)


def test_relearning_counts_as_learning(answer: Answer) -> None:
    known = answer(Card("p/a"), schedule.EASY).after
    lapsed = schedule.review(known, schedule.AGAIN, later(days=9))
    assert figures([lapsed], [], later(days=9)).cards == States(new=3, learning=1, review=0, suspended=0)


def test_the_forecast_puts_what_is_overdue_into_today() -> None:
    today = later().day
    cards = [
        Card("p/a", "review", None, 3.0, 5.0, due_day=today - 40, last_day=today - 50),
        Card("p/b", "review", None, 3.0, 5.0, due_day=today + 13, last_day=today),
        Card("p/c", "learning", 0, 3.0, 5.0, due_at=START - timedelta(days=2), last_day=today - 2),
        Card("q/a", "review", None, 3.0, 5.0, due_day=today + 14, last_day=today),
        Card("gone/x", "review", None, 3.0, 5.0, due_day=today, last_day=today - 1),
    ]
    loads = figures(cards, [], later()).forecast
    assert [load.due for load in loads] == [2] + [0] * 12 + [1]
    assert loads[0].day == date(2026, 5, 1)
    assert loads[-1].day == date(2026, 5, 14)


def test_the_forecast_is_of_all_scheduled_cards_that_are_not_suspended() -> None:
    today = later().day
    due = [Card(f"p/{name}", "review", None, 9.0, 5.0, due_day=today, last_day=today - 9, reps=2) for name in "ab"]
    last = Card("p/c", "review", None, 9.0, 5.0, due_day=today + 13, last_day=today, reps=2)
    new = Card("q/a", suspended=True)
    found = figures([due[0]._replace(suspended=True), due[1]._replace(buried_day=today), last, new], [], later())
    assert [load.due for load in found.forecast] == [0, 1, *[0] * 11, 1]
    assert found.cards == States(new=0, learning=0, review=2, suspended=2)
    assert (found.due_now, found.new_today) == (0, 0)


def test_what_is_put_aside_is_not_being_learned(answer: Answer) -> None:
    learning = answer(Card("p/a"), schedule.AGAIN).after
    assert figures([learning._replace(suspended=True)], [], later(1)).topics["p"].learning == 0
    assert figures([learning._replace(buried_day=later().day)], [], later(1)).topics["p"].learning == 0


def test_a_step_that_ends_after_the_rollover_belongs_to_tomorrow() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    now = moment(datetime(2026, 5, 2, 3, 55, tzinfo=berlin), berlin)
    card = Card("p/a", "learning", 1, 2.0, 5.0, due_at=now.instant + timedelta(minutes=10), last_day=now.day)
    assert [load.due for load in figures([card], [], now, berlin).forecast[:3]] == [0, 1, 0]


def test_sittings_come_newest_first_with_the_time_spent_thinking(answer: Answer) -> None:
    morning = [
        answer(Card("p/a"), schedule.AGAIN, sitting="one", thinking_ms=90_000),
        answer(Card("p/b"), schedule.GOOD, later(2), sitting="one", thinking_ms=60_000),
    ]
    evening = [answer(Card("q/a"), schedule.GOOD, later(600), sitting="two", thinking_ms=6_000)]
    found = figures([], morning + evening, later(700))
    assert found.sittings == (
        Sitting(later(600).instant, answered=1, right=1, seconds=6),
        Sitting(later().instant, answered=2, right=1, seconds=150),
    )
    assert found.minutes == 2.6


def test_only_the_last_ten_sittings_are_told(answer: Answer) -> None:
    reviews = [answer(Card("p/a"), moment=later(days=day), sitting=f"{day}") for day in range(12)]
    began = [sitting.began for sitting in figures([], reviews, later(days=12)).sittings]
    assert began == [later(days=day).instant for day in range(11, 1, -1)]


def test_misconceptions_come_commonest_first(answer: Answer) -> None:
    mistaken = [("b", 0), ("a", 1), ("c", 2), ("c", 3), (None, 4)]
    reviews = [answer(Card("p/a"), 1, later(days=day), misconception=name) for name, day in mistaken]
    found = figures([], reviews, later(days=5)).misconceptions
    assert [(one.id, one.count, one.last) for one in found] == [
        ("c", 2, date(2026, 5, 4)),
        ("a", 1, date(2026, 5, 2)),
        ("b", 1, date(2026, 5, 1)),
    ]


def test_retention_counts_reviews_of_an_earlier_day_only(answer: Answer) -> None:
    first = answer(Card("p/a"), schedule.EASY)
    same_day = answer(first.after, schedule.GOOD, later(5))
    kept = answer(same_day.after, schedule.HARD, later(days=8))
    lost = answer(kept.after, schedule.AGAIN, later(days=30))
    assert figures([], [first, same_day], later(days=30)).retention is None
    assert figures([], [first, same_day, kept, lost], later(days=30)).retention == 0.5


@pytest.mark.parametrize(
    ("studied", "today", "streak"),
    [
        ([0, 1, 2], 2, 3),
        ([0, 1, 2], 3, 3),
        ([0, 1, 2], 4, 0),
        ([0, 2, 3], 3, 2),
        ([0, 1, 2], 1, 3),
        ([0, 1, 400], 1, 2),
        ([400], 1, 0),
    ],
)
def test_a_streak_may_end_yesterday_and_heeds_no_day_far_ahead(
    answer: Answer, studied: list[int], today: int, streak: int
) -> None:
    reviews = [answer(Card("p/a"), moment=later(days=day)) for day in studied]
    found = figures([], reviews, later(days=today))
    assert (found.streak, found.studied_days) == (streak, len(studied))


def test_a_streak_survives_a_flight(answer: Answer) -> None:
    sydney, london = ZoneInfo("Australia/Sydney"), ZoneInfo("Europe/London")
    mornings = [datetime(2026, 5, day, 9, tzinfo=sydney) for day in (1, 2, 3)]
    reviews = [answer(Card("p/a"), moment=moment(morning, sydney)) for morning in mornings]
    landed = moment(mornings[-1] + timedelta(hours=3), london)
    assert landed.day == reviews[-1].moment.day - 1
    assert figures([], reviews, landed, london).streak == 3


def test_another_rollover_hour_rewrites_no_day(answer: Answer) -> None:
    reviews = [answer(Card("p/a"), moment=moment(START.replace(hour=9, day=day), UTC, 4)) for day in (1, 2, 3)]
    now = moment(START.replace(hour=11, day=3), UTC, 10)
    found = figures([], reviews, now)
    assert (found.streak, found.studied_days) == (3, 3)


def test_what_was_taken_back_counts_nowhere(log: ReviewLog, answer: Answer) -> None:
    def now_stands() -> Progress:
        introduced = log.introduced_on(later().day)
        return figures_of(log, Listed(PLACES), later(5), new_per_day=3, introduced=introduced)

    nothing = now_stands()
    log.record(answer(Card("p/a"), misconception="m"))
    one = now_stands()
    assert (one.reviews, one.new_today, one.streak) == (1, 2, 1)
    log.record(answer(Card("p/b"), moment=later(1)))
    log.undo_last(later(2))
    assert now_stands() == one
    log.undo_last(later(3))
    assert now_stands() == nothing


def test_the_json_is_plain_and_has_the_promised_names(answer: Answer) -> None:
    review = answer(Card("p/a"), schedule.EASY, misconception="m")
    plain = progress_json(figures([review.after], [review], later(1)))
    assert json.loads(json.dumps(plain)) == plain
    assert plain["cards"] == {"new": 3, "learning": 0, "review": 1, "suspended": 0}
    assert plain["forecast"][0] == {"day": "2026-05-01", "due": 0}
    assert plain["sittings"] == [{"began": "2026-05-01T12:00:00+00:00", "answered": 1, "right": 1, "seconds": 12.0}]
    (one,) = plain["misconceptions"]
    assert (one["id"], one["count"], one["last"]) == ("m", 1, "2026-05-01")
    assert plain["heatmap"] == [{"day": "2026-05-01", "answered": 1, "right": 1, "minutes": 0.2}]
    assert {"reviews", "studied_days", "due_now", "topics"} <= set(plain)


def test_retention_of_late_leaves_out_what_is_older_than_thirty_days(answer: Answer) -> None:
    first = answer(Card("p/a"), schedule.EASY)
    lost = answer(first.after, schedule.AGAIN, later(days=8))
    other = answer(Card("p/b"), schedule.EASY, later(days=30))
    kept = answer(other.after, schedule.GOOD, later(days=38))
    found = figures([], [first, lost, other, kept], later(days=38))
    assert (found.retention, found.retention_30) == (0.5, 1.0)
    assert found.minutes_30 < found.minutes


def test_the_forecast_of_a_month_leaves_nothing_out(answer: Answer) -> None:
    today = later().day
    cards = [
        Card(f"p/{name}", "review", None, 9.0, 5.0, due_day=today + ahead, last_day=today, reps=2)
        for name, ahead in (("a", 20), ("b", 29), ("c", 30))
    ]
    found = figures(cards, [], later())
    assert len(found.forecast_30) == 30
    assert (sum(load.due for load in found.forecast_30), found.beyond) == (2, 1)


def test_the_heatmap_keeps_the_day_on_which_it_was_lived(answer: Answer) -> None:
    berlin = ZoneInfo("Europe/Berlin")
    at = [datetime(2026, 3, 29, 4, 30, tzinfo=berlin), datetime(2026, 10, 25, 3, 30, tzinfo=berlin)]
    reviews = [answer(Card("p/a"), moment=moment(one, berlin)) for one in at]
    found = figures([], reviews, moment(datetime(2026, 11, 1, 12, tzinfo=UTC), ZoneInfo("Asia/Tokyo")))
    assert found.heatmap == (
        Studied(date(2026, 3, 29), 1, 1, 0.2),
        Studied(date(2026, 10, 24), 1, 1, 0.2),
    )


def test_the_longest_streak_is_remembered(answer: Answer) -> None:
    reviews = [answer(Card("p/a"), moment=later(days=day)) for day in (0, 1, 2, 5, 6)]
    assert figures([], reviews, later(days=9)).longest_streak == 3


def test_lessons_and_depths_stand_for_their_own_questions(answer: Answer) -> None:
    places = [Question("p/a", "p", "one"), Question("p/b", "p", "two", "onsite"), Question("p/c", "p", "two")]
    wrong, right = answer(Card("p/a"), schedule.AGAIN), answer(Card("p/b"), schedule.EASY)
    found = figures([wrong.after, right.after], [wrong, right], later(), places=places)
    assert found.lessons["p/one"] == Stand(questions=1, due=0, new=0, reviews=1, right=0, strength=0)
    assert found.lessons["p/two"] == Stand(questions=2, due=0, new=1, reviews=1, right=1, strength=0.5)
    assert found.depths["onsite"].strength == 1
    assert found.depths["screen"].questions == 2


def test_the_weakest_are_those_that_were_right_least_often(answer: Answer) -> None:
    ratings = {"p/a": [1, 1, 3], "p/b": [1, 3, 3, 3], "p/c": [3, 3], "q/a": [1]}
    reviews = [answer(Card(key), rating) for key, given in ratings.items() for rating in given]
    cards = [answer(Card(key), schedule.EASY).after for key in ratings]
    found = figures(cards, reviews, later()).weakest
    assert [(weak.key, weak.answered, weak.missed) for weak in found] == [
        ("q/a", 1, 1),
        ("p/a", 3, 2),
        ("p/b", 4, 1),
    ]
    assert found[0].topic == "q"


def test_leeches_are_listed_until_they_are_learned(answer: Answer) -> None:
    today = later().day
    leech = Card("p/a", "review", None, 2.0, 9.0, due_day=today + 2, last_day=today, reps=20, lapses=8)
    learned = leech._replace(key="p/b", stability=30.0)
    reviews = [answer(Card(key), schedule.AGAIN) for key in ("p/a", "p/b")]
    assert [weak.key for weak in figures([leech, learned], reviews, later()).leeches] == ["p/a"]
    assert figures([leech._replace(suspended=True)], reviews, later()).leeches == ()


def test_the_worst_leech_comes_first(answer: Answer) -> None:
    today = later().day
    leeches = [
        Card(f"p/{name}", "review", None, 2.0, 9.0, due_day=today + 2, last_day=today, reps=20, lapses=lapses)
        for name, lapses in (("a", 8), ("b", 12), ("c", 8))
    ]
    found = figures(leeches, [answer(Card(card.key), schedule.AGAIN) for card in leeches], later())
    assert [weak.key for weak in found.leeches] == ["p/b", "p/a", "p/c"]


def test_what_is_being_learned_and_buried_comes_tomorrow() -> None:
    today = later().day
    card = Card("p/a", "learning", 0, 3.0, 5.0, due_at=START - timedelta(minutes=9), last_day=today, buried_day=today)
    assert [load.due for load in figures([card], [], later()).forecast[:3]] == [0, 1, 0]
