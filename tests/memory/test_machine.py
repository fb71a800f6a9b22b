"""Three machines of one learner, in any order: study, undo, acts, edited and renamed questions, clocks and zones that
jump, crashes, backups, sync. After every step what a learner relies on holds.

A long run: ``pytest tests/memory/test_machine.py --hypothesis-profile=fuzz``; stop it when you have seen enough.
"""

import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from quiz.exchange.sync import sync
from quiz.memory import schedule
from quiz.memory.acts import Deed
from quiz.memory.cards import Card, interval
from quiz.memory.days import Moment, moment
from quiz.memory.progress import progress_json
from quiz.memory.reviews import Review, ReviewLog, new_id
from tests.memory.catalogue import Listed, Question
from tests.memory.plain import figures_of, plain_progress, sums_by_key

START = datetime(2026, 3, 27, 9, tzinfo=UTC)
# Later than any clock of the machines below shows.
END = datetime(2060, 1, 1, tzinfo=UTC)
ZONES = ("UTC", "Europe/Berlin", "America/Los_Angeles", "Pacific/Kiritimati", "Australia/Lord_Howe")
DEEDS: tuple[Deed, ...] = ("suspend", "resume", "bury", "flag", "unflag", "reset", "known")
QUESTIONS = 3


class Derived(NamedTuple):
    """All that a log leads to."""

    cards: dict[str, Card]
    reviews: tuple[Review, ...]
    introduced: int
    figures: Any


class Computer:
    """A machine: its log, its clock, what its version of the pack calls the questions."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.path = home / "quiz.db"
        self.log = ReviewLog.open(self.path)
        self.sitting = new_id()
        self.zone = "UTC"
        self.ahead = timedelta()
        self.names: dict[str, str] = {}
        self.keys = [f"p/question-{number}" for number in range(QUESTIONS)]
        self.pack_version = 1
        # What the log led to before each answer and act that can be taken back and is not older than a merge.
        self.before: list[Derived] = []
        self.backups: list[Path] = []
        self.uuids: set[bytes] = set()

    def now(self, world: datetime) -> Moment:
        return moment(world + self.ahead, ZoneInfo(self.zone))

    def derived(self, when: Moment) -> Derived:
        totals = self.log.totals()
        figures = (sorted(totals.days), totals.sittings, totals.paces, sums_by_key(self.path))
        return Derived(self.log.cards(), tuple(self.log.reviews()), self.log.introduced_on(when.day), figures)

    def answer(self, key: str, rating: int, when: Moment) -> Card:
        before = self.log.card(key)
        return self.log.record(
            Review(
                id=new_id(),
                key=key,
                seed=7,
                pack="p",
                pack_version=f"{self.pack_version}.0.0",
                givens={"num_heads": 8, "share": Fraction(1, 3)},
                moment=when,
                typed="128",
                verdict="wrong" if rating == schedule.AGAIN else "right",
                credit=Fraction(rating != schedule.AGAIN),
                misconception="query-heads" if rating == schedule.AGAIN else None,
                proposed=rating,
                rating=rating,
                thinking_ms=12_000,
                hints=0,
                sitting=self.sitting,
                device=self.log.device_id,
                before=before,
                after=schedule.review(before, rating, when),
            )
        ).after

    def reopen(self) -> None:
        self.log = ReviewLog.open(self.path)
        assert self.log.notice == ""
        self.log.rename(self.names, moment(START, UTC))
        self.sitting = new_id()


class ThreeMachines(RuleBasedStateMachine):
    """The store, used in every way at once."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="quiz-machine-"))
        self.carried = self.folder / "carried"
        self.carried.mkdir()
        self.world = START
        self.renames = False
        self.names: dict[str, str] = {}
        self.present = [f"p/question-{number}" for number in range(QUESTIONS)]
        self.computers = [Computer(self.folder / str(number)) for number in range(3)]

    @initialize(renames=st.booleans())
    def decide(self, renames: bool) -> None:
        """Whether questions are renamed in this run."""
        self.renames = renames

    which = st.integers(0, 2)
    question = st.integers(0, QUESTIONS - 1)

    @rule(which=which, question=question, rating=st.integers(1, 4))
    def answer(self, which: int, question: int, rating: int) -> None:
        """What was shown is what is applied, in the order of the ratings."""
        computer = self.computers[which]
        when, key = computer.now(self.world), computer.keys[question]
        derived, card = computer.derived(when), computer.log.card(key)
        offers = schedule.preview(card, when)
        after = computer.answer(key, rating, when)
        assert after == offers[rating - 1] == computer.log.card(key)
        waits = [interval(offer, when) for offer in offers]
        assert timedelta() < waits[0] < waits[1] <= waits[2] <= waits[3]
        if after.due_at is not None:
            assert after.due_at > when.instant
        computer.before.append(derived)
        self.tick()
        self.check(computer)

    @rule(which=which, question=question, deed=st.sampled_from(DEEDS))
    def act(self, which: int, question: int, deed: Deed) -> None:
        """Putting aside, flagging, forgetting: only what the act is about changes."""
        computer = self.computers[which]
        when, key = computer.now(self.world), computer.keys[question]
        derived, card = computer.derived(when), computer.log.card(key)
        after = computer.log.act(key, deed, when, computer.sitting)
        if deed in ("suspend", "resume", "bury", "flag", "unflag"):
            assert scheduled(after) == scheduled(card)
        if after != card:
            computer.before.append(derived)
        self.tick()
        self.check(computer)

    @rule(which=which)
    def undo(self, which: int) -> None:
        """All is again as it was before."""
        computer = self.computers[which]
        when = computer.now(self.world)
        taken = computer.log.undo_last(when)
        if computer.before:
            assert taken is not None
            now, before = computer.derived(when), computer.before.pop()
            assert (now.cards, now.reviews, now.figures) == (before.cards, before.reviews, before.figures)
        self.check(computer)

    @rule(hours=st.sampled_from((0.02, 0.2, 5, 24, 100, 2000)))
    def wait(self, hours: float) -> None:
        """Time goes by."""
        self.world = min(self.world + timedelta(hours=hours), datetime(2040, 1, 1, tzinfo=UTC))

    @rule(which=which, days=st.sampled_from((0, -3, -400, 2, 800, 3000)))
    def set_clock(self, which: int, days: int) -> None:
        """The clock jumps, back or ahead, or is set right; no due day moves by itself."""
        self.unmoved(which, lambda computer: setattr(computer, "ahead", timedelta(days=days)))

    @rule(which=which, zone=st.sampled_from(ZONES))
    def travel(self, which: int, zone: str) -> None:
        """Another zone changes nothing of the past."""
        self.unmoved(which, lambda computer: setattr(computer, "zone", zone))

    @rule(which=which)
    def edit_pack(self, which: int) -> None:
        """A comma, another version: the history stays."""
        self.unmoved(which, lambda computer: setattr(computer, "pack_version", computer.pack_version + 1))

    @precondition(lambda self: self.renames)
    @rule(question=question)
    def rename(self, question: int) -> None:
        """The author gives a question another id; machines learn of it when they update."""
        old, new = self.present[question], f"p/question-{question}-{len(self.names) + 1}"
        if len(self.names) < 4:
            self.present[question] = new
            self.names = {**{key: new if name == old else name for key, name in self.names.items()}, old: new}

    @rule(which=which)
    def update_pack(self, which: int) -> None:
        """What was known under a former id is known under the present one."""
        computer = self.computers[which]
        before = {self.names.get(key, key): card for key, card in computer.log.cards().items()}
        alone = len(before) == len(computer.log.cards())
        if computer.names != self.names:
            computer.names, computer.keys = dict(self.names), list(self.present)
            computer.before.clear()
        computer.log.rename(computer.names, computer.now(self.world))
        after = computer.log.cards()
        assert after.keys() == before.keys()
        if alone:
            assert all(scheduled(after[key]) == scheduled(before[key]) for key in after)
        computer.uuids &= uuids(computer.path)
        self.check(computer)

    @rule(which=which)
    def restart(self, which: int) -> None:
        """Closed and opened again."""

        def restart(computer: Computer) -> None:
            computer.log.close()
            computer.reopen()

        self.unmoved(which, restart)

    @rule(which=which)
    def crash(self, which: int) -> None:
        """Killed: the files are as they lie there, nothing was closed."""

        def crash(computer: Computer) -> None:
            image = computer.home.with_name("image")
            shutil.copytree(computer.home, image, ignore=shutil.ignore_patterns("*-shm"))
            computer.log.close()
            shutil.rmtree(computer.home)
            image.rename(computer.home)
            computer.reopen()

        self.unmoved(which, crash)

    @rule(which=which)
    def back_up(self, which: int) -> None:
        """A backup changes nothing."""
        self.unmoved(
            which, lambda computer: computer.backups.append(computer.log.back_up(computer.now(self.world).instant))
        )

    @precondition(lambda self: any(computer.backups for computer in self.computers))
    @rule(which=which, number=st.integers(0, 5))
    def restore(self, which: int, number: int) -> None:
        """Back to a backup, and what was there until then is in another."""
        computer = self.computers[which]
        if not computer.backups:
            return
        when = computer.now(self.world)
        cards = computer.log.cards()
        kept = computer.log.restore(computer.backups[number % len(computer.backups)], when.instant)
        with ReviewLog.open(Path(shutil.copy(kept, self.folder / "kept.db"))) as there:
            assert there.cards() == cards
        computer.log.rename(computer.names, when)
        computer.before.clear()
        computer.uuids = set()
        self.check(computer)

    @rule(which=which)
    def sync(self, which: int) -> None:
        """Through the folder, as often as it comes."""
        computer = self.computers[which]
        sync(computer.log, self.carried, computer.now(self.world))
        computer.before.clear()
        self.check(computer)

    def tick(self) -> None:
        """One does nothing twice in an instant: after a restore, nothing but the instant tells what came first."""
        self.world += timedelta(seconds=1)

    def unmoved(self, which: int, change: Callable[[Computer], object]) -> None:
        """Make a change after which all that the log leads to is as it was."""
        computer = self.computers[which]
        day = computer.now(self.world)
        before = computer.derived(day)
        change(computer)
        assert computer.derived(day) == before
        self.check(computer)

    def check(self, computer: Computer) -> None:
        """What always holds of a log."""
        assert computer.log.check().sound
        cards = computer.log.cards()
        # The pack may have forgotten a question, and the log may know one by its former key.
        listed, at = Listed([Question(key, lesson=key[-1]) for key in computer.keys]), computer.now(self.world)
        found = progress_json(figures_of(computer.log, listed, at, new_per_day=2, introduced=0))
        plain = plain_progress(listed, cards, list(computer.log.reviews()), at, new_per_day=2, introduced=0)
        assert {name: found[name] for name in plain} == plain
        assert computer.log.rebuild() == 0
        assert computer.log.cards() == cards
        for card in cards.values():
            if card.state == "new":
                assert (card.due_at, card.due_day, card.stability) == (None, None, None)
                continue
            assert card.stability is not None
            assert card.difficulty is not None
            assert card.last_day is not None
            assert card.stability > 0
            assert 1 <= card.difficulty <= 10
            if card.due_day is not None:
                assert card.last_day < card.due_day <= card.last_day + schedule.DEFAULTS.maximum_interval
            else:
                assert card.due_at is not None
        there = uuids(computer.path)
        assert computer.uuids <= there
        computer.uuids = there

    def teardown(self) -> None:
        """Once all have synced, all know the same."""
        end = moment(END, UTC)
        for computer in self.computers:
            computer.log.rename(self.names, end)
        for _ in range(3):
            for computer in self.computers:
                sync(computer.log, self.carried, end)
        found = [computer.derived(end) for computer in self.computers]
        for computer, derived in zip(self.computers, found, strict=True):
            assert derived.cards == found[0].cards
            assert {one.id for one in derived.reviews} == {one.id for one in found[0].reviews}
            assert derived.figures == found[0].figures
            self.check(computer)
            computer.log.close()
        shutil.rmtree(self.folder)


def scheduled(card: Card) -> tuple[object, ...]:
    """What of a card is of the schedule."""
    return (card.state, card.step, card.stability, card.difficulty, card.due_at, card.due_day, card.reps, card.lapses)


def uuids(path: Path) -> set[bytes]:
    """The rows of a log, by the ids that they never change."""
    with closing(sqlite3.connect(path)) as connection:
        return {uuid for (uuid,) in connection.execute("SELECT uuid FROM review")}


TestThreeMachines = ThreeMachines.TestCase
TestThreeMachines.settings = settings(
    max_examples=settings().max_examples if settings().max_examples > 100 else 12,
    stateful_step_count=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
