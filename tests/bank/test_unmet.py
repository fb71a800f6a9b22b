"""The first questions that were not met, found past however many that were."""

from collections.abc import Mapping, Sequence

from hypothesis import given
from hypothesis import strategies as st

from quiz.bank.unmet import first_unmet


class Remembered:
    """A past; ``asked`` counts the questions that it was asked about."""

    def __init__(self, known: Mapping[str, bool]) -> None:
        self.known = known
        self.asked = 0

    def met(self, keys: Sequence[str]) -> Mapping[str, bool]:
        self.asked += len(keys)
        return {key: self.known[key] for key in keys if key in self.known}

    def reached(self, pack: str, depth: str, stamp: str) -> tuple[int, int]:
        raise NotImplementedError

    def reach(self, pack: str, depth: str, stamp: str, place: tuple[int, int]) -> None:
        raise NotImplementedError


def rows(count: int) -> list[tuple[str, int, int]]:
    """Questions in lessons of ten, by lesson and position."""
    return [(f"p/{number}", number - number % 10, number) for number in range(count)]


@given(st.lists(st.sampled_from([None, False, True]), max_size=60), st.integers(1, 12))
def test_it_finds_what_a_look_at_every_question_finds(pasts: list[bool | None], most: int) -> None:
    known = {f"p/{number}": answered for number, answered in enumerate(pasts) if answered is not None}
    found = first_unmet(Remembered(known), most, rows(len(pasts)))
    unmet = [f"p/{number}" for number, answered in enumerate(pasts) if answered is None]
    assert found.keys == unmet[:most]
    until = next((number for number, answered in enumerate(pasts) if not answered), len(pasts))
    last_looked_at = int(found.keys[-1].partition("/")[2]) if len(found.keys) == most else len(pasts)
    assert found.passed == min(until, last_looked_at)
    assert all(answered for answered, (_, *place) in zip(pasts, rows(60), strict=False) if tuple(place) < found.reached)


def test_what_is_put_aside_is_neither_new_nor_passed_for_good() -> None:
    found = first_unmet(Remembered({"p/0": True, "p/1": False, "p/2": True}), 1, rows(5))
    assert (found.keys, found.passed, found.reached) == (["p/3"], 1, (0, 1))


def test_a_few_questions_are_found_by_asking_about_a_few() -> None:
    past = Remembered({})
    assert len(first_unmet(past, 5, rows(100_000)).keys) == 5
    assert past.asked == 10


def test_only_a_long_way_is_worth_keeping() -> None:
    known = dict.fromkeys((f"p/{number}" for number in range(250)), True)
    assert first_unmet(Remembered(known), 5, rows(300)).is_far
    assert not first_unmet(Remembered(known), 5, rows(100)).is_far
