import random
from pathlib import Path

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from quiz.bank import document, places
from quiz.bank.pack import Numeric, PowersOfTwo
from quiz.bank.reader import Located, json_schema, read_models, read_pack, read_pack_text
from quiz.errors import Fault, PackError

GOOD = """\
format: 1
pack: gqa
title: Grouped-query attention
version: "1.2.0"
license: CC-BY-4.0
sources:
  ainslie2023: {title: "GQA", url: "https://arxiv.org/abs/2305.13245"}
misconceptions:
  query-heads-in-cache: {says: "Counts query heads in the KV cache", truth: "KV heads are cached"}
lessons:
  - id: kv-cache
    title: The KV cache
    tldr: Keys and values are kept.
    body: |
      `x[i]`, {braces} and [h] are just text in a lesson.
    worked: [{model: llama-3-8b, quantity: kv_cache_bytes_per_token, value: 131072}]
    sources: [ainslie2023]
questions:
  - id: cache-bytes-per-token
    kind: numeric
    depth: screen
    lesson: kv-cache
    as_of: {date: 2026-11, transformers: "5.24"}
    draw:
      num_layers: [24, 32]
      num_kv_heads: {powers_of_two: [1, 8]}
      group_size: {from: 2, to: 8, step: 2}
      divisor: {divisors_of: num_layers}
      head_dim: [64, 128]
    let:
      num_heads: num_kv_heads * group_size
      two: 2
    require: [num_heads <= 32]
    prompt: "{num_layers} layers, {num_heads} query heads: KV-cache bytes per token?"
    solve: kv_cache_bytes_per_token
    formula: 2 * num_layers * num_kv_heads *
      head_dim * two
    unit: B
    tolerance: {absolute: 0.5}
    mistakes:
      - {formula: "2 * num_layers * num_heads * head_dim * 2", misconception: query-heads-in-cache}
    sources: [ainslie2023]
  - {id: a-card, kind: card, prompt: 64, back: no}
  - {id: real, kind: numeric, draw: {m: {model: models, where: hidden_size > 4096}}, prompt: "{m}?", formula: head_dim}
  - {id: shape, kind: shape, prompt: Which one, formula: [2, 12, 16, 64]}
"""


def one_question(lines: str) -> str:
    """A pack whose only question holds these lines; they begin at line 6, column 5."""
    return f'format: 1\npack: p\ntitle: T\nversion: "1.0.0"\nquestions:\n{lines}'


def faults_of(text: str) -> tuple[Fault, ...]:
    with pytest.raises(PackError) as caught:
        read_pack_text(text, "bad.yaml")
    return caught.value.faults


def read_one(lines: str) -> Located:
    return read_pack_text(one_question(lines), "good.yaml")


def test_a_good_pack_is_read_whole() -> None:
    pack = read_pack_text(GOOD, "gqa.yaml").pack
    question = pack.questions[0]
    assert isinstance(question, Numeric)
    assert question.formula == "2 * num_layers * num_kv_heads * head_dim * two"
    assert question.draw["num_kv_heads"] == PowersOfTwo(powers_of_two=(1, 8))
    assert question.let["two"] == "2"
    assert pack.questions[1].prompt == "64"
    assert pack.lessons[0].body == "`x[i]`, {braces} and [h] are just text in a lesson.\n"


@pytest.mark.parametrize(
    ("loc", "place"),
    [
        (("pack",), (2, 7)),
        (("questions", 0), (19, 5)),
        (("questions", 0, "numeric", "formula"), (36, 14)),
        (("questions", 0, "mistakes", 0, "formula"), (41, 19)),
        (("questions", 0, "hints"), (19, 5)),
        (("questions", 1, "back"), (43, 48)),
        ((), (1, 1)),
    ],
)
def test_every_part_has_its_place(loc: tuple[str | int, ...], place: tuple[int, int]) -> None:
    assert read_pack_text(GOOD, "gqa.yaml").where(*loc) == place


def test_scalars_are_read_as_yaml_1_2_reads_them() -> None:
    text = one_question("  - {id: a, kind: text, prompt: q, accept: [no, on, 1_000, 12:30, 2024-01-05, 0b11, 64]}")
    question = read_pack_text(text, "f").pack.questions[0]
    assert question.model_dump()["accept"] == ("no", "on", "1_000", "12:30", "2024-01-05", "0b11", "64")


def test_an_exponent_makes_a_number_with_or_without_a_point() -> None:
    for written in ("1e-3", "1.0e-3", "1E-3"):
        question = read_pack_text(one_question(Q + FORMULA + f"    tolerance: {written}\n"), "f").pack.questions[0]
        assert question.model_dump()["tolerance"] == 0.001


@pytest.mark.parametrize("change", ["bom", "crlf"])
def test_a_byte_order_mark_and_windows_line_ends_change_nothing(change: str, tmp_path: Path) -> None:
    path = tmp_path / "gqa.yaml"
    text = "\ufeff" + GOOD if change == "bom" else GOOD.replace("\n", "\r\n")
    path.write_bytes(text.encode())
    located = read_pack(path)
    assert located.pack == read_pack_text(GOOD, "f").pack
    assert located.where("pack") == (2, 7)


Q = "  - id: q\n    kind: numeric\n    prompt: p\n"  # lines 6 to 8
FORMULA = "    formula: 64\n"
OPTIONS = "[{text: a, why: b}, {text: c, why: d}]"

# What is wrong, and the line, column and rule of the first fault.
BAD = [
    # YAML itself
    ("a: >= 2", 1, 4, "yaml-quote"),
    ("a: |x|", 1, 4, "yaml-quote"),
    ("a: @x", 1, 4, "yaml-quote"),
    ("a: `x[i]` is", 1, 4, "yaml-quote"),
    ("a: %x", 1, 4, "yaml-quote"),
    ("a: *softmax* first", 1, 4, "yaml-alias"),
    ("a: *softmax", 1, 4, "yaml-alias"),
    ("a: &x 1", 1, 4, "yaml-anchor"),
    ("a: !!int 3", 1, 4, "yaml-tag"),
    ("a: !important", 1, 4, "yaml-tag"),
    ("<<: {a: 1}", 1, 1, "yaml-merge"),
    ("a: 1\nb: 2\na: 3", 3, 1, "yaml-duplicate-key"),
    ("1: one", 1, 1, "yaml-key"),
    (": one", 1, 1, "yaml-key"),
    ("a: {{head_dim}}", 1, 5, "yaml-key"),
    ("a: {head_dim} heads", 1, 4, "yaml-quote"),
    ("a: [So {n} heads]", 1, 8, "yaml-quote"),
    ("a:\n  - Values: {n} bytes", 2, 11, "yaml-colon"),
    ("a: {b: So [x] it is, c: d}", 1, 11, "yaml-quote"),
    ("a: K and V: two tensors", 1, 11, "yaml-colon"),
    ("a:1\nb: 2", 1, 2, "yaml-colon"),
    ('a: "K" and "V"', 1, 7, "yaml-quote"),
    ("a: 'don't'", 1, 9, "yaml-quote"),
    ('a: "never closed\nb: 1', 1, 4, "yaml-quote"),
    ('a: "\\sqrt"', 1, 5, "yaml-escape"),
    ("a:\n\tb: 1", 2, 1, "yaml-tab"),
    ("a: 1\n\u00a0b: 2", 2, 1, "yaml-nbsp"),
    ("a: 010", 1, 4, "yaml-octal"),
    ("a: 1\n  b: 2", 2, 3, "yaml-indentation"),
    ("a: 1\n b: 2  # not: 3", 2, 2, "yaml-indentation"),
    ("a:\n  b: 1\n c: 2", 3, 2, "yaml-indentation"),
    ('a: {b: "1", c: K: V}', 1, 17, "yaml-colon"),
    ('a: {b: 1,\n  c: "1", d: K and V: two}', 2, 21, "yaml-colon"),
    ("a:\n  - {b: 1,\n     c: K: V}", 3, 10, "yaml-colon"),
    ("a: 1\nword", 2, 1, "yaml-syntax"),
    ("---\na: 1\n---\nb: 2", 3, 1, "yaml-documents"),
    ("a: \0", 1, 4, "control-character"),
    ('a: "\\0"', 1, 4, "control-character"),
    ("a: 1\nb: x\ud800", 2, 5, "control-character"),
    ("a: \x1b[2J", 1, 4, "control-character"),
    ("", 1, 1, "empty-file"),
    ("# nothing", 1, 1, "empty-file"),
    ("- a", 1, 1, "wrong-type"),
    ("just text", 1, 1, "wrong-type"),
    ("[" * 20_000, 1, 13, "too-deep"),
    ("- " * 20_000, 1, 25, "too-deep"),
    ("a: " + "[" * 12 + "]" * 12, 1, 15, "too-deep"),
    # the models
    ("format: 2", 1, 1, "missing-key"),
    (GOOD.replace("format: 1", "format: 2"), 1, 9, "unknown-value"),
    (GOOD.replace('version: "1.2.0"', "version: 1.10"), 4, 10, "wrong-type"),
    (GOOD.replace("license:", "licence:"), 5, 1, "unknown-key"),
    (one_question(Q + "    formla: 1\n"), 9, 5, "unknown-key"),
    (one_question(Q + FORMULA + "    rubric: []\n"), 10, 5, "unknown-key"),
    (one_question("  - id: q\n    kind: nummeric\n    prompt: p\n"), 7, 11, "unknown-kind"),
    (one_question("  - id: q\n    kind: [a]\n    prompt: p\n"), 7, 11, "unknown-kind"),
    (one_question("  - id: q\n    prompt: p\n"), 6, 5, "missing-key"),
    (one_question("  - text\n"), 6, 5, "wrong-type"),
    (one_question("  - id: q\n    kind: card\n    prompt: {head_dim}\n    back: b\n"), 8, 13, "wrong-type"),
    (one_question("  - id: q\n    kind: card\n    prompt: [B, H]\n    back: b\n"), 8, 13, "wrong-type"),
    (one_question("  - id: q\n    kind: card\n    prompt: - 1\n    back: b\n"), 8, 13, "yaml-quote"),
    (one_question("  - id: q\n    kind: card\n    prompt:\n    back: b\n"), 8, 12, "wrong-type"),
    (one_question("  - id: q\n    kind: card\n    prompt: true\n    back: b\n"), 8, 13, "wrong-type"),
    (one_question("  - id: no good\n    kind: card\n    prompt: p\n    back: b\n"), 6, 9, "bad-id"),
    (one_question(Q + FORMULA + "    depth: scren\n"), 10, 12, "unknown-value"),
    (one_question(Q + FORMULA + "    tolerance: -1\n"), 10, 16, "out-of-range"),
    (one_question(Q + FORMULA + "    tolerance: {absolut: 1}\n"), 10, 16, "missing-key"),
    (one_question(Q + FORMULA + "    tolerance: small\n"), 10, 16, "wrong-type"),
    (one_question(Q + FORMULA + "    draw: {a: []}\n"), 10, 15, "too-few"),
    (one_question(Q + FORMULA + "    draw: {a: 3}\n"), 10, 15, "wrong-type"),
    (one_question(Q + FORMULA + "    draw: {a: [x]}\n"), 10, 16, "wrong-type"),
    (one_question(Q + FORMULA + "    draw: {a: {from: 1, too: 2}}\n"), 10, 15, "missing-key"),
    (one_question(Q + FORMULA + "    let: {1a: 3}\n"), 10, 11, "bad-name"),
    (one_question(Q + "    formula: {a}\n"), 9, 14, "wrong-type"),
    (one_question("  - id: q\n    kind: shape\n    prompt: p\n    formula: 3\n"), 9, 14, "wrong-type"),
    (one_question("  - {id: q, kind: stage, prompt: p, answer: load,\n     why: {lod: x}}\n"), 7, 12, "unknown-value"),
    (one_question("  - id: q\n    kind: order\n    prompt: p\n    items: [a, b]\n"), 9, 12, "too-few"),
    # what only the whole pack shows
    (one_question(Q + FORMULA + Q + FORMULA), 10, 9, "duplicate-id"),
    (one_question(Q + FORMULA + "    was: [q]\n"), 10, 11, "was-clash"),
    (one_question(Q + FORMULA + "    lesson: kv\n"), 10, 13, "unknown-lesson"),
    (one_question(Q + FORMULA + "    sources: [kv]\n"), 10, 15, "unknown-source"),
    (GOOD.replace("on: query-heads-in-cache}", "on: query-head}"), 41, 79, "unknown-misconception"),
    (GOOD.replace("divisors_of: num_layers", "divisors_of: num_layer"), 28, 30, "unknown-name"),
    (one_question(Q), 6, 9, "missing-answer"),
    (one_question(Q + FORMULA + "    draw: {a: [1]}\n    let: {a: 3}\n"), 11, 11, "name-clash"),
    (one_question(Q + FORMULA + "    draw: {in: [1]}\n"), 10, 12, "reserved-name"),
    (one_question(f"  - {{id: q, kind: choice, prompt: p,\n     choices: {OPTIONS}}}\n"), 7, 15, "no-right-choice"),
    (one_question("  - {id: q, kind: order, prompt: p, items: [a, b, a]}\n"), 6, 51, "duplicate-item"),
    (one_question(Q + "    formula: 2 * hed_dim\n    draw: {head_dim: [1]}\n"), 9, 18, "unknown-name"),
    (one_question(Q + "    formula: 2 ^ 3\n"), 9, 16, "bad-expression"),
    (one_question(Q + "    formula: 2 > 3\n"), 9, 14, "bad-expression"),
    (one_question(Q + FORMULA + "    require: [1 + 1]\n"), 10, 15, "bad-expression"),
    (one_question(Q + FORMULA + "    hints: ['it''s {x}']\n"), 10, 21, "unknown-name"),
    (one_question(Q + FORMULA + "    hints: [\"\\u00e9\\n{x}\"]\n"), 10, 23, "unknown-name"),
    (one_question(Q + FORMULA + "    steps:\n      - |\n        one\n        two {x}\n"), 13, 14, "unknown-name"),
    (one_question(Q + FORMULA + "    steps:\n      - >-\n        one\n\n          two {x}\n"), 14, 16, "unknown-name"),
    (one_question(Q + FORMULA + "    steps:\n      - one\n        two {x}\n"), 12, 14, "unknown-name"),
    (one_question(Q + "    formula: 1 +\n      2 +\n"), 10, 10, "bad-expression"),
    (one_question(Q + FORMULA + "    hints: ['a } b']\n"), 10, 16, "bad-template"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "column", "rule"), BAD)
def test_faults_are_named_in_their_place(text: str, line: int, column: int, rule: str) -> None:
    first = faults_of(text)[0]
    assert (first.line, first.column, first.rule) == (line, column, rule), str(first)


@pytest.mark.parametrize(("text", "line", "column", "rule"), BAD)
def test_the_loader_without_libyaml_finds_the_same(
    text: str, line: int, column: int, rule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document, "LOADER", yaml.SafeLoader)
    monkeypatch.setattr(places, "LOADER", yaml.SafeLoader)
    first = faults_of(text)[0]
    assert (first.line, first.column, first.rule) == (line, column, rule), str(first)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (one_question(Q + FORMULA + "    mistaks: []\n"), "did you mean 'mistakes'?"),
        (one_question(Q + FORMULA + "    rubric: []\n"), "`rubric` belongs to the kind open"),
        (one_question("  - id: q\n    kind: nummeric\n    prompt: p\n"), "did you mean 'numeric'?"),
        (
            one_question("  - id: q\n    kind: card\n    prompt: {a}\n    back: b\n"),
            "text that begins with { in quotes",
        ),
        (one_question(Q + FORMULA + Q + FORMULA), "already on line 6"),
        ("a: 1\nb: 2\na: 3", "first on line 1"),
        ("a: 'don't'", "written twice"),
        (GOOD.replace("lesson: kv-cache", "lesson: kv-cash"), "did you mean 'kv-cache'?"),
        (one_question(Q + "    formula: 2 ^ 3\n"), "use ** for powers"),
        (one_question(Q + "    formula: hed\n    draw: {head: [1]}\n"), "did you mean `head`?"),
    ],
)
def test_faults_say_what_to_do(text: str, said: str) -> None:
    assert said in str(faults_of(text)[0])


def test_all_faults_are_found_at_once_and_in_order() -> None:
    faults = faults_of(one_question(Q + "    formla: 1\n    depth: deep\n  - id: r\n    kind: card\n    prompt: p\n"))
    assert [(fault.line, fault.rule) for fault in faults] == [
        (9, "unknown-key"),
        (10, "unknown-value"),
        (11, "missing-key"),
    ]


def test_one_slip_in_a_union_is_one_fault() -> None:
    assert [fault.rule for fault in faults_of(one_question(Q + FORMULA + "    tolerance: x\n"))] == ["wrong-type"]
    faults = faults_of(one_question(Q + FORMULA + "    tolerance: {absolut: 1}\n"))
    assert [fault.rule for fault in faults] == ["missing-key", "unknown-key"]


def test_a_model_draw_brings_any_name_into_scope() -> None:
    lines = "  - {id: q, kind: numeric, prompt: '{anything}', formula: whatever, draw: {m: {model: models}}}\n"
    assert read_one(lines).pack.questions[0].prompt == "{anything}"


def test_braces_in_a_snippet_are_code() -> None:
    lines = "  - {id: q, kind: stage, prompt: p, answer: load, snippet: 'd = {1: 2}'}\n"
    assert read_one(lines).pack.questions[0].kind == "stage"


def test_escapes_for_the_terminal_are_text() -> None:
    assert read_one('  - {id: q, kind: card, prompt: "\\e[2J", back: b}').pack.questions[0].prompt == "\x1b[2J"


def test_a_file_that_is_not_utf8_is_placed(tmp_path: Path) -> None:
    path = tmp_path / "latin.yaml"
    path.write_bytes("format: 1\ntitle: caf\u00e9".encode("latin-1"))
    with pytest.raises(PackError) as caught:
        read_pack(path)
    assert [(f.line, f.column, f.rule) for f in caught.value.faults] == [(2, 11, "not-utf8")]


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "huge.yaml"
    with path.open("wb") as file:
        file.truncate(16 * 1024**2 + 1)
    with pytest.raises(PackError) as caught:
        read_pack(path)
    assert [fault.rule for fault in caught.value.faults] == ["too-large"]


def test_what_is_no_file_is_unreadable(tmp_path: Path) -> None:
    rules = []
    for path in (tmp_path, tmp_path / "missing.yaml"):
        with pytest.raises(PackError) as caught:
            read_pack(path)
        rules += [fault.rule for fault in caught.value.faults]
    assert rules == ["unreadable", "unreadable"]


@pytest.mark.parametrize(
    "text",
    [
        "a0: &a0 [x, x]\n" + "\n".join(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]" for i in range(1, 30)),
        "\n".join(f"k{i}: &a{i} x" for i in range(20_000)),
        "a: [" + "a," * 300_000 + "]",
        "a: " + "9" * 5_000,
        one_question("".join(f"  - {{id: q{i}, kind: numeric, prompt: '{{x}}'}}\n" for i in range(2_000))),
        one_question("".join(f"  - {{id: q{i}, kind: crd, nonsense: 1}}\n" for i in range(5_000))),
        "{" * 20_000,
        "a: " + "'" * 50_001,
    ],
)
def test_hostile_texts_end_in_few_faults(text: str) -> None:
    assert 1 <= len(faults_of(text)) <= 500


@example(37579, "{")
@given(st.integers(0, 10**9), st.sampled_from(["'", '"', "{", "[", ":", "*", "\t", "\n", " ", "|", "#", "", "x"]))
def test_a_good_pack_with_a_slip_is_read_or_faulted_inside_the_file(seed: int, slip: str) -> None:
    chance = random.Random(seed)
    position = chance.randrange(len(GOOD))
    text = GOOD[:position] + slip + GOOD[position + chance.randrange(3) :]
    faults: tuple[Fault, ...] = ()
    try:
        read_pack_text(text, "f")
    except PackError as error:
        faults = error.faults
    assert all(1 <= fault.line <= text.count("\n") + 1 and fault.column >= 1 for fault in faults)


def test_the_schema_picks_a_questions_rules_by_its_kind() -> None:
    schema = json_schema()
    items = schema["properties"]["questions"]["items"]
    kinds = [rule["if"]["properties"]["kind"]["const"] for rule in items["allOf"]]
    assert kinds == items["properties"]["kind"]["enum"]
    assert "oneOf" not in items
    for rule in items["allOf"]:
        name = rule["then"]["$ref"].rpartition("/")[2]
        assert schema["$defs"][name]["additionalProperties"] is False
        assert schema["$defs"][name]["title"] != name or name == "Card"
    assert schema["$defs"]["Numeric"]["properties"]["prompt"]["type"] == ["string", "integer"]
    assert schema["$defs"]["Absolute"]["properties"]["absolute"] == {"type": "number", "minimum": 0}


def test_models_are_titles_and_whole_numbers(tmp_path: Path) -> None:
    path = tmp_path / "models.yaml"
    assert read_models(path) == {}
    path.write_text("llama: {title: Llama, head_dim: 128}\n")
    assert read_models(path) == {"llama": {"title": "Llama", "head_dim": 128}}
    path.write_text("llama: {title: Llama, head_dim: 12.5}\nother: 3\n")
    with pytest.raises(PackError) as caught:
        read_models(path)
    assert [(fault.line, fault.column) for fault in caught.value.faults] == [(1, 33), (2, 8)]
