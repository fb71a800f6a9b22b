"""Draw a variant: a question, a seed, and every word and number of one showing."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import factorial
from types import MappingProxyType
from typing import TypeVar

from quiz.bank.library import Library
from quiz.bank.pack import (
    AnyQuestion,
    Card,
    ChoiceQuestion,
    Numeric,
    Open,
    Order,
    PackHead,
    Shape,
    StageQuestion,
    TextQuestion,
)
from quiz.bank.template import parse_template
from quiz.problem.judge import Judge
from quiz.problem.space import Givens, Models, shuffle_hash, space_of
from quiz.problem.variant import Answer, Choice, Idea, KnownMistake, Number, RubricPoint, Sizes, Tolerance, Variant
from quiz.render.numbers import show_number, show_quantity, show_shape

Item = TypeVar("Item")
Fill = Callable[[str], str]


def draw(pack: PackHead, question: AnyQuestion, seed: int, models: Models) -> Variant:
    """The variant that this pack version, question and seed stand for.

    Raises:
        SpaceError: the draw has no sound tuple, or cannot be enumerated.
        DisagreementError: formula and solver differ for this tuple.
        ExpressionError, TemplateError, SolveError: the question cannot be worked out.
    """
    judge, space = space_of(question, models)
    return build(pack, question, judge, space.pick(f"{pack.pack}/{question.id}", seed), seed)


def draw_from(library: Library, key: str, seed: int) -> Variant:
    """The variant of a key and a seed, from the packs of a library.

    Raises:
        UsageError: there is no such question.
        QuizError: it cannot be drawn; see `draw`.
    """
    posed = library.posed(key)
    return draw(posed.pack, posed.question, seed, library.models())


def build(pack: PackHead, question: AnyQuestion, judge: Judge, givens: Givens, seed: int) -> Variant:
    """The variant for a given tuple; ``seed`` only shuffles choices and items."""

    def fill(text: str) -> str:
        # A block of lines in YAML ends with a line break, which nobody means to show.
        return parse_template(text, givens.keys()).fill(givens).rstrip("\n")

    def fill_code(text: str) -> str:
        return parse_template(text, givens.keys(), is_code=True).fill(givens).rstrip("\n")

    key = f"{pack.pack}/{question.id}"
    numeric, measured = isinstance(question, Numeric), isinstance(question, Numeric | Shape)
    right = judge.right(givens) if measured else None
    tolerance = Tolerance() if right is None or isinstance(right, tuple) else judge.tolerance(right)
    choices = _choices(question, judge, givens, fill, shuffle_hash(key, seed))
    return Variant(
        key=key,
        seed=seed,
        pack_version=pack.version,
        kind=question.kind,
        depth=question.depth,
        lesson=question.lesson,
        prompt=fill(question.prompt) + (_precision(tolerance) if numeric else ""),
        answer=_answer(question, right, tolerance, choices, fill),
        givens=MappingProxyType(givens),
        unit=question.unit if isinstance(question, Numeric) else None,
        choices=choices,
        accept=tuple(fill(text) for text in question.accept) if isinstance(question, TextQuestion) else (),
        mistakes=tuple(KnownMistake(rule.value(givens), rule.misconception, fill(rule.why)) for rule in judge.mistakes),
        tolerance=tolerance,
        steps=_steps(question, judge, givens, fill),
        hints=tuple(fill(hint) for hint in question.hints),
        why=_stage_reasons(question, fill),
        ideas=_ideas(pack, judge, choices),
        rubric=_rubric(question, fill),
        red_flags=tuple(fill(flag) for flag in question.red_flags) if isinstance(question, Open) else (),
        snippet=fill_code(question.snippet) if isinstance(question, StageQuestion) and question.snippet else None,
        sources=tuple(_source(pack, name) for name in question.sources),
        as_of=_as_of(question),
    )


def _answer(
    question: AnyQuestion, right: Number | Sizes | None, tolerance: Tolerance, choices: tuple[Choice, ...], fill: Fill
) -> Answer:
    match question:
        case Card():
            return Answer(None, fill(question.back))
        case Open():
            return Answer(None, fill(question.approach))
        case StageQuestion():
            return Answer(question.answer, question.answer)
        case TextQuestion():
            return Answer(fill(question.accept[0]), fill(question.accept[0]))
        case ChoiceQuestion():
            return _indexes(tuple(index for index, choice in enumerate(choices, start=1) if choice.right))
        case Order():
            shown = [choice.text for choice in choices]
            return _indexes(tuple(shown.index(fill(item)) + 1 for item in question.items))
        case Shape():
            assert isinstance(right, tuple)
            return Answer(right, show_shape(right))
        case Numeric():
            assert not isinstance(right, tuple)
            assert right is not None
            exact = not isinstance(right, int) and not tolerance.relative and not tolerance.absolute
            if exact and Fraction(show_number(right).replace(",", "")) != right:
                unit = question.unit if question.unit not in (None, "1") else None
                return Answer(right, f"{right} {unit}" if unit else str(right))
            return Answer(right, show_quantity(right, question.unit))


def _indexes(right: tuple[int, ...]) -> Answer:
    return Answer(right, ", ".join(map(str, right)))


def _choices(question: AnyQuestion, judge: Judge, givens: Givens, fill: Fill, shuffled: int) -> tuple[Choice, ...]:
    if isinstance(question, Order):
        items = [Choice(fill(item)) for item in question.items]
        # 0 is the order as written, which would give the answer away.
        return _permute(items, 1 + shuffled % (factorial(len(items)) - 1))
    if not isinstance(question, ChoiceQuestion):
        return ()
    loose: list[Choice] = []
    kept: list[Choice] = []
    for option, rule in zip(question.choices, judge.choices, strict=True):
        choice = Choice(fill(option.text), rule.is_right(givens), fill(option.why), option.misconception)
        (kept if option.last else loose).append(choice)
    return _permute(loose, shuffled % factorial(len(loose))) + tuple(kept)


def _permute(items: list[Item], index: int) -> tuple[Item, ...]:
    """The permutation of that index in lexicographic order; 0 leaves the items as they are."""
    left, picked = list(items), []
    for size in range(len(items), 0, -1):
        place, index = divmod(index, factorial(size - 1))
        picked.append(left.pop(place))
    return tuple(picked)


def _steps(question: AnyQuestion, judge: Judge, givens: Givens, fill: Fill) -> tuple[str, ...]:
    """The author's worked steps; where there are none, what the solver measured on its way."""
    if question.steps:
        return tuple(fill(step) for step in question.steps)
    solution = judge.by_solver(givens)
    return solution.steps if solution else ()


def _stage_reasons(question: AnyQuestion, fill: Fill) -> Mapping[str, str]:
    reasons = question.why if isinstance(question, StageQuestion) else {}
    return MappingProxyType({str(stage): fill(why) for stage, why in reasons.items()})


def _ideas(pack: PackHead, judge: Judge, choices: tuple[Choice, ...]) -> Mapping[str, Idea]:
    """The misconceptions behind the wrong answers that are foreseen."""
    named = [rule.misconception for rule in judge.mistakes]
    named += [choice.misconception for choice in choices if choice.misconception]
    ideas = {name: pack.misconceptions[name] for name in named}
    return MappingProxyType({name: Idea(idea.says, idea.truth) for name, idea in ideas.items()})


def _rubric(question: AnyQuestion, fill: Fill) -> tuple[RubricPoint, ...]:
    points = question.rubric if isinstance(question, Open) else ()
    return tuple(RubricPoint(fill(point.point), point.weight) for point in points)


def _precision(tolerance: Tolerance) -> str:
    if tolerance.absolute:
        return f" (± {show_number(tolerance.absolute)} counts as right)"
    if tolerance.relative:
        return f" (within {show_number(tolerance.relative * 100)} % counts as right)"
    return ""


def _source(pack: PackHead, name: str) -> str:
    return pack.sources[name].cited


def _as_of(question: AnyQuestion) -> str | None:
    as_of = question.as_of
    if as_of is None:
        return None
    releases = [f"{name} {release}" for name, release in as_of.model_dump(exclude={"date"}).items() if release]
    return ", ".join([as_of.date, *releases])
