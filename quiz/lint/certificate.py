"""The soundness certificate of a drawn question: what its whole space looks like, and what in it cannot be asked."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from itertools import compress
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
    (choices: which of them, as written, are right); it is empty where there is nothing to stand among."""

    key: str
    kind: str
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
    scope = space.rows[0].keys() if space.rows else ()
    table = table_of(space.sound)
    prompt = _Filled(parse_template(question.prompt, scope), table)
    told: Sequence[Iterable[str]]
    right: Iterable[str]
    if isinstance(question, Numeric | Shape):
        columns = answers(judge, table)
        shown_as = {value: show_value(value, question) for value in set(columns[0])}
        right = [shown_as[value] for value in columns[0]]
        ranks = Counter(str(_rank(values)) for values in zip(*columns, strict=True)) if question.mistakes else Counter()
        told = [right]
    else:
        told = [_Filled(parse_template(text, scope), table) for text in _answer_texts(question)]
        chosen = _chosen(judge, table)
        right = _Right(told, chosen)
        ranks = Counter(", ".join(str(index + 1) for index in indexes) for indexes in chosen if indexes)
    return Certificate(
        key=placed.key,
        kind=question.kind,
        enumerated=space.enumerated,
        valid=len(space.rows),
        sound=len(space.sound),
        # By their hashes: all texts together may be a thousand times as long as the file.
        distinct=len(set(map(hash, zip(prompt, *told, strict=True)))),
        commonest=_commonest(right),
        rank=dict(sorted(ranks.items())),
        collisions=unsound.collisions,
        without_value=len(unsound.without_value),
        starved=tuple(StarvedRule(*pair) for pair in zip(question.require, space.starved, strict=True)),
    )


class _Filled:
    """A text filled for every tuple, one after the other; each of its numbers is worked out once for all tuples that
    agree in it."""

    def __init__(self, text: Template, table: Table) -> None:
        self._pieces = [table.each(piece.names, piece.fill) for piece in text.pieces()]

    def __iter__(self) -> Iterator[str]:
        return map("".join, zip(*self._pieces, strict=True))


@dataclass(frozen=True, slots=True)
class _Right:
    """What is right in every tuple: the chosen texts, or all where nothing is to be chosen."""

    texts: Sequence[Iterable[str]]
    chosen: Sequence[tuple[int, ...]]

    def __iter__(self) -> Iterator[str]:
        for indexes, texts in zip(self.chosen, zip(*self.texts, strict=True), strict=True):
            yield " / ".join(texts[index] for index in indexes) if indexes else "\n".join(texts)


def _chosen(judge: Judge, table: Table) -> list[tuple[int, ...]]:
    """The indexes of the right choices in every tuple."""
    if not judge.choices:
        return [()] * table.size
    verdicts = [table.values(rule.when) if rule.when else [rule.right] * table.size for rule in judge.choices]
    return [tuple(compress(range(len(row)), row)) for row in zip(*verdicts, strict=True)]


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


def _commonest(answers: Iterable[str]) -> Commonest | None:
    counted = Counter(map(hash, answers))
    if not counted:
        return None
    ((found, count),) = counted.most_common(1)
    answer = next(answer for answer in answers if hash(answer) == found)
    return Commonest(answer, Fraction(count, counted.total()))


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value
