import pytest

from quiz.problem.recent import Recent


def recent(most: int) -> Recent[str, str]:
    return Recent(most, lambda _, made: len(made))


def made_anew(keeper: Recent[str, str], key: str, made: str) -> bool:
    asked: list[str] = []

    def make() -> str:
        asked.append(key)
        return made

    assert keeper.find(key, make) == made
    return bool(asked)


def test_what_was_made_is_kept() -> None:
    keeper = recent(10)
    assert made_anew(keeper, "a", "xxx")
    assert not made_anew(keeper, "a", "xxx")


def test_what_was_not_wanted_longest_goes_first() -> None:
    keeper = recent(6)
    for key in "ab":
        made_anew(keeper, key, "xxx")
    assert not made_anew(keeper, "a", "xxx")
    assert made_anew(keeper, "c", "xxx")
    assert not made_anew(keeper, "a", "xxx")
    assert made_anew(keeper, "b", "xxx")


def test_one_thing_is_kept_however_heavy_it_is() -> None:
    keeper = recent(6)
    made_anew(keeper, "a", "xxx")
    assert made_anew(keeper, "b", "x" * 100)
    assert not made_anew(keeper, "b", "x" * 100)
    assert made_anew(keeper, "a", "xxx")


def test_what_cannot_be_made_is_not_kept() -> None:
    keeper = recent(6)

    def fail() -> str:
        raise KeyError("it")

    with pytest.raises(KeyError, match="it"):
        keeper.find("a", fail)
    assert made_anew(keeper, "a", "x")
