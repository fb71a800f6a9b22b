"""Values that the field knows, and that were worked out by hand."""

import math
from fractions import Fraction
from typing import Any

import pytest

from quiz.attention.givens import read_dtype
from quiz.attention.quantities import QUANTITIES
from quiz.attention.quantity import Value
from quiz.attention.solver import solve

LLAMA3_8B = {"hidden_size": 4096, "num_heads": 32, "num_kv_heads": 8, "head_dim": 128, "num_layers": 32}
DEEPSEEK_V3 = {
    "hidden_size": 7168,
    "num_heads": 128,
    "num_layers": 61,
    "kv_lora_rank": 512,
    "q_lora_rank": 1536,
    "qk_nope_head_dim": 128,
    "qk_rope_head_dim": 64,
    "v_head_dim": 128,
}
DEEPSEEK_V2_LITE = {
    "hidden_size": 2048,
    "num_heads": 16,
    "kv_lora_rank": 512,
    "qk_nope_head_dim": 128,
    "qk_rope_head_dim": 64,
    "v_head_dim": 128,
}
GPT2 = {"hidden_size": 768, "num_heads": 12, "num_kv_heads": 12, "head_dim": 64}


BY_HAND: list[tuple[str, dict[str, Any], Value]] = [
    ("head_dim", {"hidden_size": 768, "num_heads": 12}, 64),
    ("inner_width", {"num_heads": 24, "head_dim": 128}, 3072),
    ("head_dim_remainder", {"hidden_size": 800, "num_heads": 12}, 8),
    ("head_dim_remainder", {"hidden_size": 5, "num_heads": 12}, 5),
    ("next_hidden_size", {"hidden_size": 800, "num_heads": 12}, 864),
    ("next_hidden_size", {"hidden_size": 864, "num_heads": 12}, 864),
    ("rotary_dim", {"head_dim": 128, "partial_rotary_factor": Fraction(3, 4)}, 96),
    ("rope_pairs", {"head_dim": 128}, 64),
    ("fast_kernel_width", {"head_dim": 80}, 96),
    ("fast_kernel_width", {"head_dim": 100}, 128),
    ("fast_kernel_width", {"head_dim": 129}, 192),
    ("fast_kernel_width", {"head_dim": 224}, 256),
    ("fast_kernel_waste", {"head_dim": 80}, Fraction(1, 6)),
    ("fast_kernel_waste", {"head_dim": 100}, Fraction(28, 128)),
    ("q_proj_shape", {"hidden_size": 2560, "num_heads": 32, "head_dim": 128}, (4096, 2560)),
    ("o_proj_shape", {"hidden_size": 2560, "num_heads": 32, "head_dim": 128}, (2560, 4096)),
    ("k_proj_shape", LLAMA3_8B, (1024, 4096)),
    ("v_proj_shape", LLAMA3_8B | {"v_head_dim": 64}, (512, 4096)),
    ("qkv_proj_shape", LLAMA3_8B, (6144, 4096)),
    ("split_heads_shape", {"batch": 2, "seq_len": 16, "num_heads": 12, "head_dim": 64}, (2, 12, 16, 64)),
    ("kv_heads_shape", {"batch": 2, "seq_len": 16, "num_kv_heads": 4, "head_dim": 64}, (2, 4, 16, 64)),
    ("scores_shape", {"batch": 2, "num_heads": 12, "seq_len": 7}, (2, 12, 7, 7)),
    ("scores_shape", {"batch": 2, "num_heads": 12, "seq_len": 1, "context": 9}, (2, 12, 1, 9)),
    ("merged_heads_shape", {"batch": 2, "seq_len": 16, "num_heads": 12, "head_dim": 64}, (2, 16, 768)),
    ("q_proj_params", {"hidden_size": 2560, "num_heads": 32, "head_dim": 128}, 10_485_760),
    ("attention_params", LLAMA3_8B, 32 * 41_943_040),
    ("kv_weights_saved_per_layer", LLAMA3_8B, 25_165_824),
    ("group_size", LLAMA3_8B, 4),
    ("kv_head_of_query_head", LLAMA3_8B | {"query_head": 13}, 3),
    ("kv_cache_saving", LLAMA3_8B, 4),
    ("kv_cache_elements_per_token_per_layer", LLAMA3_8B, 2048),
    ("kv_cache_bytes", LLAMA3_8B | {"context": 8192}, 2**30),
    ("kv_cache_bytes_per_token", LLAMA3_8B | {"dtype": "int4"}, 32_768),
    ("kv_cache_bytes_per_token", LLAMA3_8B | {"dtype": Fraction(3, 4)}, 49_152),
    ("tokens_in_memory", LLAMA3_8B | {"num_layers": 80, "memory": 20 * 2**30}, 65_536),
    ("tokens_in_memory", LLAMA3_8B | {"memory": 131_071}, 0),
    ("scores_bytes", {"batch": 1, "num_heads": 32, "seq_len": 1024, "dtype": "fp32"}, 2**27),
    ("heads_per_rank", {"num_heads": 52, "tp": 4}, 13),
    ("kv_heads_per_rank", {"num_kv_heads": 8, "tp": 4}, 2),
    ("kv_heads_per_rank", {"num_kv_heads": 8, "tp": 16}, 1),
    ("kv_replication", {"num_kv_heads": 8, "tp": 16}, 2),
    ("kv_replication", {"num_kv_heads": 8, "tp": 4}, 1),
    ("kv_cache_bytes_per_token_per_gpu", {"num_layers": 80, "num_kv_heads": 8, "head_dim": 128, "tp": 8}, 40_960),
    ("kv_cache_bytes_per_token_per_gpu", {"num_layers": 80, "num_kv_heads": 8, "head_dim": 128, "tp": 16}, 40_960),
    ("padded_vocab_size", {"vocab_size": 50_257, "multiple": 128, "tp": 1}, 50_304),
    ("padded_vocab_size", {"vocab_size": 50_257, "multiple": 128, "tp": 8}, 51_200),
    ("padded_num_heads", {"num_heads": 28, "num_kv_heads": 7, "tp": 2}, 32),
    ("projection_flops_per_token", LLAMA3_8B, 83_886_080),
    ("score_flops_per_token", LLAMA3_8B | {"context": 8192}, 134_217_728),
    ("crossover_context", LLAMA3_8B, 5120),
    ("decode_intensity", LLAMA3_8B, 4),
    ("qk_head_dim", DEEPSEEK_V3, 192),
    ("mla_q_a_proj_shape", DEEPSEEK_V3, (1536, 7168)),
    ("mla_q_b_proj_shape", DEEPSEEK_V3, (24_576, 1536)),
    ("mla_kv_a_proj_shape", DEEPSEEK_V3, (576, 7168)),
    ("mla_kv_b_proj_shape", DEEPSEEK_V3, (32_768, 512)),
    ("mla_o_proj_shape", DEEPSEEK_V3, (7168, 16_384)),
    ("mla_attention_params_per_layer", DEEPSEEK_V3, 187_105_280),
    ("mla_kv_cache_elements_per_token_per_layer", DEEPSEEK_V3, 576),
    ("mla_kv_cache_bytes_per_token", DEEPSEEK_V3, 70_272),
    ("mla_kv_cache_bytes_per_token", DEEPSEEK_V3 | {"num_layers": 60}, 69_120),
    ("mla_kv_cache_bytes", DEEPSEEK_V3 | {"context": 131_072}, 70_272 * 131_072),
    ("mla_equivalent_gqa_groups", DEEPSEEK_V3 | {"head_dim": 128}, Fraction(9, 4)),
    ("mla_cache_saving", DEEPSEEK_V3 | {"head_dim": 128}, Fraction(32_768, 576)),
    ("mla_absorbed_flop_ratio", DEEPSEEK_V3, Fraction(17, 5)),
    ("mla_decode_intensity", DEEPSEEK_V3, Fraction(128 * 1088, 576)),
    ("attention_biases_per_layer", LLAMA3_8B, 10_240),
    ("batch_in_memory", LLAMA3_8B | {"memory": 20 * 2**30, "context": 8192}, 20),
    ("num_heads", {"hidden_size": 768, "head_dim": 64}, 12),
    ("hidden_size", {"num_heads": 32, "head_dim": 128}, 4096),
    ("previous_hidden_size", {"hidden_size": 800, "num_heads": 12}, 768),
    ("previous_hidden_size", {"hidden_size": 768, "num_heads": 12}, 768),
    ("q_proj_params_with_bias", {"hidden_size": 768, "num_heads": 12, "head_dim": 64}, 590_592),
    ("k_proj_params", LLAMA3_8B, 4_194_304),
    ("k_proj_params_with_bias", LLAMA3_8B, 4_195_328),
    ("v_proj_params", LLAMA3_8B | {"v_head_dim": 64}, 2_097_152),
    ("v_proj_params_with_bias", LLAMA3_8B | {"v_head_dim": 64}, 2_097_664),
    ("o_proj_params", LLAMA3_8B, 16_777_216),
    ("o_proj_params_with_bias", LLAMA3_8B, 16_781_312),
    ("qkv_proj_params", LLAMA3_8B, 25_165_824),
    ("qkv_proj_params_with_bias", GPT2, 1_771_776),
    ("attention_params_per_layer_with_biases", GPT2, 2_362_368),
    ("kv_cache_elements_per_token", LLAMA3_8B, 65_536),
    ("kv_cache_elements", LLAMA3_8B | {"batch": 2, "context": 8192}, 2**30),
    ("kv_cache_bytes_per_token_per_layer", LLAMA3_8B, 4096),
    ("kv_cache_bytes_per_token_per_layer", LLAMA3_8B | {"dtype": "fp8"}, 2048),
    ("kv_cache_bytes_saved_per_token", LLAMA3_8B, 393_216),
    ("legal_tp_sizes", {"num_heads": 28, "num_kv_heads": 4}, (1, 2, 4, 28)),
    ("legal_tp_sizes", {"num_heads": 28, "num_kv_heads": 28}, (1, 2, 4, 7, 14, 28)),
    ("legal_tp_sizes", {"num_heads": 71, "num_kv_heads": 1}, (1, 71)),
    ("legal_tp_sizes", LLAMA3_8B, (1, 2, 4, 8, 16, 32)),
    ("mla_q_proj_shape", DEEPSEEK_V2_LITE, (3072, 2048)),
    ("mla_attention_params_per_layer_without_q_latent", DEEPSEEK_V2_LITE, 13_762_560),
    ("mla_kv_cache_bytes_per_token_per_layer", DEEPSEEK_V3, 1152),
    ("mla_cache_saving_over_gqa", DEEPSEEK_V3 | {"num_kv_heads": 8, "head_dim": 128}, Fraction(32, 9)),
    ("mla_cache_saving_over_mqa", DEEPSEEK_V3 | {"head_dim": 128}, Fraction(4, 9)),
    ("mla_tokens_in_memory", DEEPSEEK_V3 | {"memory": 80 * 2**30}, 1_222_383),
    ("mla_w_uk_shape", DEEPSEEK_V3, (128, 128, 512)),
    ("mla_w_uv_shape", DEEPSEEK_V3 | {"v_head_dim": 256}, (128, 256, 512)),
    ("mla_absorbed_qk_head_dim", DEEPSEEK_V3, 576),
    ("mla_absorbed_query_shape", DEEPSEEK_V3 | {"batch": 2, "seq_len": 1}, (2, 128, 1, 576)),
    ("mla_absorbed_key_shape", DEEPSEEK_V3 | {"batch": 2, "context": 4096}, (2, 1, 4096, 576)),
    ("mla_absorbed_value_shape", DEEPSEEK_V3 | {"batch": 2, "context": 4096}, (2, 1, 4096, 512)),
]


def test_every_quantity_has_a_value_worked_out_by_hand() -> None:
    real = {"attention_params_per_layer", "softmax_scale", "logit_std", "logit_inflation"}
    real |= {"mla_softmax_scale", "mla_yarn_softmax_scale"}
    assert {quantity for quantity, _, _ in BY_HAND} | real == set(QUANTITIES)


@pytest.mark.parametrize("width", [2, 3, 5, 64, 128, 192, 255, 256])
def test_irrational_values_are_correct_to_thirty_digits(width: int) -> None:
    deviation = solve("logit_std", {"head_dim": width}).value
    scale = solve("softmax_scale", {"head_dim": width}).value
    assert isinstance(deviation, int | Fraction)
    assert isinstance(scale, int | Fraction)
    assert abs(Fraction(deviation) ** 2 - width) < Fraction(1, 10**30)
    assert abs(Fraction(scale) ** 2 * width - 1) < Fraction(1, 10**30)


def test_roots_are_exact_where_they_can_be() -> None:
    assert solve("logit_std", {"head_dim": 64}).value == 8
    assert solve("softmax_scale", {"head_dim": 64}).value == Fraction(1, 8)
    assert solve("logit_inflation", {"head_dim": 128, "query_pre_attn_scalar": Fraction(121, 2)}).value == Fraction(
        11, 16
    )


@pytest.mark.parametrize(
    ("model", "num_layers", "num_kv_heads", "head_dim", "size"),
    [
        ("llama-2-7b", 32, 32, 128, 524_288),
        ("llama-3-8b", 32, 8, 128, 131_072),
        ("llama-3-70b", 80, 8, 128, 327_680),
        ("llama-3.1-405b", 126, 8, 128, 516_096),
        ("mistral-nemo", 40, 8, 128, 163_840),
        ("qwen3-4b", 36, 8, 128, 147_456),
        ("gpt-oss-120b", 36, 8, 64, 73_728),
        ("gemma-2b", 18, 1, 256, 18_432),
        ("deepseek-67b", 95, 8, 128, 389_120),
    ],
)
def test_cache_bytes_per_token_of_real_models(
    model: str, num_layers: int, num_kv_heads: int, head_dim: int, size: int
) -> None:
    givens = {"num_layers": num_layers, "num_kv_heads": num_kv_heads, "head_dim": head_dim}
    assert solve("kv_cache_bytes_per_token", givens).value == size


@pytest.mark.parametrize(
    ("model", "hidden_size", "num_heads", "num_kv_heads", "head_dim", "count"),
    [
        ("llama-3-8b", 4096, 32, 8, 128, 41_943_040),
        ("llama-2-7b", 4096, 32, 32, 128, 67_108_864),
        ("gemma-7b", 3072, 16, 16, 256, 50_331_648),
        ("qwen3-4b", 2560, 32, 8, 128, 26_214_400),
        ("mistral-nemo", 5120, 32, 8, 128, 52_428_800),
    ],
)
def test_attention_weights_of_real_models(
    model: str, hidden_size: int, num_heads: int, num_kv_heads: int, head_dim: int, count: int
) -> None:
    givens = {"hidden_size": hidden_size, "num_heads": num_heads, "num_kv_heads": num_kv_heads, "head_dim": head_dim}
    assert solve("attention_params_per_layer", givens).value == count


@pytest.mark.parametrize(("quantity", "givens", "value"), BY_HAND)
def test_values_worked_out_by_hand(quantity: str, givens: dict[str, Any], value: Value) -> None:
    assert solve(quantity, givens).value == value


def test_softmax_scales_of_real_models() -> None:
    assert math.isclose(_decimal("softmax_scale", {"head_dim": 128}), 0.0883883, rel_tol=1e-5)
    assert math.isclose(_decimal("mla_softmax_scale", DEEPSEEK_V3), 0.0721688, rel_tol=1e-5)
    assert math.isclose(
        _decimal("logit_inflation", {"head_dim": 128, "query_pre_attn_scalar": 168}), 1.1456, rel_tol=1e-4
    )


@pytest.mark.parametrize(("mscale_all_dim", "scale"), [(1, 0.13523), (Fraction(707, 1000), 0.11472)], ids=["V3", "V2"])
def test_yarn_widens_the_softmax_scale_of_deepseek(mscale_all_dim: int | Fraction, scale: float) -> None:
    givens = DEEPSEEK_V3 | {"factor": 40, "mscale_all_dim": mscale_all_dim}
    assert math.isclose(_decimal("mla_yarn_softmax_scale", givens), scale, rel_tol=5e-5)


def test_yarn_that_stretches_nothing_changes_nothing() -> None:
    plain = solve("mla_softmax_scale", DEEPSEEK_V3).value
    assert solve("mla_yarn_softmax_scale", DEEPSEEK_V3 | {"factor": 1, "mscale_all_dim": 1}).value == plain


def _decimal(quantity: str, givens: dict[str, Any]) -> float:
    value = solve(quantity, givens).value
    assert isinstance(value, int | Fraction)
    return float(value)


@pytest.mark.parametrize(
    ("dtype", "width"), [("fp32", 4), ("tf32", 4), ("BF16", 2), ("float8_e4m3fn", 1), ("int4", Fraction(1, 2))]
)
def test_a_dtype_is_its_bytes_per_element(dtype: str, width: int | Fraction) -> None:
    assert read_dtype("dtype", dtype) == width
