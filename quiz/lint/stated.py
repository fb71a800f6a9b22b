"""Does what is shown before the answer decide the answer?"""

from collections.abc import Iterator

from quiz.bank.pack import AnyQuestion, ChoiceQuestion, Numeric, Shape
from quiz.bank.template import parse_template
from quiz.errors import Fault
from quiz.lint.placed import Placed, show_value
from quiz.problem.judge import Judge
from quiz.problem.space import Givens, Space
from quiz.render.numbers import show_number


def unstated_faults(placed: Placed, judge: Judge, space: Space) -> Iterator[Fault]:
    """At most one: two variants that read the same and have different answers, so that neither can be answered."""
    question = placed.question
    if not isinstance(question, Numeric | Shape | ChoiceQuestion) or not space.sound:
        return
    if _says_every_draw(question):
        return
    names = space.sound[0].keys()
    prompt, *others = (parse_template(text, names) for text in _shown_texts(question))
    first: dict[tuple[str, ...], tuple[object, Givens]] = {}
    for givens in space.sound:
        shown = (prompt.fill(givens), *sorted(text.fill(givens) for text in others))
        answer = _answer(judge, givens)
        known, before = first.setdefault(shown, (answer, givens))
        if known != answer:
            yield placed.fault(
                "prompt-lacks-given", _message(question, known, answer, before, givens), _fix(before, givens), "prompt"
            )
            return


def _says_every_draw(question: AnyQuestion) -> bool:
    """Whether the prompt shows each drawn value as it is, so that no two tuples can read the same."""
    prompt = question.prompt
    return "{{" not in prompt and all(f"{{{name}}}" in prompt or f"{{{name}:" in prompt for name in question.draw)


def _shown_texts(question: AnyQuestion) -> list[str]:
    if isinstance(question, ChoiceQuestion):
        return [question.prompt, *(choice.text for choice in question.choices)]
    return [question.prompt]


def _answer(judge: Judge, givens: Givens) -> object:
    if judge.choices:
        return frozenset(rule.text.fill(givens) for rule in judge.choices if rule.is_right(givens))
    return judge.expected(givens)


def _message(question: AnyQuestion, known: object, answer: object, before: Givens, after: Givens) -> str:
    shown = [
        " / ".join(sorted(value)) if isinstance(value, frozenset) else show_value(value, question)  # type: ignore[arg-type]
        for value in (known, answer)
    ]
    where = [f"{name} = {_shown(before[name])} and {_shown(after[name])}" for name in _differing(before, after)]
    return f"two variants read the same, but the answers are {shown[0]} and {shown[1]}: {'; '.join(where[:3])}"


def _fix(before: Givens, after: Givens) -> str:
    names = " or ".join(f"{{{name}}}" for name in _differing(before, after)[:3])
    return f"say {names} in the prompt"


def _differing(before: Givens, after: Givens) -> list[str]:
    return [name for name in before if name in after and before[name] != after[name]]


def _shown(value: object) -> str:
    return value if isinstance(value, str) else show_number(value)  # type: ignore[arg-type]  # a given is a number or text
