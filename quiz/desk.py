"""The learner's desk: packs, log, settings and clock opened together, for whichever front room wants them."""

import os
import secrets
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from zoneinfo import ZoneInfo

from quiz import paths
from quiz.bank.library import Entry, Library, open_library
from quiz.errors import UsageError
from quiz.memory.cards import Card
from quiz.memory.days import Moment, day_start, moment
from quiz.memory.queue import Counts, due_counts, plan
from quiz.memory.reviews import Review, ReviewLog
from quiz.memory.schedule import Parameters, outcomes, review
from quiz.settings import Settings, load_settings, save_settings

if TYPE_CHECKING:
    from quiz.problem.variant import Variant
    from quiz.study.session import Answered, Session

SEEDS = 2**63


class Desk:
    """Opened by `open_desk`; close it, or use it in a ``with`` block."""

    def __init__(self, data: Path, library: Library, log: ReviewLog, settings: Settings) -> None:
        self.data = data
        self.library = library
        self.log = log
        self.settings = settings
        self.parameters = Parameters(settings.retention)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close both files."""
        self.log.close()
        self.library.close()

    def now(self) -> Moment:
        """This moment, where the learner is."""
        return moment(now(), local_zone(), self.settings.rollover)

    def day_start(self, day: int) -> datetime:
        """The UTC instant at which a study day begins here."""
        return day_start(day, local_zone(), self.settings.rollover)

    def cards(self) -> dict[str, Card]:
        """Every card that is no longer new, by key."""
        return {card.key: card for card in self.log.cards()}

    def due_counts(self) -> dict[str, Counts]:
        """How each pack stands now."""
        return due_counts(self.library.entries(), self.cards(), self.now())

    def new_left(self) -> int:
        """How many new questions today may still bring."""
        return max(self.settings.new_per_day - self.log.new_on(self.now().day), 0)

    def draw(self, key: str, seed: int) -> "Variant":
        """The variant of a key and a seed.

        Raises:
            QuizError: no such question, or it cannot be drawn.
        """
        from quiz.problem.drawing import draw

        posed = self.library.posed(key)
        return draw(posed.pack, posed.question, seed, self.library.models())

    def session(self, topics: Sequence[str] = (), new: int | None = None, limit: int | None = None) -> "Session":
        """A sitting over what is due in the topics, not yet started. ``new`` replaces today's allowance of new ones.

        Raises:
            UsageError: no such topic.
        """
        from quiz.study.session import Session

        entries: list[Entry] = self.library.entries(topics)
        keys = plan(entries, self.cards(), self.now(), self.new_left() if new is None else new)
        return Session(keys, self.draw, _Memory(self), fresh_seed, limit)

    def progress(self) -> dict[str, Any]:
        """The figures of progress review; see `quiz.memory.progress`."""
        from quiz.memory.progress import progress

        return progress(self.library.entries(), self.cards(), self.log.reviews(), self.now())

    def save(self, settings: Settings) -> None:
        """Keep changed settings."""
        save_settings(self.data, settings)
        self.settings = settings
        self.parameters = Parameters(settings.retention)


class _Memory:
    """One sitting's door to the log and the schedule."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._sitting = uuid.uuid4().hex

    def card(self, key: str) -> Card:
        return self._desk.log.card(key)

    def preview(self, key: str, moment: Moment) -> tuple[Card, Card, Card, Card]:
        return outcomes(self.card(key), moment, self._desk.parameters, self._desk.day_start)

    def record(self, answered: "Answered", moment: Moment) -> Card:
        variant, mark = answered.variant, answered.mark
        entry = Review(
            key=variant.key,
            seed=variant.seed,
            pack_version=variant.pack_version,
            moment=moment,
            rating=answered.rating,
            proposed=answered.proposed,
            verdict=mark.verdict if mark else "shown",
            sitting=self._sitting,
            typed=answered.typed,
            credit=mark.credit if mark else answered.credit,
            misconception=mark.misconception if mark else None,
            seconds=answered.seconds,
            hints=answered.hints,
            givens=variant.givens,
        )
        desk = self._desk
        return desk.log.record(
            entry, lambda card: review(card, answered.rating, moment, desk.parameters, desk.day_start)
        )

    def undo(self, moment: Moment) -> Review | None:
        return self._desk.log.undo(moment)


def open_desk(home: Path | None = None) -> Desk:
    """Open the learner's folder, making what is missing.

    Raises:
        StorageError: the folder or one of its files cannot be used.
    """
    data = paths.data_dir(home)
    settings = load_settings(data)
    log = ReviewLog(paths.database(data))
    try:
        return Desk(data, open_library(data), log, settings)
    except BaseException:
        log.close()
        raise


def fresh_seed() -> int:
    """A seed nobody can foresee."""
    return secrets.randbelow(SEEDS)


def now() -> datetime:
    """The instant it is, in UTC; ``QUIZ_NOW`` (an ISO instant) replaces the clock.

    Raises:
        UsageError: ``QUIZ_NOW`` is not an ISO instant with a zone.
    """
    said = os.environ.get("QUIZ_NOW")
    if not said:
        return datetime.now(UTC)
    try:
        instant = datetime.fromisoformat(said)
    except ValueError:
        instant = None
    if instant is None or instant.tzinfo is None:
        raise UsageError(
            f"QUIZ_NOW must be an ISO instant with a zone, such as 2026-11-29T09:00:00+00:00, not {said!r}"
        )
    return instant.astimezone(UTC)


def local_zone() -> tzinfo:
    """The zone of this machine, as ``TZ`` or the system says, with its rules for summer time where they are known."""
    name = os.environ.get("TZ", "").lstrip(":") or _system_zone()
    if name:
        try:
            return ZoneInfo(name)
        except (ValueError, OSError, KeyError):
            pass
    return datetime.now().astimezone().tzinfo or UTC


def _system_zone() -> str:
    """The IANA name of the system's zone where a link tells it, as on Linux and macOS."""
    try:
        target = os.path.realpath("/etc/localtime")
    except OSError:
        return ""
    return target.partition("/zoneinfo/")[2]
