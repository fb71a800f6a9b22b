"""Check packs: read them, explore every draw, and say what keeps them from shipping and what would make them better."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from quiz.bank.complaints import MAX_COMPLAINTS, capped
from quiz.bank.library import pack_files
from quiz.bank.pack import ChoiceQuestion, Numeric, Shape
from quiz.bank.parts import UNKNOWN
from quiz.bank.reader import Located, read_partly
from quiz.bank.template import parse_template
from quiz.bank.traps import traps
from quiz.errors import Fault, PackError, QuizError
from quiz.lint.advice import Advice, pack_advice, question_advice
from quiz.lint.certificate import Certificate, certify
from quiz.lint.collisions import Unsound, unsound_of
from quiz.lint.golden import golden_faults
from quiz.lint.lookalike import lookalike_faults
from quiz.lint.mutation import Mutation, MutationRun
from quiz.lint.placed import Placed, at, show_givens
from quiz.lint.proof import quantity_faults, refusal, shown_faults, solver_faults
from quiz.lint.stated import unstated_faults
from quiz.lint.worked import worked_faults
from quiz.problem.judge import Judge
from quiz.problem.space import Givens, Models, Space, space_of

FEWEST_VARIANTS = 20


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found, each in the order of files and lines; ``errors`` keep a pack from shipping. ``mutation`` is
    there if it was asked for."""

    errors: tuple[Fault, ...]
    advice: tuple[Fault, ...]
    certificates: tuple[Certificate, ...]
    mutation: Mutation | None = None

    def to_json(self) -> dict[str, Any]:
        """As plain data, as ``quiz pack check --json`` prints it; ``mutation`` only if it was asked for."""
        plain: dict[str, Any] = {
            "errors": [fault._asdict() for fault in self.errors],
            "advice": [fault._asdict() for fault in self.advice],
            "certificates": [certificate.to_json() for certificate in self.certificates],
        }
        return plain | {"mutation": self.mutation.to_json()} if self.mutation else plain


@dataclass(slots=True)
class _Findings:
    """What was found so far. Where it is ``errors_only``, no time is spent on advice."""

    errors_only: bool = False
    errors: list[Fault] = field(default_factory=list)
    advice: Advice = field(default_factory=Advice)
    certificates: list[Certificate] = field(default_factory=list)
    mutation: MutationRun | None = None


def check_packs(paths: Sequence[Path], models: Models, *, mutate: bool = False) -> Report:
    """Check packs; a folder stands for all packs in it. Whatever the files hold, what is wrong becomes a fault.

    ``mutate`` also changes each formula, one thing at a time, and asks whether anything would notice.
    """
    found = _Findings(mutation=MutationRun() if mutate else None)
    _check_packs(_read(_files(paths, found.errors), found.errors), models, found)
    mutation = found.mutation.result() if found.mutation else None
    return Report(tuple(_in_order(found.errors)), found.advice.result(), tuple(found.certificates), mutation)


def pack_errors(packs: Iterable[Located], models: Models) -> list[Fault]:
    """What keeps packs that were read from being used."""
    found = _Findings(errors_only=True)
    _check_packs(packs, models, found)
    return _in_order(found.errors)


def _in_order(faults: Iterable[Fault]) -> list[Fault]:
    # Not by what they say: that there are more comes last.
    return sorted(faults, key=lambda fault: fault[:3])


def _read(files: Sequence[Path], errors: list[Fault]) -> Iterator[Located]:
    """The packs, or of one with faults what is sound."""
    for file in files:
        try:
            located, faults = read_partly(file)
        except PackError as error:
            errors += error.faults
            continue
        errors += faults
        yield located


def _files(paths: Sequence[Path], errors: list[Fault]) -> list[Path]:
    """Each file once, however often and in whatever way it is named, alone or by its folder."""
    files: dict[str, Path] = {}
    for path in paths:
        for file in _files_at(path, errors):
            files.setdefault(os.path.realpath(file), file)
    return list(files.values())


def _files_at(path: Path, errors: list[Fault]) -> list[Path]:
    try:
        if not path.is_dir():
            return [path]
    except OSError as error:
        errors.append(Fault(str(path)[:200], 0, 0, "unreadable", f"cannot be read: {error.strerror}", "check the path"))
        return []
    files = pack_files(path)
    if not files:
        errors.append(Fault(str(path), 0, 0, "no-packs", "there is no pack in this folder", "packs end in .yaml"))
    return files


def _check_packs(packs: Iterable[Located], models: Models, found: _Findings) -> None:
    first: dict[str, str] = {}
    for located in packs:
        found.errors += _claim(located, first)
        _check_pack(located, models, found)


def _claim(located: Located, first: dict[str, str]) -> Iterator[Fault]:
    name = located.pack.pack
    if name == UNKNOWN:
        return
    if name in first:
        line, column = located.where("pack")
        message = f"the pack id {name!r} is already taken by {first[name]}"
        yield Fault(located.file, line, column, "duplicate-pack", message, "give one of the two another id")
    first.setdefault(name, located.file)


def _check_pack(located: Located, models: Models, found: _Findings) -> None:
    before = len(found.errors)
    found.errors += worked_faults(located, models)
    if not found.errors_only:
        found.advice.take(traps(located))
        found.advice.take(pack_advice(located))
    for index, question in enumerate(located.pack.questions):
        _check_question(Placed(located, index, question), models, found)
        if len(found.errors) - before > MAX_COMPLAINTS:
            break
    found.errors[before:] = capped(found.errors[before:])


def _check_question(placed: Placed, models: Models, found: _Findings) -> None:
    unknown = list(quantity_faults(placed))
    if unknown:
        found.errors += unknown
        return
    try:
        judge, space = space_of(placed.question, models)
    except QuizError as error:
        found.errors.append(refusal(placed, error, {}))
        return
    wrong = list(solver_faults(placed, judge, space))
    if wrong:
        found.errors += wrong
        return
    unsound = unsound_of(judge, space)
    errors = [*_unsound_faults(placed, judge, space, unsound), *shown_faults(placed, judge, space)]
    if not errors:
        # With a text that cannot be filled, or with nothing to show, there is nothing to look at.
        errors += [*lookalike_faults(placed, space), *unstated_faults(placed, judge, space)]
        errors += golden_faults(placed, judge, space)
    certificate = None
    if placed.question.draw:
        try:
            certificate = certify(placed, judge, space, unsound)
        except QuizError as error:
            found.errors += errors or [refusal(placed, error, {})]
            return
        found.certificates.append(certificate)
        errors += _too_few(placed, judge, space, certificate)
    found.errors += errors
    if errors or found.errors_only:
        return
    found.advice.take(question_advice(placed, judge, space, certificate))
    if found.mutation:
        found.advice.take(found.mutation.try_question(placed, judge, space))


def _unsound_faults(placed: Placed, judge: Judge, space: Space, unsound: Unsound) -> Iterator[Fault]:
    """Why no tuple at all can be shown."""
    if space.sound:
        return
    if not space.rows:
        what = f"none of {space.enumerated:,} tuples satisfies `require`" if space.enumerated else "the draw is empty"
        yield placed.fault(
            "no-variants", what, "loosen a rule or widen a draw", "require" if space.enumerated else "draw"
        )
        return
    for collision in unsound.collisions:
        if collision.count == len(space.rows):
            yield _always_colliding(placed, judge, collision.first, collision.second)
            return
    if unsound.without_value:
        givens, why = unsound.without_value[0]
        yield placed.fault("no-value", f"{why}{at(givens)}", "correct the formula, or keep such tuples out", "formula")
        return
    pair = unsound.collisions[0]
    message = f"in every tuple two answers collide, most often {pair.first!r} with {pair.second!r}"
    yield placed.fault("no-variants", f"{message}{at(pair.example)}", "draw other numbers", "draw")


def _always_colliding(placed: Placed, judge: Judge, first: str, second: str) -> Fault:
    if isinstance(placed.question, ChoiceQuestion):
        if first == "no right choice":
            return placed.fault("no-right-choice", "no choice is ever right", "mend a `when:`", "choices")
        message = f"two choices read {first!r}" if first == second else f"{first!r} and {second!r} always read the same"
        return placed.fault("duplicate-choice", message, "tell the two apart", "choices")
    index = next(index for index, rule in enumerate(judge.mistakes) if rule.name == second)
    what = "the answer" if first == "answer" else f"the mistake {first!r}"
    message = f"the mistake {second!r} always comes out as {what}"
    return placed.fault("mistake-collides", message, "correct its formula, or drop it", "mistakes", index, "formula")


def _too_few(placed: Placed, judge: Judge, space: Space, certificate: Certificate) -> Iterator[Fault]:
    is_measured = isinstance(placed.question, Numeric | Shape)
    if is_measured and 0 < certificate.distinct < FEWEST_VARIANTS:
        message = f"only {certificate.distinct} different variants can be shown, and {FEWEST_VARIANTS} are needed"
        if certificate.distinct < certificate.sound:
            one, other = _alike(placed, judge, space)
            message = f"{message}; {show_givens(one)} and {show_givens(other)} come to the same"
        yield placed.fault("too-few-variants", message, "add values to a draw, or loosen a rule", "draw")


def _alike(placed: Placed, judge: Judge, space: Space) -> tuple[Givens, Givens]:
    """The first two tuples that have the same prompt and answer; there are such."""
    prompt = parse_template(placed.question.prompt, space.rows[0].keys())
    seen: dict[object, Givens] = {}
    for givens in space.sound:
        first = seen.setdefault((prompt.fill(givens), judge.expected(givens)), givens)
        if first is not givens:
            return first, givens
    raise AssertionError("fewer variants are different than there are, and no two are alike")
