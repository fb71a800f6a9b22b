"""Which questions the learner put aside or marked: nothing else would bring a suspended one to mind again."""

import sqlite3
from dataclasses import dataclass

from quiz.memory.spots import LOST

# Longer lists nobody reads; `quiz list` marks them all.
MOST = 20
_KEYS = f"""SELECT key FROM card CROSS JOIN question ON question.id = card.question
    WHERE {{}} AND card.question NOT IN ({LOST}) ORDER BY key LIMIT {MOST}"""


@dataclass(frozen=True, slots=True)
class Aside:
    """Keys of questions: those ``suspended``, ``buried`` for today, ``flagged``; the first of each."""

    suspended: tuple[str, ...]
    buried: tuple[str, ...]
    flagged: tuple[str, ...]


def aside(connection: sqlite3.Connection, day: int) -> Aside:
    """What is put aside or marked on this study day."""

    def keys(where: str) -> tuple[str, ...]:
        return tuple(key for (key,) in connection.execute(_KEYS.format(where), {"day": day}))

    return Aside(keys("suspended"), keys("buried_day = :day AND NOT suspended"), keys("flagged"))
