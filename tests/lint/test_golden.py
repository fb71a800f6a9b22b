from collections.abc import Callable

import pytest

from quiz.lint.check import Report

Check = Callable[..., Report]


def numeric(golden: str, formula: str = "heads * width", require: str = "") -> str:
    return f"""\
  - id: q
    kind: numeric
    lesson: l
    draw: {{heads: {{from: 2, to: 9}}, width: [16, 32, 48]}}
{require}    prompt: "{{heads}} heads of {{width}}?"
    formula: {formula}
    unit: B
    sources: [s]
    golden: [{golden}]
"""


PINNED = "{givens: {heads: 4, width: 32}, prompt: '4 heads of 32?', answer: '128 B'}"


def test_a_pinned_variant_that_comes_out_as_pinned_says_nothing(check: Check) -> None:
    report = check(numeric(PINNED))
    assert (report.errors, report.advice) == ((), ())


@pytest.mark.parametrize(
    ("golden", "rule", "said"),
    [
        (PINNED.replace("128", "129"), "golden-changed", "answer is now '128 B'"),
        (PINNED.replace("of 32", "times 32"), "golden-changed", "now reads '4 heads of 32?'"),
        (PINNED.replace("heads: 4", "heads: 40"), "golden-lost", "heads = 40, width = 32 can no longer be shown"),
        (PINNED.replace("heads: 4", "head: 4"), "golden-lost", "'head' is no given of this question"),
        (PINNED.replace("heads: 4, ", ""), "golden-ambiguous", "fit 8 variants, not one"),
    ],
)
def test_a_pinned_variant_that_comes_out_otherwise_is_an_error(check: Check, golden: str, rule: str, said: str) -> None:
    (fault,) = check(numeric(golden)).errors
    assert fault.rule == rule
    assert said in fault.message
    assert fault.line == 21
    assert fault.fix


def test_a_changed_formula_and_a_changed_prompt_are_two_errors(check: Check) -> None:
    question = numeric(PINNED.replace("4 heads", "4 head"), formula="heads + width")
    assert [fault.message.split(": ", 1)[1][:27] for fault in check(question).errors] == [
        "the pinned variant now read",
        "the pinned variant's answer",
    ]


def test_a_tuple_that_a_rule_now_keeps_out_is_lost(check: Check) -> None:
    (fault,) = check(numeric(PINNED, require="    require: [heads != 4]\n")).errors
    assert fault.rule == "golden-lost"
    assert "keeps to `require`" in fault.message


def test_a_tuple_that_is_no_longer_sound_is_lost_and_told_so(check: Check) -> None:
    question = numeric(PINNED).replace(
        "    unit: B\n", "    unit: B\n    mistakes: [{formula: 4 * width, misconception: a}]\n"
    )
    (fault,) = check(question).errors
    assert fault.rule == "golden-lost"
    assert "could be confused" in fault.message


CHOICE = """\
  - id: q
    kind: choice
    lesson: l
    sources: [s]
    draw: {n: [2, 3, 4]}
    prompt: Of {n}?
    choices:
      - {text: "{n} halves", when: n % 2 == 0, why: W}
      - {text: none, when: n % 2 == 1, why: W}
      - {text: "always {n}", right: true, why: W}
"""


@pytest.mark.parametrize("answer", ["[2 halves, always 2]", "[always 2, 2 halves]"])
def test_choices_are_pinned_by_their_texts_in_any_order(check: Check, answer: str) -> None:
    report = check(CHOICE + f"    golden: [{{givens: {{n: 2}}, prompt: Of 2?, answer: {answer}}}]\n")
    assert report.errors == ()


def test_a_choice_that_is_no_longer_right_is_told_with_those_that_are(check: Check) -> None:
    (fault,) = check(CHOICE + "    golden: [{givens: {n: 3}, prompt: Of 3?, answer: none}]\n").errors
    assert "answer is now ['always 3', 'none']" in fault.message


ORDER = (
    "  - {id: q, kind: order, lesson: l, sources: [s], prompt: P, items: [x, y, z], "
    "golden: [{prompt: P, answer: %s}]}\n"
)


def test_items_are_pinned_in_their_order_and_an_undrawn_question_needs_no_givens(check: Check) -> None:
    assert check(ORDER % "[x, y, z]").errors == ()
    assert [fault.rule for fault in check(ORDER % "[y, x, z]").errors] == ["golden-changed"]


def test_a_drawn_fraction_is_pinned_as_it_is_written(check: Check) -> None:
    draw = "draw: {p: [0.1, 0.2, 0.3, 0.4, 0.5], n: {from: 1, to: 9}}"
    question = (
        f'  - {{id: q, kind: numeric, lesson: l, sources: [s], unit: "1", tolerance: 0, {draw}, '
        'prompt: "{p} of {n}?", formula: p * n, '
        'golden: [{givens: {p: 0.3, n: 3}, prompt: "0.3 of 3?", answer: "0.9"}]}\n'
    )
    assert check(question).errors == ()


def test_a_real_model_is_pinned_by_the_name_of_its_draw(check: Check) -> None:
    question = (
        '  - {id: q, kind: choice, lesson: l, sources: [s], prompt: "How wide in {m}?", draw: {m: {model: models}}, '
        'choices: [{text: "{head_dim}", right: true, why: W}, {text: "{num_heads}", why: W}], '
        'golden: [{givens: {m: %s}, prompt: "How wide in Small?", answer: "16"}]}\n'
    )
    assert check(question % "Small").errors == ()
    assert [fault.rule for fault in check(question % "Large").errors] == ["golden-lost"]
