"""The solver's answers, its worked steps, and what it refuses."""

from contextlib import suppress
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quiz.attention.quantities import QUANTITIES
from quiz.attention.solver import solve
from quiz.errors import SolveError, UsageError

LLAMA3_8B: dict[str, Any] = {
    "hidden_size": 4096,
    "num_heads": 32,
    "num_kv_heads": 8,
    "head_dim": 128,
    "num_layers": 32,
}


def test_the_steps_tell_what_was_measured_and_then_the_formula_in_numbers() -> None:
    solution = solve("kv_cache_bytes_per_token", LLAMA3_8B)
    assert solution.quantity == "kv_cache_bytes_per_token"
    assert solution.unit == "B"
    assert solution.formula == "num_layers * num_kv_heads * (head_dim + v_head_dim) * bytes_per_element"
    assert solution.steps == (
        "one token's keys (32, 8, 1, 128) and values (32, 8, 1, 128)",
        "32 layers · 8 KV heads · (128 + 128) · 2 B = 131,072 B",
    )


def test_a_single_thing_is_not_written_as_several() -> None:
    assert solve("kv_cache_bytes_per_token", LLAMA3_8B | {"num_layers": 1}).steps[1].startswith("1 layer · 8 KV heads")


def test_a_rounded_result_is_not_said_to_be_equal() -> None:
    assert solve("softmax_scale", {"head_dim": 128}).steps[1] == "1 / sqrt(128) ≈ 0.0883883"
    assert solve("softmax_scale", {"head_dim": 64}).steps[1] == "1 / sqrt(64) = 0.125"
    assert solve("mla_absorbed_flop_ratio", _latent()).steps[1].endswith("= 3.4")


def test_a_shape_is_worked_out_without_grouped_digits() -> None:
    assert solve("q_proj_shape", LLAMA3_8B).steps[1] == "(32 · 128, 4096) = (4096, 4096)"


def test_a_shape_of_givens_has_nothing_to_work_out() -> None:
    solution = solve("scores_shape", {"batch": 2, "num_heads": 12, "seq_len": 7})
    assert solution.steps == ("every query against every key, head by head: (2, 12, 7, 7)",)


def test_a_list_of_sizes_is_worked_out_by_its_condition() -> None:
    assert solve("legal_tp_sizes", {"num_heads": 12, "num_kv_heads": 4}).steps == (
        "1 to 12 ranks tried with 12 heads and 4 KV heads: 4 fit",
        "(ranks for ranks in divisors(12) if ranks in divisors(4) or 4 in divisors(ranks)) = (1, 2, 4, 12)",
    )


def test_givens_that_are_not_needed_are_ignored() -> None:
    assert solve("head_dim", {"hidden_size": 768, "num_heads": 12, "model": "gpt-2", "tp": 0}).value == 64


def test_what_is_left_out_has_a_default() -> None:
    spelled_out = LLAMA3_8B | {"dtype": "bf16", "v_head_dim": 128, "batch": 1, "context": 100}
    assert solve("kv_cache_bytes", LLAMA3_8B | {"context": 100}) == solve("kv_cache_bytes", spelled_out)


def test_whole_fractions_are_whole_numbers() -> None:
    assert solve("head_dim", {"hidden_size": Fraction(768), "num_heads": Fraction(12)}).value == 64


def test_a_slip_in_the_name_is_met_with_a_suggestion() -> None:
    with pytest.raises(UsageError, match="did you mean kv_cache_bytes_per_token"):
        solve("kv_cache_byte_per_token", LLAMA3_8B)


def test_a_name_like_no_other_is_refused() -> None:
    with pytest.raises(UsageError, match="`quiz quantities` lists them"):
        solve("weather", {})


def test_every_missing_given_is_named() -> None:
    with pytest.raises(UsageError, match=r"num_layers \(attention layers, from 1\), head_dim \(width"):
        solve("kv_cache_bytes_per_token", {"num_kv_heads": 8})


def test_tensor_parallel_ranks_are_never_assumed() -> None:
    with pytest.raises(UsageError, match="tp"):
        solve("heads_per_rank", {"num_heads": 32})


def test_an_unknown_dtype_is_refused() -> None:
    with pytest.raises(UsageError, match="unknown dtype 'bf61'; known are fp64"):
        solve("kv_cache_bytes_per_token", LLAMA3_8B | {"dtype": "bf61"})


@pytest.mark.parametrize("width", [0, -1, 17, True, Fraction(1, 16), 10**400])
def test_an_impossible_width_of_elements_is_refused(width: int | Fraction) -> None:
    with pytest.raises(SolveError, match="1/8 to 16 bytes"):
        solve("kv_cache_bytes_per_token", LLAMA3_8B | {"dtype": width})


@pytest.mark.parametrize(
    ("quantity", "givens", "told"),
    [
        (
            "head_dim",
            {"hidden_size": 800, "num_heads": 12},
            "12 × 66 = 792 leaves 8; nearest: 10 or 16 heads, hidden 792 or 804",
        ),
        ("head_dim", {"hidden_size": 0, "num_heads": 12}, "hidden_size must be a whole number from 1, not 0"),
        ("head_dim", {"hidden_size": 768, "num_heads": -12}, "num_heads must be a whole number from 1, not -12"),
        ("head_dim", {"hidden_size": Fraction(1, 2), "num_heads": 1}, "not 1/2"),
        ("head_dim", {"hidden_size": "768", "num_heads": 1}, "not '768'"),
        ("head_dim", {"hidden_size": True, "num_heads": 1}, "not True"),
        ("head_dim", {"hidden_size": 2**63, "num_heads": 1}, "larger than any array axis"),
        ("head_dim", {"hidden_size": 10**5000, "num_heads": 1}, "larger than any array axis"),
        ("head_dim", {"hidden_size": -(10**5000), "num_heads": 1}, "so large a number below zero"),
        ("kv_cache_saving", {"num_heads": 12, "num_kv_heads": 5}, "12 query heads do not split over 5 KV heads"),
        ("kv_cache_saving", {"num_heads": 4, "num_kv_heads": 8}, "4 query heads do not split over 8 KV heads"),
        ("kv_head_of_query_head", {"query_head": 32, "num_heads": 32, "num_kv_heads": 8}, "from 0 to 31"),
        ("kv_head_of_query_head", {"query_head": 0, "num_heads": 2**40, "num_kv_heads": 1}, "no more than 65,536"),
        ("heads_per_rank", {"num_heads": 28, "tp": 8}, "nearest: 7 or 14 ranks, 24 or 32 heads"),
        ("kv_heads_per_rank", {"num_kv_heads": 10, "tp": 4}, "10 KV heads do not split over 4 ranks"),
        ("kv_heads_per_rank", {"num_kv_heads": 4, "tp": 10}, "neither split nor replicate"),
        ("rotary_dim", {"head_dim": 65, "partial_rotary_factor": 1}, "65 dimensions do not split in two"),
        ("rotary_dim", {"head_dim": 64, "partial_rotary_factor": Fraction(1, 100)}, "no dimension rotates"),
        ("rotary_dim", {"head_dim": 64, "partial_rotary_factor": 2}, "a share over 0, up to 1"),
        ("qk_head_dim", {"qk_nope_head_dim": 128, "qk_rope_head_dim": 63}, "must be even, not 63"),
        ("fast_kernel_width", {"head_dim": 257}, "up to 256 wide"),
        (
            "num_heads",
            {"hidden_size": 800, "head_dim": 64},
            "800 features do not split over 64 dimensions per head: 64 × 12 = 768 leaves 32; "
            "nearest: 50 or 80 dimensions per head, hidden 768 or 832",
        ),
        ("previous_hidden_size", {"hidden_size": 95, "num_heads": 12}, "95 features are less than 12 heads of 8 need"),
        ("legal_tp_sizes", {"num_heads": 2**40, "num_kv_heads": 1}, "no more than 65,536 ranks"),
        (
            "mla_yarn_softmax_scale",
            {"qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "factor": 0, "mscale_all_dim": 1},
            "factor must be a number from 1",
        ),
        ("logit_inflation", {"head_dim": 64, "query_pre_attn_scalar": 0}, "a number over 0"),
        ("kv_cache_bytes", {"context": 2**62} | LLAMA3_8B, "more than any array can hold"),
        ("scores_shape", {"batch": 1, "num_heads": 2, "seq_len": 2**62}, "more than any array can hold"),
        ("padded_vocab_size", {"vocab_size": 1, "multiple": 2**62, "tp": 2**62}, "more than any array can hold"),
        ("inner_width", {"num_heads": 2**62, "head_dim": 2**62}, "more than any array can hold"),
    ],
)
def test_illegal_sizes_are_refused_with_the_reason(quantity: str, givens: dict[str, Any], told: str) -> None:
    with pytest.raises(SolveError) as refused:
        solve(quantity, givens)
    assert told in str(refused.value)
    assert refused.value.kind


@pytest.mark.parametrize("name", QUANTITIES)
@settings(max_examples=30, deadline=2000)
@given(data=st.data())
def test_whatever_is_given_it_answers_or_refuses(name: str, data: st.DataObject) -> None:
    anything = st.one_of(
        st.integers(-2, 70), st.integers(), st.sampled_from([2**31, 2**62, 2**63, 10**30, "bf16"]), st.fractions()
    )
    givens: dict[str, Any] = {needed.name: data.draw(anything, needed.name) for needed in QUANTITIES[name].givens}
    with suppress(SolveError, UsageError):
        assert solve(name, givens).value is not None


def test_terabytes_are_measured_without_being_held() -> None:
    givens = LLAMA3_8B | {"context": 2**24, "batch": 2**10}
    assert solve("kv_cache_bytes", givens).value == 131_072 * 2**34


def _latent() -> dict[str, Any]:
    return {"kv_lora_rank": 512, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "v_head_dim": 128}
