import re
from collections.abc import Callable

import pytest

from quiz.errors import Fault
from quiz.lint.annotations import annotation_lines
from quiz.lint.check import Report

Check = Callable[..., Report]


def annotated(fault: Fault) -> str:
    """The one line for an error."""
    line, summary = annotation_lines(Report((fault,), (), ()))
    assert summary == "1 error, 0 pieces of advice"
    return line


def test_an_error_becomes_a_line_that_github_puts_beside_the_file() -> None:
    fault = Fault("packs/gqa.yaml", 12, 5, "bad-id", "`a b` is no id", "write a-b")
    assert annotated(fault) == "::error file=packs/gqa.yaml,line=12,col=5,title=bad-id::`a b` is no id (write a-b)"


def test_advice_becomes_a_warning_and_comes_after_the_errors() -> None:
    error, advice = Fault("a.yaml", 9, 1, "bad-id", "no"), Fault("a.yaml", 1, 1, "missing-source", "where?")
    lines = list(annotation_lines(Report((error,), (advice,), ())))
    assert [line.split(" ")[0] for line in lines[:2]] == ["::error", "::warning"]
    assert lines[2] == "1 error, 1 piece of advice"


def test_a_fault_without_a_place_names_the_file_alone() -> None:
    assert annotated(Fault("none.yaml", 0, 0, "unreadable", "is not there")) == (
        "::error file=none.yaml,title=unreadable::is not there"
    )


@pytest.mark.parametrize(
    ("said", "escaped"),
    [
        ("100 % sure", "100 %25 sure"),
        ("two\nlines", "two%0Alines"),
        ("two\r\nlines", "two%0D%0Alines"),
        ("already %0A", "already %250A"),
        ("a: b, c", "a: b, c"),
        ("x\n::error file=other.yaml::forged", "x%0A::error file=other.yaml::forged"),
    ],
)
def test_a_message_keeps_to_its_line_and_its_colons(said: str, escaped: str) -> None:
    assert annotated(Fault("a.yaml", 1, 1, "r", said)) == f"::error file=a.yaml,line=1,col=1,title=r::{escaped}"


@pytest.mark.parametrize(
    ("file", "escaped"),
    [
        ("C:\\packs\\a.yaml", "C%3A\\packs\\a.yaml"),
        ("a, b.yaml", "a%2C b.yaml"),
        ("50%.yaml", "50%25.yaml"),
        ("a\nb.yaml", "a%0Ab.yaml"),
    ],
)
def test_a_file_name_cannot_end_its_property(file: str, escaped: str) -> None:
    assert annotated(Fault(file, 1, 1, "r", "m")).startswith(f"::error file={escaped},line=1,")


def test_every_fault_of_a_check_is_one_line(check: Check) -> None:
    report = check('  - {id: q, kind: numeric, prompt: "100 %, {x}\\n::error::", formula: 4}\n')
    *lines, _ = annotation_lines(report)
    assert len(lines) == len(report.errors) + len(report.advice) >= 1
    assert all(
        re.fullmatch(r"::(error|warning) file=[^,:]+,line=\d+,col=\d+,title=[a-z-]+::[^\n]+", one) for one in lines
    )
