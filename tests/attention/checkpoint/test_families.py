"""Families that no measured model is of, read by the same rules; and what is said where the file does not settle it.

The numbers are of modules that the library built from these files.
"""

from typing import Any

import pytest

from quiz.attention.checkpoint.families import FAMILIES, STANDS_FOR
from quiz.attention.checkpoint.family import Cycle
from quiz.attention.checkpoint.inspection import Inspection, inspect
from quiz.errors import UsageError

# model_type: kind, heads, KV heads, head_dim, weights and biases of the class's own default sizes.
BUILT = {
    "afmoe": ("mha", 16, 16, 128, 5 * 2048 * 2048, 0),
    "albert": ("mha", 64, 64, 64, 4 * 4096 * 4096, 4 * 4096),
    "apertus": ("mha", 32, 32, 128, 4 * 4096 * 4096, 0),
    "arcee": ("mha", 32, 32, 80, 4 * 2560 * 2560, 0),
    "biogpt": ("mha", 16, 16, 64, 4 * 1024 * 1024, 4 * 1024),
    "bitnet": ("gqa", 20, 5, 128, 2560 * (2 * 2560 + 2 * 640), 0),
    "dbrx": ("mqa", 16, 1, 128, 2048 * (2 * 2048 + 2 * 128), 0),
    "diffllama": ("mha", 32, 32, 64, 4 * 2048 * 2048, 0),
    "distilbert": ("mha", 12, 12, 64, 4 * 768 * 768, 4 * 768),
    "doge": ("mha", 8, 8, 128, 4 * 1024 * 1024 + 8 * 1024, 0),
    "ernie4_5": ("gqa", 16, 2, 128, 1024 * (2 * 2048 + 2 * 256), 0),
    "ernie4_5_moe": ("gqa", 20, 4, 128, 2560 * (2 * 2560 + 2 * 512), 0),
    "eurobert": ("mha", 12, 12, 64, 4 * 768 * 768, 0),
    "exaone": ("gqa", 32, 8, 128, 4096 * (2 * 4096 + 2 * 1024), 0),
    "gemma3n_text": ("gqa", 8, 2, 256, 2048 * (2 * 2048 + 2 * 512), 0),
    "glm4": ("gqa", 32, 2, 128, 4096 * (2 * 4096 + 2 * 256), 4096 + 2 * 256),
    "gpt_neo": ("mha", 16, 16, 128, 4 * 2048 * 2048, 2048),
    "granitemoe": ("mha", 32, 32, 128, 4 * 4096 * 4096, 0),
    "helium": ("mha", 20, 20, 128, 4 * 2560 * 2560, 0),
    "hyperclovax": ("mha", 32, 32, 128, 4 * 4096 * 4096, 0),
    "imagegpt": ("mha", 8, 8, 64, 4 * 512 * 512, 4 * 512),
    "jais2": ("mha", 26, 26, 128, 4 * 3328 * 3328, 4 * 3328),
    "jamba": ("gqa", 32, 8, 128, 4096 * (2 * 4096 + 2 * 1024), 0),
    "led": ("mha", 16, 16, 64, 4 * 1024 * 1024, 4 * 1024),
    "lfm2": ("gqa", 32, 8, 80, 2560 * (2 * 2560 + 2 * 640), 0),
    "longt5": ("mha", 8, 8, 64, 4 * 512 * 512, 0),
    "m2m_100": ("mha", 16, 16, 64, 4 * 1024 * 1024, 4 * 1024),
    "marian": ("mha", 16, 16, 64, 4 * 1024 * 1024, 4 * 1024),
    "ministral3": ("gqa", 32, 8, 128, 4096 * (2 * 4096 + 2 * 1024), 0),
    "mixtral": ("gqa", 32, 8, 128, 4096 * (2 * 4096 + 2 * 1024), 0),
    "mt5": ("mha", 6, 6, 64, 4 * 384 * 512, 0),
    "nanochat": ("mha", 6, 6, 128, 4 * 768 * 768, 0),
    "nomic_bert": ("mha", 12, 12, 64, 4 * 768 * 768, 0),
    "pegasus": ("mha", 16, 16, 64, 4 * 1024 * 1024, 4 * 1024),
    "persimmon": ("mha", 64, 64, 64, 4 * 4096 * 4096, 4 * 4096),
    "qwen3_vl_text": ("mha", 32, 32, 128, 4 * 4096 * 4096, 0),
    "roberta": ("mha", 12, 12, 64, 4 * 768 * 768, 4 * 768),
    "siglip_vision_model": ("mha", 12, 12, 64, 4 * 768 * 768, 4 * 768),
    "stablelm": ("mha", 32, 32, 80, 4 * 2560 * 2560, 0),
    "umt5": ("mha", 6, 6, 64, 4 * 384 * 512, 0),
    "vaultgemma": ("gqa", 8, 4, 256, 2304 * (2 * 2048 + 2 * 1024), 0),
    "xglm": ("mha", 16, 16, 64, 4 * 1024 * 1024, 4 * 1024),
    "xlm-roberta": ("mha", 12, 12, 64, 4 * 768 * 768, 4 * 768),
}
LATENT = {
    "axk1": (64, 192, 128, 7168 * 1536 + 1536 * 12288 + 576 * 7168 + 16384 * 512 + 7168 * 8192, 576),
    "kimi_k2": (128, 192, 128, 7168 * 1536 + 1536 * 24576 + 576 * 7168 + 32768 * 512 + 7168 * 16384, 576),
    "minicpm3": (40, 96, 64, 768 * 2560 + 3840 * 768 + 288 * 2560 + 5120 * 256 + 2560 * 2560, 288),
    "mistral4": (32, 128, 128, 1024 * 4096 + 4096 * 1024 + 320 * 4096 + 6144 * 256 + 4096 * 4096, 320),
}


@pytest.mark.parametrize(("name", "built"), BUILT.items(), ids=BUILT)
def test_a_file_without_sizes_has_the_sizes_of_its_class_and_says_so(name: str, built: tuple[Any, ...]) -> None:
    found = inspect({"model_type": name})
    main = found.main
    assert (main.kind, main.num_heads, main.num_kv_heads, main.head_dim, main.weights, main.biases) == built
    assert any("the default of" in note for note in found.notes)


@pytest.mark.parametrize(("name", "built"), LATENT.items(), ids=LATENT)
def test_a_latent_family_has_the_sizes_of_its_class(name: str, built: tuple[int, ...]) -> None:
    found = inspect({"model_type": name})
    main = found.main
    assert (main.num_heads, main.qk_head_dim, main.v_head_dim, main.weights, main.cache_elements) == built
    assert (main.kind, main.head_dim, found.head_dim_source) == ("mla", None, "family")
    assert any("expanded keys and values" in note for note in found.notes)


def test_every_wrapper_stands_for_a_known_family() -> None:
    assert set(STANDS_FOR.values()) <= FAMILIES.keys()
    assert not STANDS_FOR.keys() & FAMILIES.keys()


@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_every_family_has_an_answer_for_an_empty_file(name: str) -> None:
    found = inspect({"model_type": name})
    assert found.main.num_heads
    cannot_be_built = any(problem.stage in ("config", "build") for problem in found.problems)
    assert cannot_be_built == (FAMILIES[name].needs_head_dim or FAMILIES[name].needs_kv_heads)


@pytest.mark.parametrize("name", [name for name, one in FAMILIES.items() if isinstance(one.layers, Cycle)])
def test_layers_that_take_turns_are_counted_once_each(name: str) -> None:
    found = inspect({"model_type": name})
    counted = [layer.count for layer in found.layers if layer.layer_type not in ("encoder_self", "cross")]
    assert not counted or sum(counted) == found.num_layers


def sizes(found: Inspection) -> tuple[object, ...]:
    main = found.main
    return main.kind, main.num_heads, main.num_kv_heads, main.head_dim, found.num_layers


# Files as they are published, by what they teach; from memory of public models.
PUBLIC: dict[str, tuple[dict[str, Any], tuple[object, ...]]] = {
    "gemma-3-4b leaves its heads to the class": (
        {
            "model_type": "gemma3",
            "text_config": {"model_type": "gemma3_text", "hidden_size": 2560, "num_hidden_layers": 34},
            "vision_config": {"hidden_size": 1152, "num_attention_heads": 16},
        },
        ("gqa", 8, 4, 256, 34),
    ),
    "llava-1.5-7b leaves its text model to the class": (
        {"model_type": "llava", "text_config": {"model_type": "llama", "max_position_embeddings": 4096}},
        ("mha", 32, 32, 128, 32),
    ),
    "qwen2-vl-7b is flat": (
        {
            "model_type": "qwen2_vl",
            "hidden_size": 3584,
            "num_attention_heads": 28,
            "num_key_value_heads": 4,
            "num_hidden_layers": 28,
            "vision_config": {"embed_dim": 1280, "num_heads": 16},
        },
        ("gqa", 28, 4, 128, 28),
    ),
    "chatglm3-6b groups by a switch": (
        {
            "model_type": "chatglm",
            "hidden_size": 4096,
            "kv_channels": 128,
            "multi_query_attention": True,
            "multi_query_group_num": 2,
            "num_attention_heads": 32,
            "num_layers": 28,
            "add_qkv_bias": True,
        },
        ("gqa", 32, 2, 128, 28),
    ),
    "falcon-40b by its first name": (
        {"model_type": "RefinedWeb", "hidden_size": 8192, "n_head": 128, "n_head_kv": 8, "n_layer": 60},
        ("gqa", 128, 8, 64, 60),
    ),
    "bloom-176b by its first keys": (
        {"model_type": "bloom", "n_embed": 14336, "num_attention_heads": 112, "n_layer": 70},
        ("mha", 112, 112, 128, 70),
    ),
    "dbrx keeps its KV heads one object deeper": (
        {"model_type": "dbrx", "d_model": 6144, "n_heads": 48, "n_layers": 40, "attn_config": {"kv_n_heads": 8}},
        ("gqa", 48, 8, 128, 40),
    ),
    "mixtral-8x7b": (
        {
            "model_type": "mixtral",
            "hidden_size": 4096,
            "num_attention_heads": 32,
            "num_key_value_heads": 8,
            "num_hidden_layers": 32,
            "sliding_window": None,
        },
        ("gqa", 32, 8, 128, 32),
    ),
    "a file with architectures instead of model_type": (
        {
            "architectures": ["Qwen2ForCausalLM"],
            "hidden_size": 896,
            "num_attention_heads": 14,
            "num_key_value_heads": 2,
            "num_hidden_layers": 24,
        },
        ("gqa", 14, 2, 64, 24),
    ),
}


@pytest.mark.parametrize(("config", "expected"), PUBLIC.values(), ids=PUBLIC)
def test_a_published_file_is_read_as_its_library_reads_it(config: dict[str, Any], expected: tuple[object, ...]) -> None:
    found = inspect(config)
    assert sizes(found) == expected
    assert found.legal


def test_gpt_j_and_minimax_say_how_many_dimensions_rotate() -> None:
    assert inspect({"model_type": "gptj", "rotary_dim": 32}).rotary_dim == 32
    assert inspect({"model_type": "minimax_m2", "rotary_dim": 64}).rotary_dim == 64
    assert inspect({"model_type": "glm4"}).rotary_dim == 64
    assert inspect({"model_type": "gpt2"}).rotary_dim is None
    assert inspect({"model_type": "llama", "rope_parameters": {"partial_rotary_factor": 0.75}}).rotary_dim == 96


def test_two_attentions_in_each_layer_are_both_in_the_cache() -> None:
    assert inspect({"model_type": "longcat_flash"}).cache_bytes == 28 * 2 * 576 * 2


def test_layers_that_use_the_keys_of_others_keep_none() -> None:
    found = inspect({"model_type": "gemma3n_text"})
    assert sum(layer.storing for layer in found.layers) == 20
    assert any("last 15 layers" in note for note in found.notes)


def test_the_dtype_of_the_file_sets_the_bytes() -> None:
    model = {"model_type": "llama", "num_hidden_layers": 1}
    assert inspect(model).cache_bytes == 8192 * 2
    assert inspect(model | {"torch_dtype": "float32"}).cache_bytes == 8192 * 4
    assert inspect(model | {"dtype": "torch.float16"}).dtype == "fp16"
    odd = inspect(model | {"dtype": "auto"})
    assert odd.dtype == "bf16"
    assert any("'auto' is not known" in note for note in odd.notes)


@pytest.mark.parametrize("value", [0, -1, 32.0, "32", True, [32], 2**63, {}])
@pytest.mark.parametrize("key", ["hidden_size", "num_attention_heads", "num_key_value_heads", "head_dim"])
def test_a_size_that_is_no_whole_number_is_refused(key: str, value: object) -> None:
    with pytest.raises(UsageError, match=key):
        inspect({"model_type": "llama", key: value})


@pytest.mark.parametrize(
    "bad",
    [
        {"model_type": 3},
        {"num_hidden_layers": 10**9},
        {"attention_bias": "yes"},
        {"layer_types": "x", "model_type": "gemma2"},
        {"layer_types": [1, 2], "model_type": "gemma2"},
        {"partial_rotary_factor": 2},
        {"model_type": "gemma4", "num_kv_shared_layers": -1},
        {"model_type": "gemma2", "text_config": {"hidden_size": "wide"}},
    ],
    ids=str,
)
def test_other_settings_of_a_wrong_type_are_refused(bad: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        inspect({"model_type": "llama"} | bad)


def test_a_key_that_the_family_does_not_read_is_pointed_out() -> None:
    notes = "\n".join(inspect({"model_type": "bert", "head_dim": 128, "num_key_value_heads": 4}).notes)
    assert "head_dim 128 is in the file, but bert does not read it" in notes
    assert "num_key_value_heads 4 is in the file, but not read" in notes


def test_keys_that_contradict_each_other_are_pointed_out() -> None:
    notes = inspect({"model_type": "gpt2", "n_embd": 768, "hidden_size": 1024}).notes
    assert any("hidden_size 1024 is read; the file also says n_embd 768" in note for note in notes)


def test_listed_layers_must_be_as_many_as_there_are() -> None:
    found = inspect({"model_type": "gemma2", "layer_types": ["full_attention"]})
    assert not found.legal
    assert found.problems[0].stage == "config"


def test_gpt_neo_repeats_its_types_of_layers() -> None:
    config = {"model_type": "gpt_neo", "num_layers": 8, "attention_types": [[["global", "local"], 3], [["global"], 2]]}
    found = inspect(config)
    assert {layer.layer_type: layer.count for layer in found.layers} == {"full_attention": 5, "sliding_attention": 3}
    assert found.legal
    assert not inspect(config | {"num_layers": 7}).legal


@pytest.mark.parametrize(
    "types",
    [3, [3], [[["global"]]], [["global", 2]], [[["global"], 0]], [[["global"], 10**9]], [[[1], 2]], None],
    ids=str,
)
def test_types_of_layers_that_cannot_be_repeated_are_refused(types: object) -> None:
    with pytest.raises(UsageError):
        inspect({"model_type": "gpt_neo", "attention_types": types})


def test_mimo_cannot_share_more_kv_heads_than_it_has_heads_in_its_sliding_layers() -> None:
    config = {"model_type": "mimo_v2_flash", "num_key_value_heads": 6}
    assert inspect(config | {"num_attention_heads": 12}).legal
    refused = inspect(config | {"num_attention_heads": 6})
    assert [(one.stage, one.why) for one in refused.problems] == [
        ("forward", "sliding_attention layers have 12 KV heads for 6 query heads")
    ]


# Seen when the classes were built and run: sizes that fit elsewhere, and the stage at which these families raise.
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "bitnet norms hidden_size features of its heads": ({"head_dim": 64}, "forward"),
    "diffllama halves its KV heads": ({"num_key_value_heads": 1}, "build"),
    "fuyu turns half of a head": ({"hidden_size": 384, "num_attention_heads": 64}, "forward"),
    "gpt_neox_japanese turns the head_dim that it does not read": ({"head_dim": 160}, "forward"),
    "modernbert turns the head_dim that it does not read": ({"head_dim": 128}, "forward"),
    "olmoe norms hidden_size features of its heads": ({"head_dim": 64}, "forward"),
    "persimmon turns the head_dim that it does not read": ({"head_dim": 128}, "forward"),
    "persimmon turns half of a head": ({"hidden_size": 384, "num_attention_heads": 64}, "forward"),
    "stablelm turns the head_dim that it does not read": ({"head_dim": 128}, "forward"),
    "stablelm turns a quarter of a head": ({"hidden_size": 384, "num_attention_heads": 32}, "forward"),
}
TAKEN: dict[str, dict[str, Any]] = {
    "bitnet": {"head_dim": 128},
    "diffllama": {"num_key_value_heads": 2},
    "fuyu": {"head_dim": 128},
    "gpt_neox": {"head_dim": 128},
    "gpt_neox_japanese": {"head_dim": 80},
    "modernbert": {"head_dim": None},
    "olmoe": {"head_dim": 128},
    "persimmon": {"head_dim": 64},
    "stablelm": {"head_dim": 80},
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_family_with_a_demand_of_its_own_raises_where_it_was_seen_to(case: str) -> None:
    config, stage = REFUSED[case]
    assert [problem.stage for problem in inspect({"model_type": case.split()[0], **config}).problems] == [stage]


@pytest.mark.parametrize("name", TAKEN)
def test_the_same_family_takes_what_fits(name: str) -> None:
    assert inspect({"model_type": name, **TAKEN[name]}).problems == ()


def test_falcon_reads_num_kv_heads_and_no_other_name_for_it() -> None:
    grouped = {"model_type": "falcon", "new_decoder_architecture": True, "num_attention_heads": 8}
    assert inspect(grouped | {"num_kv_heads": 2}).main.num_kv_heads == 2
    found = inspect(grouped | {"num_key_value_heads": 2})
    assert found.main.num_kv_heads == 8
    assert any("falcon reads only num_kv_heads" in note for note in found.notes)
