"""What an update of a pack adds, changes, renames and retires."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from quiz.bank.pack import Lesson, Pack, Question

_VERSION = re.compile(r"\d{1,9}(?:\.\d{1,9})*")


@dataclass(frozen=True, slots=True)
class Changes:
    """Ids of questions, or of lessons. ``renamed`` are pairs of the former and the present id."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    retired: tuple[str, ...] = ()


def changes(before: Sequence[Question | Lesson], after: Sequence[Question | Lesson]) -> Changes:
    """How the later ones differ. A former id (`was`) counts only where it stood in the earlier ones."""
    earlier = {one.id: one for one in before}
    present = {one.id for one in after}
    renamed = [
        (former, one.id)
        for one in after
        if isinstance(one, Question)
        for former in one.was
        if former in earlier and former not in present
    ]
    gone, arrived = {former for former, _ in renamed}, {new for _, new in renamed}
    return Changes(
        tuple(one.id for one in after if one.id not in earlier and one.id not in arrived),
        tuple(one.id for one in after if one.id in earlier and earlier[one.id] != one),
        tuple(renamed),
        tuple(name for name in earlier if name not in present and name not in gone),
    )


def is_downgrade(before: Pack, after: Pack) -> bool:
    """Whether the later version has the lower number; versions that are not numbers with dots cannot be compared."""
    if not (_VERSION.fullmatch(before.version) and _VERSION.fullmatch(after.version)):
        return False
    return _numbers(after.version) < _numbers(before.version)


def _numbers(version: str) -> list[int]:
    numbers = [int(part) for part in version.split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return numbers
