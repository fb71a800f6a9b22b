"""`quiz inspect`, run in-process."""

import json
from pathlib import Path
from typing import Any

import pytest

from quiz.cli.main import run

LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "num_hidden_layers": 32,
    "torch_dtype": "bfloat16",
}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setenv("QUIZ_HOME", str(folder))
    return folder


@pytest.fixture
def inspected(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    def call(config: object, *options: str) -> tuple[int, str, str]:
        file = tmp_path / "config.json"
        file.write_text(json.dumps(config), encoding="utf-8")
        code = run(["inspect", str(file), *options])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def test_the_document_has_every_public_name(inspected: Any) -> None:
    code, out, _ = inspected(LLAMA, "--json")
    assert code == 0
    assert json.loads(out) == {
        "model_type": "llama",
        "kind": "gqa",
        "hidden_size": 4096,
        "num_layers": 32,
        "num_heads": 32,
        "num_kv_heads": 8,
        "head_dim": 128,
        "head_dim_source": "derived",
        "qk_head_dim": 128,
        "v_head_dim": 128,
        "group_size": 4,
        "projections": {"q": [4096, 4096], "k": [1024, 4096], "v": [1024, 4096], "o": [4096, 4096]},
        "other_projections": {},
        "fused": None,
        "attention_params_per_layer": {"weights": 41943040, "biases": 0},
        "kv_cache_elements_per_token_per_layer": 2048,
        "kv_cache_bytes_per_token": {"dtype": "bf16", "value": 131072},
        "rotary_dim": 128,
        "latent": None,
        "legal": True,
        "problems": [],
        "notes": [],
        "layers": [],
    }


def test_a_latent_model_has_its_latent_and_says_what_a_library_may_hold(inspected: Any) -> None:
    _, out, _ = inspected({"model_type": "deepseek_v3"}, "--json")
    found = json.loads(out)
    assert (found["kind"], found["head_dim"], found["num_kv_heads"]) == ("mla", None, None)
    assert found["latent"] == {
        "kv_lora_rank": 512,
        "q_lora_rank": 1536,
        "qk_nope_head_dim": 128,
        "qk_rope_head_dim": 64,
    }
    assert list(found["projections"]) == ["q_a", "q_b", "kv_a", "kv_b", "o"]
    assert any("40960" in note for note in found["notes"])


def test_a_fused_weight_says_how_it_is_laid_out(inspected: Any) -> None:
    _, out, _ = inspected({"model_type": "gpt2"}, "--json")
    assert json.loads(out)["fused"] == {
        "weight": "c_attn",
        "shape": [768, 2304],
        "stored": "in_out",
        "layout": "blocks [all q | all k | all v]",
    }


def test_layers_that_differ_are_listed(inspected: Any) -> None:
    _, out, _ = inspected({"model_type": "gemma4"}, "--json")
    layers = json.loads(out)["layers"]
    assert [(layer["layer_type"], layer["count"], layer["head_dim"]) for layer in layers] == [
        ("sliding_attention", 25, 256),
        ("full_attention", 5, 512),
    ]


def test_a_config_that_raises_says_where_and_exits_with_1(inspected: Any) -> None:
    code, out, _ = inspected({"model_type": "bert", "hidden_size": 800}, "--json")
    found = json.loads(out)
    assert (code, found["legal"]) == (1, False)
    assert found["problems"] == ["build: ValueError: hidden_size 800 is not a multiple of 12 heads"]
    assert (found["head_dim"], found["projections"]) == (None, {})


def test_a_floored_size_is_legal_and_says_which_sizes_result(inspected: Any) -> None:
    sizes = {"hidden_size": 800, "num_attention_heads": 12, "num_key_value_heads": 4}
    code, out, _ = inspected(LLAMA | {"model_type": "mistral"} | sizes, "--json")
    found = json.loads(out)
    assert (code, found["legal"], found["head_dim"]) == (0, True, 66)
    assert found["problems"][0].startswith("never-but-wrong: 800 / 12 is floored to head_dim 66")
    assert "[792, 800]" in found["problems"][0]


def test_people_get_the_numbers_with_their_derivation(inspected: Any) -> None:
    code, out, _ = inspected(LLAMA)
    assert code == 0
    for words in (
        "llama: gqa, 32 layers",
        "32 / 8 = 4 query heads",
        "4096 / 32, derived",
        "8 × (128 + 128)",
        "131,072 B",
    ):
        assert words in out


def test_people_get_every_kind_of_model_in_lines_that_fit(inspected: Any) -> None:
    for model_type in ("deepseek_v4", "gemma3n", "t5", "qwen3_next", "bert", "falcon", "newcomer"):
        sizes = {} if model_type != "newcomer" else LLAMA
        code, out, _ = inspected(sizes | {"model_type": model_type})
        assert code == 0
        assert out.startswith(f"{model_type}: ")
        assert "None" not in out


def test_a_model_of_the_lessons_is_known_by_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["inspect", "deepseek-v3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["kind"], found["kv_cache_bytes_per_token"]["value"]) == ("mla", 70272)


def test_every_model_of_the_lessons_is_read_as_its_family(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    from quiz.bank.library import open_library

    with open_library(home) as library:
        models = library.models()
    assert len(models) >= 29
    for name, sizes in models.items():
        assert run(["inspect", name, "--json"]) == 0, name
        found = json.loads(capsys.readouterr().out)
        assert found["model_type"] == sizes["model_type"]
        assert not any("not known here" in note or "no model_type" in note for note in found["notes"]), name
        said = {**found, **(found["latent"] or {})}
        assert {key: said[key] for key in sizes if key in said} == {key: sizes[key] for key in sizes if key in said}


def test_a_model_of_the_lessons_has_the_biases_of_its_family(capsys: pytest.CaptureFixture[str]) -> None:
    biases = {"gpt2": 4 * 768, "qwen2.5-7b": 3584 + 2 * 512, "llama-3-8b": 0}
    for name, count in biases.items():
        run(["inspect", name, "--json"])
        assert json.loads(capsys.readouterr().out)["attention_params_per_layer"]["biases"] == count


def test_a_model_without_a_query_latent_has_none(capsys: pytest.CaptureFixture[str]) -> None:
    run(["inspect", "deepseek-v2-lite", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["latent"]["q_lora_rank"] is None
    assert found["projections"]["q"] == [16 * 192, 2048]


def test_a_folder_is_read_as_the_config_in_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "config.json").write_text(json.dumps(LLAMA), encoding="utf-8")
    assert run(["inspect", str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["head_dim"] == 128


def test_a_name_that_means_nothing_gets_a_hint(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["inspect", "deepseek-v4"]) == 2
    assert "did you mean deepseek-v" in capsys.readouterr().err


@pytest.mark.parametrize("data", [b"", b"[]", b'{"hidden_size": NaN}', b'{"a":' * 100_000, b"\xff\xfe\x00"])
def test_a_broken_file_is_one_line_and_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], data: bytes
) -> None:
    file = tmp_path / "broken.json"
    file.write_bytes(data)
    assert run(["inspect", str(file), "--json"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("quiz: ")
    assert captured.err.count("\n") == 1


def test_text_from_the_file_cannot_steer_the_terminal(inspected: Any) -> None:
    _, out, _ = inspected(LLAMA | {"model_type": "\x1b[31mred\x1b[0m"})
    assert "\x1b" not in out


def test_a_file_that_leaves_open_how_many_layers_there_are_is_read_for_one(inspected: Any) -> None:
    bare = {"hidden_size": 4096, "num_attention_heads": 32, "num_key_value_heads": 8}
    code, out, _ = inspected(bare)
    assert code == 0
    assert "gqa, number of layers unknown\n" in out
    assert "2,048  elements per layer: 8 × (128 + 128)\nnote: " in out
    _, document, _ = inspected(bare, "--json")
    found = json.loads(document)
    assert (found["num_layers"], found["kv_cache_bytes_per_token"]["value"]) == (None, None)
