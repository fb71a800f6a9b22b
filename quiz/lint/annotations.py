"""A report as the annotations that GitHub's workflows show beside the lines of a change."""

from collections.abc import Iterator

from quiz.errors import Fault
from quiz.lint.check import Report
from quiz.lint.text import summary


def annotation_lines(report: Report) -> Iterator[str]:
    """One line for each error, then one for each piece of advice, then a plain line that sums up."""
    for level, faults in (("error", report.errors), ("warning", report.advice)):
        for fault in faults:
            yield _annotation(level, fault)
    yield summary(report)


def _annotation(level: str, fault: Fault) -> str:
    place = f",line={fault.line},col={fault.column}" if fault.line else ""
    said = f"{fault.message} ({fault.fix})" if fault.fix else fault.message
    return f"::{level} file={_property(fault.file)}{place},title={_property(fault.rule)}::{_data(said)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
