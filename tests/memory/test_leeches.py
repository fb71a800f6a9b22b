import pytest

from quiz.memory.cards import Card
from quiz.memory.leeches import becomes_leech, is_leech

LOST = Card("p/a", "relearning", 0, 1.0, 9.0, lapses=8, reps=30, last_day=1)


@pytest.mark.parametrize(("lapses", "told"), [(7, False), (8, True), (9, False), (11, False), (12, True), (16, True)])
def test_it_is_told_at_the_eighth_lapse_and_every_fourth_after(lapses: int, told: bool) -> None:
    after = LOST._replace(lapses=lapses)
    assert becomes_leech(LOST._replace(lapses=lapses - 1), after) is told
    assert not becomes_leech(after, after)


def test_what_was_learned_after_all_is_none() -> None:
    assert is_leech(LOST)
    assert not is_leech(LOST._replace(lapses=7))
    assert not is_leech(LOST._replace(stability=21.0))
