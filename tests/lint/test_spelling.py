import pytest

from quiz.lint.spelling import misspelt


@pytest.mark.parametrize(
    ("text", "written", "usual"),
    [
        ("The kv cache grows.", "kv cache", "KV cache"),
        ("Two kv heads.", "kv heads", "KV heads"),
        ("A head dim of 64.", "head dim", "head_dim"),
        ("Apply soft-max.", "soft-max", "softmax"),
        ("ROPE turns.", "ROPE", "RoPE"),
        ("Flash Attention tiles.", "Flash Attention", "FlashAttention"),
        ("Multihead attention.", "Multihead", "multi-head"),
        ("Grouped query attention.", "Grouped query", "grouped-query"),
        ("multi query attention", "multi query", "multi-query"),
        ("pytorch raises.", "pytorch", "PyTorch"),
        ("Numpy copies.", "Numpy", "NumPy"),
        ("Huggingface reads it.", "Huggingface", "Hugging Face"),
        ("bf-16 weights", "bf-16", "bfloat16 (bf16)"),
        ("5 kib", "kib", "KiB"),
        ("5 Gb", "Gb", "GB or GiB (Gb are gigabits)"),
    ],
)
def test_an_unusual_spelling_is_noticed(text: str, written: str, usual: str) -> None:
    assert list(misspelt(text)) == [(written, usual)]


@pytest.mark.parametrize(
    "text",
    [
        "The KV cache, KV heads, head_dim, softmax, RoPE, FlashAttention and multi-head attention.",
        "Grouped-query attention in PyTorch and NumPy, by Hugging Face, in bfloat16: 5 GiB, 3 GB, 2 kB, 7 MiB.",
        "`kv cache` and `pytorch` are code",
        "```\nimport numpy\n```",
        "https://pytorch.org/docs and https://huggingface.co/docs",
        "{kv_heads} heads",
        "pytorch.org",
        "num_kv_heads",
        "a kvcache-like thing",
    ],
)
def test_usual_spellings_code_and_addresses_are_left_alone(text: str) -> None:
    assert list(misspelt(text)) == []


def test_a_spelling_is_told_once_a_text() -> None:
    assert len(list(misspelt("kv cache and kv cache and kv heads"))) == 2
