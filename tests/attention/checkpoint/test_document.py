"""Reading a config.json that may be broken or hostile: one sentence, and never more than a bounded file."""

import os
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz.attention.checkpoint.document import LARGEST_FILE, parse_config, read_config
from quiz.attention.checkpoint.inspection import inspect
from quiz.errors import UsageError

BROKEN = {
    "empty": (b"", "not JSON"),
    "no JSON": (b"hidden_size: 4096", "not JSON"),
    "cut off": (b'{"hidden_size": 4096', "not JSON"),
    "more than one": (b"{} {}", "not JSON"),
    "a list": (b"[1, 2]", "holds a list"),
    "a number": (b"12", "holds a number"),
    "null": (b"null", "holds null"),
    "a text": (b'"llama"', "holds a text"),
    "true": (b"true", "holds true or false"),
    "NaN": (b'{"hidden_size": NaN}', "NaN is not a number"),
    "Infinity": (b'{"hidden_size": -Infinity}', "-Infinity is not a number"),
    "too large a float": (b'{"hidden_size": 1e999}', "too large"),
    "a number of 5,000 digits": (b'{"hidden_size": ' + b"9" * 5000 + b"}", "5000 digits"),
    "a fraction of 100,000 digits": (b'{"a": 0.' + b"9" * 100_000 + b"}", "too large"),
    "deep lists": (b"[" * 200_000, "nested too deeply"),
    "deep objects": (b'{"a":' * 200_000, "nested too deeply"),
    "a repeated key": (b'{"head_dim": 64, "head_dim": 128}', "'head_dim' stands twice"),
    "a repeated key inside": (b'{"text_config": {"a": 1, "a": 1}}', "'a' stands twice"),
    "no text": (b'{"a": "\xff\xfe"}', "not text"),
    "a lone surrogate, cut": (b'{"a": "\\ud8', "not JSON"),
}


@pytest.mark.parametrize(("data", "message"), BROKEN.values(), ids=BROKEN)
def test_what_is_no_object_of_settings_is_refused_in_a_sentence(data: bytes, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_config(data, "config.json")
    said = str(caught.value)
    assert said.startswith("config.json")
    assert message in said
    assert len(said) < 200


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le"])
def test_every_encoding_of_json_is_read_with_or_without_a_mark(encoding: str) -> None:
    assert parse_config('{"model_type": "llama"}'.encode(encoding), "x") == {"model_type": "llama"}


def test_a_folder_means_the_config_in_it(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "gpt2"}', encoding="utf-8")
    assert read_config(tmp_path) == read_config(tmp_path / "config.json") == {"model_type": "gpt2"}


def test_a_file_that_is_too_large_is_refused_without_reading_it_all(tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    with file.open("wb") as stream:
        stream.truncate(100 * 2**20)
    with pytest.raises(UsageError, match="larger than 16 MiB"):
        read_config(file)
    file.write_bytes(b"{}" + b" " * (LARGEST_FILE - 2))
    assert read_config(file) == {}


def test_a_file_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        read_config(tmp_path / "nowhere.json")
    with pytest.raises(UsageError, match="No such file"):
        read_config(tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_that_nobody_writes_to_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "config.json")
    with pytest.raises(UsageError, match="not JSON"):
        read_config(tmp_path / "config.json")


@pytest.mark.skipif(not Path("/dev/fd").is_dir(), reason="this system has no names for open files")
def test_what_a_shell_pipes_in_is_waited_for() -> None:
    reads, writes = os.pipe()

    def write() -> None:
        with os.fdopen(writes, "wb") as pipe:
            pipe.write(b'{"model_type": "gpt2"}')

    writer = Thread(target=write)
    writer.start()
    assert read_config(Path(f"/dev/fd/{reads}")) == {"model_type": "gpt2"}
    writer.join()
    os.close(reads)


HOSTILE: dict[str, tuple[dict[str, object], str]] = {
    "a million layers listed": ({"model_type": "gemma2", "layer_types": ["full_attention"] * 10**6}, "100,000 layers"),
    "a thousand types of layers": (
        {"model_type": "gemma2", "layer_types": [f"type {n}" for n in range(1000)]},
        "layers of 1,000 types",
    ),
    "a million letters for layers": (
        {"model_type": "nemotron_h", "hybrid_override_pattern": "M" * 10**6},
        "100,000 layers",
    ),
    "a billion layers": ({"model_type": "llama", "num_hidden_layers": 10**9}, "1,000,000,000"),
    "a name of a million letters": ({"model_type": "x" * 10**6}, "at most 200 characters"),
    "a name that is a list": ({"model_type": ["llama"]}, "must be a text"),
    "text inside text inside text": (
        {"text_config": {"text_config": {"text_config": {"num_attention_heads": 2}}}},
        "does not say hidden_size",
    ),
    "a size past any array": ({"model_type": "llama", "hidden_size": 2**63}, "larger than any array axis"),
    "a size in quotes": ({"model_type": "llama", "hidden_size": "4096"}, "not '4096'"),
    "a size that is true": ({"model_type": "llama", "num_attention_heads": True}, "not True"),
    "a size with a point": ({"model_type": "llama", "head_dim": 128.0}, "not 128.0"),
    "a Mamba size that is true": ({"model_type": "bamba", "mamba_d_head": True}, "mamba_d_head"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_setting_is_refused_in_a_sentence(case: str) -> None:
    config, told = HOSTILE[case]
    with pytest.raises(UsageError) as caught:
        inspect(config)
    assert told in str(caught.value)
    assert len(str(caught.value)) < 200


NAMES = (
    "model_type hidden_size num_attention_heads num_key_value_heads head_dim num_hidden_layers layer_types text_config "
    "kv_lora_rank q_lora_rank qk_rope_head_dim qk_nope_head_dim v_head_dim rope_parameters partial_rotary_factor "
    "sliding_window use_sliding_window max_window_layers attention_bias multi_query new_decoder_architecture dtype "
    "full_attention_interval compress_ratios linear_attn_config attn_config num_kv_shared_layers rotary_dim alibi "
    "architectures attention_k_eq_v global_head_dim index_n_heads o_groups full_attn_idxs is_decoder"
)
FAMILIES = "llama falcon gemma4_text deepseek_v3 deepseek_v4 gpt2 qwen3_next t5 kimi_linear lfm2 mpt gptj whatever"
KEYS, TYPES = st.sampled_from(NAMES.split()), st.sampled_from(FAMILIES.split())
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 4096) | st.integers() | st.floats() | st.text(max_size=5) | TYPES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)


@given(TYPES, st.dictionaries(KEYS, VALUES, max_size=8))
def test_any_object_is_read_or_refused_in_a_sentence(model_type: str, config: dict[str, object]) -> None:
    said: tuple[str, ...]
    try:
        said = inspect({"model_type": model_type} | config).notes
    except UsageError as error:
        said = (str(error),)
    assert all(0 < len(sentence) < 400 for sentence in said)
