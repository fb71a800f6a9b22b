from collections.abc import Callable
from uuid import UUID

import pytest

from quiz.memory.cards import Card
from quiz.memory.review import Review, new_id


@pytest.mark.parametrize(
    ("verdict", "rating", "right"),
    [("right", 3, True), ("right", 1, True), ("wrong", 3, False), ("judged", 1, False), ("judged", 2, True)],
)
def test_right_is_what_was_marked_so_or_judged_better_than_again(
    answer: Callable[..., Review], verdict: str, rating: int, right: bool
) -> None:
    assert answer(Card("p/q"), rating, verdict=verdict).right is right


def test_ids_are_fresh_uuids() -> None:
    first, second = new_id(), new_id()
    assert first != second
    assert str(UUID(first)) == first
