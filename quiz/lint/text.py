"""A report for people: faults by file, then a certificate for every drawn question."""

from collections.abc import Iterator

from quiz.errors import Fault
from quiz.lint.certificate import Certificate
from quiz.lint.check import Report
from quiz.lint.collisions import Collision
from quiz.lint.mutation import MOST, NOTICERS, Mutation
from quiz.lint.placed import show_givens
from quiz.render.numbers import group_digits, show_number


def report_lines(report: Report) -> Iterator[str]:
    """The whole report; the last line sums it up."""
    for title, faults in (("Errors", report.errors), ("Advice", report.advice)):
        if faults:
            yield title
            for fault in faults:
                yield from _fault(fault)
            yield ""
    for certificate in report.certificates:
        yield from _certificate(certificate)
        yield ""
    if report.mutation:
        yield from _mutation(report.mutation)
        yield ""
    yield summary(report)


def _fault(fault: Fault) -> Iterator[str]:
    where = f"{fault.file}:{fault.line}:{fault.column}" if fault.line else fault.file
    yield f"  {where}: {fault.rule}"
    yield f"      {fault.message}"
    if fault.fix:
        yield f"      {fault.fix}"


def _certificate(certificate: Certificate) -> Iterator[str]:
    counts = f"{group_digits(certificate.sound)} sound of {group_digits(certificate.valid)} valid"
    yield f"{certificate.key}: {counts} of {group_digits(certificate.enumerated)} drawn"
    if certificate.commonest:
        share = show_number(round(certificate.commonest.share * 100, 1))
        answer = " ".join(certificate.commonest.answer.split())
        shown = answer if len(answer) <= 60 else f"{answer[:59]}…"
        yield f"  {group_digits(certificate.distinct)} different; commonest answer {shown} ({share} %)"
    if certificate.rank:
        ranks = "; ".join(f"{rank}: {group_digits(count)}" for rank, count in certificate.rank.items())
        yield f"  place of the right answer: {ranks}"
    if certificate.without_value:
        yield f"  without a value: {group_digits(certificate.without_value)}"
    for collision in certificate.collisions:
        yield from _collision(collision, certificate.valid)
    for rule in certificate.starved:
        if not rule.removes:
            yield f"  `{rule.rule}` turns nothing away that the other rules keep"


def _collision(collision: Collision, valid: int) -> Iterator[str]:
    times = "once" if collision.count == 1 else f"{group_digits(collision.count)} times"
    example = f", as in {show_givens(collision.example)}" if collision.example else ""
    if collision.first == collision.second:
        yield f"  {collision.first}: {times}{example}"
    else:
        yield f"  {collision.first} = {collision.second}: {times}{example}"
    if collision.constraint:
        removed = f"removes {group_digits(collision.removes)} of {group_digits(valid)}"
        yield f"    add `{collision.constraint}`: {removed}"


def _mutation(mutation: Mutation) -> Iterator[str]:
    yield f"Mutation: {_counted(mutation.tried, 'change')} tried"
    for name in NOTICERS:
        if count := mutation.noticed.get(name):
            yield f"  noticed by {_NOTICED[name]}: {group_digits(count)}"
    yield f"  without any effect: {group_digits(mutation.same)}"
    yield f"  unnoticed: {group_digits(len(mutation.unnoticed))}"
    if mutation.untried:
        yield f"  left out, as more than {MOST:,} are not tried: {_counted(mutation.untried, 'formula')}"


_NOTICED = {
    "solver": "the solver",
    "golden": "a pinned variant",
    "soundness": "answers that coincide",
    "no value": "a formula without a value",
}


def summary(report: Report) -> str:
    """What was found, counted."""
    errors = _counted(len(report.errors), "error")
    certified = _counted(len(report.certificates), "certificate")
    return f"{errors}, {len(report.advice)} advice, {certified}"


def _counted(count: int, word: str) -> str:
    return f"{group_digits(count)} {word}" + ("" if count == 1 else "s")
