"""What an update of a pack adds, changes, renames and retires."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from quiz.bank.pack import Lesson, Pack, Question

_VERSION = re.compile(r"\d{1,9}(?:\.\d{1,9})*")


@dataclass(frozen=True, slots=True)
class Changes:
    """Ids of questions, or of lessons. ``renamed`` are pairs of the former and the present id; ``alike`` are pairs of a
    retired and an added one that may be the same question under a new id, of which the pack does not say so."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    retired: tuple[str, ...] = ()
    alike: tuple[tuple[str, str], ...] = ()


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
    added = tuple(name for name in new if name not in arrived)
    retired = tuple(name for name in earlier if name not in present and name not in gone)
    alike: tuple[tuple[str, str], ...] = ()
    if added and retired:
        wanted = set(added)
        alike = _alike([before[earlier[name]] for name in retired], [one for one in after if one.id in wanted])
    return Changes(added, tuple(changed), tuple(renamed), retired, alike)


def _alike(retired: Sequence[Question | Lesson], added: Sequence[Question | Lesson]) -> tuple[tuple[str, str], ...]:
    """Pairs of the same prompt; or the only ones, if they are of one kind. Lessons have no history to keep."""
    by_prompt = {one.prompt: one.id for one in added if isinstance(one, Question)}
    gone = [one for one in retired if isinstance(one, Question)]
    pairs = [(one.id, by_prompt[one.prompt]) for one in gone if one.prompt in by_prompt]
    if not pairs and len(gone) == len(added) == 1 and type(gone[0]) is type(added[0]):
        pairs = [(gone[0].id, added[0].id)]
    return tuple(pairs)


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
