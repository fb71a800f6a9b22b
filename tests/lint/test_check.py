import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import quiz.bank
import quiz.lint
import quiz.problem
from quiz.errors import Fault
from quiz.lint.check import Report, check_packs
from quiz.lint.rules import RULES

Check = Callable[..., Report]
GOOD = """\
  - id: q
    kind: numeric
    lesson: l
    draw: {heads: {from: 2, to: 9}, width: [16, 32, 48]}
    prompt: "{heads} heads of {width}. How wide together?"
    formula: heads * width
    unit: "1"
    mistakes: [{formula: heads + width, misconception: a}]
    sources: [s]
"""


def rules(faults: tuple[Fault, ...]) -> list[str]:
    return [fault.rule for fault in faults]


def place(fault: Fault, text: str) -> str:
    """The rest of the line at which a fault points."""
    return text.split("\n")[fault.line - 1][fault.column - 1 :]


def changed(old: str, new: str) -> str:
    assert old in GOOD
    return GOOD.replace(old, new)


def test_a_good_pack_has_neither_errors_nor_advice(check: Check) -> None:
    report = check(GOOD)
    assert (report.errors, report.advice) == ((), ())
    assert [certificate.key for certificate in report.certificates] == ["trial/q"]


UNDRAWN = '  - {id: q, kind: numeric, lesson: l, sources: [s], unit: "1", prompt: P, '
CHOICE = "  - {id: q, kind: choice, lesson: l, sources: [s], prompt: P, "
ERRORS = {
    "too-few-variants": (changed("to: 9", "to: 3"), "heads: {from"),
    "no-variants": (changed("    formula: heads", "    require: [heads > 9]\n    formula: heads"), "heads > 9"),
    "space-too-large": (changed("to: 9}", "to: 300001}"), "{from: 2, to: 300001}"),
    "draw-range": (changed("[16, 32, 48]", "{powers_of_two: [0, 8]}"), "{powers_of_two"),
    "draw-cycle": (changed("    formula", "    let: {x: y + 1, y: x + 1}\n    formula"), ""),
    "no-value": (changed("    formula", "    let: {x: 1 / (heads - 5)}\n    formula"), "1 / (heads - 5)"),
    "unknown-quantity": (changed("    unit", "    solve: head_dims\n    unit"), "head_dims"),
    "missing-given": (changed("    unit", "    solve: head_dim\n    unit"), "head_dim"),
    "wrong-quantity": (
        '  - {id: q, kind: numeric, prompt: P, unit: "1", solve: q_proj_shape, '
        "draw: {hidden_size: [8], num_heads: [2], head_dim: [4]}}\n",
        "q_proj_shape",
    ),
    "wrong-unit": (
        '  - {id: q, kind: numeric, prompt: P, unit: "B", formula: 4, solve: head_dim, '
        "draw: {hidden_size: [8], num_heads: [2]}}\n",
        '"B"',
    ),
    "solver-refuses": (
        '  - {id: q, kind: numeric, prompt: P, unit: "1", formula: num_heads, solve: group_size, '
        "draw: {num_kv_heads: [3], num_heads: [4]}}\n",
        "group_size",
    ),
    "solver-disagrees": (
        "  - {id: q, kind: numeric, prompt: P, unit: B, solve: kv_cache_bytes_per_token, "
        "formula: num_layers * num_kv_heads * head_dim * 2, "
        "draw: {num_layers: [2, 3], num_kv_heads: [1, 2], head_dim: [64]}}\n",
        "num_layers * num_kv_heads",
    ),
    "mistake-collides": (
        UNDRAWN + "formula: 6, mistakes: [{formula: 7, misconception: b}, {formula: 2 * 3, misconception: a}]}\n",
        "2 * 3",
    ),
    "duplicate-choice": (
        CHOICE + "choices: [{text: A, why: W, right: true}, {text: B, why: W}, {text: A, why: W}]}\n",
        "{text: A",
    ),
    "no-right-choice": (
        CHOICE + "draw: {n: [2, 3]}, choices: [{text: A, why: W, when: n > 3}, {text: B, why: W}]}\n",
        "{text: A",
    ),
    "bad-template": (changed("How wide together?", "How wide together? {1 / (heads - 4)}"), '"{heads}'),
    "mistake-not-recognised": (
        UNDRAWN
        + "formula: 5, mistakes: [{formula: 1/3, misconception: a}, {formula: 1/3 + 1/10**9, misconception: b}]}\n",
        "1/3 + 1/10**9",
    ),
    "display-not-right": (
        '  - {id: q, kind: order, lesson: l, sources: [s], prompt: P, draw: {n: [1]}, items: ["{n}", "1", "2"]}\n',
        '"{n}"',
    ),
}


@pytest.mark.parametrize("rule", ERRORS)
def test_an_error_names_its_rule_and_points_at_what_is_wrong(check: Check, tmp_path: Path, rule: str) -> None:
    questions, pointed = ERRORS[rule]
    report = check(questions)
    assert rules(report.errors) == [rule]
    (fault,) = report.errors
    text = Path(fault.file).read_text()
    assert pointed in place(fault, text)[: len(pointed) + 1]
    assert fault.message.startswith("q: ")
    assert fault.fix


def test_a_formula_that_misses_k_and_v_is_told_what_the_solver_measures(check: Check) -> None:
    (fault,) = check(ERRORS["solver-disagrees"][0]).errors
    assert "the formula says 256 but the solver measured 512" in fault.message
    assert "num_layers * num_kv_heads * (head_dim + v_head_dim)" in fault.fix


def test_too_few_variants_name_two_that_come_to_the_same(check: Check) -> None:
    question = changed("{heads} heads of {width}", "{heads * width} channels").replace("to: 9", "to: 8")
    (fault,) = check(question).errors
    assert fault.rule == "too-few-variants"
    assert "heads = 2, width = 48 and heads = 3, width = 32 come to the same" in fault.message
    (fault,) = check(changed("to: 9", "to: 3")).errors
    assert "come to the same" not in fault.message


def test_a_single_odd_tuple_among_thousands_is_found(check: Check) -> None:
    report = check(
        '  - {id: q, kind: numeric, prompt: "{hidden_size} {num_heads}", unit: "1", solve: head_dim_remainder, '
        'formula: "hidden_size % num_heads if hidden_size != 97 or num_heads != 13 else 1", '
        "draw: {hidden_size: {from: 60, to: 140}, num_heads: {from: 2, to: 40}}}\n"
    )
    (fault,) = report.errors
    assert fault.rule == "solver-disagrees"
    assert "hidden_size = 97, num_heads = 13" in fault.message


WORKED = """\
lessons:
  - id: l
    title: L
    tldr: T
    body: B
    worked: [{model: small, quantity: %s, value: %s}]
questions:
  - {id: q, kind: card, prompt: P, back: B}
"""


@pytest.mark.parametrize(
    ("quantity", "value", "expected"),
    [
        ("head_dim", "16", []),
        ("softmax_scale", "0.25", []),
        ("q_proj_shape", "[64, 64]", []),
        ("kv_cache_bytes_per_token", "2 * num_layers * num_kv_heads * head_dim * 2", []),
        ("head_dim", "17", ["worked-example-wrong"]),
        ("k_proj_shape", "[64, 64]", ["worked-example-wrong"]),
        ("head_dim", "[16]", ["worked-example-wrong"]),
        ("head_dims", "16", ["unknown-quantity"]),
        ("kv_cache_bytes", "16", ["missing-given"]),
        ("head_dim", "1 / 0", ["bad-expression"]),
        ("head_dim", "nothing", ["bad-expression"]),
    ],
)
def test_worked_examples_are_measured(check: Check, quantity: str, value: str, expected: list[str]) -> None:
    head = 'format: 1\npack: trial\ntitle: T\nversion: "1"\n'
    report = check(WORKED % (quantity, value), head)
    assert rules(report.errors) == expected
    assert all(fault.line == 10 and fault.column > 15 for fault in report.errors)


def test_a_worked_example_of_an_unknown_model_is_told_the_nearest(check: Check) -> None:
    head = 'format: 1\npack: trial\ntitle: T\nversion: "1"\n'
    (fault,) = check(WORKED.replace("small", "smal") % ("head_dim", "16"), head).errors
    assert (fault.rule, fault.fix) == ("unknown-model", "did you mean 'small'?")


ADVICE = {
    "missing-unit": changed('    unit: "1"\n', ""),
    "missing-source": changed("    sources: [s]\n", ""),
    "missing-lesson": changed("    lesson: l\n", ""),
    "no-value": changed("{formula: heads + width,", "{formula: heads // (heads + width - 18),"),
    "answer-in-prompt": UNDRAWN.replace("prompt: P", 'prompt: "4,096 over 32 is 128; how much?"') + "formula: 128}\n",
    "no-variation": (
        CHOICE.replace("prompt: P", 'prompt: "{n}"')
        + 'draw: {n: [2, 3]}, choices: [{text: A, why: W, right: true}, {text: "{n}", why: W}]}\n'
    ),
    "wide-code": CHOICE.replace("choice", "stage") + f"answer: never, snippet: {'x' * 61}}}\n",
}


@pytest.mark.parametrize("rule", ADVICE)
def test_advice_is_no_error(check: Check, rule: str) -> None:
    report = check(ADVICE[rule])
    assert (rules(report.errors), rules(report.advice)) == ([], [rule])
    assert all(fault.line > 12 and fault.fix for fault in report.advice)


@pytest.mark.parametrize(
    "question",
    [
        GOOD,
        changed("How wide together?", "How wide together, out of 64?"),
        UNDRAWN.replace("prompt: P", 'prompt: "4096 over 32?"') + "formula: 128}\n",
        CHOICE + "choices: [{text: A, why: W, right: true}, {text: B, why: W}]}\n",
    ],
)
def test_no_advice_where_none_is_needed(check: Check, question: str) -> None:
    assert check(question).advice == ()


def test_a_term_that_stands_in_its_own_prompt_is_noticed(check: Check) -> None:
    report = check(
        "  - {id: q, kind: text, lesson: l, sources: [s], prompt: What is the Latent called?, accept: [latent]}\n"
    )
    assert rules(report.advice) == ["answer-in-prompt"]


def test_wide_code_in_a_lesson_is_noticed_and_wide_prose_is_not(check: Check, tmp_path: Path) -> None:
    body = f"{'word ' * 30}\n\n```text\n{{}}\n```\n"
    for code, expected in (("x" * 51, []), ("x" * 52, ["wide-code"])):
        text = body.format(code).replace("\n", "\n      ")
        head = 'format: 1\npack: trial\ntitle: T\nversion: "1"\nlessons:\n  - id: l\n    title: L\n    tldr: T\n'
        report = check(
            f"    body: |\n      {text}\nquestions:\n  - {{id: q, kind: card, lesson: l, prompt: P, back: B}}\n", head
        )
        assert [rule for rule in rules(report.advice) if rule != "missing-source"] == expected


def test_what_the_reader_finds_becomes_errors_and_other_packs_are_still_checked(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("format: 1\n  pack: [\n")
    (tmp_path / "b.yaml").write_text('format: 1\npack: b\ntitle: B\nversion: "1"\nquestions: [{id: q, kind: card}]\n')
    (tmp_path / "c.yaml").write_text(
        'format: 1\npack: c\ntitle: C\nversion: "1"\n'
        'questions: [{id: q, kind: numeric, prompt: "{n}", formula: n, draw: {n: [1]}}]\n'
    )
    (tmp_path / "models.yaml").write_text("not: [a, pack]\n")
    report = check_packs([tmp_path], {})
    assert {Path(fault.file).name for fault in report.errors} == {"a.yaml", "b.yaml", "c.yaml"}
    assert rules(report.errors)[-1] == "too-few-variants"


def test_two_packs_with_one_id_are_refused(tmp_path: Path) -> None:
    text = 'format: 1\npack: one\ntitle: B\nversion: "1"\nquestions: [{id: q, kind: card, prompt: P, back: B}]\n'
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(text)
    (fault,) = check_packs([tmp_path], {}).errors
    assert (Path(fault.file).name, fault.line, fault.rule) == ("b.yaml", 2, "duplicate-pack")
    assert str(tmp_path / "a.yaml") in fault.message


def test_a_missing_file_and_an_empty_folder_are_errors(tmp_path: Path) -> None:
    assert rules(check_packs([tmp_path], {}).errors) == ["no-packs"]
    assert rules(check_packs([tmp_path / "none.yaml"], {}).errors) == ["unreadable"]


def test_the_report_as_json_has_the_names_that_programs_rely_on(check: Check) -> None:
    plain = json.loads(json.dumps(check(changed("to: 9", "to: 3")).to_json()))
    assert list(plain) == ["errors", "advice", "certificates"]
    assert list(plain["errors"][0]) == ["file", "line", "column", "rule", "message", "fix"]
    assert plain["certificates"][0]["distinct"] == 6


# What looks like a rule in the source, and rules whose names are put together there.
NO_RULES = {"grouped-query", "multi-head", "multi-query", "never-but-wrong", "utf-8"}
COMPOSED = {"unknown-lesson", "unknown-misconception", "unknown-source", "unused-misconception", "unused-source"}


def test_every_rule_that_is_reported_is_explained() -> None:
    folders = [Path(package.__path__[0]) for package in (quiz.bank, quiz.lint, quiz.problem)]
    sources = [path.read_text(encoding="utf-8") for folder in folders for path in folder.glob("*.py")]
    sources = [source for source in sources if "RULES: Mapping" not in source]
    reported = {rule for source in sources for rule in re.findall(r'"([a-z]+(?:-[a-z0-9]+)+)"', source)}
    assert reported - NO_RULES | COMPOSED | {"unreadable"} == set(RULES)
    assert all(text.endswith(".") and len(text) < 120 for text in RULES.values())


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.binary(max_size=200) | st.text().map(lambda text: f"format: 1\npack: {text}\nquestions: {text}\n".encode()))
def test_no_bytes_make_a_traceback(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "any.yaml"
    file.write_bytes(content)
    report = check_packs([file], {})
    assert report.errors
    assert all(fault.file == str(file) for fault in report.errors)


PIECES = st.sampled_from(
    "n m x 0 1 -1 2.5 n+m n-m n/m n//m n%m 1/(n-2) sqrt(n) n**m 10**200 n>m 2*n min(n,m) log2(n-m)".split()  # noqa: SIM905
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=200)
@given(st.data())
def test_no_pack_makes_a_traceback(check: Check, data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(["numeric", "shape", "choice"]))
    formula, wrong, let = data.draw(PIECES), data.draw(PIECES), data.draw(PIECES)
    draw = data.draw(st.sampled_from(["[1, 2, 3]", "{from: 2, to: 1}", "{divisors_of: n}", "{model: models}"]))
    solve = data.draw(st.sampled_from(["", "solve: head_dim, ", "solve: q_proj_shape, "]))
    unit = data.draw(st.sampled_from(["", "unit: B, ", 'unit: "%", ', "unit: GiB, "]))
    if kind == "choice":
        answer = f"choices: [{{text: '{{{formula}}}', why: W, when: {formula} > 0}}, {{text: '{{m}}', why: '{{n}}'}}]"
    elif kind == "shape":
        answer = f"{solve}formula: [{formula}, n], mistakes: [{{formula: [{wrong}, n], misconception: a}}]"
    else:
        answer = f"{solve}{unit}formula: {formula}, mistakes: [{{formula: {wrong}, misconception: a}}]"
    drawn = f"draw: {{n: [1, 2, 3], m: {draw}}}, let: {{x: {let}}}"
    report = check(f"  - {{id: q, kind: {kind}, prompt: '{{n}} {{m}}', {drawn}, {answer}}}\n")
    assert all(fault.line for fault in report.errors)


def test_errors_of_every_sort_and_advice_come_together(check: Check) -> None:
    report = check(
        "  - {id: x, kind: crad, prompt: P}\n"
        + "  - {id: y, kind: numeric, prompt: P, formula: z}\n"
        + GOOD.replace("to: 9", "to: 3")
        + "  - {id: v, kind: numeric, lesson: l, prompt: P, formula: 1}\n"
    )
    assert rules(report.errors) == ["unknown-kind", "unknown-name", "too-few-variants"]
    assert rules(report.advice) == ["missing-source", "missing-unit"]


def test_nothing_is_called_unused_while_what_may_use_it_is_broken(check: Check) -> None:
    head = 'format: 1\npack: t\ntitle: T\nversion: "1"\nmisconceptions: {m: {says: M, truth: N}}\nquestions:\n'
    broken = "  - {id: q, kind: numeric, prompt: P, formula: 1, mistakes: [{formula: 2, misconception: m, whi: W}]}\n"
    sound = broken.replace("whi", "why")
    other = "  - {id: r, kind: card, prompt: P, back: B}\n"
    assert "unused-misconception" not in rules(check(broken + other, head).advice)
    assert "unused-misconception" in rules(check(other, head).advice)
    assert rules(check(sound, head).errors) == []


def test_packs_without_an_id_do_not_take_it_from_each_other(tmp_path: Path) -> None:
    for name in ("a", "b"):
        text = 'format: 1\ntitle: T\nversion: "1"\nquestions: [{id: q, kind: card, prompt: P, back: B}]\n'
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    assert rules(check_packs([tmp_path], {}).errors) == ["missing-key", "missing-key"]


def test_what_nobody_would_read_is_only_counted(check: Check) -> None:
    cards = "".join(f"  - {{id: c{index}, kind: card, prompt: P, back: B}}\n" for index in range(300))
    report = check(cards)
    without_source = [one for one in report.advice if one.rule == "missing-source"]
    assert len(without_source) == 201
    assert without_source[-1].message == "100 more of this sort follow"
    assert without_source[-1].line == without_source[-2].line


def test_after_more_errors_than_anybody_reads_the_check_of_a_pack_ends(check: Check) -> None:
    wrong = "".join(f"  - {{id: q{index}, kind: numeric, prompt: P, solve: nothing}}\n" for index in range(300))
    report = check(wrong)
    assert (len(report.errors), report.errors[-1].rule) == (201, "too-many-faults")


def test_a_question_that_names_a_broken_misconception_waits_for_it(check: Check) -> None:
    head = 'format: 1\npack: t\ntitle: T\nversion: "1"\nmisconceptions: {m: {says: M}}\nquestions:\n'
    question = "  - {id: q, kind: numeric, prompt: P, formula: 1, mistakes: [{formula: 2, misconception: m}]}\n"
    assert rules(check(question, head).errors) == ["missing-key"]
