"""Advice on readable packs: nothing here keeps a pack from working."""

from collections import Counter
from collections.abc import Iterable, Iterator

from quiz.bank.pack import ChoiceQuestion, Numeric, StageQuestion
from quiz.bank.reader import Located
from quiz.errors import Fault
from quiz.lint.certificate import Certificate
from quiz.lint.commas import comma_advice
from quiz.lint.fit import too_wide
from quiz.lint.leaks import leak_advice
from quiz.lint.links import link_slip, links_in
from quiz.lint.placed import Placed
from quiz.lint.positions import position_advice
from quiz.lint.spelling import misspelt
from quiz.lint.texts import Path, prose_texts
from quiz.lint.unit_names import unit_slip
from quiz.lint.unused import unused_advice
from quiz.problem.judge import Judge
from quiz.problem.space import Space
from quiz.render.numbers import group_digits

# Of one file and one rule, so many are listed.
MOST_ALIKE = 200


class Advice:
    """Gathers advice; what nobody would read is only counted."""

    def __init__(self) -> None:
        self._listed: list[Fault] = []
        self._counts: Counter[tuple[str, str]] = Counter()
        self._last: dict[tuple[str, str], Fault] = {}

    def take(self, faults: Iterable[Fault]) -> None:
        """Add some."""
        for fault in faults:
            sort = fault.file, fault.rule
            self._counts[sort] += 1
            if self._counts[sort] <= MOST_ALIKE:
                self._listed.append(fault)
                self._last[sort] = fault

    def result(self) -> tuple[Fault, ...]:
        """The advice in the order of files and lines, and how much more there is of each sort."""
        more = [
            self._last[sort]._replace(message=f"{group_digits(count - MOST_ALIKE)} more of this sort follow", fix="")
            for sort, count in self._counts.items()
            if count > MOST_ALIKE
        ]
        return tuple(sorted([*self._listed, *more], key=lambda fault: fault[:4]))


def question_advice(placed: Placed, judge: Judge, space: Space, certificate: Certificate | None) -> Iterator[Fault]:
    """What a careful author would still add or change."""
    question = placed.question
    if isinstance(question, Numeric) and question.unit is None:
        message = "the answer has no unit, so nothing tells a learner what to type"
        yield placed.fault("missing-unit", message, 'add `unit: B`, or "1" for a plain count')
    elif isinstance(question, Numeric) and question.unit and (odd := unit_slip(question.unit)):
        yield placed.fault("unknown-unit", *odd, "unit")
    if not question.sources:
        yield placed.fault("missing-source", "nothing says where the answer can be read", "add `sources: [...]`")
    if question.lesson is None:
        yield placed.fault("missing-lesson", "no lesson prepares for this question", "add `lesson: ...`")
    if certificate is not None:
        yield from _variation(placed, certificate)
    yield from leak_advice(placed, judge, space)
    yield from position_advice(placed)
    yield from comma_advice(placed.located, question, "questions", placed.index)
    for path, text in prose_texts(question):
        for rule, message, fix in _text_advice(path, text):
            yield placed.fault(rule, message, fix, *path)
    if isinstance(question, StageQuestion) and question.snippet and (found := too_wide(("snippet",), question.snippet)):
        yield placed.fault(*found, "snippet")


def pack_advice(located: Located) -> Iterator[Fault]:
    """Advice on all but the questions: lessons, sources, misconceptions."""
    pack = located.pack
    if located.is_whole:
        yield from unused_advice(located)
    for name, source in pack.sources.items():
        if source.url is not None and (slip := link_slip(source.url)):
            line, column = located.where("sources", name, "url")
            yield Fault(located.file, line, column, "bad-link", f"{name}: {slip[0]}", slip[1])
    for index, lesson in enumerate(pack.lessons):
        yield from comma_advice(located, lesson, "lessons", index)
        for path, text in prose_texts(lesson, "lessons", index):
            for rule, message, fix in _text_advice(path, text):
                line, column = located.where(*path)
                yield Fault(located.file, line, column, rule, f"{lesson.id}: {message}", fix)
    for name, idea in pack.misconceptions.items():
        for path, text in prose_texts(idea, "misconceptions", name):
            for rule, message, fix in _text_advice(path, text):
                line, column = located.where(*path)
                yield Fault(located.file, line, column, rule, f"{name}: {message}", fix)


def _text_advice(path: Path, text: str) -> Iterator[tuple[str, str, str]]:
    """Rule, message and fix of what is odd about one text."""
    if found := too_wide(path, text):
        yield found
    for written, usual in misspelt(text):
        yield "term-spelling", f"{written!r} is usually written otherwise", f"write {usual}"
    if "](" in text:
        for address in links_in(text):
            if slip := link_slip(address):
                yield "bad-link", f"{slip[0]}: {address[:60]!r}", slip[1]


def _variation(placed: Placed, certificate: Certificate) -> Iterator[Fault]:
    commonest = certificate.commonest
    if isinstance(placed.question, ChoiceQuestion) and commonest and commonest.share == 1:
        message = "the right choice reads the same in every variant"
        yield placed.fault("no-variation", message, "let the drawn numbers decide, with `when:`", "choices")
    if certificate.without_value:
        count, valid = group_digits(certificate.without_value), group_digits(certificate.valid)
        message = f"for {count} of {valid} tuples a formula has no value, and they are never shown"
        yield placed.fault("no-value", message, "add a `require` that keeps such tuples out", "draw")
