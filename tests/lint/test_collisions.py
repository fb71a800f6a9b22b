from itertools import product

from quiz.lint.collisions import constraint
from quiz.problem.space import Givens


def grid(*names: str, top: int = 9, **fixed: int) -> list[Givens]:
    tuples = product(range(1, top + 1), repeat=len(names))
    return [{**dict(zip(names, values, strict=True)), **fixed} for values in tuples]


def test_a_single_number_too_small_is_turned_away_by_itself() -> None:
    valid = grid("n", "m")
    assert constraint(valid, [givens for givens in valid if givens["n"] == 1]) == ("n > 1", 9)


def test_equal_numbers_are_told_apart_and_nothing_more() -> None:
    valid = grid("n", "m")
    assert constraint(valid, [givens for givens in valid if givens["n"] == givens["m"]]) == ("n != m", 9)


def test_an_order_is_demanded_where_it_costs_no_more() -> None:
    valid = [givens for givens in grid("kv", "heads") if int(givens["kv"]) <= int(givens["heads"])]
    assert constraint(valid, [givens for givens in valid if givens["kv"] == givens["heads"]]) == ("kv < heads", 9)


def test_a_number_that_never_changes_is_no_part_of_a_rule() -> None:
    valid = grid("n", one=1)
    assert constraint(valid, [givens for givens in valid if givens["n"] == 1]) == ("n > 1", 1)


def test_names_of_models_are_passed_over() -> None:
    valid: list[Givens] = [{"model": title, "n": n} for title in ("A", "B") for n in range(1, 9)]
    assert constraint(valid, [givens for givens in valid if givens["n"] == 1]) == ("n > 1", 2)


def test_a_field_that_some_models_lack_is_passed_over() -> None:
    valid: list[Givens] = [{"experts": 1, "n": 1}, {"n": 2}, {"n": 3}, {"n": 4}]
    assert constraint(valid, valid[:1]) == ("n > 1", 1)


def test_a_rule_that_would_cost_far_more_than_the_collisions_is_not_given() -> None:
    valid = grid("n", "m")
    assert constraint(valid, [{"n": 5, "m": 4}, {"n": 7, "m": 4}]) == (None, 0)


def test_a_space_that_collides_everywhere_has_no_rule() -> None:
    valid = grid("n", "m", top=3)
    assert constraint(valid, valid) == (None, 0)
