"""A catalogue without packs, for tests of memory."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from quiz.memory.queue import Place


@dataclass(frozen=True)
class Question:
    """A question, as far as memory knows of it."""

    key: str
    pack: str = "p"
    lesson: str | None = None
    depth: str = "screen"
    position: int = 0


class Listed:
    """A catalogue of these questions, in this order."""

    def __init__(self, places: Sequence[Place]) -> None:
        self.places = list(places)

    def stamp(self) -> str:
        return repr(self.places)

    def entries(self) -> list[Place]:
        return self.places

    def of(self, keys: Collection[str]) -> list[Place]:
        wanted = set(keys)
        return [place for place in self.places if place.key in wanted]

    def ideas(self, misconceptions: Collection[str]) -> dict[str, tuple[str, str]]:
        return {name: (f"{name} says", f"{name} is wrong") for name in misconceptions if name != "n"}
