"""The learner's desk: packs, log, settings and clock opened together, for whichever front room wants them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, datetime
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from quiz import paths
from quiz.bank.catalogue import Entry
from quiz.bank.library import Library, open_library
from quiz.clock import local_zone, now
from quiz.memory.acts import Deed
from quiz.memory.cards import Card, due_instant
from quiz.memory.days import Moment, day_of, day_start, moment
from quiz.memory.personal import Personal, load_personal, save_personal
from quiz.memory.queue import brought_forward, due_counts, interview_ahead, new_allowance, queue
from quiz.memory.reviews import ReviewLog, new_id
from quiz.memory.schedule import Parameters, retrievability
from quiz.memory.standing import Stood, due_by, new_in_turns, standing
from quiz.settings import Settings, load_settings, save_settings

if TYPE_CHECKING:
    from quiz.memory.readiness import Readiness
    from quiz.problem.variant import Variant
    from quiz.study.session import Session

SEEDS = 2**63
# They say enough about a learner's pace and memory.
RECENT_REVIEWS = 2000
# Nobody answers more in a sitting; the next one brings the others.
MOST_REVIEWS = 500


AHEAD = "Nothing is due: this is asked ahead of time, which brings no question back sooner."


class Standing(NamedTuple):
    """A pack at a glance. ``due`` to be asked now, ``early`` of them ahead of their day for an interview; ``learning``
    come back later today; ``new`` is what today's allowance still brings; ``total`` counts questions, ``unseen`` those
    that are new and not suspended; ``strength`` is the mean chance of knowing one of its questions today; see
    `quiz.memory.standing.Stood`."""

    due: int
    early: int
    learning: int
    new: int
    unseen: int
    total: int
    strength: float


class Desk:
    """Opened by `open_desk`; close it, or use it in a ``with`` block."""

    def __init__(self, data: Path, library: Library, log: ReviewLog, settings: Settings, personal: Personal) -> None:
        self.data = data
        self.library = library
        self.log = log
        self.settings = settings
        self.personal = personal

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close both files."""
        self.log.close()
        self.library.close()

    @property
    def parameters(self) -> Parameters:
        """How cards are scheduled, by the settings and the learner's own weights."""
        return _parameters(self.settings, self.personal)

    def now(self) -> Moment:
        """This moment, where the learner is."""
        return moment(now(), local_zone(), self.settings.rollover)

    def due(self, card: Card) -> datetime | None:
        """When a card comes back, in UTC, at the latest on the day of an interview ahead; None for a new one."""
        return due_instant(brought_forward(card, self.now(), self.parameters), local_zone(), self.settings.rollover)

    def dues(self) -> "Callable[[Card], datetime | None]":
        """What `due` tells, for whoever asks of many cards: the zone is looked up once, and each day."""
        at, parameters = self.now(), self.parameters
        begins = cache(partial(day_start, zone=local_zone(), rollover_hour=self.settings.rollover))

        def due(card: Card) -> datetime | None:
            day = brought_forward(card, at, parameters).due_day
            return card.due_at if day is None else begins(day)

        return due

    def retrievability(self, card: Card) -> float:
        """The chance of knowing a card today; 0 for a new one."""
        return retrievability(card, self.now().day, self.parameters)

    def act(self, key: str, deed: Deed) -> Card:
        """Do something to a card besides answering its question; see `quiz.memory.acts`."""
        return self.log.act(key, deed, self.now(), new_id())

    def standings(self) -> dict[str, Standing]:
        """How each pack stands now, in teaching order."""
        at = self.now()
        stood = self._stood(at)
        allowed, introduced = self._new_today(at, sum(one.met for one in stood))
        new = self._brought(stood, at, allowed, introduced)
        standings: dict[str, Standing] = {}
        for pack, total in self.library.totals().items():
            held = [one for one in stood if one.spot.pack == pack]
            standings[pack] = Standing(
                due=sum(one.asked for one in held),
                early=sum(one.wanted for one in held),
                learning=sum(one.waiting for one in held),
                new=new.get(pack, 0),
                unseen=sum(one.new for one in held),
                total=total,
                strength=sum(one.chances for one in held) / total,
            )
        return standings

    def _brought(self, stood: Sequence[Stood], at: Moment, allowed: int, introduced: int) -> dict[str, int]:
        """How many new questions today brings of each pack."""
        if interview_ahead(at, self.parameters) is None:
            return new_in_turns(stood, allowed - introduced)
        # Those that a screen asks come first, so it matters which they are.
        cards: dict[str, Card] = {}
        fresh = self._with_new((), cards, at, allowed, ())
        counts = due_counts(fresh, cards, at, new_per_day=allowed, introduced=introduced, parameters=self.parameters)
        return {pack: count.new for pack, count in counts.items()}

    def due_tomorrow(self) -> int:
        """How many questions of the library are due by tomorrow, as far as is known today."""
        return self.log.by_spot(self.library, partial(due_by, day=self.now().day + 1))

    def _stood(self, at: Moment) -> list[Stood]:
        """How all questions stand, by lesson and depth."""
        return self.log.by_spot(self.library, partial(standing, moment=at, parameters=self.parameters))

    def draw(self, key: str, seed: int) -> "Variant":
        """The variant of a key and a seed.

        Raises:
            QuizError: no such question, or it cannot be drawn.
        """
        from quiz.problem.drawing import draw_from

        return draw_from(self.library, key, seed)

    def session(self, topics: Sequence[str] = (), new: int | None = None, limit: int | None = None) -> "Session":
        """A sitting over what is due in the topics, not yet started. ``new`` replaces today's allowance of new ones.
        Up to the day of an interview it works toward that; see `quiz.memory.queue`.

        A topic asked for by name is never a dead end: where nothing of it is due and today's allowance is used up, it
        brings as many new questions as a day does; where none is left, what comes back next, ahead of time.

        Raises:
            UsageError: no such topic.
        """
        from quiz.study.logged import LoggedMemory
        from quiz.study.session import Session

        at = self.now()
        asked, cards = self._asked(at, topics)
        allowed, introduced = self._new_today(at) if new is None else (new, 0)

        def line(new: int, introduced: int) -> tuple[str, ...]:
            places = self._with_new(asked, cards, at, new, topics)
            return queue(places, cards, at, new_per_day=new, introduced=introduced, parameters=self.parameters)

        keys = line(allowed, introduced)
        if topics and not keys and new is None:
            keys = line(max(allowed, self.settings.new_per_day), 0)
        opening = ""
        if topics and not keys:
            keys = self._ahead(topics, at)
            opening = AHEAD if keys else ""
        return Session(keys, self.draw, LoggedMemory(self.log, self.parameters), fresh_seed, limit, opening)

    def _ahead(self, topics: Sequence[str], at: Moment) -> tuple[str, ...]:
        """What of the topics comes back next."""
        from quiz.memory.cram import next_due

        return next_due(self.library.entries(topics), self.log.cards(), at, self.parameters)

    def _asked(self, at: Moment, topics: Sequence[str]) -> tuple[list[Entry], dict[str, Card]]:
        """The questions of the topics that a sitting may ask again, and their cards: all that are due, or as many as
        anybody answers; before an interview all that were met, whatever the topic."""
        if interview_ahead(at, self.parameters) is not None:
            cards = self.log.cards()
            return self.library.of(cards, topics), cards
        most = MOST_REVIEWS
        while True:
            cards = self.log.pressing(at, most)
            entries = self.library.of(cards, topics)
            if len(cards) < most or len(entries) >= MOST_REVIEWS:
                return entries, {entry.key: cards[entry.key] for entry in entries}
            most *= 8

    def _with_new(
        self, asked: Sequence[Entry], cards: dict[str, Card], at: Moment, most: int, topics: Sequence[str]
    ) -> list[Entry]:
        """What a queue is to choose from: these questions, and new ones. Cards of questions that only say when their
        lesson comes are added."""
        frontier = self.log.frontier(at.day)
        new = self.library.unmet(frontier, most, topics)
        for key in frontier.met([entry.key for entry in new if entry.key not in cards]):
            cards[key] = self.log.card(key)
        return self.library.in_order((*asked, *new))

    def _new_today(self, at: Moment, met: int | None = None) -> tuple[int, int]:
        """How many questions today may bring for the first time, and how many it already has. ``met`` of all questions
        were ever answered; without it, they are counted if it matters."""
        per_day, introduced = self.settings.new_per_day, self.log.introduced_on(at.day)
        day = interview_ahead(at, self.parameters)
        if day is None:
            return per_day, introduced
        if met is None:
            met = sum(one.met for one in self._stood(at))
        unseen = sum(self.library.totals().values()) - met
        return new_allowance(unseen + introduced, day - at.day, per_day), introduced

    def progress(self) -> dict[str, Any]:
        """The figures of progress review; see `quiz.memory.progress`."""
        from quiz.memory.progress import progress, progress_json

        at = self.now()
        return progress_json(
            self.log.by_spot(
                self.library,
                partial(
                    progress,
                    catalogue=self.library,
                    moment=at,
                    zone=local_zone(),
                    allowance=partial(self._new_today, at),
                    parameters=self.parameters,
                ),
            )
        )

    def curve(self, key: str) -> dict[str, Any]:
        """How one question was learned, answer by answer; see `quiz.memory.curve`.

        Raises:
            UsageError: no such question, and none was ever answered, or it is called otherwise now.
        """
        from quiz.memory.curve import curve
        from quiz.memory.progress import plain

        reviews = list(self.log.reviews(key))
        entry = next(iter(self.library.of([key])), None)
        if entry is None and (not reviews or key in self.library.renamed()):
            self.library.posed(key)  # says what is meant
        pack = key.partition("/")[0]
        return {
            "key": key,
            "topic": f"{pack}/{entry.lesson}" if entry and entry.lesson else pack,
            "answered": len(reviews),
            "right": sum(review.right for review in reviews),
            "points": plain(curve(reviews, self.parameters)),
        }

    def days_left(self) -> int | None:
        """How many days until the interview, 0 on its day; None without one, or once it is over."""
        at = self.now()
        day = interview_ahead(at, self.parameters)
        return None if day is None else day - at.day

    def forecast(self) -> "Callable[[date], Readiness]":
        """How an interview on a day, today at the earliest, stands if the learner goes on as lately, or without reviews
        lately as the goal needs; see `quiz.memory.readiness`.

        All that must be read is read at once; what is returned works it out for any day, in any thread.
        """
        from quiz.memory.habits import habits, minutes_a_day
        from quiz.memory.readiness import readiness

        at, parameters = self.now(), self.parameters
        places, cards, reviews = self.library.entries(), self.log.cards(), list(self.log.recent(RECENT_REVIEWS))
        introduced = self.log.introduced_on(at.day)
        found = habits(reviews, parameters)
        today = sum(review.moment.day == at.day for review in reviews)

        def on(day: date) -> "Readiness":
            return readiness(
                places,
                cards,
                at,
                parameters=replace(parameters, interview_day=day_of(day)),
                minutes=minutes_a_day(reviews, at.day, found.seconds),
                done_today=today * found.seconds / 60,
                new_per_day=self.settings.new_per_day,
                introduced=introduced,
                found=found,
            )

        return on

    def roll_backups(self) -> None:
        """Make today's backup of the log if it is due; see `quiz.memory.backups.roll`. It opens files of its own, so it
        may run in any thread, and after the desk was closed.

        Raises:
            StorageError: it cannot be written.
        """
        if not self.log.read_only:
            from quiz.memory.backups import roll

            roll(paths.database(self.data), now(), local_zone(), self.settings.rollover)

    def save(self, settings: Settings) -> None:
        """Keep changed settings."""
        save_settings(self.data, settings)
        self.settings = settings

    def personalise(self, personal: Personal) -> None:
        """Keep other weights; sittings that begin from now on schedule by them."""
        save_personal(self.data, personal)
        self.personal = personal


def _parameters(settings: Settings, personal: Personal) -> Parameters:
    return Parameters(
        desired_retention=settings.retention,
        weights=personal.weights,
        rollover_hour=settings.rollover,
        interview_day=None if settings.interview is None else day_of(settings.interview),
    )


def open_desk(home: Path | None = None) -> Desk:
    """Open the learner's folder, making what is missing.

    Raises:
        StorageError: the folder or one of its files cannot be used.
    """
    data = paths.data_dir(home)
    settings = load_settings(data)
    personal = load_personal(data)
    log = ReviewLog.open(paths.database(data), _parameters(settings, personal))
    try:
        desk = Desk(data, open_library(data), log, settings, personal)
        if renamed := desk.library.renamed():
            log.rename(renamed, desk.now())
        return desk
    except BaseException:
        log.close()
        raise


def fresh_seed() -> int:
    """A seed nobody can foresee."""
    import secrets  # not free, and a start needs none

    return secrets.randbelow(SEEDS)
