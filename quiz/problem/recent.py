"""What was worked out last, as long as all of it together is not too large."""

from collections.abc import Callable
from typing import Generic, TypeVar

Key = TypeVar("Key")
Made = TypeVar("Made")


class Recent(Generic[Key, Made]):
    """Keeps things until together they weigh more than ``most``; then those go first that were not wanted longest."""

    def __init__(self, most: int, weigh: Callable[[Key, Made], int]) -> None:
        self._most = most
        self._weigh = weigh
        self._kept: dict[Key, Made] = {}
        self._weight = 0

    def find(self, key: Key, make: Callable[[], Made]) -> Made:
        """The thing of that key, made if it is not there; what raises is not kept."""
        if key in self._kept:
            # A dictionary keeps the order in which keys came.
            made = self._kept[key] = self._kept.pop(key)
            return made
        made = self._kept[key] = make()
        self._weight += self._weigh(key, made)
        while self._weight > self._most and len(self._kept) > 1:
            oldest = next(iter(self._kept))
            self._weight -= self._weigh(oldest, self._kept.pop(oldest))
        return made
