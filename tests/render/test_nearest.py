"""Guessing the word that was meant, without letting a hostile list of words cost minutes."""

import pytest

from quiz.render.nearest import did_you_mean, nearest

WORDS = ("hidden_size", "num_heads", "num_kv_heads", "head_dim")


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("hiden_size", "hidden_size"),
        ("kv_heads", "num_kv_heads"),
        ("HEAD_DIM", "head_dim"),
        ("Head-Dim", "head_dim"),
        ("weather", None),
        ("", None),
        ("h" * 65, None),
    ],
)
def test_the_nearest_word_is_the_one_that_was_probably_meant(word: str, meant: str | None) -> None:
    assert nearest(word, WORDS) == meant


def test_a_question_names_the_near_words_or_is_none() -> None:
    assert did_you_mean("num_head", WORDS).startswith("did you mean num_heads or ")
    assert did_you_mean("num_head", WORDS).endswith("?")
    assert did_you_mean("weather", WORDS) == ""


def test_too_many_words_are_not_compared() -> None:
    assert nearest("word_1", [f"word_{number}" for number in range(201)]) is None
