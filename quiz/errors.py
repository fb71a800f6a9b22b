"""The errors a person can mend; each says what is wrong, where, and what to do."""

from typing import NamedTuple


class QuizError(Exception):
    """Anything wrong that the caller can mend. ``str(error)`` is shown to people as it is, without a traceback."""

    exit_code = 2


class UsageError(QuizError):
    """A command or call was made with words, names or numbers it cannot take."""


class NoTopicError(UsageError):
    """There is no such ``topic``; ``near`` is the one that was probably meant, if any is close."""

    def __init__(self, topic: str, near: str | None) -> None:
        self.topic, self.near = topic, near
        meant = f"; did you mean {near}?" if near else ";"
        listed = "`quiz learn` lists the lessons, `quiz pack list` the packs"
        super().__init__(f"no topic {topic!r}{meant} {listed}")


class StorageError(QuizError):
    """The data folder or the database cannot be used as it is."""


class Fault(NamedTuple):
    """One thing wrong with a pack, where it is, and what to do. Line and column count from 1; 0 means unknown."""

    file: str
    line: int
    column: int
    rule: str
    message: str
    fix: str = ""

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        return f"{where}: {self.message}" + (f" ({self.fix})" if self.fix else "")


class PackError(QuizError):
    """A pack cannot be read; carries every fault found."""

    exit_code = 1

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in faults))


class SolveError(QuizError):
    """The sizes are illegal: the arrays could not be reshaped. ``kind`` names the sort of failure in one word."""

    exit_code = 1

    def __init__(self, message: str, kind: str = "illegal") -> None:
        self.kind = kind
        super().__init__(message)
