"""One answer, act or undo of the log as a JSON object, and back: public names, read by other versions and machines.

An **answer** has ``id key at offset day device sitting``, then ``seed pack version givens typed verdict credit
misconception proposed rating thinking_ms hints disputed`` and the card ``before`` and ``after``. An **act** has the
same head, ``act`` and both cards. An **undo** has the head and ``undoes``, the id of what it takes back. ``at`` is an
ISO instant, ``offset`` the learner's clock from UTC in minutes, ``day`` the study day since 2000-01-01. Of a card only
what differs from a new one is written; fractions are ``"a/b"``.

What is read was written by others, so nothing is believed: each value has its type and its bounds, and the card after
must be one that the answer can have led to.
"""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, get_args
from uuid import UUID

from quiz.memory.acts import Act, Deed, Entry, acted
from quiz.memory.cards import STATES, Card
from quiz.memory.days import FIRST_YEAR, LAST_YEAR, Moment
from quiz.memory.rows import (
    CARD,
    KNOWN,
    NO_ANSWER,
    IllegibleError,
    Value,
    card_of,
    card_values,
    entry_of,
    givens_text,
    moment_of,
    ticks,
)
from quiz.memory.schedule import LONGEST_INTERVAL
from quiz.memory.union import Shared, Undo

LONGEST_NAME, LARGEST_NUMBER = 500, 2**63 - 1
_DEEDS = frozenset(get_args(Deed))
_CREDIT = re.compile(r"[0-9]{1,9}(/[1-9][0-9]{0,8})?\Z")
_NEW = Card._field_defaults
# Which columns of a card are whole numbers; `card_of` looks at the rest.
_WHOLE = ("step", "due_day", "last_day", "reps", "lapses", "buried_day")
_NUMBERS = ("seed", "proposed", "rating", "thinking_ms", "hints")


class EntryError(ValueError):
    """The object is no entry; says why in a few words that hold nothing of what it contained."""


def document_of(entry: Shared) -> dict[str, Any]:
    """The entry as a JSON object."""
    document: dict[str, Any] = {
        "id": entry.id,
        "key": entry.key,
        "at": entry.moment.instant.astimezone(UTC).isoformat(),
        "offset": entry.moment.offset_minutes,
        "day": entry.moment.day,
        "device": entry.device,
        "sitting": entry.sitting,
    }
    if isinstance(entry, Undo):
        return document | {"undoes": entry.undoes}
    if isinstance(entry, Act):
        document["act"] = entry.act
    else:
        document |= {
            "seed": entry.seed,
            "pack": entry.pack,
            "version": entry.pack_version,
            "givens": json.loads(givens_text(entry.givens)),
            "typed": entry.typed,
            "verdict": entry.verdict,
            "credit": str(entry.credit),
            "misconception": entry.misconception,
            "proposed": entry.proposed,
            "rating": entry.rating,
            "thinking_ms": entry.thinking_ms,
            "hints": entry.hints,
            "disputed": entry.disputed,
        }
    return document | {"before": _card_document(entry.before), "after": _card_document(entry.after)}


def entry_from(document: Any) -> Shared:
    """The entry that a JSON object stands for.

    Raises:
        EntryError: it stands for none.
    """
    if not isinstance(document, dict):
        raise EntryError("it is no JSON object")
    uuid, key = _uuid(document, "id"), _name(document, "key")
    sitting, device = _name(document, "sitting"), _name(document, "device")
    moment = _moment(document)
    if "undoes" in document:
        return Undo(uuid, key, _uuid(document, "undoes"), moment, sitting, device)
    try:
        before, after = (_card(key, document, when) for when in ("before", "after"))
    except IllegibleError:
        raise EntryError("before or after is no card") from None
    act = document.get("act")
    if act is not None and not (isinstance(act, str) and act in _DEEDS):
        raise EntryError("the act is unknown to this version of quiz")
    pack, version, answer = (None, None, KNOWN if act == "known" else NO_ANSWER) if act else _answer(document)
    head = (act, UUID(uuid).bytes, key, pack, version, sitting, device)
    circumstances = (ticks(moment.instant), moment.offset_minutes, moment.day)
    try:
        entry = entry_of((*head, *circumstances, *answer, *card_values(before), *card_values(after)))
    except IllegibleError:
        raise EntryError("its answer holds what cannot be") from None
    if not _plausible(entry):
        raise EntryError("the card after it is not one that it can have led to")
    return entry


def _card_document(card: Card) -> dict[str, Any]:
    return {
        name: value.astimezone(UTC).isoformat() if isinstance(value, datetime) else value
        for name, new in _NEW.items()
        if (value := getattr(card, name)) != new
    }


def _card(key: str, document: Mapping[str, Any], when: str) -> Card:
    kept = document.get(when)
    if not isinstance(kept, dict):
        raise EntryError(f"{when} is missing or no JSON object")
    values = {**_NEW, **{name: value for name, value in kept.items() if name in _NEW}}
    if not all(values[name] is None or type(values[name]) is int for name in _WHOLE):
        raise EntryError(f"{when} holds text or fractions where whole numbers belong")
    if values["state"] not in STATES or not all(isinstance(values[name], bool) for name in ("suspended", "flagged")):
        raise EntryError(f"{when} has a state or a mark that is unknown to this version of quiz")
    if values["due_at"] is not None:
        values["due_at"] = ticks(_instant(values["due_at"], f"due_at in {when}"))
    return card_of(key, tuple(STATES.index(values[name]) if name == "state" else values[name] for name in CARD))


def _answer(document: Mapping[str, Any]) -> tuple[str, str, tuple[Value, ...]]:
    """Pack, version and the columns `ANSWER`."""
    for name in _NUMBERS:
        if type(document.get(name)) is not int or not 0 <= document[name] <= LARGEST_NUMBER:
            raise EntryError(f"{name} is missing or not a whole number from 0 to {LARGEST_NUMBER}")
    typed, credit, givens = document.get("typed"), document.get("credit"), document.get("givens")
    if not isinstance(typed, str):
        raise EntryError("typed is missing or no text")
    if not isinstance(credit, str) or not _CREDIT.match(credit):
        raise EntryError('credit is missing or not text such as "1" or "1/2"')
    if not isinstance(givens, dict) or not all(type(value) in (int, str) for value in givens.values()):
        raise EntryError("givens are missing or hold more than names with whole numbers or text")
    misconception = None if document.get("misconception") is None else _name(document, "misconception")
    if not isinstance(document.get("disputed", False), bool):
        raise EntryError("disputed is neither true nor false")
    return (
        _name(document, "pack"),
        _name(document, "version"),
        (
            document["seed"],
            json.dumps(givens, separators=(",", ":")),
            typed.encode("utf-8", "surrogatepass"),
            document.get("verdict"),
            credit,
            misconception,
            *(document[name] for name in _NUMBERS[1:]),
            int(document.get("disputed", False)),
        ),
    )


def _plausible(entry: Entry) -> bool:
    """Whether the card after may be taken at its word. Anything else it says is scheduled anew where it matters."""
    before, after, day = entry.before, entry.after, entry.moment.day
    if isinstance(entry, Act) and entry.act != "known":
        return entry.act != "merge" and after == acted(before, entry.act, entry.moment)
    if after.last_day != (day if before.last_day is None else max(before.last_day, day)):
        return False
    soon = after.due_at is not None and abs(after.due_at - entry.moment.instant) <= timedelta(days=1)
    later = after.due_day is not None and 0 < after.due_day - after.last_day <= LONGEST_INTERVAL
    kept = before._replace(buried_day=None)
    return (
        after.state != "new"
        and (soon or later)
        and after.reps == before.reps + 1
        and after.lapses - before.lapses in (0, 1)
        and (after.suspended, after.buried_day, after.flagged) == (kept.suspended, kept.buried_day, kept.flagged)
    )


def _uuid(document: Mapping[str, Any], name: str) -> str:
    try:
        return str(UUID(document.get(name)))
    except (ValueError, TypeError, AttributeError):
        raise EntryError(f"{name} is missing or no UUID") from None


def _name(document: Mapping[str, Any], name: str) -> str:
    text = document.get(name)
    if not isinstance(text, str) or not 0 < len(text) <= LONGEST_NAME:
        raise EntryError(f"{name} is missing, empty or longer than {LONGEST_NAME} characters")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise EntryError(f"{name} is not text") from None
    return text


def _moment(document: Mapping[str, Any]) -> Moment:
    instant, offset = _instant(document.get("at"), "at"), document.get("offset")
    if type(offset) is not int or abs(offset) > 24 * 60:
        raise EntryError("offset is missing or not minutes of a day")
    try:
        return moment_of(ticks(instant), offset, document.get("day"))  # type: ignore[arg-type] # looked at there
    except IllegibleError:
        raise EntryError("day is missing or not the study day of at") from None


def _instant(text: object, name: str) -> datetime:
    try:
        instant = datetime.fromisoformat(text) if isinstance(text, str) else None
        if instant is not None and instant.tzinfo is not None and FIRST_YEAR <= instant.year < LAST_YEAR:
            return instant.astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise EntryError(f"{name} is missing or no instant such as 2026-11-29T09:00:00+00:00")
