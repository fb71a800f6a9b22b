"""Golden variants: tuples whose prompt and answer a pack pins, so that no update changes an old question unseen."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from quiz.bank.pack import AnyQuestion, Golden, PackHead
from quiz.errors import Fault, QuizError
from quiz.lint.placed import Placed, show_givens
from quiz.problem.drawing import build
from quiz.problem.judge import Judge
from quiz.problem.space import Givens, Space
from quiz.problem.variant import Variant

Outcome = tuple[str, tuple[str, ...]]
_AGAIN = "if the change is meant, write down what comes out now"


def golden_faults(placed: Placed, judge: Judge, space: Space) -> Iterator[Fault]:
    """Pinned variants that can no longer be drawn, or that come out otherwise."""
    for index, golden in enumerate(placed.question.golden):
        fitting = rows_of(golden, space.sound)
        if len(fitting) != 1:
            yield _not_one(placed, index, golden, len(fitting), space)
            continue
        try:
            prompt, answer = outcome(placed.pack, placed.question, judge, fitting[0])
        except QuizError:
            # Every text is filled for every tuple elsewhere, and what fails there is reported there.
            return
        if prompt != golden.prompt.strip():
            message = f"the pinned variant now reads {prompt!r}"
            yield placed.fault("golden-changed", message, _AGAIN, "golden", index, "prompt")
        if answer != pinned_answer(placed.question, golden):
            message = f"the pinned variant's answer is now {_quoted(answer)}"
            yield placed.fault("golden-changed", message, _AGAIN, "golden", index, "answer")


def _not_one(placed: Placed, index: int, golden: Golden, count: int, space: Space) -> Fault:
    where = ("golden", index, "givens") if golden.givens else ("golden", index)
    unknown = [name for name in golden.givens if space.rows and name not in space.rows[0]]
    if unknown:
        message = f"{unknown[0]!r} is no given of this question"
        return placed.fault("golden-lost", message, f"its givens: {', '.join(space.rows[0]) or 'none'}", *where)
    if count:
        fix = "give every drawn number"
        return placed.fault("golden-ambiguous", f"these givens fit {count:,} variants, not one", fix, *where)
    shown = show_givens({name: _exact(value) for name, value in golden.givens.items()})
    is_valid = bool(rows_of(golden, space.rows))
    why = "two of its answers could be confused" if is_valid else "no draw that keeps to `require` gives it"
    message = f"the pinned variant with {shown} can no longer be shown: {why}"
    return placed.fault("golden-lost", message, "draw it again, or unpin it", *where)


def rows_of(golden: Golden, rows: Sequence[Givens]) -> list[Givens]:
    """The tuples that have the pinned givens."""
    wanted = [(name, _exact(value)) for name, value in golden.givens.items()]
    return [row for row in rows if all(row.get(name) == value for name, value in wanted)]


def outcome(pack: PackHead, question: AnyQuestion, judge: Judge, givens: Givens) -> Outcome:
    """The prompt and the answer that the learner sees for a tuple.

    Raises:
        QuizError: the variant cannot be worked out.
    """
    variant = build(pack, question, judge, givens, seed=0)
    return variant.prompt.strip(), _answer(variant)


def pinned_answer(question: AnyQuestion, golden: Golden) -> tuple[str, ...]:
    """The pinned answer, in the form in which `outcome` gives one."""
    texts = (golden.answer,) if isinstance(golden.answer, str) else golden.answer
    bare = [text.strip() for text in texts]
    return tuple(sorted(bare) if question.kind == "choice" else bare)


def _answer(variant: Variant) -> tuple[str, ...]:
    """What is shown; for choices and items their texts, since their numbers change with every shuffle."""
    value = variant.answer.value
    if variant.choices and isinstance(value, tuple):
        texts = [variant.choices[index - 1].text.strip() for index in value]
        return tuple(sorted(texts) if variant.kind == "choice" else texts)
    return (variant.answer.display.strip(),)


def _quoted(answer: tuple[str, ...]) -> str:
    return repr(answer[0]) if len(answer) == 1 else f"[{', '.join(map(repr, answer))}]"


def _exact(value: float | str) -> int | Fraction | str:
    if isinstance(value, int | str):
        return value
    exact = Fraction(repr(value))
    return exact.numerator if exact.denominator == 1 else exact
