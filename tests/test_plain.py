"""The plain sitting, as a program that reads and writes lines sees it."""

import io
import re
from pathlib import Path

import pytest

from quiz import plain
from quiz.desk import open_desk
from quiz.tui import commands


@pytest.fixture(autouse=True)
def monday(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIZ_HOME", str(tmp_path))
    monkeypatch.setenv("QUIZ_NOW", "2026-03-02T09:00:00+00:00")
    monkeypatch.setenv("TZ", "UTC")


def read(pack: str, lesson: str) -> str:
    return f"This is {pack}/{lesson}."


def sit(typed: str, *topics: str, limit: int | None = None) -> str:
    with open_desk() as desk:
        out = io.StringIO()
        assert plain.study(desk.session(topics, None, limit), desk.now, io.StringIO(typed), out, read) == 0
        return out.getvalue()


def reviews() -> list[tuple[str, int]]:
    with open_desk() as desk:
        return [(review.key, review.rating) for review in desk.log.reviews()]


def saved(text: str) -> list[tuple[str, int]]:
    found = re.findall(r"^saved (\S+) rating (\d) due (\S+(?: \d\d:\d\d)?)$", text, re.MULTILINE)
    return [(key, int(rating)) for key, rating, _ in found]


def test_an_empty_line_accepts_the_proposed_rating_and_a_digit_changes_it() -> None:
    accepted = sit("0\n\n", "head_dim", limit=1)
    assert [rating for _, rating in saved(accepted)] == [1]
    changed = sit("0\n4\n", "mla", limit=1)
    assert [rating for _, rating in saved(changed)] == [4]
    assert saved(accepted) + saved(changed) == reviews()


def test_a_wrong_answer_shows_the_right_one_with_the_steps_of_these_numbers() -> None:
    text = sit("0\n\n", "head_dim", limit=1)
    heads = re.search(r"hidden_size (\d+) and (\d+) attention heads", text)
    assert heads is not None
    width = int(heads[1]) // int(heads[2])
    assert f"the answer is {width}" in text
    assert f"{heads[1]} / {heads[2]} = {width}." in text


def test_u_at_the_rating_withdraws_the_answer_and_asks_again() -> None:
    text = sit("0\nu\n", "head_dim")
    assert saved(text) == reviews() == []
    assert text.count("Question ") == 2


def test_u_at_the_question_takes_back_what_was_saved() -> None:
    text = sit("0\n\n:u\n", "head_dim")
    assert len(saved(text)) == 1
    assert reviews() == []


def test_q_after_the_mark_saves_the_answer_that_was_marked_and_says_so() -> None:
    text = sit("0\nq\n", "head_dim")
    assert len(saved(text)) == 1
    assert saved(text) == reviews()


def test_the_end_of_input_after_the_mark_saves_it_too() -> None:
    text = sit("0\n", "head_dim")
    assert len(saved(text)) == 1
    assert saved(text) == reviews()


def test_q_at_the_question_ends_without_a_trace() -> None:
    assert saved(sit("q\n", "head_dim")) == reviews() == []


def test_what_cannot_be_read_is_asked_again() -> None:
    text = sit("sixty-four\n0\n\n", "head_dim", limit=1)
    assert text.count("Question ") == 1
    assert len(saved(text)) == 1


def test_a_hint_shows_on_demand() -> None:
    assert "Hint 1 of 2: " in sit(":h\n", "head_dim")


def test_a_rating_that_is_none_is_explained_and_asked_again() -> None:
    text = sit("0\n7\n\n", "head_dim", limit=1)
    assert "1–4    rate it again, hard, good or easy" in text
    assert len(saved(text)) == 1


def test_nothing_due_is_said() -> None:
    with open_desk() as desk:
        out = io.StringIO()
        plain.study(desk.session(["head_dim"], 0), desk.now, io.StringIO(""), out, read)
    assert out.getvalue().startswith("Nothing is due.")


OPEN = """format: 1
pack: mine
title: Mine
version: "1.0.0"
lessons: [{id: cache, title: The cache, tldr: It is small., body: It is.}]
questions:
  - id: an-open
    kind: open
    lesson: cache
    prompt: Why group?
    approach: Because of the cache.
    rubric: [{point: Cache, weight: 3}, {point: Bandwidth}]
  - {id: a-term, kind: text, prompt: The L in MLA?, accept: [latent], lesson: cache, hints: [It hides.]}
"""


@pytest.fixture
def mine(tmp_path: Path) -> str:
    folder = tmp_path / "packs"
    folder.mkdir()
    (folder / "mine.yaml").write_text(OPEN, encoding="utf-8")
    return "mine"


def prompts(text: str) -> int:
    return len(re.findall(r"^(Answer \(|Rating \[)", text, re.MULTILINE))


def test_d_shows_the_answer_to_who_does_not_know_and_keeps_it_as_a_miss() -> None:
    text = sit(":d\n\n", "head_dim", limit=1)
    assert "You passed on it; the answer is " in text
    assert [rating for _, rating in saved(text)] == [1]
    with open_desk() as desk:
        kept = next(desk.log.reviews())
        assert (kept.typed, kept.verdict, kept.misconception) == ("", "wrong", None)
        assert desk.curve(kept.key)["right"] == 0


def test_every_line_that_is_read_is_asked_for() -> None:
    typed = "sixty-four\n:h\n:zz\n:?\n:l\n:f\n0\n9\nd\nu\n:s\n"
    # One more is asked for when the input ends.
    assert prompts(sit(typed, "head_dim")) == typed.count("\n") + 1


def test_a_withdrawal_is_told_once_and_the_question_keeps_its_number() -> None:
    text = sit("1\nu\n:q\n", "gqa")
    assert text.count("it was not saved") == 1
    assert text.count("Question 1") == 2
    assert "Question 2" not in text


def test_the_points_of_an_open_question_are_ticked_and_shown_before_anything_is_proposed(mine: str) -> None:
    text = sit("\n\nt1\n\n", mine, limit=1)
    assert "Rating [none before you tick what you said]" in text
    assert "t1 ticks or unticks the first point" in text
    assert text.count("t1 [ ] Cache (counts 3 times)") == 1
    assert "t1 [x] Cache (counts 3 times)" in text
    assert [rating for _, rating in saved(text)] == [2]


def test_a_point_that_is_not_there_is_told(mine: str) -> None:
    assert "the points go from t1 to t2" in sit("\nt3\n", mine)


def test_a_command_that_is_none_is_no_answer(mine: str) -> None:
    text = sit(":s\n:latent\nlatent\n\n", mine, limit=1)
    assert "'latent' is no command here" in text
    assert [rating for _, rating in saved(text)] == [3]


def test_a_dispute_is_offered_where_there_is_one_and_can_be_taken_back() -> None:
    text = sit("0\nd\nd\n\n", "head_dim", limit=1)
    assert text.count("d disagrees") == 2
    assert "d takes the dispute back" in text
    assert "d disagrees" not in sit(":d\n", "head_dim")


def test_plain_reads_lessons_and_puts_questions_aside(mine: str) -> None:
    text = sit(":l\n:b\n:x\n", mine)
    assert "This is mine/cache." in text
    assert "mine/an-open: put aside until tomorrow." in text
    assert "mine/a-term: suspended" in text
    with open_desk() as desk:
        assert desk.log.card("mine/a-term").suspended


def test_a_flag_and_what_is_known_are_kept(mine: str) -> None:
    assert "(flagged)" in sit(":f\n:k\n:u\n", mine)
    with open_desk() as desk:
        assert desk.log.card("mine/an-open").flagged


def test_what_was_answered_in_another_sitting_is_taken_back_with_a_word_about_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sit("0\n\n", "head_dim", limit=1)
    monkeypatch.setenv("QUIZ_NOW", "2026-03-04T09:00:00+00:00")
    text = sit(":u\n", "gqa")
    assert "Took back head_dim/derived-width, answered on 2 March." in text
    assert reviews() == []


def test_a_card_that_comes_back_soon_is_told_by_the_clock_of_the_learner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    assert re.search(r" rating 1 due 2026-03-02 10:01$", sit("0\n\n", "head_dim", limit=1), re.MULTILINE)


def test_the_letters_are_those_of_the_screens() -> None:
    for command in plain.COMMANDS:
        rows = [row for row in commands.COMMANDS if row.id == command.id]
        keys = {key.lower().replace("question_mark", "?") for row in rows for key in row.keys}
        assert command.letter in keys, command


def test_plain_can_do_what_the_screen_can() -> None:
    done_otherwise = {"pick", "unpick", "submit", "tick", "accept", "rate"}
    about_the_screen = {"page_down", "page_up", "line_down", "line_up", "theme", "quit", "suspend_process"}
    for place in commands.ASKING + commands.MARKED:
        there = {row.id for row in commands.commands_at(place)}
        assert there - done_otherwise - about_the_screen <= {command.id for command in plain.COMMANDS}
