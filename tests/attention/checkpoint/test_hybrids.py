"""Families that mix attention with other layers, or send tokens to experts of it.

The numbers are of the classes of transformers 5.24.0.
"""

from typing import Any

import pytest

from quiz.attention.checkpoint.inspection import inspect

# model_type: heads, KV heads, head_dim, elements of q, k, v and o together, and layers that keep a cache.
SIZES: dict[str, tuple[dict[str, Any], tuple[int, ...]]] = {
    "bamba": ({"attn_layer_indices": [9, 18, 27]}, (32, 8, 128, 4096 * (2 * 4096 + 2 * 1024), 3)),
    "falcon_h1": ({}, (32, 8, 128, 4096 * (2 * 4096 + 2 * 1024), 32)),
    "granitemoehybrid": ({"layer_types": ["mamba"] * 30 + ["attention"] * 2}, (32, 32, 128, 4 * 4096 * 4096, 2)),
    "jamba": ({}, (32, 8, 128, 4096 * (2 * 4096 + 2 * 1024), 4)),
    "jetmoe": ({}, (32, 16, 128, 2048 * 2048 * (8 + 1 + 1 + 8) + 8 * 2048, 12)),
    "nemotron_h": ({"hybrid_override_pattern": "M-M*-E" * 4}, (32, 8, 128, 4096 * (2 * 4096 + 2 * 1024), 4)),
    "zamba": ({}, (16, 16, 464, 3 * 7424 * 7424 + 3712 * 7424, 13)),
    "zamba2": (
        {"num_hidden_layers": 12, "layers_block_type": ["linear_attention", "hybrid"] * 6},
        (32, 32, 160, 3 * 5120 * 5120 + 2560 * 5120, 6),
    ),
}


@pytest.mark.parametrize("name", SIZES)
def test_the_layers_that_attend_have_the_sizes_of_the_class(name: str) -> None:
    config, expected = SIZES[name]
    found = inspect({"model_type": name, **config})
    main = found.main
    keep = sum(layer.storing for layer in found.layers or (main,) if layer.cache_elements)
    assert (main.num_heads, main.num_kv_heads, main.head_dim, main.weights, keep) == expected
    assert found.legal


@pytest.mark.parametrize("name", ["bamba", "granitemoehybrid", "zamba2"])
def test_a_file_that_does_not_list_its_layers_leaves_the_cache_open(name: str) -> None:
    found = inspect({"model_type": name})
    assert found.cache_bytes is None
    assert any("no cache is counted" in note for note in found.notes)


# What the config object tests of the Mamba mixer: its heads share the inner width, and are as wide as the file says.
MIXERS: dict[str, tuple[dict[str, Any], str | None]] = {
    "bamba as the class": ({}, None),
    "bamba heads that divide": ({"hidden_size": 2048, "mamba_n_heads": 64}, None),
    "bamba auto": ({"mamba_d_head": "auto"}, None),
    "bamba heads that do not divide": ({"mamba_n_heads": 100}, "not a multiple of its 100 heads"),
    "bamba heads too narrow": ({"mamba_d_head": 32}, "128 Mamba heads of 32 are not the 8192"),
    "bamba expanded by three": ({"mamba_expand": 3, "mamba_d_head": 96}, None),
    "granitemoehybrid as the class": ({}, None),
    "granitemoehybrid heads that do not divide": ({"mamba_n_heads": 96}, "not a multiple of its 96 heads"),
    "granitemoehybrid heads too wide": ({"mamba_d_head": 128}, "128 Mamba heads of 128 are not the 8192"),
    "falcon_h1 as the class": ({}, None),
    "falcon_h1 of its own width": ({"mamba_d_ssm": 3072, "mamba_n_heads": 48, "mamba_d_head": 64}, None),
    "falcon_h1 null means expanded": ({"mamba_d_ssm": None}, None),
    "falcon_h1 heads that do not divide": ({"mamba_d_ssm": 1000}, "the Mamba mixer is 1000 wide"),
    "zamba as the class": ({}, None),
    "zamba heads that do not divide": ({"n_mamba_heads": 3}, "the Mamba mixer is 7424 wide"),
    "zamba tests no width of its heads": ({"mamba_d_head": 1}, None),
}


@pytest.mark.parametrize("case", MIXERS)
def test_the_mixer_is_tested_as_the_config_object_tests_it(case: str) -> None:
    config, refused = MIXERS[case]
    found = inspect({"model_type": case.split()[0], **config})
    problems = [problem.why for problem in found.problems if problem.stage == "config" and "Mamba" in problem.why]
    assert problems == [] if refused is None else refused in problems[0]
    assert found.legal is (refused is None)


@pytest.mark.parametrize("name", ["zamba", "zamba2"])
def test_the_width_that_attention_takes_can_only_repeat_twice_the_hidden_size(name: str) -> None:
    layers = {"num_hidden_layers": 2, "layers_block_type": ["linear_attention", "hybrid"]}
    config = {"model_type": name, "hidden_size": 1024, "num_attention_heads": 16, "num_key_value_heads": 16, **layers}
    assert inspect(config | {"attention_hidden_size": 2048}).legal
    refused = inspect(config | {"attention_hidden_size": 1024})
    assert refused.problems[0].stage == "forward"
    assert "attention_hidden_size 1024 is not 2048" in refused.problems[0].why


@pytest.mark.parametrize(
    ("config", "rotates"),
    [
        ({"model_type": "zamba"}, None),
        ({"model_type": "zamba2"}, None),
        ({"model_type": "zamba2", "use_mem_rope": True}, 160),
        ({"model_type": "bamba"}, 64),
        ({"model_type": "granitemoehybrid"}, None),
        ({"model_type": "granitemoehybrid", "position_embedding_type": "rope"}, 128),
        ({"model_type": "jamba"}, None),
        ({"model_type": "nemotron_h"}, None),
    ],
    ids=str,
)
def test_a_hybrid_rotates_only_where_its_class_does(config: dict[str, Any], rotates: int | None) -> None:
    assert inspect(config).rotary_dim == rotates


def test_jetmoe_has_the_heads_of_the_experts_that_a_token_goes_to() -> None:
    main = inspect({"model_type": "jetmoe", "num_experts_per_tok": 4, "num_key_value_heads": 8, "kv_channels": 64}).main
    assert (main.num_heads, main.num_kv_heads, main.group_size, main.head_dim) == (32, 8, 4, 64)
    assert main.projections == {"q": (4096, 2048), "k": (512, 2048), "v": (512, 2048), "o": (2048, 4096)}


def test_jetmoe_says_that_other_heads_in_the_file_are_not_what_it_computes() -> None:
    found = inspect({"model_type": "jetmoe", "num_attention_heads": 24})
    assert found.main.num_heads == 32
    assert any("24 query heads are not 16 KV heads × 2 experts per token" in note for note in found.notes)


@pytest.mark.parametrize(
    ("widths", "head_dim"),
    [({"kv_channels": 64}, 64), ({"head_dim": 32}, 32), ({"head_dim": 32, "kv_channels": 64}, 32)],
)
def test_jetmoe_knows_kv_channels_as_head_dim_which_counts_more(widths: dict[str, int], head_dim: int) -> None:
    assert inspect({"model_type": "jetmoe", **widths}).main.head_dim == head_dim


def test_jetmoe_cannot_send_a_token_to_more_experts_than_there_are() -> None:
    found = inspect({"model_type": "jetmoe", "num_experts_per_tok": 9})
    assert (found.problems[0].stage, found.legal) == ("config", False)


def test_nemotron_h_has_as_many_layers_as_it_lists() -> None:
    found = inspect({"model_type": "nemotron_h", "num_hidden_layers": 52, "hybrid_override_pattern": "M-M*-"})
    assert (found.num_layers, found.cache_bytes, found.legal) == (5, 2048 * 2, True)
    assert any("num_hidden_layers 52 is in the file" in note for note in found.notes)
    assert [layer.layer_type for layer in inspect({"model_type": "nemotron_h"}).layers] == [
        "linear_attention",
        "moe",
        "full_attention",
        "mlp",
    ]


@pytest.mark.parametrize("name", ["zamba", "zamba2"])
def test_zamba_cannot_build_with_a_null_head_dim_and_may_set_its_own(name: str) -> None:
    layers = {"num_hidden_layers": 2, "layers_block_type": ["linear_attention", "hybrid"]}
    config: dict[str, Any] = {"model_type": name, "hidden_size": 64, "num_attention_heads": 4, **layers}
    config["num_key_value_heads"] = 4
    assert [problem.stage for problem in inspect(config | {"head_dim": None}).problems] == ["build"]
    found = inspect(config | {"attention_head_dim": 16})
    assert (found.main.head_dim, found.head_dim_source, found.legal) == (16, "explicit", True)
