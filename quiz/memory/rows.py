"""Between rows of the database and the answers, acts and cards they stand for."""

import json
import re
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any, TypeAlias, get_args
from uuid import UUID

from quiz.memory.acts import Act, ActName, Deed, Entry
from quiz.memory.cards import Card, State
from quiz.memory.days import Moment
from quiz.memory.review import Givens, Review
from quiz.memory.schedule import EASY

Value: TypeAlias = int | float | str | bytes | None
Row: TypeAlias = tuple[Any, ...]

STATES: tuple[State, ...] = ("new", "learning", "review", "relearning")
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
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_FRACTION = re.compile(r"-?[0-9]+/[0-9]+\Z")


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
    """The card of a question from the columns `CARD`."""
    state, step, stability, difficulty, due_at, due_day, last_day, reps, lapses, suspended, buried_day, flagged = values
    return Card(
        key=key,
        state=STATES[state],
        step=step,
        stability=stability,
        difficulty=difficulty,
        due_at=None if due_at is None else instant_of(due_at),
        due_day=due_day,
        last_day=last_day,
        reps=reps,
        lapses=lapses,
        suspended=bool(suspended),
        buried_day=buried_day,
        flagged=bool(flagged),
    )


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
    """The answer or act from the columns `ENTRY`."""
    act, uuid, key, pack, version, sitting, device, instant, offset, day = values[:10]
    moment = Moment(instant_of(instant), offset, day)
    answer, cards = values[10 : 10 + len(ANSWER)], values[10 + len(ANSWER) :]
    before, after = card_of(key, cards[: len(CARD)]), card_of(key, cards[len(CARD) :])
    if act is not None:
        return Act(str(UUID(bytes=uuid)), key, ACTS[act], moment, sitting, device, before, after)
    seed, givens, typed, verdict, credit, misconception, proposed, rating, thinking_ms, hints, disputed = answer
    return Review(
        id=str(UUID(bytes=uuid)),
        key=key,
        seed=seed,
        pack=pack,
        pack_version=version,
        givens=givens_of(givens),
        moment=moment,
        typed=typed.decode("utf-8", "surrogatepass"),
        verdict=verdict,
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
    return {
        name: Fraction(value) if isinstance(value, str) and _FRACTION.match(value) else value
        for name, value in plain.items()
    }


def ticks(instant: datetime) -> int:
    """Microseconds since 1970."""
    return (instant - _EPOCH) // _MICROSECOND


def instant_of(microseconds: int) -> datetime:
    """The instant of so many microseconds since 1970, in UTC."""
    return _EPOCH + timedelta(microseconds=microseconds)
