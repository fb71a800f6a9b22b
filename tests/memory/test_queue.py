from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from itertools import groupby, pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz.errors import UsageError
from quiz.memory.cards import Card
from quiz.memory.days import Moment
from quiz.memory.queue import Counts, due_counts, in_topics, queue, waiting
from tests.memory.catalogue import Question


def question(pack: str, name: str, lesson: str | None = None, position: int = 0) -> Question:
    return Question(f"{pack}/{name}", pack, lesson, "screen", position)


def pack_of(pack: str, *lessons: str | None) -> list[Question]:
    """One question per lesson named, called by its position."""
    return [question(pack, str(position), lesson, position) for position, lesson in enumerate(lessons)]


def reviewed(key: str, moment: Moment, stability: float = 5.0, ago: int = 5, overdue: int = 0) -> Card:
    last = moment.day - ago
    return Card(key, "review", None, stability, 5.0, due_day=moment.day - overdue, last_day=last, reps=3)


def learned(key: str, moment: Moment, minutes: int, state: str = "learning") -> Card:
    due = moment.instant + timedelta(minutes=minutes)
    assert state in ("learning", "relearning")
    return Card(
        key, "relearning" if state == "relearning" else "learning", 0, 1.0, 5.0, due, last_day=moment.day, reps=1
    )


def asked(
    places: list[Question],
    moment: Moment,
    *cards: Card,
    new: int = 0,
    after: str | None = None,
    topics: tuple[str, ...] = (),
) -> list[str]:
    held = {card.key: card for card in cards}
    return list(queue(places, held, moment, new_per_day=new, introduced=0, after=after, topics=topics))


def test_learning_comes_first_by_its_time_then_what_is_likeliest_forgotten(noon: Moment) -> None:
    places = [question("p", name) for name in "abcdef"]
    order = asked(
        places,
        noon,
        reviewed("p/a", noon, stability=50),
        reviewed("p/b", noon, stability=2),
        reviewed("p/c", noon, stability=10),
        learned("p/d", noon, -1),
        learned("p/e", noon, -20, "relearning"),
        learned("p/f", noon, 1),
    )
    assert order == ["p/e", "p/d", "p/b", "p/c", "p/a"]


def test_only_what_is_due_today_is_asked(noon: Moment) -> None:
    places = [question("p", name) for name in "abc"]
    cards = [reviewed("p/a", noon, overdue=-1), reviewed("p/b", noon), reviewed("p/c", noon, overdue=30)]
    assert sorted(asked(places, noon, *cards)) == ["p/b", "p/c"]


def test_a_card_without_its_question_is_not_asked(noon: Moment) -> None:
    assert asked([question("p", "a")], noon, reviewed("p/a", noon), reviewed("gone/b", noon)) == ["p/a"]


def test_new_questions_come_in_the_order_of_lessons_up_to_the_limit(noon: Moment) -> None:
    places = [
        question("p", "a", "two", 5),
        question("p", "b", "one", 4),
        question("p", "c", "one", 0),
        question("p", "d", "two", 3),
    ]
    assert set(asked(places, noon, new=2)) == {"p/c", "p/b"}
    assert asked(places, noon, new=4) == ["p/c", "p/d", "p/b", "p/a"]
    assert asked(places, noon) == []


def test_those_introduced_today_count_against_the_limit(noon: Moment) -> None:
    places = pack_of("p", *[None] * 10)
    assert len(queue(places, {}, noon, new_per_day=5, introduced=3)) == 2
    assert queue(places, {}, noon, new_per_day=5, introduced=9) == ()


def test_packs_take_turns(noon: Moment) -> None:
    places = [*pack_of("p", *[None] * 3), *pack_of("q", *[None] * 2)]
    assert asked(places, noon, new=5) == ["p/0", "q/0", "p/1", "q/1", "p/2"]
    assert asked(places, noon, new=3) == ["p/0", "q/0", "p/1"]


def test_new_questions_are_spread_among_reviews(noon: Moment) -> None:
    places = pack_of("p", *[None] * 9)
    order = asked(places, noon, *(reviewed(f"p/{name}", noon) for name in range(6)), new=3)
    assert [index for index, key in enumerate(order) if key in ("p/6", "p/7", "p/8")] == [1, 4, 7]


def test_siblings_are_kept_apart(noon: Moment) -> None:
    places = pack_of("p", "a", "a", "a", "b", "b")
    assert asked(places, noon, new=5) == ["p/0", "p/3", "p/1", "p/4", "p/2"]


def test_the_commoner_lesson_goes_first_where_only_that_keeps_siblings_apart(noon: Moment) -> None:
    places = pack_of("p", "a", "a", "b", "b", "b")
    assert asked(places, noon, new=5) == ["p/2", "p/0", "p/3", "p/1", "p/4"]


def test_no_sibling_follows_the_question_just_asked(noon: Moment) -> None:
    places = pack_of("p", "a", "a", "b", "c")
    assert asked(places, noon, new=4, after="p/0")[0] == "p/2"
    assert asked(places, noon, new=4, after="gone/x")[0] == "p/0"


def test_siblings_follow_each_other_where_there_is_nothing_else(noon: Moment) -> None:
    places = pack_of("p", "a", "a", "a", "b")
    assert sorted(asked(places, noon, new=4)) == ["p/0", "p/1", "p/2", "p/3"]
    assert asked(pack_of("p", "a", "a"), noon, new=2, after="p/1") == ["p/0", "p/1"]


def test_topics_are_packs_or_lessons(noon: Moment) -> None:
    places = [*pack_of("p", "a", "b"), *pack_of("q", "a")]
    assert asked(places, noon, new=9, topics=("p",)) == ["p/0", "p/1"]
    assert asked(places, noon, new=9, topics=("p/b", "q/a")) == ["p/1", "q/0"]
    assert [place.key for place in in_topics(places, ())] == ["p/0", "p/1", "q/0"]


@pytest.mark.parametrize("topic", ["r", "p/c", "p/None", ""])
def test_a_topic_without_questions_is_told(noon: Moment, topic: str) -> None:
    with pytest.raises(UsageError, match="no questions"):
        asked([*pack_of("p", "a", None)], noon, topics=(topic,))


def test_what_waits_can_be_asked_ahead_of_its_time(noon: Moment) -> None:
    places = [question("p", name) for name in "abcd"]
    cards = [learned("p/a", noon, 9), learned("p/b", noon, 1), learned("p/c", noon, -1), reviewed("p/d", noon)]
    held = {card.key: card for card in cards}
    assert [card.key for card in waiting(places, held, noon)] == ["p/b", "p/a"]


@pytest.mark.parametrize("suspended", [True, False])
def test_what_is_put_aside_is_neither_asked_nor_counted(suspended: bool, noon: Moment) -> None:
    places = [question("p", name) for name in "abcd"]
    cards = [reviewed("p/a", noon), learned("p/b", noon, -1), learned("p/c", noon, 8), Card("p/d")]
    aside = [card._replace(suspended=suspended, buried_day=None if suspended else noon.day) for card in cards]
    held = {card.key: card for card in aside}
    assert asked(places, noon, *aside, new=9) == []
    assert waiting(places, held, noon) == ()
    assert due_counts(places, held, noon, new_per_day=9, introduced=0) == {"p": Counts()}
    tomorrow = noon._replace(instant=noon.instant + timedelta(days=1), day=noon.day + 1)
    assert len(asked(places, tomorrow, *aside, new=9)) == (0 if suspended else 4)


def test_counts_say_what_is_due_waiting_and_new(noon: Moment) -> None:
    places = [*pack_of("p", *[None] * 5), *pack_of("q", None)]
    cards = [
        learned("p/0", noon, -1),
        learned("p/1", noon, 5, "relearning"),
        reviewed("p/2", noon),
        reviewed("gone/x", noon),
    ]
    counts = due_counts(places, {card.key: card for card in cards}, noon, new_per_day=2, introduced=0)
    assert counts == {"p": Counts(due=2, learning=1, new=1), "q": Counts(new=1)}


PLACES = st.lists(st.tuples(st.sampled_from("pq"), st.sampled_from(["a", "b", "c", None])), max_size=7)
MOODS = st.lists(st.sampled_from(["new", "due", "later", "learning"]), min_size=7, max_size=7)


def in_mood(place: Question, mood: str, moment: Moment) -> Mapping[str, Card]:
    made = {
        "due": reviewed(place.key, moment),
        "later": reviewed(place.key, moment, overdue=-3),
        "learning": learned(place.key, moment, -1),
    }
    return {place.key: made[mood]} if mood in made else {}


def clashes(order: list[Question]) -> int:
    return sum(
        one.lesson is not None and (one.pack, one.lesson) == (two.pack, two.lesson) for one, two in pairwise(order)
    )


@given(PLACES, MOODS)
def test_the_queue_is_what_is_due_and_new_with_siblings_apart_if_that_can_be(
    kinds: list[tuple[str, str | None]], moods: list[str]
) -> None:
    moment = Moment(noon_instant(), 0, 9617)
    places = [question(pack, str(index), lesson, index) for index, (pack, lesson) in enumerate(kinds)]
    cards: dict[str, Card] = {}
    for place, mood in zip(places, moods, strict=False):
        cards |= in_mood(place, mood, moment)
    keys = queue(places, cards, moment, new_per_day=99, introduced=0)
    expected = {place.key for place, mood in zip(places, moods, strict=False) if mood != "later"}
    assert sorted(keys) == sorted(expected)
    by_key = {place.key: place for place in places}
    order = [by_key[key] for key in keys]
    if clashes(order):
        assert all(clashes(list(other)) for other in permutations(order))


def noon_instant() -> datetime:
    return datetime(2026, 5, 1, 12, tzinfo=UTC)


def test_a_large_queue_keeps_every_question_once(noon: Moment) -> None:
    places = [question(f"p{index % 7}", str(index), f"l{index % 11}", index) for index in range(5_000)]
    keys = queue(places, {}, noon, new_per_day=5_000, introduced=0)
    assert sorted(keys) == sorted(place.key for place in places)
    by_key = {place.key: place for place in places}
    assert [len(list(run)) for _, run in groupby((by_key[key].pack, by_key[key].lesson) for key in keys)] == [1] * 5_000
