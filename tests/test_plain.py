"""The plain sitting, as a program that reads and writes lines sees it."""

import io
import re
from pathlib import Path

import pytest

from quiz import plain
from quiz.desk import open_desk


@pytest.fixture(autouse=True)
def monday(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIZ_HOME", str(tmp_path))
    monkeypatch.setenv("QUIZ_NOW", "2026-03-02T09:00:00+00:00")
    monkeypatch.setenv("TZ", "UTC")


def sit(typed: str, *topics: str, limit: int | None = None) -> str:
    with open_desk() as desk:
        out = io.StringIO()
        assert plain.study(desk.session(topics, None, limit), desk.now, io.StringIO(typed), out) == 0
        return out.getvalue()


def reviews() -> list[tuple[str, int]]:
    with open_desk() as desk:
        return [(review.key, review.rating) for review in desk.log.reviews()]


def saved(text: str) -> list[tuple[str, int]]:
    found = re.findall(r"^saved (\S+) rating (\d) due (\S+)$", text, re.MULTILINE)
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
    assert "Hint: " in sit(":h\n", "head_dim")


def test_a_rating_that_is_none_is_explained_and_asked_again() -> None:
    text = sit("0\n7\n\n", "head_dim", limit=1)
    assert "1 to 4 changes it" in text
    assert len(saved(text)) == 1


def test_nothing_due_is_said() -> None:
    with open_desk() as desk:
        out = io.StringIO()
        plain.study(desk.session(["head_dim"], 0), desk.now, io.StringIO(""), out)
    assert out.getvalue().startswith("Nothing is due.")
