from quiz.bank.expression import parse
from quiz.problem.table import Rows, Table


def test_every_tuple_comes_once_for_each_item_of_its_list() -> None:
    table = Table({"a": [1, 2, 3]}, 3).multiplied(["b", "c"], [[(10, "x"), (20, "y")], [], [(30, "z")]])
    assert list(table.rows()) == [{"a": 1, "b": 10, "c": "x"}, {"a": 1, "b": 20, "c": "y"}, {"a": 3, "b": 30, "c": "z"}]
    assert table.row(2) == {"a": 3, "b": 30, "c": "z"}


def test_a_table_without_columns_still_has_its_tuples() -> None:
    assert list(Table({}, 2).rows()) == [{}, {}]
    assert list(Table({}, 1).multiplied(["a"], [[(1,), (2,)]]).rows()) == [{"a": 1}, {"a": 2}]


def test_work_is_done_once_for_all_tuples_that_agree() -> None:
    seen = []

    def work(givens: object) -> int:
        seen.append(givens)
        return len(seen)

    assert Table({"a": [1, 2, 1, 2], "b": [5, 6, 7, 8]}, 4).each({"a", "z"}, work) == [1, 2, 1, 2]
    assert seen == [{"a": 1}, {"a": 2}]


def test_a_value_is_missing_where_there_is_none() -> None:
    table = Table({"a": [4, 0, 2]}, 3)
    assert table.values(parse("8 // a")) == [2, None, 4]
    assert table.values(parse("8 / a > 3")) == [False, None, True]
    assert table.values(parse("8 * b")) == [None, None, None]
    assert table.values(parse("7")) == [7, 7, 7]


def test_text_and_fractions_are_left_to_the_careful_way() -> None:
    assert Table({"a": ["bf16", 3]}, 2).values(parse("a * 2")) == [None, 6]


def test_a_column_that_is_replaced_is_looked_at_anew() -> None:
    table = Table({"a": [1]}, 1)
    assert table.values(parse("a + 1")) == [2]
    table.add("a", ["text"])
    assert table.values(parse("a + 1")) == [None]


def test_rows_are_made_of_the_table_when_they_are_asked_for() -> None:
    rows = Rows(Table({"a": [1, 2, 3], "b": [4, 5, 6]}, 3))
    some = rows.only([True, False, True])
    assert list(rows) == [{"a": 1, "b": 4}, {"a": 2, "b": 5}, {"a": 3, "b": 6}]
    assert (len(some), list(some), some[-1]) == (2, [{"a": 1, "b": 4}, {"a": 3, "b": 6}], {"a": 3, "b": 6})
    assert list(some[1:]) == [{"a": 3, "b": 6}]
    assert some.table().columns == {"a": [1, 3], "b": [4, 6]}
    assert list(some.only([False, True])) == [{"a": 3, "b": 6}]
