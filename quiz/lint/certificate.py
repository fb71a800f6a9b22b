"""The soundness certificate of a drawn question: what its whole space looks like, and what in it cannot be asked."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from quiz.bank.pack import AnyQuestion, Card, ChoiceQuestion, Numeric, Open, Order, Shape, StageQuestion, TextQuestion
from quiz.bank.template import Template, parse_template
from quiz.lint.collisions import Collision, Unsound
from quiz.lint.placed import Placed, show_value
from quiz.problem.judge import Judge
from quiz.problem.soundness import answers
from quiz.problem.space import Space, table_of
from quiz.problem.table import Table
from quiz.problem.variant import Number, Sizes


@dataclass(frozen=True, slots=True)
class Commonest:
    """The answer that most sound variants have, and their share of all: what a guess would earn."""

    answer: str
    share: Fraction


@dataclass(frozen=True, slots=True)
class StarvedRule:
    """A ``require`` rule and how many tuples it alone turns away; with 0 it changes nothing."""

    rule: str
    removes: int


@dataclass(frozen=True, slots=True)
class Certificate:
    """A question's space. ``enumerated`` tuples were drawn, ``valid`` of them satisfy ``require``, ``sound`` of these
    can be shown, as ``distinct`` pairs of prompt and answer; for ``without_value`` valid ones a formula has no value.
    ``rank`` counts, over the sound tuples, where the right answer stands among itself and the mistakes, by size from 1
    (choices: which of them, as written, are right)."""

    key: str
    enumerated: int
    valid: int
    sound: int
    distinct: int
    commonest: Commonest | None
    rank: Mapping[str, int]
    collisions: tuple[Collision, ...]
    without_value: int
    starved: tuple[StarvedRule, ...]

    def to_json(self) -> dict[str, Any]:
        """As plain data: fractions become text, the share a decimal number."""
        plain: dict[str, Any] = _plain(asdict(self))
        if self.commonest:
            plain["commonest"]["share"] = round(float(self.commonest.share), 6)
        return plain


def certify(placed: Placed, judge: Judge, space: Space, unsound: Unsound) -> Certificate:
    """Look at every tuple of the question's space.

    Raises:
        TemplateError: a text cannot be filled for some tuple.
    """
    question = placed.question
    shown: set[tuple[str, ...]] = set()
    ranks: Counter[str] = Counter()
    scope = space.rows[0].keys() if space.rows else ()
    prompt, *texts = (parse_template(text, scope) for text in (question.prompt, *_answer_texts(question)))
    table = table_of(space.sound)
    prompts = _filled(prompt, table)
    if isinstance(question, Numeric | Shape):
        columns = answers(judge, table)
        shown_as = {value: show_value(value, question) for value in set(columns[0])}
        right = [shown_as[value] for value in columns[0]]
        ranks.update(str(_rank(values)) for values in zip(*columns, strict=True))
        shown.update(zip(prompts, right, strict=True))
    else:
        right = []
        filled = zip(*(_filled(text, table) for text in texts), strict=True)
        for givens, said, parts in zip(space.sound, prompts, filled, strict=True):
            chosen = [index for index, rule in enumerate(judge.choices) if rule.is_right(givens)]
            right.append(" / ".join(parts[index] for index in chosen) if chosen else "\n".join(parts))
            if chosen:
                ranks[", ".join(str(index + 1) for index in chosen)] += 1
            shown.add((said, *parts))
    counted = Counter(right)
    return Certificate(
        key=placed.key,
        enumerated=space.enumerated,
        valid=len(space.rows),
        sound=len(space.sound),
        distinct=len(shown),
        commonest=_commonest(counted),
        rank=dict(sorted(ranks.items())),
        collisions=unsound.collisions,
        without_value=len(unsound.without_value),
        starved=tuple(StarvedRule(*pair) for pair in zip(question.require, space.starved, strict=True)),
    )


def _filled(text: Template, table: Table) -> list[str]:
    """A text filled for every tuple; each of its numbers is worked out once for all tuples that agree in it."""
    pieces = [table.each(piece.names, piece.fill) for piece in text.pieces()]
    return ["".join(parts) for parts in zip(*pieces, strict=True)]


def _answer_texts(question: AnyQuestion) -> tuple[str, ...]:
    """The texts by which one answer differs from another; none where it is a number or a shape."""
    match question:
        case ChoiceQuestion():
            return tuple(choice.text for choice in question.choices)
        case Card():
            return (question.back,)
        case TextQuestion():
            return (question.accept[0],)
        case Order():
            return question.items
        case Open():
            return (question.approach,)
        case StageQuestion():
            return (question.answer, question.snippet or "")
        case _:
            return ()


def _rank(values: Sequence[Number | Sizes]) -> int:
    right = values[0]
    if isinstance(right, tuple):
        return 1 + sum(isinstance(value, tuple) and value < right for value in values)
    return 1 + sum(not isinstance(value, tuple) and value < right for value in values)


def _commonest(answers: Counter[str]) -> Commonest | None:
    if not answers:
        return None
    answer, count = answers.most_common(1)[0]
    return Commonest(answer, Fraction(count, answers.total()))


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value
