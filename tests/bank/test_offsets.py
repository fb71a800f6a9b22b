import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz.bank import offsets
from quiz.bank.offsets import Source
from quiz.bank.places import Place

BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")


@pytest.fixture(autouse=True)
def short_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offsets, "_STRETCH", 3)


@given(st.lists(st.sampled_from(["ab", "\n", "\r\n", "\r", "\x85", "\u2028"]), max_size=20).map("".join))
def test_a_character_is_found_whatever_ends_the_lines_before_it(before: str) -> None:
    text = f"{before}xyz"
    ends = [0, *(found.end() for found in BREAK.finditer(text))]
    line, column = len(ends), text.index("xyz") - ends[-1] + 1
    place = Place(line, column, "plain")
    assert Source(text).locate(place, "xyz", 2) == (line, column + 2)


def test_a_character_is_found_in_a_block_and_past_a_fold() -> None:
    text = "a: |\n  one\n  two\nb: 'it''s\n  so'\n"
    assert Source(text).locate(Place(1, 4, "|"), "one\ntwo\n", 5) == (3, 4)
    assert Source(text).locate(Place(4, 4, "'"), "it's so", 3) == (4, 9)
    assert Source(text).locate(Place(4, 4, "'"), "it's so", 5) == (5, 3)
