"""Sources and misconceptions that a pack defines and nothing in it names."""

from collections.abc import Iterator

from quiz.bank.pack import AnyQuestion, ChoiceQuestion, Numeric, Shape
from quiz.bank.reader import Located
from quiz.errors import Fault


def unused_advice(located: Located) -> Iterator[Fault]:
    """What could be removed, or was meant to be named somewhere."""
    pack = located.pack
    sources = {name for lesson in pack.lessons for name in lesson.sources}
    misconceptions: set[str] = set()
    for question in pack.questions:
        sources.update(question.sources)
        misconceptions.update(_misconceptions(question))
    for section, known, used in (
        ("sources", pack.sources, sources),
        ("misconceptions", pack.misconceptions, misconceptions),
    ):
        for name in known:
            if name not in used:
                what = section.removesuffix("s")
                line, column = located.where(section, name)
                fix = f"name it where it belongs, or remove it: `{what}s` are looked up by id"
                yield Fault(located.file, line, column, f"unused-{what}", f"no question names {name!r}", fix)


def _misconceptions(question: AnyQuestion) -> Iterator[str]:
    if isinstance(question, Numeric | Shape):
        yield from (mistake.misconception for mistake in question.mistakes)
    elif isinstance(question, ChoiceQuestion):
        yield from (choice.misconception for choice in question.choices if choice.misconception)
