"""Taking entries of other devices into the log, a bounded number at a time, and noting what was left out."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

from quiz.memory.days import Moment
from quiz.memory.review import new_id
from quiz.memory.union import Shared, Union

# So many entries go into one transaction: another window waits for it.
AT_ONCE = 20_000
# How far another device's clock may be ahead of this one's: zones apart, nobody is a day ahead.
AHEAD = timedelta(days=1)
MOST_TOLD = 20


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that could not be read, and where; line 0 is the whole file."""

    line: int
    what: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.what}" if self.line else self.what


@dataclass(slots=True)
class Problems:
    """The first problems of a file, and how many there are in all."""

    told: list[Problem] = field(default_factory=list)
    count: int = 0

    def add(self, line: int, what: str) -> None:
        """Note one more."""
        self.count += 1
        if len(self.told) < MOST_TOLD:
            self.told.append(Problem(line, what))


class Intake:
    """Takes entries one by one; call `finish` after the last.

    ``new`` counts those that the log lacked. ``held_back`` counts those of another device that are dated more than a
    day ahead: its clock is wrong, or this one's is. They would move cards to a time that has not come, so they wait
    where they are until it has. ``before_first`` is called before anything is written.
    """

    def __init__(self, union: Union, moment: Moment, before_first: Callable[[], object] | None = None) -> None:
        self._union = union
        self._moment = moment
        self._sitting = new_id()
        self._before_first = before_first
        self._queue: list[Shared] = []
        self.new = self.held_back = 0

    def knows(self, document: Any) -> bool:
        """Whether the log holds the entry that a JSON object stands for: then the rest of it need not be looked at."""
        try:
            return UUID(document["id"]) in self._union
        except (ValueError, TypeError, LookupError, AttributeError):
            return False

    def add(self, entry: Shared) -> None:
        """Take an entry, unless it is of a time to come."""
        if entry.device != self._union.device and entry.moment.instant > self._moment.instant + AHEAD:
            self.held_back += 1
            return
        self._queue.append(entry)
        if len(self._queue) >= AT_ONCE:
            self.finish()

    def finish(self) -> None:
        """Write what is left."""
        if self._queue and self._before_first is not None:
            self._before_first()
            self._before_first = None
        self.new += self._union.take_in(self._queue, self._moment, self._sitting)
        self._queue.clear()
