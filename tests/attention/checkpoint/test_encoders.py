"""Encoder-decoders whose keys mean something of their own. Read from the classes of transformers 5.24.0."""

import pytest

from quiz.attention.checkpoint.attention import Attention
from quiz.attention.checkpoint.inspection import Inspection, inspect
from quiz.errors import UsageError


def layers_of(found: Inspection) -> dict[str, Attention]:
    return {layer.layer_type: layer for layer in found.layers}


def test_whisper_takes_num_key_value_heads_for_the_heads_of_its_encoder() -> None:
    found = inspect({"model_type": "whisper", "num_key_value_heads": 3})
    layers = layers_of(found)
    assert {name: (layer.num_heads, layer.num_kv_heads, layer.head_dim) for name, layer in layers.items()} == {
        "self": (6, 6, 64),
        "encoder_self": (3, 3, 128),
        "cross": (6, 6, 64),
    }
    assert any("another name for the number of the encoder's heads: they are 3" in note for note in found.notes)


def test_whisper_cannot_build_with_null_kv_heads() -> None:
    found = inspect({"model_type": "whisper", "num_key_value_heads": None})
    assert [(problem.stage, problem.error) for problem in found.problems] == [("build", "TypeError")]
    assert found.main.num_kv_heads == 6


def test_whisper_has_no_bias_on_its_keys() -> None:
    assert inspect({"model_type": "whisper"}).main.biases == 3 * 384


def test_switch_transformers_reads_d_kv_and_no_head_dim() -> None:
    assert inspect({"model_type": "switch_transformers", "d_kv": 32}).main.head_dim == 32
    found = inspect({"model_type": "switch_transformers", "head_dim": 32})
    assert found.main.head_dim == 64
    assert any("switch_transformers reads only d_kv" in note for note in found.notes)


@pytest.mark.parametrize("name", ["bart", "t5", "switch_transformers", "whisper", "marian"])
def test_encoder_decoder_and_cross_attention_are_counted_apart(name: str) -> None:
    layers = layers_of(inspect({"model_type": name, "encoder_layers": 3, "decoder_layers": 5}))
    assert layers.keys() == {"self", "encoder_self", "cross"}
    assert layers["self"].count == layers["cross"].count
    assert layers["encoder_self"].cache_elements is None
    assert layers["cross"].cache_elements


def test_an_encoder_has_no_more_layers_than_a_model_can() -> None:
    with pytest.raises(UsageError, match="encoder_layers in the config is 1,000,000,000"):
        inspect({"model_type": "bart", "encoder_layers": 10**9})
