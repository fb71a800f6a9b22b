from collections.abc import Callable

from quiz.lint.check import Report
from quiz.lint.text import _ordinal, report_lines

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
        "0 errors, 1 piece of advice",
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
        "  by size among its mistakes, the right answer is 1st (in 28)",
        "  answer = a: 8 times, as in heads = 1, kv = 1",
        "    add `kv < heads`: removes 8 of 36",
        "  `heads > 0` turns nothing away that the other rules keep",
        "",
        "0 errors, 0 pieces of advice; 1 drawn question tried in every variant",
    ]


def test_a_certificate_of_a_choice_tells_which_are_right_as_written(check: Check) -> None:
    report = check(
        '  - {id: q, kind: choice, lesson: l, sources: [s], prompt: "Is {n} even?", draw: {n: [1, 2, 4]}, choices: '
        "[{text: it is, when: n % 2 == 0, why: W}, {text: it is not, when: n % 2 == 1, why: W}]}\n"
    )
    assert "  right choices, as written: 1 (in 2); 2 (in 1)" in report_lines(report)


def test_what_has_no_mistakes_stands_nowhere_among_them(check: Check) -> None:
    report = check(
        '  - {id: q, kind: numeric, lesson: l, sources: [s], unit: "1", prompt: "{n}", draw: {n: {from: 1, to: 21}}, '
        "formula: n}\n"
    )
    assert [certificate.rank for certificate in report.certificates] == [{}]
    assert not [line for line in report_lines(report) if "by size" in line]


def test_places_are_counted_in_english() -> None:
    assert [_ordinal(number) for number in (1, 2, 3, 4, 11, 12, 13, 21, 33)] == (
        ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "33rd"]
    )
