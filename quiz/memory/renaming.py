"""Questions that a pack gave another id: what is remembered of them goes on under the new key."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID, uuid5

from quiz.memory.days import Moment
from quiz.memory.review import new_id
from quiz.memory.union import Shared, Undo

if TYPE_CHECKING:
    from quiz.memory.reviews import ReviewLog


def rename(
    log: "ReviewLog",
    connection: sqlite3.Connection,
    writing: Callable[[datetime], AbstractContextManager[None]],
    names: Mapping[str, str],
    moment: Moment,
) -> None:
    """Give questions of the log other keys; ``names`` are new keys by old ones.

    Rows of the log name a question by its number, so mostly only the name of that is changed. Where the new key has a
    history of its own, as when another device learned of the new name first, the two become one.
    """
    both: dict[str, str] = {}
    with writing(moment.instant):
        for old, new in names.items():
            if connection.execute("SELECT 1 FROM question WHERE key = ?", (new,)).fetchone():
                both[old] = new
            else:
                connection.execute("UPDATE question SET key = ? WHERE key = ?", (new, old))
    moved = [entry for old, new in both.items() for entry in _moved(log, old, new)]
    union = log.union()
    if moved:
        union.take_in(moved, moment, new_id())
    # An interval that was spread by the former key is not what other devices would spread by the present one.
    union.remake(set(names.values()), moment, new_id())


def _moved(log: "ReviewLog", old: str, new: str) -> Iterator[Shared]:
    """Each entry again under the new key, and the taking back of the old one. Their UUIDs come from the old entry's, so
    that every device that learns of the new name makes the same ones; whoever did, this device tells the others."""
    device = log.device_id
    for one in list(log.history(old)):
        uuid = UUID(one.id)
        before, after = one.before._replace(key=new), one.after._replace(key=new)
        yield one._replace(id=str(uuid5(uuid, "renamed")), key=new, before=before, after=after, device=device)
        yield Undo(str(uuid5(uuid, "taken back")), old, one.id, one.moment, one.sitting, device)
