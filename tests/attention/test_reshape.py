"""The reshapes between features and heads, on real arrays."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz.attention.phantom import phantom
from quiz.attention.reshape import merge_heads, repeat_kv, split_heads, split_ranks
from quiz.errors import SolveError

few = st.integers(1, 5)


def test_each_head_owns_neighbouring_features() -> None:
    features = np.arange(24).reshape(1, 2, 12)
    heads = split_heads(features, 3)
    assert heads.shape == (1, 3, 2, 4)
    assert heads[0, 1].tolist() == [[4, 5, 6, 7], [16, 17, 18, 19]]


@given(batch=few, tokens=few, num_heads=few, head_dim=few)
def test_merging_undoes_splitting(batch: int, tokens: int, num_heads: int, head_dim: int) -> None:
    features = np.arange(batch * tokens * num_heads * head_dim).reshape(batch, tokens, -1)
    heads = split_heads(features, num_heads)
    assert heads.shape == (batch, num_heads, tokens, head_dim)
    assert (merge_heads(heads) == features).all()


@given(num_kv_heads=few, group=few, tokens=few, width=few)
def test_a_query_head_reads_the_kv_head_of_its_group(num_kv_heads: int, group: int, tokens: int, width: int) -> None:
    kv_heads = np.arange(num_kv_heads * tokens * width).reshape(1, num_kv_heads, tokens, width)
    repeated = repeat_kv(kv_heads, num_kv_heads * group)
    assert (repeated == np.repeat(kv_heads, group, axis=1)).all()
    assert all((repeated[0, q] == kv_heads[0, q // group]).all() for q in range(num_kv_heads * group))


def test_heads_that_do_not_split_are_told_with_what_would() -> None:
    with pytest.raises(SolveError) as refused:
        split_heads(np.zeros((2, 5, 800)), 12)
    assert str(refused.value) == (
        "split_heads: 800 features do not split over 12 heads: 12 × 66 = 792 leaves 8; nearest: 10 or 16 heads, "
        "hidden 792 or 804 (NumPy: cannot reshape array of size 8000 into shape (2,5,12,newaxis))"
    )
    assert isinstance(refused.value.__cause__, ValueError)


def test_fewer_features_than_heads_leave_all_of_them() -> None:
    with pytest.raises(SolveError, match="12 × 0 = 0 leaves 8; nearest: 8 heads, hidden 12"):
        split_heads(np.zeros((1, 3, 8)), 12)


def test_kv_heads_that_do_not_divide_the_query_heads_are_told_with_what_would() -> None:
    with pytest.raises(
        SolveError, match="12 query heads do not split over 5 KV heads: 5 × 2 = 10 leaves 2; nearest: 4 or 6"
    ):
        repeat_kv(np.zeros((1, 5, 3, 4)), 12)


def test_more_kv_heads_than_query_heads_are_refused() -> None:
    with pytest.raises(SolveError, match="4 query heads do not split over 8 KV heads"):
        repeat_kv(np.zeros((1, 8, 3, 4)), 4)


def test_the_nearest_legal_numbers_are_not_searched_for_ever() -> None:
    with pytest.raises(SolveError, match="nearest: hidden"):
        split_heads(phantom(1, 2**61 - 1), 2**40)


def test_an_empty_array_has_no_heads() -> None:
    with pytest.raises(SolveError, match="split_heads: cannot reshape"):
        split_heads(np.zeros((0, 5, 24)), 12)


@pytest.mark.parametrize("too_few", [np.zeros(()), np.zeros(24)])
def test_too_few_axes_are_refused(too_few: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> None:
    with pytest.raises(SolveError, match="split_heads needs"):
        split_heads(too_few, 2)
    with pytest.raises(SolveError, match="merge_heads needs"):
        merge_heads(too_few)
    with pytest.raises(SolveError, match="repeat_kv needs"):
        repeat_kv(too_few, 2)


@pytest.mark.parametrize("num_heads", [0, -1, True])
def test_a_number_of_heads_is_a_whole_number_from_one(num_heads: int) -> None:
    with pytest.raises(SolveError, match="num_heads must be a whole number from 1"):
        split_heads(np.zeros((1, 2, 12)), num_heads)


def test_ranks_take_whole_heads() -> None:
    assert split_ranks(np.arange(8), 4).tolist() == [[0, 1], [2, 3], [4, 5], [6, 7]]
    with pytest.raises(
        SolveError, match="71 heads do not split over 8 ranks: 8 × 8 = 64 leaves 7; nearest: 1 or 71 ranks"
    ):
        split_ranks(np.zeros(71), 8)


@given(sizes=st.tuples(*[st.integers(1, 2**14)] * 4))
def test_phantoms_are_never_copied(sizes: tuple[int, int, int, int]) -> None:
    batch, num_heads, tokens, head_dim = sizes
    heads = split_heads(phantom(batch, tokens, num_heads * head_dim), num_heads)
    merged = merge_heads(repeat_kv(heads, num_heads * 3))
    assert merged.shape == (batch, tokens, num_heads * 3 * head_dim)
    assert merged.base is not None
