"""What is told of a deed and of what was taken back."""

from datetime import UTC, datetime

from quiz.memory.acts import Act
from quiz.memory.cards import Card
from quiz.memory.days import Moment, moment
from quiz.study.notices import done, many_misses, taken_back


def on(year: int, month: int, day: int) -> Moment:
    return moment(datetime(year, month, day, 9, tzinfo=UTC), UTC)


def buried(when: Moment) -> Act:
    return Act("", "mla/a", "bury", when, "", "", Card("mla/a"), Card("mla/a"))


def test_a_deed_is_taken_back_in_the_words_in_which_it_was_told() -> None:
    assert done("mla/a", "bury") == "mla/a: put aside until tomorrow."
    today = on(2026, 12, 26)
    assert taken_back(buried(today), today, of_this_sitting=True) == "Took back mla/a: put aside until tomorrow."


def test_what_is_of_an_earlier_sitting_is_told_with_its_day() -> None:
    today = on(2026, 12, 28)
    for then, said in (
        (on(2026, 12, 28), "earlier today"),
        (on(2026, 12, 26), "on 26 December"),
        (on(2025, 3, 2), "on 2 March 2025"),
    ):
        told = taken_back(buried(then), today, of_this_sitting=False)
        assert told == f"Took back mla/a: put aside until tomorrow, {said}."


def test_who_misses_a_question_often_is_told_what_else_to_do() -> None:
    told = many_misses(4, "mla/latent", "l", "b", "x")
    assert "4 times" in told
    assert told.endswith("b puts it aside until tomorrow, x for good. l reads its lesson: mla/latent.")
    assert "lesson" not in many_misses(4, "", "l", "b", "x")
