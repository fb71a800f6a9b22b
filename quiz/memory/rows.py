"""Between rows of the database and the answers, acts and cards they stand for."""

import json
import re
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from typing import Any, TypeAlias, get_args
from uuid import UUID

from quiz.memory.acts import Act, ActName, Deed, Entry
from quiz.memory.cards import STATES, Card
from quiz.memory.days import EPOCH, Moment
from quiz.memory.review import Givens, Review, Verdict
from quiz.memory.schedule import EASY

Value: TypeAlias = int | float | str | bytes | None
Row: TypeAlias = tuple[Any, ...]

VERDICTS: dict[str, Verdict] = {name: name for name in get_args(Verdict)}
ACTS: dict[str, ActName] = {name: name for name in (*get_args(Deed), "merge")}
CARD = (
    *("state", "step", "stability", "difficulty", "due_at", "due_day", "last_day", "reps", "lapses"),
    *("suspended", "buried_day", "flagged"),
)
BEFORE = tuple(f"before_{column}" for column in CARD)
AFTER = tuple(f"after_{column}" for column in CARD)
# What an answer has and an act or an undo has not.
ANSWER = (
    *("seed", "givens", "typed", "verdict", "credit", "misconception", "proposed", "rating", "thinking_ms"),
    *("hints", "disputed"),
)
# Appends a row to the log: what and of what it is, its circumstances, the card before and after, the answer.
_APPENDED = (
    *("uuid", "undoes", "act", "previous", "question", "device", "sitting", "instant", "utc_offset", "day"),
    *(*BEFORE, *AFTER, "edition", *ANSWER),
)
APPEND = f"INSERT INTO review ({', '.join(_APPENDED)}) VALUES ({', '.join('?' * len(_APPENDED))})"
NO_ANSWER: tuple["Value", ...] = (*(None,) * (len(ANSWER) - 1), 0)
# "I know this" is a judgement of the learner's own, though no answer.
KNOWN: tuple["Value", ...] = (
    *("judged" if name == "verdict" else EASY if name == "rating" else None for name in ANSWER[:-1]),
    0,
)
# What `entry_of` reads, in this order, where ``review`` is joined with the tables it refers to.
ENTRY = ", ".join(
    (
        "review.act, review.uuid, question.key, edition.pack, edition.version, sitting.uuid, device.uuid",
        "review.instant, review.utc_offset, review.day",
        *(f"review.{column}" for column in (*ANSWER, *BEFORE, *AFTER)),
    )
)
# No bytes of a damaged file may lead further than this: what lies outside was never written by us.
_FIRST_DAY, _LAST_DAY = -730_000, 2_900_000
_MANY = 1_000_000_000
_DAY_ZERO = (EPOCH - date(1970, 1, 1)).days
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_FRACTION = re.compile(r"-?[0-9]+/[0-9]+\Z")


class IllegibleError(ValueError):
    """A row holds what was never written: its file is damaged."""


def card_values(card: Card) -> tuple[Value, ...]:
    """The values of the columns `CARD`."""
    return (
        STATES.index(card.state),
        card.step,
        card.stability,
        card.difficulty,
        None if card.due_at is None else ticks(card.due_at),
        card.due_day,
        card.last_day,
        card.reps,
        card.lapses,
        int(card.suspended),
        card.buried_day,
        int(card.flagged),
    )


def card_of(key: str, values: Row) -> Card:
    """The card of a question from the columns `CARD`.

    Raises:
        IllegibleError: the values are no card's.
    """
    state, step, stability, difficulty, due_at, due_day, last_day, reps, lapses, suspended, buried_day, flagged = values
    # A start reads every card, so the common cases come first and nothing is looked at twice.
    try:
        if state:
            sound = (
                0.0 < stability < 1e9
                and 1.0 <= difficulty <= 10.0
                and _FIRST_DAY < last_day < _LAST_DAY
                and (_FIRST_DAY < due_day < _LAST_DAY if due_at is None else due_day is None)
                and 0 <= reps < _MANY
                and 0 <= lapses < _MANY
                and (step is None or 0 <= step < _MANY)
            )
        else:
            sound = state == 0 and reps == 0 and lapses == 0 and due_at is None and due_day is None
        sound = sound and (buried_day is None or _FIRST_DAY < buried_day < _LAST_DAY)
        name, due = STATES[state], None if due_at is None else instant_of(due_at)
    except (TypeError, LookupError, OverflowError) as error:
        raise IllegibleError(f"no card: {error}") from error
    if not sound or key.__class__ is not str:
        raise IllegibleError(f"no card: {values}")
    marks = (suspended == 1, buried_day, flagged == 1)
    return Card(key, name, step, stability, difficulty, due, due_day, last_day, reps, lapses, *marks)


def answer_values(review: Review) -> tuple[Value, ...]:
    """The values of the columns `ANSWER`."""
    return (
        review.seed,
        givens_text(review.givens),
        # A terminal may send anything: NUL, halves of surrogate pairs. As bytes all of it comes back.
        review.typed.encode("utf-8", "surrogatepass"),
        review.verdict,
        str(review.credit),
        review.misconception,
        int(review.proposed),
        int(review.rating),
        review.thinking_ms,
        review.hints,
        int(review.disputed),
    )


def entry_of(values: Row) -> Entry:
    """The answer or act from the columns `ENTRY`.

    Raises:
        IllegibleError: the values are of neither.
    """
    try:
        return _entry(values)
    except IllegibleError:
        raise
    except (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, RecursionError) as error:
        raise IllegibleError(f"no entry: {error}") from error


def _entry(values: Row) -> Entry:
    act, uuid, key, pack, version, sitting, device, instant, offset, day = values[:10]
    moment = moment_of(instant, offset, day)
    if not (isinstance(key, str) and isinstance(sitting, str) and isinstance(device, str)):
        raise IllegibleError("no question, sitting or device")
    answer, cards = values[10 : 10 + len(ANSWER)], values[10 + len(ANSWER) :]
    before, after = card_of(key, cards[: len(CARD)]), card_of(key, cards[len(CARD) :])
    if act is not None:
        return Act(str(UUID(bytes=uuid)), key, ACTS[act], moment, sitting, device, before, after)
    seed, givens, typed, verdict, credit, misconception, proposed, rating, thinking_ms, hints, disputed = answer
    numbers = (seed, proposed, rating, thinking_ms, hints)
    if not (
        all(type(number) is int for number in numbers)
        and {proposed, rating} <= {1, 2, 3, 4}
        and isinstance(pack, str)
        and isinstance(version, str)
        and verdict in VERDICTS
        and (misconception is None or isinstance(misconception, str))
    ):
        raise IllegibleError("no answer")
    return Review(
        id=str(UUID(bytes=uuid)),
        key=key,
        seed=seed,
        pack=pack,
        pack_version=version,
        givens=givens_of(givens),
        moment=moment,
        typed=typed.decode("utf-8", "surrogatepass"),
        verdict=VERDICTS[verdict],
        credit=Fraction(credit),
        misconception=misconception,
        proposed=proposed,
        rating=rating,
        thinking_ms=thinking_ms,
        hints=hints,
        sitting=sitting,
        device=device,
        before=before,
        after=after,
        disputed=bool(disputed),
    )


def givens_text(givens: Givens) -> str:
    """The givens as JSON, fractions as ``"a/b"``."""
    plain = {
        name: f"{value.numerator}/{value.denominator}" if isinstance(value, Fraction) else value
        for name, value in givens.items()
    }
    return json.dumps(plain, separators=(",", ":"))


def givens_of(text: str) -> Givens:
    """The givens from their JSON."""
    plain: dict[str, int | str] = json.loads(text)
    if not all(isinstance(value, int | str) for value in plain.values()):
        raise IllegibleError("no givens")
    return {
        name: Fraction(value) if isinstance(value, str) and _FRACTION.match(value) else value
        for name, value in plain.items()
    }


def moment_of(microseconds: int, offset_minutes: int, day: int) -> Moment:
    """The moment from its columns.

    Raises:
        IllegibleError: the study day is not one that holds the instant anywhere.
    """
    if not all(type(value) is int for value in (microseconds, offset_minutes, day)):
        raise IllegibleError("no moment")
    try:
        moment = Moment(instant_of(microseconds), offset_minutes, day)
    except OverflowError as error:
        raise IllegibleError(f"no moment: {error}") from error
    if abs((moment.instant - _EPOCH).days - _DAY_ZERO - day) > 3:
        raise IllegibleError(f"no moment: {moment}")
    return moment


def ticks(instant: datetime) -> int:
    """Microseconds since 1970."""
    return (instant - _EPOCH) // _MICROSECOND


def instant_of(microseconds: int) -> datetime:
    """The instant of so many microseconds since 1970, in UTC."""
    return _EPOCH + timedelta(microseconds=microseconds)
