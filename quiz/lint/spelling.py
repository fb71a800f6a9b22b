"""The field's terms as the field spells them. Only prose counts: code and links keep their own."""

import re
from collections.abc import Iterator

from quiz.lint.texts import prose_of

# What is written, as a pattern, and what is usual. Patterns are chosen so that no right spelling matches.
_TERMS: tuple[tuple[str, str], ...] = (
    (r"(?:kv|Kv)[ -]heads?", "KV heads"),
    (r"(?:kv|Kv)[ -]cach(?:e|es|ing)|KV[ -]Cache", "KV cache"),
    (r"head[ -]dims?(?![\w-])", "head_dim"),
    (r"[Ss]oft-max|SoftMax|[Ss]oft max", "softmax"),
    (r"ROPE|RoPe|ROpE", "RoPE"),
    (r"[Ff]lash[- ][Aa]tt(?:entio)?n(?=[ ,.;:)-]|\d|$)|Flashattention", "FlashAttention"),
    (r"[Mm]ulti head|[Mm]ultihead", "multi-head"),
    (r"[Gg]rouped query(?= attention)", "grouped-query"),
    (r"[Mm]ulti query(?= attention)", "multi-query"),
    (r"bfloat-16|Bfloat16|BFLOAT16|bf-16", "bfloat16 (bf16)"),
    (r"Pytorch|PYTORCH|pytorch", "PyTorch"),
    (r"Numpy|NUMPY|numpy", "NumPy"),
    (r"Huggingface|HuggingFace|huggingface", "Hugging Face"),
    (r"Deepseek|DeepSeek-v(?=\d)", "DeepSeek"),
    (r"LLaMa|LLama", "Llama"),
    (r"(?<=\d )Flops|(?<=\d )flops", "FLOPs"),
    (r"(?<=\d )(?:kib|KIB|Kib)", "KiB"),
    (r"(?<=\d )(?:mib|MIB|Mib)", "MiB"),
    (r"(?<=\d )(?:gib|GIB|Gib)", "GiB"),
    (r"(?<=\d )(?:gb|Gb)", "GB or GiB (Gb are gigabits)"),
    (r"(?<=\d )(?:mb|Mb)", "MB or MiB (Mb are megabits)"),
    (r"(?<=\d )(?:kb|Kb)", "kB or KiB (kb are kilobits)"),
)
_ANY = re.compile(r"(?<![\w/.-])(?:" + "|".join(f"({pattern})" for pattern, _ in _TERMS) + r")(?![\w/]|\.\w)")


def misspelt(text: str) -> Iterator[tuple[str, str]]:
    """What is spelt unusually, each once, with the usual spelling."""
    seen: set[str] = set()
    for found in _ANY.finditer(prose_of(text)):
        if found.lastindex and found[0] not in seen:
            seen.add(found[0])
            yield found[0], _TERMS[found.lastindex - 1][1]
