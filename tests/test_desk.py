"""The desk: a learner's folder opened together."""

import os
import stat
from datetime import date
from pathlib import Path

import pytest

from quiz.clock import local_zone
from quiz.desk import open_desk
from quiz.errors import StorageError, UsageError
from quiz.memory.cards import Card
from quiz.memory.days import day_of, day_start
from quiz.memory.queue import MOST_NEW
from quiz.settings import Settings
from quiz.study.rating import Rating


@pytest.fixture(autouse=True)
def monday(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIZ_HOME", str(tmp_path))
    monkeypatch.setenv("QUIZ_NOW", "2026-03-02T09:00:00+00:00")
    monkeypatch.setenv("TZ", "Europe/Berlin")


def test_a_fresh_desk_has_everything_new_and_as_much_as_a_day_brings() -> None:
    with open_desk() as opened:
        standings = opened.standings()
        assert list(standings) == ["head_dim", "divisibility", "gqa", "mla"]
        assert all(one.unseen == one.total and one.due == 0 and one.strength == 0 for one in standings.values())
        assert sum(one.new for one in standings.values()) == Settings().new_per_day


def test_many_cards_are_told_when_they_come_back_as_each_is() -> None:
    with open_desk() as opened:
        keys = [entry.key for entry in opened.library.entries()][:3]
        opened.act(keys[0], "known")
        opened.act(keys[1], "flag")
        session = opened.session()
        session.start(opened.now())
        session.answer("1", opened.now())
        session.rate(Rating.AGAIN, opened.now())
        cards = [*opened.log.cards().values(), Card("p/new")]
        dues = opened.dues()
        assert {card.state for card in cards} >= {"review", "learning", "new"}
        assert [dues(card) for card in cards] == [opened.due(card) for card in cards]


def test_new_questions_asked_today_count_against_todays_allowance_and_tomorrow_brings_new_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with open_desk() as opened:
        session = opened.session(limit=5)
        view = session.start(opened.now())
        while view.phase != "finished":
            view = session.answer("1", opened.now())
            view = session.skip(opened.now()) if view.phase == "asking" else session.rate(None, opened.now())
        seen = Settings().new_per_day - sum(one.new for one in opened.standings().values())
        assert seen == sum(one.total - one.unseen for one in opened.standings().values()) > 0
        monkeypatch.setenv("QUIZ_NOW", "2026-03-03T09:00:00+00:00")
        assert sum(one.new for one in opened.standings().values()) == Settings().new_per_day


def test_a_topic_narrows_the_sitting_to_its_lesson() -> None:
    with open_desk() as opened:
        view = opened.session(["gqa/kv-cache"], new=100).start(opened.now())
        assert view.variant is not None
        lessons = {entry.key: entry.lesson for entry in opened.library.entries()}
        keys = {entry.key for entry in opened.library.entries(["gqa/kv-cache"])}
        assert view.variant.key in keys
        assert {lessons[key] for key in keys} == {"kv-cache"}
        with pytest.raises(UsageError, match="no topic"):
            opened.session(["gqa/nothing"])


def test_a_topic_asked_for_by_name_brings_new_questions_even_when_todays_are_used_up() -> None:
    with open_desk() as opened:
        opened.save(Settings(new_per_day=1))
        session = opened.session(["mla"])
        session.start(opened.now())
        session.answer("1", opened.now())
        session.rate(Rating.EASY, opened.now())
        assert opened.session().start(opened.now()).phase == "finished"
        assert opened.session(["mla"]).start(opened.now()).phase == "asking"


def test_settings_are_kept(tmp_path: Path) -> None:
    with open_desk() as opened:
        opened.save(Settings(theme="light", new_per_day=3))
    with open_desk() as opened:
        assert (opened.settings.theme, opened.settings.new_per_day) == ("light", 3)
        assert sum(one.new for one in opened.standings().values()) == 3


@pytest.mark.parametrize("text", ["{", "[]", '{"rollover": 99}', '{"nonsense": 1}'])
def test_settings_that_cannot_be_are_said_with_their_file(tmp_path: Path, text: str) -> None:
    (tmp_path / "settings.json").write_text(text, encoding="utf-8")
    with pytest.raises(StorageError, match=r"settings\.json"):
        open_desk()


def test_a_broken_catalogue_cache_is_made_anew(tmp_path: Path) -> None:
    with open_desk() as opened:
        before = opened.library.entries()
    (tmp_path / "catalogue.db").write_bytes(b"not a database at all" * 100)
    with open_desk() as opened:
        assert opened.library.entries() == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    with pytest.raises(StorageError):
        open_desk()


def test_up_to_the_interview_a_day_brings_as_many_new_ones_as_it_takes_and_then_what_it_did(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def new_on(day: int) -> tuple[int, int, int | None]:
        monkeypatch.setenv("QUIZ_NOW", f"2026-03-{day:02}T09:00:00+00:00")
        with open_desk() as opened:
            view = opened.session().start(opened.now())
            new = sum(one.new for one in opened.standings().values())
            assert view.tally.left + (view.variant is not None) == new
            assert opened.progress()["new_today"] == new
            return new, sum(one.total for one in opened.standings().values()), opened.days_left()

    _, total, left = new_on(2)
    assert left is None
    with open_desk() as opened:
        opened.save(Settings(interview=date(2026, 3, 7)))
    assert new_on(2) == (-(-total // 5), total, 5)
    assert new_on(6) == (min(total, MOST_NEW), total, 1)
    assert new_on(7) == (0, total, 0)
    assert new_on(8) == (Settings().new_per_day, total, None)


def test_the_day_of_the_interview_begins_with_its_study_day(monkeypatch: pytest.MonkeyPatch) -> None:
    with open_desk() as opened:
        opened.save(Settings(interview=date(2026, 3, 3)))
        for instant, left in (("2026-03-03T02:59", 1), ("2026-03-03T03:00", 0), ("2026-03-04T02:59", 0)):
            monkeypatch.setenv("QUIZ_NOW", f"{instant}+00:00")
            assert opened.days_left() == left
        monkeypatch.setenv("QUIZ_NOW", "2026-03-04T03:00+00:00")
        assert opened.days_left() is None


def test_a_number_of_new_ones_asked_for_stands_before_an_interview_too() -> None:
    # The first of the two is shown.
    with open_desk() as opened:
        opened.save(Settings(interview=date(2026, 3, 4)))
        assert opened.session(new=2).start(opened.now()).tally.left == 1


def test_a_sitting_offers_no_day_past_the_interview_and_after_it_all_is_as_it_would_have_been(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with open_desk() as opened:
        opened.save(Settings(interview=date(2026, 3, 5)))
        session = opened.session()
        session.start(opened.now())
        view = session.answer("1", opened.now())
        assert all(offer.seconds <= 3 * 86_400 for offer in view.offers)
        view = session.rate(Rating.EASY, opened.now())
        assert view.saved is not None
        assert view.saved.card.due_day is not None
        interview = day_of(date(2026, 3, 5))
        assert view.saved.card.due_day == interview
        kept = opened.log.card(view.saved.key)
        assert kept.due_day is not None
        assert kept.due_day > interview
        assert opened.due(kept) == opened.dues()(kept) == day_start(interview, local_zone())
        monkeypatch.setenv("QUIZ_NOW", "2026-03-06T09:00:00+00:00")
        assert opened.due(kept) == opened.dues()(kept) == day_start(kept.due_day, local_zone())


def test_on_the_day_of_the_interview_new_ones_come_only_where_they_are_asked_for() -> None:
    with open_desk() as opened:
        opened.save(Settings(interview=date(2026, 3, 2)))
        assert opened.session().start(opened.now()).variant is None
        assert opened.progress()["new_today"] == 0
        assert opened.session(["mla"]).start(opened.now()).variant is not None
        assert opened.session(new=3).start(opened.now()).tally.left == 2


def test_what_was_answered_on_the_day_of_the_interview_comes_back_when_it_would_have() -> None:
    with open_desk() as opened:
        opened.save(Settings(interview=date(2026, 3, 2)))
        session = opened.session(["mla"])
        session.start(opened.now())
        session.answer("1", opened.now())
        view = session.rate(Rating.EASY, opened.now())
        assert view.saved is not None
        assert view.saved.card == opened.log.card(view.saved.key)
        assert view.saved.card.due_day is not None
        assert view.saved.card.due_day > opened.now().day


def test_shortly_before_the_interview_what_is_asked_early_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    with open_desk() as opened:
        session = opened.session(["mla"], new=2)
        session.start(opened.now())
        for _ in range(2):
            session.answer("1", opened.now())
            session.rate(Rating.EASY, opened.now())
        monkeypatch.setenv("QUIZ_NOW", "2026-03-04T09:00:00+00:00")
        assert opened.standings()["mla"].due == 0
        opened.save(Settings(interview=date(2026, 3, 6)))
        assert opened.standings()["mla"][:2] == (2, 2)
        monkeypatch.setenv("QUIZ_NOW", "2026-03-30T09:00:00+00:00")
        assert opened.standings()["mla"][:2] == (2, 0)
