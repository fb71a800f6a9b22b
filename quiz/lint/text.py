"""A report for people: faults by file, then a certificate for every drawn question."""

from collections.abc import Iterator

from quiz.errors import Fault
from quiz.lint.certificate import Certificate
from quiz.lint.check import Report
from quiz.lint.collisions import Collision
from quiz.lint.mutation import MOST, NOTICERS, Mutation
from quiz.lint.placed import show_givens
from quiz.render.numbers import counted, group_digits, show_number


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
        yield f"  {_ranks(certificate)}"
    if certificate.without_value:
        yield f"  without a value: {group_digits(certificate.without_value)}"
    for collision in certificate.collisions:
        yield from _collision(collision, certificate.valid)
    for rule in certificate.starved:
        if not rule.removes:
            yield f"  `{rule.rule}` turns nothing away that the other rules keep"


def _ranks(certificate: Certificate) -> str:
    """Where the right answer stands, and in how many variants."""
    counts = [(rank, group_digits(count)) for rank, count in certificate.rank.items()]
    if certificate.kind == "choice":
        return "right choices, as written: " + "; ".join(f"{rank} (in {count})" for rank, count in counts)
    ranks = ", ".join(f"{_ordinal(int(rank))} (in {count})" for rank, count in counts)
    return f"by size among its mistakes, the right answer is {ranks}"


def _ordinal(number: int) -> str:
    is_teen = 11 <= number % 100 <= 13
    return f"{number}{'th' if is_teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


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
    yield f"Mutation: {counted(mutation.tried, 'change')} tried"
    for name in NOTICERS:
        if count := mutation.noticed.get(name):
            yield f"  noticed, since {_NOTICED[name]}: {group_digits(count)}"
    yield f"  not noticed, since no answer changes: {group_digits(mutation.same)}"
    yield f"  not noticed, though answers change: {group_digits(len(mutation.unnoticed))}"
    if mutation.untried:
        yield f"  left out, as more than {MOST:,} are not tried: {counted(mutation.untried, 'formula')}"


_NOTICED = {
    "solver": "the solver gives another answer",
    "golden": "a pinned variant comes out otherwise",
    "soundness": "two of its answers would coincide",
    "no value": "the formula would have no value",
}


def summary(report: Report) -> str:
    """What was found, counted."""
    errors = counted(len(report.errors), "error")
    advice = counted(len(report.advice), "piece") + " of advice"
    tried = counted(len(report.certificates), "drawn question")
    return f"{errors}, {advice}" + (f"; {tried} tried in every variant" if report.certificates else "")
