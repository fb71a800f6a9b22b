"""What learners of other tools lost or were misled by, lived through here: a real folder, a clock and a zone set from
outside. Each test says whose trouble it was not to become; scheduling, damage and sync have files of their own."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from quiz import paths
from quiz.desk import open_desk
from quiz.memory.cards import Card
from quiz.settings import Settings
from quiz.study.rating import Rating

At = Callable[..., None]
WritePack = Callable[..., None]


@pytest.fixture(autouse=True)
def content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No shipped packs but what the test writes."""
    folder = tmp_path / "content"
    folder.mkdir()
    monkeypatch.setattr(paths, "content_dir", lambda: folder)
    monkeypatch.setenv("QUIZ_HOME", str(tmp_path / "home"))
    return folder


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> At:
    """Set the clock, in UTC, and the zone of the machine."""

    def set_clock(instant: datetime | str, zone: str = "UTC") -> None:
        if isinstance(instant, str):
            instant = datetime.fromisoformat(instant).replace(tzinfo=UTC)
        monkeypatch.setenv("QUIZ_NOW", instant.isoformat())
        monkeypatch.setenv("TZ", zone)

    set_clock("2026-05-01 12:00")
    return set_clock


@pytest.fixture
def write_pack(content: Path) -> WritePack:
    """Write a pack of cards, given by id or as a whole."""

    def write(*questions: str | dict[str, Any], pack: str = "p", version: str = "1.0.0") -> None:
        whole = [
            {"id": one, "kind": "card", "prompt": f"What is {one}?", "back": "That."} if isinstance(one, str) else one
            for one in questions
        ]
        head = {"format": 1, "pack": pack, "title": pack, "version": version}
        (content / f"{pack}.yaml").write_text(json.dumps({**head, "questions": whole}), encoding="utf-8")

    return write


def study(answers: int = 1, rating: Rating = Rating.GOOD) -> list[str]:
    """Open the folder, answer so many questions, close it; gives their keys."""
    with open_desk() as desk:
        session = desk.session(new=answers, limit=answers)
        view = session.start(desk.now())
        keys = []
        while view.phase != "finished" and view.variant is not None:
            keys.append(view.variant.key)
            session.answer("", desk.now())
            view = session.rate(rating, desk.now())
        return keys


def cards() -> dict[str, Card]:
    with open_desk() as desk:
        return desk.log.cards()


def days() -> list[int]:
    with open_desk() as desk:
        return [review.moment.day for review in desk.log.reviews()]


def streak() -> int:
    with open_desk() as desk:
        found: int = desk.progress()["streak"]
        return found


# --- The day and its boundary


def test_a_summer_review_keeps_its_day_when_statistics_are_read_in_winter(at: At, write_pack: WritePack) -> None:
    write_pack("a", "b")
    at("2026-07-01 02:10", "Europe/Berlin")
    study()
    summer = days()
    at("2026-12-01 12:00", "Europe/Berlin")
    assert days() == summer
    # 04:10 on the wall is past the rollover; by winter's offset it would be 03:10 of the day before.
    assert [datetime(2000, 1, 1) + timedelta(days=day) for day in summer] == [datetime(2026, 7, 1)]


def test_the_hour_on_the_wall_at_which_one_studied_stays(at: At, write_pack: WritePack) -> None:
    write_pack("a")
    at("2026-05-01 20:00", "Europe/Berlin")
    study()
    at("2026-05-03 12:00", "Asia/Tokyo")
    with open_desk() as desk:
        (review,) = desk.log.reviews()
    assert (review.moment.instant + timedelta(minutes=review.moment.offset_minutes)).hour == 22


@pytest.mark.parametrize("first", ["2026-03-26", "2026-10-22"])
def test_over_a_clock_change_each_day_is_one_day(first: str, at: At, write_pack: WritePack) -> None:
    write_pack(*(f"q{number}" for number in range(7)))
    morning = datetime.fromisoformat(f"{first} 07:00")
    for day in range(7):
        at((morning + timedelta(days=day)).isoformat(), "Europe/Berlin")
        study()
    lived = sorted(set(days()))
    assert lived == list(range(lived[0], lived[0] + 7))
    assert streak() == 7


def test_studying_at_one_every_night_is_a_streak(at: At, write_pack: WritePack) -> None:
    write_pack("a", "b", "c", "d")
    for night in range(4):
        at(f"2026-05-0{2 + night} 01:00")
        study()
    assert streak() == 4


def test_a_sitting_over_midnight_is_of_one_day(at: At, write_pack: WritePack) -> None:
    write_pack("a", "b")
    at("2026-05-01 23:50")
    study()
    at("2026-05-02 00:10")
    study()
    assert len(set(days())) == 1


def test_a_streak_survives_a_flight_and_another_rollover(at: At, write_pack: WritePack) -> None:
    write_pack("a", "b", "c")
    for day in range(3):
        at(f"2026-05-0{1 + day} 23:00", "Australia/Sydney")
        study()
    at("2026-05-04 08:00", "Europe/London")
    assert streak() == 3
    with open_desk() as desk:
        desk.save(Settings(rollover=10))
    assert streak() == 3


def test_the_rollover_setting_has_an_effect(at: At, write_pack: WritePack) -> None:
    write_pack("a", "b")
    with open_desk() as desk:
        desk.save(Settings(rollover=2))
    at("2026-05-02 01:00")
    study()
    at("2026-05-02 03:00")
    study()
    assert len(set(days())) == 2


def test_west_of_utc_tomorrows_review_does_not_come_this_evening(at: At, write_pack: WritePack) -> None:
    write_pack("a")
    at("2026-05-01 17:00", "America/Los_Angeles")
    study(rating=Rating.EASY)
    (card,) = cards().values()
    assert card.due_day is not None
    eve = datetime(2000, 1, 1, 20, tzinfo=UTC) + timedelta(days=card.due_day - 1)
    at(eve + timedelta(hours=7), "America/Los_Angeles")
    with open_desk() as desk:
        assert desk.standings()["p"].due == 0
    at(eve + timedelta(hours=17), "America/Los_Angeles")
    with open_desk() as desk:
        assert desk.standings()["p"].due == 1


# --- Schedules


def test_what_a_key_shows_is_what_it_does_also_after_a_restart(at: At, write_pack: WritePack) -> None:
    write_pack("a")
    study(rating=Rating.EASY)
    at("2026-06-20 12:00")
    offers = []
    for _ in range(2):
        with open_desk() as desk:
            session = desk.session()
            session.start(desk.now())
            offers.append([offer.seconds for offer in session.answer("", desk.now()).offers])
    assert offers[0] == offers[1]
    study()
    (card,) = cards().values()
    assert card.due_day is not None
    assert card.last_day is not None
    assert (card.due_day - card.last_day) * 86_400 == offers[0][Rating.GOOD.value - 1]


@pytest.mark.parametrize("jump", [-3, -4000, 4000])
def test_a_clock_that_jumps_moves_no_due_day_back(jump: int, at: At, write_pack: WritePack) -> None:
    write_pack("a", "b")
    noon = datetime(2026, 5, 1, 12, tzinfo=UTC)
    study(2, Rating.EASY)
    before = cards()
    at(noon + timedelta(days=jump))
    assert cards() == before
    study(2)
    for key, card in cards().items():
        assert card.due_day is not None
        assert card.last_day is not None
        assert card.due_day >= max(card.last_day, before[key].last_day or 0)


# --- Packs that change


def test_a_mended_comma_keeps_the_history(at: At, write_pack: WritePack) -> None:
    write_pack({"id": "a", "kind": "card", "prompt": "Well what is it?", "back": "That."})
    study()
    before = cards()
    write_pack({"id": "a", "kind": "card", "prompt": "Well, what is it?", "back": "That."}, version="1.0.1")
    at("2026-05-01 12:20")
    assert cards() == before
    with open_desk() as desk:
        view = desk.session(new=0).start(desk.now())
        assert view.variant is not None
        assert view.variant.prompt == "Well, what is it?"


def test_a_question_more_at_the_top_of_a_studied_pack_is_the_only_new_one(at: At, write_pack: WritePack) -> None:
    studied = [f"q{number}" for number in range(60)]
    write_pack(*studied)
    study(60, Rating.EASY)
    before = cards()
    assert len(before) == 60
    write_pack("first-of-all", *reversed(studied), version="2.0.0")
    assert cards() == before
    with open_desk() as desk:
        standing = desk.standings()["p"]
        assert (standing.unseen, standing.total) == (1, 61)


def test_a_pack_that_vanishes_and_returns_finds_its_history(at: At, write_pack: WritePack, content: Path) -> None:
    write_pack("a", "b")
    write_pack("z", pack="other")
    study(3, Rating.EASY)
    before, file = cards(), content / "p.yaml"
    text = file.read_text(encoding="utf-8")
    file.unlink()
    at("2027-05-01 12:00")
    assert cards() == before
    with open_desk() as desk:
        assert desk.standings().keys() == {"other"}
    assert {key.partition("/")[0] for key in study(3)} == {"other"}
    file.write_text(text, encoding="utf-8")
    assert {key: card for key, card in cards().items() if key.startswith("p/")} == {
        key: card for key, card in before.items() if key.startswith("p/")
    }
    with open_desk() as desk:
        assert desk.standings()["p"].due == 2


def test_an_update_keeps_what_was_learned_and_also_a_renamed_id(at: At, write_pack: WritePack) -> None:
    write_pack("a", "b")
    study(2, Rating.EASY)
    before = cards()
    renamed = {"id": "better", "was": ["b"], "kind": "card", "prompt": "What is b?", "back": "That."}
    write_pack("a", renamed, "c", version="2.0.0")
    after = cards()
    assert after.keys() == {"p/a", "p/better"}
    assert after["p/a"] == before["p/a"]
    assert after["p/better"].due_day == before["p/b"].due_day


def test_a_new_pack_shows_at_once_with_its_count(at: At, write_pack: WritePack) -> None:
    write_pack("a")
    study()
    write_pack("x", "y", "z", pack="added")
    with open_desk() as desk:
        standing = desk.standings()["added"]
        assert (standing.new, standing.total) == (3, 3)


def test_the_same_text_in_two_packs_is_two_questions(at: At, write_pack: WritePack) -> None:
    write_pack("a")
    write_pack("a", pack="q")
    study(1)
    assert len(cards()) == 1
    study(1)
    assert cards().keys() == {"p/a", "q/a"}


def test_another_retention_makes_nothing_due_at_once(at: At, write_pack: WritePack) -> None:
    write_pack(*"abcdef")
    study(6, Rating.EASY)
    at("2026-05-05 12:00")
    with open_desk() as desk:
        before = (desk.log.cards(), desk.progress()["forecast"])
        desk.save(desk.settings._replace(retention=0.97))
    with open_desk() as desk:
        assert (desk.log.cards(), desk.progress()["forecast"]) == before


# --- Nothing answered is lost or counted twice


def test_answers_are_there_once_after_quitting(at: At, write_pack: WritePack) -> None:
    write_pack("a", "b", "c")
    keys = study(3)
    assert sorted(keys) == sorted(cards())
    with open_desk() as desk:
        assert sorted(review.key for review in desk.log.reviews()) == sorted(keys)
        assert desk.progress()["reviews"] == 3


def test_an_answer_taken_back_leaves_no_trace_in_any_figure(at: At, write_pack: WritePack) -> None:
    write_pack("a", "b")
    study()
    at("2026-05-02 12:00")
    with open_desk() as desk:
        before = (desk.log.cards(), desk.progress(), desk.standings())
        session = desk.session()
        session.start(desk.now())
        session.answer("", desk.now())
        session.rate(Rating.AGAIN, desk.now())
        assert (desk.log.cards(), desk.progress(), desk.standings()) != before
        session.undo(desk.now())
        assert (desk.log.cards(), desk.progress(), desk.standings()) == before
    with open_desk() as desk:
        assert (desk.log.cards(), desk.progress(), desk.standings()) == before
