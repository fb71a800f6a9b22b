"""What a preview does while it watches a file: wait for a save, find what was edited, and cut it to the screen."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from quiz.bank.pack import AnyQuestion, Lesson, Misconception, Pack

SECONDS_BETWEEN_LOOKS = 0.3
Part: TypeAlias = tuple[Literal["lesson", "question"], str]


def pause() -> None:
    """Wait before looking at the file again."""
    time.sleep(SECONDS_BETWEEN_LOOKS)


def saves(file: Path, pause: Callable[[], None]) -> Iterator[None]:
    """Once at the start, then whenever the file has changed. While an editor swaps it, it may be missing."""
    seen: tuple[int, int, int] | None = None
    while True:
        try:
            status = file.stat()
        except OSError:
            pass
        else:
            now = (status.st_mtime_ns, status.st_size, status.st_ino)
            if now != seen:
                seen = now
                yield
        pause()


class Content(NamedTuple):
    """A lesson or question, and the misconceptions that it names."""

    of: "Lesson | AnyQuestion"
    ideas: "tuple[Misconception, ...]" = ()


def contents(pack: "Pack") -> Iterator[tuple[Part, Content]]:
    """What there is to show, in the order of the file, lessons first."""
    for lesson in pack.lessons:
        yield ("lesson", lesson.id), Content(lesson)
    for question in pack.questions:
        named = [one.misconception for key in ("mistakes", "choices") for one in getattr(question, key, ())]
        ideas = tuple(pack.misconceptions[name] for name in named if name in pack.misconceptions)
        yield ("question", question.id), Content(question, ideas)


def in_view(before: Mapping[Part, Content], now: Mapping[Part, Content], last: Part | None) -> Part | None:
    """The part to show after a save: the first that was edited, else the ``last`` one, if it is still there. At the
    start that is the first question."""
    if not before:
        return next((part for part in now if part[0] == "question"), next(iter(now), None))
    edited = (part for part, content in now.items() if part not in before or before[part] != content)
    return next(edited, last if last in now else None)


def fitted(lines: Sequence[str], width: int, height: int) -> list[str]:
    """The first lines, as many as a screen holds; where some are left out, the last one says so."""
    plain = "\n".join(lines).split("\n")
    kept: list[str] = []
    left = height
    for index, line in enumerate(plain):
        rows = max(1, -(-len(line) // width))
        if left - rows < (index + 1 < len(plain)):
            return [*kept, f"… and {len(plain) - index} lines more, for which the window is too low"]
        kept.append(line)
        left -= rows
    return kept
