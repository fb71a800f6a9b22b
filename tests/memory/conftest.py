from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from quiz.memory import schedule
from quiz.memory.cards import Card
from quiz.memory.days import Moment, moment
from quiz.memory.reviews import Review, ReviewLog, new_id

Answer: TypeAlias = Callable[..., Review]

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
def noon() -> Moment:
    return moment(NOON, UTC)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "quiz.db"


@pytest.fixture
def log(path: Path) -> Iterator[ReviewLog]:
    with ReviewLog.open(path) as opened:
        yield opened


@pytest.fixture
def answer(noon: Moment) -> Answer:
    """A review of a question as the session builds it, from its card before; the rest may be chosen."""

    def build(before: Card, rating: int = schedule.GOOD, moment: Moment = noon, **chosen: Any) -> Review:
        values: dict[str, Any] = {
            "id": new_id(),
            "key": before.key,
            "seed": 7,
            "pack": before.key.partition("/")[0],
            "pack_version": "1.0.0",
            "givens": {"num_heads": 8},
            "moment": moment,
            "typed": "128",
            "verdict": "wrong" if rating == schedule.AGAIN else "right",
            "credit": Fraction(rating != schedule.AGAIN),
            "misconception": None,
            "proposed": rating,
            "rating": rating,
            "thinking_ms": 12_000,
            "hints": 0,
            "sitting": "a sitting",
            "device": "a device",
            "before": before,
            "after": schedule.review(before, rating, moment),
        }
        return Review(**(values | chosen))

    return build
