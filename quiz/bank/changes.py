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
    earlier = {one.id: index for index, one in enumerate(before)}
    present: set[str] = set()
    changed: list[str] = []
    new: list[str] = []
    former: list[tuple[str, str]] = []
    for one in after:
        present.add(one.id)
        if one.id not in earlier:
            new.append(one.id)
        elif before[earlier[one.id]] != one:
            changed.append(one.id)
        if isinstance(one, Question):
            former += [(old, one.id) for old in one.was if old in earlier]
    renamed = [(old, name) for old, name in former if old not in present]
    gone, arrived = {old for old, _ in renamed}, {name for _, name in renamed}
    return Changes(
        tuple(name for name in new if name not in arrived),
        tuple(changed),
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
