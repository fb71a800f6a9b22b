"""Would anything notice a slip in a formula? One thing at a time is changed, and the checks are asked again.

What can notice: the solver that measures beside the formula, a pinned variant under ``golden``, answers that then
coincide, and a formula that then has no value. The formulas of mistakes stay as they are, for nothing but their author
knows what a mistake comes to. All is counted, not timed: the same pack gives the same report on every machine.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from quiz.bank.expression import ExpressionError
from quiz.bank.pack import AnyQuestion, ChoiceQuestion, Numeric, Shape
from quiz.errors import Fault, QuizError, SolveError
from quiz.lint.golden import Outcome, outcome, rows_of
from quiz.lint.mutants import Mutant, mutants
from quiz.lint.placed import Placed, spread
from quiz.problem.judge import DisagreementError, Judge, judge_of
from quiz.problem.space import Givens, Space
from quiz.render.numbers import counted

MOST_ROWS = 60
# Of one run of the check: some minutes at worst, and enough for every pack that people have written.
MOST = 20_000
Path = tuple[str | int, ...]
NOTICERS = ("solver", "golden", "soundness", "no value")


@dataclass(frozen=True, slots=True)
class Unnoticed:
    """A change that no check noticed: where it was made, what it was, and the formula that it made."""

    key: str
    part: Path
    change: str
    formula: str


@dataclass(frozen=True, slots=True)
class Mutation:
    """What became of all the changes. ``same`` ones alter nothing that can be drawn; ``untried`` counts formulas that
    were not, or not wholly, gone through because no more changes are tried in one run."""

    tried: int
    same: int
    noticed: Mapping[str, int]
    unnoticed: tuple[Unnoticed, ...]
    untried: int

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        unnoticed = [
            {"key": one.key, "part": list(one.part), "change": one.change, "formula": one.formula}
            for one in self.unnoticed
        ]
        noticed = {name: self.noticed.get(name, 0) for name in NOTICERS}
        return {
            "tried": self.tried,
            "same": self.same,
            "noticed": noticed,
            "unnoticed": unnoticed,
            "untried": self.untried,
        }


class MutationRun:
    """Gathers what became of the changes, question by question, until enough were made."""

    def __init__(self) -> None:
        self._noticed: Counter[str] = Counter()
        self._unnoticed: list[Unnoticed] = []
        self._tried = self._untried = 0

    def try_question(self, placed: Placed, judge: Judge, space: Space) -> Iterator[Fault]:
        """Change the formulas of a question that has no errors; one piece of advice for each that can slip unseen."""
        if not space.sound:
            return
        bench = _Bench(placed, judge, space)
        for path, text in _formulas(placed.question):
            survivors: list[Mutant] = []
            count = 0
            for mutant in mutants(text, bench.names):
                if self._tried + count >= MOST:
                    self._untried += 1
                    break
                count += 1
                noticer = bench.noticer(path, mutant.text)
                if noticer:
                    self._noticed[noticer] += 1
                else:
                    survivors.append(mutant)
            self._tried += count
            self._unnoticed += [Unnoticed(placed.key, path, one.change, one.text) for one in survivors]
            if survivors:
                yield _advice(placed, path, survivors, count)

    def result(self) -> Mutation:
        """What became of all changes so far."""
        noticed = {name: count for name, count in self._noticed.items() if name != "same"}
        return Mutation(self._tried, self._noticed["same"], noticed, tuple(self._unnoticed), self._untried)


def _advice(placed: Placed, path: Path, survivors: list[Mutant], count: int) -> Fault:
    first = survivors[0]
    of_all = counted(count, "change")
    others = f" (and {len(survivors) - 1} more of {of_all})" if len(survivors) > 1 else f" (of {of_all})"
    message = f"nothing notices when {first.change}: `{first.text}`{others}"
    fix = "pin a few variants under `golden`"
    if path[0] == "formula" and getattr(placed.question, "solve", None) is None:
        fix = f"name the quantity to `solve`, or {fix}"
    return placed.fault("mutant-unnoticed", message, fix, *path)


class _Bench:
    """A question's checks, ready to be asked about one changed formula after the other."""

    def __init__(self, placed: Placed, judge: Judge, space: Space) -> None:
        self._placed, self._judge = placed, judge
        self._rows = spread(space.sound, MOST_ROWS)
        self._before = [_result(judge, row) for row in self._rows]
        self._pinned: list[tuple[Givens, Outcome]] = []
        for golden in placed.question.golden:
            for row in rows_of(golden, space.sound)[:1]:
                self._pinned.append((row, outcome(placed.pack, placed.question, judge, row)))
        first = self._rows[0]
        self.names = [name for name, value in first.items() if not isinstance(value, str)]

    def noticer(self, path: Path, text: str) -> str | None:
        """What notices the change; "same" where there is nothing to notice, None where it would slip through."""
        question = _changed(self._placed.question, path, text)
        try:
            judge = judge_of(question)
            rows = [_revalued(judge, row) if path[0] == "let" else row for row in self._rows]
            after = [_result(judge, row) for row in rows]
        except ExpressionError:
            return "no value"
        differing = [row for row, before, now in zip(rows, self._before, after, strict=True) if before != now]
        if not differing:
            return "same"
        if judge.solves and any(_disagrees(judge, row) for row in differing):
            return "solver"
        if all(_is_confused(judge, row) for row in rows):
            return "soundness"
        return "golden" if any(self._comes_out_otherwise(judge, question, path, *pin) for pin in self._pinned) else None

    def _comes_out_otherwise(
        self, judge: Judge, question: AnyQuestion, path: Path, row: Givens, before: Outcome
    ) -> bool:
        try:
            givens = _revalued(judge, row) if path[0] == "let" else row
            return outcome(self._placed.pack, question, judge, givens) != before
        except QuizError:
            return True


def _is_confused(judge: Judge, givens: Givens) -> bool:
    try:
        return judge.confusion(givens) is not None
    except (ExpressionError, SolveError):
        return True


def _disagrees(judge: Judge, givens: Givens) -> bool:
    try:
        judge.right(givens)
    except (DisagreementError, SolveError):
        return True
    except QuizError:
        return False
    return False


def _result(judge: Judge, givens: Givens) -> object:
    """All that a learner would see change: the numbers, and what is right."""
    if judge.choices:
        return givens, [rule.is_right(givens) for rule in judge.choices]
    if isinstance(judge.question, Numeric | Shape):
        return givens, judge.expected(givens)
    return givens


def _revalued(judge: Judge, givens: Givens) -> Givens:
    """The same draw under other ``let`` formulas.

    Raises:
        ExpressionError: one has no value, or they go in a circle.
    """
    known = {name: value for name, value in givens.items() if name not in judge.lets}
    left = dict(judge.lets)
    while left:
        ready = [name for name, rule in left.items() if not rule.names & left.keys()]
        if not ready:
            raise ExpressionError("these names need each other", "unknown name", 1)
        for name in ready:
            known[name] = left.pop(name).number(known)
    return {name: known[name] for name in givens}


def _formulas(question: AnyQuestion) -> Iterator[tuple[Path, str]]:
    for name, text in question.let.items():
        yield ("let", name), text
    if isinstance(question, Numeric) and question.formula is not None:
        yield ("formula",), question.formula
    elif isinstance(question, Shape):
        for axis, text in enumerate(question.formula or ()):
            yield ("formula", axis), text
    elif isinstance(question, ChoiceQuestion):
        for index, choice in enumerate(question.choices):
            if choice.when is not None:
                yield ("choices", index, "when"), choice.when


def _changed(question: AnyQuestion, path: Path, text: str) -> AnyQuestion:
    match path:
        case ("let", str(name)):
            return question.model_copy(update={"let": {**question.let, name: text}})
        case ("formula",):
            return question.model_copy(update={"formula": text})
        case ("formula", int(axis)) if isinstance(question, Shape):
            sizes = list(question.formula or ())
            sizes[axis] = text
            return question.model_copy(update={"formula": tuple(sizes)})
        case ("choices", int(index), "when") if isinstance(question, ChoiceQuestion):
            choices = list(question.choices)
            choices[index] = choices[index].model_copy(update={"when": text})
            return question.model_copy(update={"choices": tuple(choices)})
    raise ValueError(f"no formula stands at {path}")
