"""Advice on readable packs: nothing here keeps a pack from working."""

import re
import unicodedata
from collections.abc import Iterator

from quiz.bank.pack import ChoiceQuestion, Numeric, StageQuestion, TextQuestion
from quiz.bank.reader import Located
from quiz.errors import Fault
from quiz.lint.certificate import Certificate
from quiz.lint.placed import Placed, spread
from quiz.problem.judge import Judge
from quiz.problem.space import Givens, Space
from quiz.render.numbers import group_digits

WIDEST_CODE = 60
_MOST_LOOKED_AT = 200
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_NUMBER = re.compile(r"(?<![\w.,])\d[\d,_]*(?:\.\d+)?(?![\w]|\.\d)")
_PLACE = re.compile(r"\{[^{}]*\}")


def question_advice(placed: Placed, judge: Judge, space: Space, certificate: Certificate | None) -> Iterator[Fault]:
    """What a careful author would still add or change."""
    question = placed.question
    if isinstance(question, Numeric) and question.unit is None:
        message = "the answer has no unit, so nothing tells a learner what to type"
        yield placed.fault("missing-unit", message, 'add `unit: B`, or "1" for a plain count')
    if not question.sources:
        yield placed.fault("missing-source", "nothing says where the answer can be read", "add `sources: [...]`")
    if question.lesson is None:
        yield placed.fault("missing-lesson", "no lesson prepares for this question", "add `lesson: ...`")
    if certificate is not None:
        yield from _variation(placed, certificate)
    yield from _leaks(placed, judge, space)
    if isinstance(question, StageQuestion) and question.snippet:
        yield from _wide(placed, question.snippet.split("\n"), "snippet")
    yield from _wide(placed, _code_lines(question.prompt), "prompt")


def lesson_advice(located: Located) -> Iterator[Fault]:
    """Lessons whose code does not fit a narrow terminal."""
    for index, lesson in enumerate(located.pack.lessons):
        widest = max(map(_width, _code_lines(lesson.body)), default=0)
        if widest > WIDEST_CODE:
            line, column = located.where("lessons", index, "body")
            yield Fault(located.file, line, column, "wide-code", f"{lesson.id}: {_too_wide(widest)}", _NARROWER)


def _variation(placed: Placed, certificate: Certificate) -> Iterator[Fault]:
    commonest = certificate.commonest
    if isinstance(placed.question, ChoiceQuestion) and commonest and commonest.share == 1:
        message = "the right choice reads the same in every variant"
        yield placed.fault("no-variation", message, "let the drawn numbers decide, with `when:`", "choices")
    if certificate.without_value:
        count, valid = group_digits(certificate.without_value), group_digits(certificate.valid)
        message = f"for {count} of {valid} tuples a formula has no value, and they are never shown"
        yield placed.fault("no-value", message, "add a `require` that keeps such tuples out", "draw")


def _leaks(placed: Placed, judge: Judge, space: Space) -> Iterator[Fault]:
    question = placed.question
    if isinstance(question, TextQuestion):
        said = [text for text in question.accept if _folded(text) in _folded(question.prompt)]
        if said:
            message = f"the prompt contains the answer {said[0]!r}"
            yield placed.fault("answer-in-prompt", message, "ask for it in other words", "prompt")
    if not isinstance(question, Numeric) or not space.sound:
        return
    # Only what the author wrote out: a number that was filled in is one of the givens.
    written = {_plain_digits(found[0]) for found in _NUMBER.finditer(_PLACE.sub(" ", question.prompt))}
    rows = spread(space.sound, _MOST_LOOKED_AT)
    leaking = [givens for givens in rows if _is_written(judge, givens, written)]
    if written and 2 * len(leaking) >= len(rows):
        message = f"the answer {_plain_digits(str(judge.expected(leaking[0])))} stands in the prompt"
        yield placed.fault("answer-in-prompt", message, "leave the number out, or draw it", "prompt")


def _is_written(judge: Judge, givens: Givens, written: set[str]) -> bool:
    answer = judge.expected(givens)
    return str(answer) in written and answer not in givens.values()


def _wide(placed: Placed, lines: list[str], part: str) -> Iterator[Fault]:
    widest = max(map(_width, lines), default=0)
    if widest > WIDEST_CODE:
        yield placed.fault("wide-code", _too_wide(widest), _NARROWER, part)


_NARROWER = "break the line: a small terminal shows 60 columns and does not wrap code"


def _too_wide(columns: int) -> str:
    return f"a line of code is {columns} columns wide"


def _code_lines(text: str) -> list[str]:
    """The lines inside fenced blocks."""
    lines: list[str] = []
    fence = ""
    for line in text.split("\n"):
        found = _FENCE.match(line)
        if fence:
            if found and found[1].startswith(fence):
                fence = ""
            else:
                lines.append(line)
        elif found:
            fence = found[1]
    return lines


def _width(line: str) -> int:
    return sum(
        0 if unicodedata.combining(mark) else 2 if unicodedata.east_asian_width(mark) in "WF" else 1 for mark in line
    )


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _plain_digits(text: str) -> str:
    return text.replace(",", "").replace("_", "")
