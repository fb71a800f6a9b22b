"""Made-up packs of many questions, none of them drawn, of about the length and the mixture of the shipped ones."""

from collections.abc import Iterator

_HEAD = """\
format: 1
pack: many
title: Many questions
version: "1.0.0"
license: CC-BY-4.0
sources:
  ainslie2023: {title: "GQA: Training Generalized Multi-Query Transformer Models", url: "https://arxiv.org/abs/2305.13245"}
misconceptions:
  query-heads-in-cache: {says: Counts query heads in the KV cache., truth: Only keys and values are cached.}
  one-of-two: {says: Counts keys alone., truth: Keys and values are as large as each other.}
lessons:
  - id: cache
    title: The KV cache
    tldr: Keys and values of every token are kept.
    body: |
      Each layer keeps `2 * num_kv_heads * head_dim` numbers for each token.
questions:
"""
_CARD = """\
  - {{id: card-{n}, kind: card, lesson: cache, prompt: What does model {n} cache?, back: "{layers} layers of K and V."}}
"""
_SHARED = """\
    depth: onsite
    lesson: cache
    sources: [ainslie2023]
    hints:
      - Which tensors are kept from one token to the next?
      - "Model {n}: keys and values, for each layer and each KV head."
"""
_KINDS = (
    """\
  - id: cache-{n}
    kind: numeric
    prompt: >-
      Model {n} has {layers} layers and 8 KV heads of 128 channels, and caches in bf16. How many bytes does the KV cache
      take for one token?
    formula: 2 * {layers} * 8 * 128 * 2
    unit: B
    mistakes:
      - {{formula: 2 * {layers} * 32 * 128 * 2, misconception: query-heads-in-cache}}
      - {{formula: "{layers} * 8 * 128 * 2", misconception: one-of-two}}
    steps:
      - "Keys and values: 2 tensors in each of {layers} layers."
""",
    """\
  - id: grows-{n}
    kind: choice
    prompt: "Model {n} reads a context twice as long. What becomes of its KV cache?"
    choices:
      - {{text: It is twice as large., right: true, why: Every token has its own keys and values.}}
      - {{text: It stays as it is., why: That would be a recurrent state., misconception: one-of-two}}
      - {{text: It is four times as large., why: The scores are; they are not kept.}}
""",
    """\
  - id: said-{n}
    kind: card
    prompt: Say in one breath what model {n} caches, and why queries are not among it.
    back: >-
      Keys and values of all {layers} layers. A query is used once, when its own token is computed; nobody asks for it
      again.
""",
    """\
  - id: order-{n}
    kind: order
    prompt: "Put the steps of attention in model {n} in order."
    items: ["scale the scores", "mask what lies ahead", "take the softmax", "weigh the {layers} values"]
""",
)


def usual_pack(questions: int) -> str:
    """A pack of so many questions, as text."""
    return _HEAD + "".join(_questions(questions))


def terse_pack(cards: int) -> str:
    """A pack of so many cards of one line, for 16 MB hold 100,000 of no other sort."""
    return _HEAD + "".join(_CARD.format(n=index, layers=16 + index % 80) for index in range(cards))


def _questions(count: int) -> Iterator[str]:
    for index in range(count):
        numbers = {"n": index, "layers": 16 + index % 80}
        yield (_KINDS[index % len(_KINDS)] + _SHARED).format(**numbers)
