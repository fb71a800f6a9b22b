"""Sources and misconceptions that a pack defines and nothing in it names."""

from collections.abc import Iterator

from quiz.bank.pack import ChoiceQuestion, Numeric, Pack, Shape
from quiz.bank.reader import Located
from quiz.errors import Fault


def unused_advice(located: Located) -> Iterator[Fault]:
    """What could be removed, or was meant to be named somewhere."""
    pack = located.pack
    for section, known, used in (
        ("sources", pack.sources, _used_sources(pack)),
        ("misconceptions", pack.misconceptions, _used_misconceptions(pack)),
    ):
        for name in known:
            if name not in used:
                what = section.removesuffix("s")
                line, column = located.where(section, name)
                fix = f"name it where it belongs, or remove it: `{what}s` are looked up by id"
                yield Fault(located.file, line, column, f"unused-{what}", f"no question names {name!r}", fix)


def _used_sources(pack: Pack) -> set[str]:
    named = [lesson.sources for lesson in pack.lessons] + [question.sources for question in pack.questions]
    return {name for names in named for name in names}


def _used_misconceptions(pack: Pack) -> set[str]:
    used: set[str] = set()
    for question in pack.questions:
        if isinstance(question, Numeric | Shape):
            used |= {mistake.misconception for mistake in question.mistakes}
        elif isinstance(question, ChoiceQuestion):
            used |= {choice.misconception for choice in question.choices if choice.misconception}
    return used
