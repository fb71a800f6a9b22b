"""Study of a topic of which nothing is due, from the desk to the log."""

from pathlib import Path

import pytest

from quiz.desk import AHEAD, open_desk
from quiz.study.rating import Rating

LESSON = "gqa/kv-cache"


@pytest.fixture(autouse=True)
def monday(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIZ_HOME", str(tmp_path))
    monkeypatch.setenv("QUIZ_NOW", "2026-03-02T09:00:00+00:00")
    monkeypatch.setenv("TZ", "UTC")


def learn_all() -> dict[str, int]:
    """Take every question of the lesson as known; on which day each is due."""
    with open_desk() as desk:
        keys = [entry.key for entry in desk.library.entries([LESSON])]
        return {key: desk.act(key, "known").due_day or 0 for key in keys}


def test_what_comes_back_next_is_asked_ahead_of_time_and_never_comes_sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    due = learn_all()
    monkeypatch.setenv("QUIZ_NOW", "2026-03-05T09:00:00+00:00")
    with open_desk() as desk:
        session = desk.session([LESSON])
        view = session.start(desk.now())
        assert AHEAD in view.notice
        assert view.tally.left == len(due) - 1
        while view.variant is not None:
            session.answer(view.variant.answer.display, desk.now())
            view = session.rate(Rating.GOOD, desk.now())
        cards = desk.log.cards()
    assert all((cards[key].due_day or 0) >= day for key, day in due.items())
    assert all(cards[key].reps == 2 for key in due)


def test_looking_alone_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    learn_all()
    monkeypatch.setenv("QUIZ_NOW", "2026-03-05T09:00:00+00:00")
    with open_desk() as desk:
        before = desk.log.cards()
        session = desk.session([LESSON])
        session.start(desk.now())
        session.leave(desk.now())
        assert desk.log.cards() == before


def test_without_a_topic_nothing_is_asked_ahead_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    learn_all()
    monkeypatch.setenv("QUIZ_NOW", "2026-03-05T09:00:00+00:00")
    with open_desk() as desk:
        assert desk.session(new=0).start(desk.now()).variant is None
        view = desk.session([LESSON], new=0).start(desk.now())
        assert view.variant is not None
