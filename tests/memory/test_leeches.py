import sqlite3
from contextlib import closing

import pytest

from quiz.memory.cards import Card
from quiz.memory.leeches import IS_LEECH, becomes_leech

LOST = Card("p/a", "relearning", 0, 1.0, 9.0, lapses=8, reps=30, last_day=1)


@pytest.mark.parametrize(("lapses", "told"), [(7, False), (8, True), (9, False), (11, False), (12, True), (16, True)])
def test_it_is_told_at_the_eighth_lapse_and_every_fourth_after(lapses: int, told: bool) -> None:
    after = LOST._replace(lapses=lapses)
    assert becomes_leech(LOST._replace(lapses=lapses - 1), after) is told
    assert not becomes_leech(after, after)


@pytest.mark.parametrize(("lapses", "stability", "is_leech"), [(8, 1.0, 1), (8, None, 1), (7, 1.0, 0), (8, 21.0, 0)])
def test_what_was_learned_after_all_is_none(lapses: int, stability: float | None, is_leech: int) -> None:
    with closing(sqlite3.connect(":memory:")) as database:
        found = database.execute(f"SELECT {IS_LEECH} FROM (SELECT ? AS lapses, ? AS stability)", (lapses, stability))
        assert found.fetchone() == (is_leech,)
