"""Families of latent attention: their own sizes, and what a head_dim in the file does to their rotary positions.

The numbers are of the classes of transformers 5.24.0.
"""

from typing import Any

import pytest

from quiz.attention.checkpoint.inspection import inspect

# model_type: heads, width of a query and of a value head, rank of queries, cached elements.
SIZES = {
    "axk1": (64, 192, 128, 1536, 576),
    "bailing_hybrid": (32, 192, 128, None, 576),
    "deepseek_v2": (32, 192, 128, 1536, 576),
    "deepseek_v3": (128, 192, 128, 1536, 576),
    "deepseek_v32": (128, 192, 128, 1536, 576),
    "glm4_moe_lite": (20, 256, 256, 768, 576),
    "glm_moe_dsa": (64, 256, 256, 2048, 576),
    "kimi_linear": (32, 192, 128, None, 576),
    "longcat_flash": (64, 192, 128, 1536, 576),
    "minicpm3": (40, 96, 64, 768, 288),
    "mistral4": (32, 128, 128, 1024, 320),
    "mistral_large4": (64, 128, 128, None, 576),
    "sarvam_mla": (64, 192, 128, None, 576),
    "youtu": (16, 192, 128, 1536, 576),
}


@pytest.mark.parametrize("name", SIZES)
def test_a_latent_family_has_the_widths_of_its_class(name: str) -> None:
    found = inspect({"model_type": name})
    main, latent = found.main, found.latent
    assert latent is not None
    rank = latent["q_lora_rank"]
    assert (main.num_heads, main.qk_head_dim, main.v_head_dim, rank, main.cache_elements) == SIZES[name]
    assert ("q" in (main.projections or {})) is (rank is None)


# A head_dim beside the latent's own sizes: the stage at which it raises, or None.
BESIDE: dict[str, str | None] = {
    "deepseek_v3 64": None,
    "deepseek_v3 32": "forward",
    "deepseek_v3 null": "forward",
    "deepseek_v3 63": "config",
    "axk1 null": "forward",
    "youtu null": "forward",
    "deepseek_v2 null": None,
    "deepseek_v2 32": None,
    "minicpm3 null": None,
    "minicpm3 96": None,
    "minicpm3 63": None,
    "mistral4 63": "build",
    "mistral4 65": "forward",
    "glm4_moe_lite 64": None,
    "glm4_moe_lite 32": None,
    "glm4_moe_lite null": "build",
    "glm4_moe_lite 63": "config",
    "longcat_flash 64": None,
    "longcat_flash null": "config",
    "longcat_flash 65": "config",
    "mistral4 128": None,
    "mistral4 null": "build",
    "mistral4 64": "forward",
    "deepseek_v32 null": "config",
    "glm_moe_dsa null": "config",
    "mistral_large4 null": "config",
    "bailing_hybrid null": "config",
    "kimi_linear null": None,
    "sarvam_mla null": None,
}


@pytest.mark.parametrize("case", BESIDE)
def test_a_head_dim_beside_the_latent_raises_where_the_class_does(case: str) -> None:
    name, width = case.split()
    found = inspect({"model_type": name, "head_dim": None if width == "null" else int(width)})
    assert (found.problems[0].stage if found.problems else None) == BESIDE[case]


def test_glm4_moe_lite_takes_head_dim_for_its_rotary_width() -> None:
    found = inspect({"model_type": "glm4_moe_lite", "head_dim": 32})
    assert (found.main.qk_head_dim, found.main.cache_elements, found.rotary_dim) == (192 + 32, 512 + 32, 32)
    assert any("takes the place of 64" in note for note in found.notes)


@pytest.mark.parametrize("name", ["mistral_large4", "mistral_large4_text"])
def test_mistral_large4_projects_queries_directly_and_has_an_indexer(name: str) -> None:
    found = inspect({"model_type": name})
    assert found.main.projections == {
        "q": (8192, 6144),
        "kv_a": (576, 6144),
        "kv_b": (12288, 512),
        "o": (6144, 8192),
    }
    assert found.main.others == {
        "indexer.wq_b": (4096, 6144),
        "indexer.wk": (128, 6144),
        "indexer.weights_proj": (32, 6144),
    }
    assert any("kv_source_layers" in note for note in found.notes)


def test_deepseek_v4_cuts_what_its_heads_gathered_into_whole_groups() -> None:
    assert inspect({"model_type": "deepseek_v4", "o_groups": 16}).legal
    refused: list[Any] = [
        (one.stage, one.why) for one in inspect({"model_type": "deepseek_v4", "o_groups": 7}).problems
    ]
    assert refused == [("forward", "64 heads of 512 do not split over o_groups 7")]


@pytest.mark.parametrize("name", ["deepseek_v3", "deepseek_v2", "minicpm3", "sarvam_mla", "kimi_linear", "mistral4"])
def test_fewer_kv_heads_than_heads_raise_where_the_keys_are_repeated(name: str) -> None:
    config = {"model_type": name, "num_attention_heads": 32, "num_key_value_heads": 8}
    [sdpa], [eager] = inspect(config).problems, inspect(config, eager=True).problems
    assert (sdpa.stage, eager.stage) == ("forward", "forward")
    assert "repeated 4 times" in eager.why
    # Seen: with no padding mask SDPA shares the heads by itself, and these pass.
    assert sdpa.why == f"{eager.why}; SDPA passes if no sequence is padded"
