from collections.abc import Callable

from quiz.lint.check import Report
from quiz.lint.text import report_lines

Check = Callable[..., Report]


def test_a_fault_is_shown_with_its_place_its_rule_and_what_to_do(check: Check) -> None:
    report = check("  - {id: q, kind: numeric, prompt: P, lesson: l, sources: [s], formula: 4}\n")
    (fault,) = report.advice
    assert list(report_lines(report)) == [
        "Advice",
        f"  {fault.file}:13:10: missing-unit",
        "      q: the answer has no unit, so nothing tells a learner what to type",
        '      add `unit: B`, or "1" for a plain count',
        "",
        "0 errors, 1 advice, 0 certificates",
    ]


def test_a_certificate_tells_the_collisions_and_what_would_remove_them(check: Check) -> None:
    report = check(
        '  - {id: q, kind: numeric, lesson: l, sources: [s], unit: "1", prompt: "{heads} {kv} {kv + 1}", '
        "draw: {heads: {from: 1, to: 8}, kv: {from: 1, to: 8}}, require: [kv <= heads, heads > 0], formula: 3 * kv, "
        "mistakes: [{formula: 3 * heads, misconception: a}]}\n"
    )
    assert list(report_lines(report)) == [
        "trial/q: 28 sound of 36 valid of 64 drawn",
        "  28 different; commonest answer 3 (25 %)",
        "  place of the right answer: 1: 28",
        "  answer = a: 8 times, as in heads = 1, kv = 1",
        "    add `kv < heads`: removes 8 of 36",
        "  `heads > 0` turns nothing away that the other rules keep",
        "",
        "0 errors, 0 advice, 1 certificate",
    ]
