"""The search for a pack's first questions that a learner has not met."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple, Protocol

_FAR = 200
# So many questions at most are asked about in one go.
_AT_ONCE = 900


class Past(Protocol):
    """What a search for new questions asks about the learner; see `quiz.memory.frontier`."""

    def met(self, keys: Sequence[str]) -> Mapping[str, bool]:
        """Those of the keys that cannot be new today: True if ever answered, False if only put aside."""

    def reached(self, pack: str, depth: str, stamp: str) -> tuple[int, int]:
        """A place before which all questions of the pack and depth were answered."""

    def reach(self, pack: str, depth: str, stamp: str, place: tuple[int, int]) -> None:
        """Keep such a place."""


class Found(NamedTuple):
    """The keys of questions not met, and the place before which all were answered, ``passed`` of them looked at."""

    keys: list[str]
    passed: int
    reached: tuple[int, int]

    @property
    def is_far(self) -> bool:
        """Whether to pass them again would take as long as to keep where they end."""
        return self.passed >= _FAR


def first_unmet(past: Past, most: int, rows: Iterable[tuple[str, int, int]]) -> Found:
    """The first questions that were not met, among rows of key, lesson's start and position in that order."""
    left, keys, passed, reached, size = iter(rows), list[str](), 0, (0, 0), 2 * most
    is_known_so_far = True
    while some := list(islice(left, size)):
        met = past.met([key for key, _, _ in some])
        for key, start, position in some:
            is_known_so_far = is_known_so_far and met.get(key, False)
            if is_known_so_far:
                passed, reached = passed + 1, (start, position + 1)
            elif key not in met:
                keys.append(key)
                if len(keys) == most:
                    return Found(keys, passed, reached)
        size = min(4 * size, _AT_ONCE)
    return Found(keys, passed, reached)
