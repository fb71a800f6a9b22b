"""A question whose id changes keeps its history."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from quiz.desk import open_desk
from quiz.memory.cards import Card
from quiz.memory.days import Moment, moment
from quiz.memory.reviews import Review, ReviewLog

Answer = Callable[..., Review]
NAMES = {"p/old": "p/new"}


def on_day(day: int) -> Moment:
    return moment(datetime(2026, 5, 1, 12, tzinfo=UTC) + timedelta(days=day), UTC)


def answered(log: ReviewLog, answer: Answer, key: str, *days: int) -> Card:
    for day in days:
        log.record(answer(log.card(key), moment=on_day(day), device=log.device_id))
    return log.card(key)


def test_a_renamed_question_goes_on_where_it_was(log: ReviewLog, answer: Answer) -> None:
    before = answered(log, answer, "p/old", 0, 1, 4)
    log.rename(NAMES, on_day(5))
    assert log.card("p/new") == before._replace(key="p/new")
    assert log.cards().keys() == {"p/new"}
    assert [review.key for review in log.reviews()] == ["p/new"] * 3
    assert log.check().sound


def test_an_answer_from_before_the_renaming_can_be_undone(log: ReviewLog, answer: Answer) -> None:
    before = answered(log, answer, "p/old", 0, 1)
    answered(log, answer, "p/old", 4)
    log.rename(NAMES, on_day(5))
    taken = log.undo_last(on_day(5))
    assert taken is not None
    assert taken.key == "p/new"
    assert log.card("p/new") == before._replace(key="p/new")


def test_where_both_names_have_a_history_they_become_one(log: ReviewLog, answer: Answer, tmp_path: Path) -> None:
    answered(log, answer, "p/old", 0, 4)
    answered(log, answer, "p/new", 1, 9)
    log.rename(NAMES, on_day(10))
    with ReviewLog.open(tmp_path / "straight.db") as straight:
        expected = answered(straight, answer, "p/new", 0, 1, 4, 9)
    assert log.card("p/new") == expected
    assert log.card("p/old") == Card("p/old")
    assert [review.moment.day for review in log.reviews()].count(on_day(0).day) == 1
    assert len(list(log.reviews())) == 4
    assert log.check().sound
    assert log.rebuild() == 0
    log.rename(NAMES, on_day(11))
    assert len(list(log.reviews())) == 4


def test_what_another_device_did_under_the_former_name_counts_for_the_present_one(
    log: ReviewLog, answer: Answer, tmp_path: Path
) -> None:
    answered(log, answer, "p/old", 0)
    log.rename(NAMES, on_day(1))
    with ReviewLog.open(tmp_path / "other.db") as other:
        answered(other, answer, "p/old", 3)
        other.undo_last(on_day(3))
        answered(other, answer, "p/old", 4)
        log.union().take_in(list(other.union().entries()), on_day(5), "a merge")
        assert [review.moment.day for review in log.reviews("p/new")] == [on_day(0).day, on_day(4).day]
        assert log.cards().keys() == {"p/new"}
        # The other one learns of the new name only after it has seen it.
        other.union().take_in(list(log.union().entries()), on_day(6), "a merge")
        other.rename(NAMES, on_day(7))
        for one, two in ((other, log), (log, other)):
            one.union().take_in(list(two.union().entries()), on_day(8), "a merge")
        assert other.card("p/new") == log.card("p/new")
        assert len(list(other.reviews())) == len(list(log.reviews())) == 2
        assert other.check().sound


def test_a_name_that_was_never_asked_changes_nothing(log: ReviewLog, answer: Answer) -> None:
    before = answered(log, answer, "p/other", 0)
    log.rename({"p/never": "p/new", "p/gone": "p/other"}, on_day(1))
    assert log.cards() == {"p/other": before}


def test_a_pack_that_renames_its_question_keeps_the_card(tmp_path: Path, answer: Answer) -> None:
    pack = 'format: 1\npack: own\ntitle: Own\nversion: "1"\nquestions:\n  - {id: %s, kind: card, prompt: p, back: b}\n'
    (tmp_path / "packs").mkdir()
    file = tmp_path / "packs" / "own.yaml"
    file.write_text(pack % "old", encoding="utf-8")
    with open_desk(tmp_path) as desk:
        card = answered(desk.log, answer, "own/old", 0)
    file.write_text(pack % "new, was: [old]", encoding="utf-8")
    with open_desk(tmp_path) as desk:
        assert desk.log.card("own/new") == card._replace(key="own/new")
        assert desk.standings()["own"].unseen == 0
    # A later version may drop the former name again.
    file.write_text(pack % "new", encoding="utf-8")
    with open_desk(tmp_path) as desk:
        assert desk.log.card("own/new").reps == card.reps
