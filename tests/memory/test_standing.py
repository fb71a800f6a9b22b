"""The figures that SQLite sums, against plain slow ones, after whatever can happen to a log."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz.memory import spots
from quiz.memory.acts import Deed
from quiz.memory.cards import Card
from quiz.memory.days import Moment, moment
from quiz.memory.progress import progress_json
from quiz.memory.queue import due_counts
from quiz.memory.reviews import ReviewLog
from quiz.memory.schedule import DEFAULTS
from quiz.memory.standing import Stood, new_in_turns
from tests.memory.catalogue import Listed, Question
from tests.memory.conftest import Answer
from tests.memory.plain import figures_of, plain_progress

START = datetime(2026, 5, 1, 12, tzinfo=UTC)
DEPTHS = ("screen", "onsite", "research")


def later(hours: float) -> Moment:
    return moment(START + timedelta(hours=hours), UTC)


def catalogue(keys: list[str]) -> Listed:
    """Lessons, depths and questions without a lesson, in turn."""
    return Listed(
        [
            Question(key, key.partition("/")[0], (None, "one", "two")[at % 3], DEPTHS[at // 2 % 3], at)
            for at, key in enumerate(keys)
        ]
    )


def live_through(log: ReviewLog, other: ReviewLog, answer: Answer, keys: list[str], random: Random) -> int:
    """Months of study: answers, acts, what is taken back, and what another device did. How many hours they took."""
    hours = 0
    for _ in range(120):
        hours += random.choice((0, 0, 1, 5, 30, 200))
        key, at = random.choice(keys), later(hours)
        match random.randrange(12):
            case 0:
                log.undo_last(at)
            case 1:
                log.act(key, random.choice(get_args(Deed)), at, "acts")
            case 2:
                log.union().take_in(list(other.union().entries()), at, "a merge")
            case _:
                device = random.choice((log, log, other))
                missed = random.random() < 0.4
                device.record(
                    answer(
                        device.card(key),
                        1 if missed else random.choice((2, 3, 4)),
                        at,
                        misconception=random.choice((None, "m", "n")) if missed else None,
                        thinking_ms=random.randrange(100_000),
                        sitting=f"sitting {hours // 100}",
                    )
                )
    return hours


def assert_as_plain(log: ReviewLog, listed: Listed, at: Moment, interview_day: int | None = None) -> None:
    parameters = replace(DEFAULTS, interview_day=interview_day)
    found = progress_json(figures_of(log, listed, at, new_per_day=3, introduced=1, parameters=parameters))
    plain = plain_progress(
        listed, log.cards(), list(log.reviews()), at, new_per_day=3, introduced=1, parameters=parameters
    )
    assert {name: found[name] for name in plain} == plain


@pytest.mark.parametrize("seed", range(8))
def test_they_are_those_of_plain_computation(tmp_path: Path, answer: Answer, seed: int) -> None:
    random = Random(seed)
    keys = [f"{pack}/{name}" for pack in "pqr" for name in "abcdefg"]
    asked = keys[:-3]
    with ReviewLog.open(tmp_path / "one" / "quiz.db") as log, ReviewLog.open(tmp_path / "other" / "quiz.db") as other:
        for _ in range(2):
            hours = live_through(log, other, answer, asked, random)
            for wait in (0, 20, 24 * 12, 24 * 60):
                at = later(hours + wait)
                assert_as_plain(log, catalogue(keys), at)
                for ahead in (0, 1, 5, 20, -1):
                    assert_as_plain(log, catalogue(keys), at, at.day + ahead)
            # Some have gone, others moved to another lesson.
            assert_as_plain(log, catalogue(keys[4:]), at)


def test_they_go_on_after_a_question_was_renamed(tmp_path: Path, answer: Answer) -> None:
    with ReviewLog.open(tmp_path / "quiz.db") as log:
        for key, rating in (("p/a", 4), ("p/b", 1), ("p/c", 3)):
            log.record(answer(log.card(key), rating, misconception="m" if rating == 1 else None))
        before, after = catalogue(["p/a", "p/b", "p/c"]), catalogue(["p/a", "p/new", "p/c"])
        assert_as_plain(log, before, later(1))
        log.rename({"p/b": "p/new"}, later(2))
        assert_as_plain(log, after, later(3))
        log.record(answer(log.card("p/b"), 4, later(4)))
        log.rename({"p/b": "p/new"}, later(5))
        assert_as_plain(log, after, later(6))


def test_nothing_is_wanted_of_an_empty_catalogue(log: ReviewLog, answer: Answer) -> None:
    log.record(answer(log.card("p/a"), 4))
    assert_as_plain(log, Listed([]), later(300))


@given(st.lists(st.tuples(*[st.integers(0, 4)] * 3), max_size=5), st.integers(0, 20), st.integers(0, 20))
def test_packs_bring_as_many_new_questions_as_a_queue_asks(
    packs: list[tuple[int, int, int]], new_per_day: int, introduced: int
) -> None:
    places: list[Question] = []
    cards: dict[str, Card] = {}
    stood: list[Stood] = []
    for name, (unseen, aside, met) in zip("pqrst", packs, strict=False):
        added = [Question(f"{name}/{at}", name, None, "screen", at) for at in range(unseen + aside + met)]
        places += added
        cards |= {one.key: Card(one.key, suspended=True) for one in added[:aside]}
        cards |= {one.key: Card(one.key, "review") for one in added[aside : aside + met]}
        stood.append(Stood(spots.Spot(len(stood), name, None, "screen", len(added)), met=met, aside=aside))
    counts = due_counts(places, cards, later(0), new_per_day=new_per_day, introduced=introduced)
    assert new_in_turns(stood, new_per_day - introduced) == {
        pack: count.new for pack, count in counts.items() if count.new
    }
