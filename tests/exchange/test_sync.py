"""Several devices, one carried folder: all end with what all of them did, whatever the order."""

import json
import os
import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from quiz.errors import StorageError, UsageError
from quiz.exchange.devicelog import LONGEST_LINE
from quiz.exchange.sync import Synced, sync
from quiz.memory import schedule
from quiz.memory.acts import Deed, Entry, acted
from quiz.memory.cards import Card
from quiz.memory.days import Moment, moment
from quiz.memory.progress import progress_json
from quiz.memory.reviews import Review, ReviewLog, new_id
from tests.memory.catalogue import Listed, Question
from tests.memory.plain import figures_of

# Where there is a disk in memory, hundreds of small logs are written there: waiting for a real one proves nothing here.
MEMORY = Path("/dev/shm")
START = datetime(2026, 5, 1, 12, tzinfo=UTC)
DEEDS: tuple[Deed, ...] = ("suspend", "resume", "bury", "flag", "unflag", "reset", "known")
KEYS = ("p/one", "p/two")


def at(minutes: float = 0, days: float = 0) -> Moment:
    return moment(START + timedelta(days=days, minutes=minutes), UTC)


class Device:
    """A machine with a log of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.log = ReviewLog.open(path)
        self.sitting = new_id()

    def answer(self, key: str = "p/one", rating: int = schedule.GOOD, when: Moment | None = None, **other: Any) -> Card:
        when, before = when or at(), self.log.card(key)
        values: dict[str, Any] = {
            "id": new_id(),
            "key": key,
            "seed": 2**63 - 1,
            "pack": key.partition("/")[0],
            "pack_version": "1.0.0",
            "givens": {"num_heads": 8, "share": Fraction(1, 3), "dtype": "bf16"},
            "moment": when,
            "typed": "128",
            "verdict": "right",
            "credit": Fraction(1, 2),
            "misconception": "query-heads" if rating == schedule.AGAIN else None,
            "proposed": rating,
            "rating": rating,
            "thinking_ms": 12_000,
            "hints": 1,
            "sitting": self.sitting,
            "device": self.log.device_id,
            "before": before,
            "after": schedule.review(before, rating, when),
        }
        return self.log.record(Review(**(values | other))).after

    def sync(self, folder: Path, when: Moment | None = None) -> Synced:
        return sync(self.log, folder, when or at(days=1))

    def file(self, folder: Path) -> Path:
        return folder / f"quiz-{self.log.device_id}.jsonl"


class Machines:
    """As many devices as asked for."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder = folder
        self._stack = stack

    def __call__(self, name: str) -> Device:
        device = Device(self._folder / name / "quiz.db")
        self._stack.callback(device.log.close)
        return device


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machines]:
    with ExitStack() as stack:
        yield Machines(tmp_path, stack)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "carried"
    made.mkdir()
    return made


def first_line(version: int = 1) -> str:
    return json.dumps({"log": version, "device": new_id()}) + "\n"


def standing(log: ReviewLog) -> dict[str, Any]:
    """All that should be the same on every device: the cards, what counts, the figures; in the same order anywhere."""
    entries = sorted((one for one in log.history() if not is_merge(one)), key=lambda one: one.id)
    totals = log.totals()
    listed = Listed([Question(key, key.partition("/")[0]) for key in sorted(log.cards())])
    figures = progress_json(figures_of(log, listed, at(days=30), new_per_day=5, introduced=0))
    return {
        "cards": log.cards(),
        "entries": entries,
        "introduced": {day: log.introduced_on(day) for day in sorted({one.moment.day for one in entries})},
        "days": sorted(totals.days),
        "sittings": totals.sittings,
        "others": (totals.packs, totals.ratios, totals.paces),
        # All but the pace of the newest answers: which those are, each device may see otherwise.
        "figures": {name: one for name, one in figures.items() if name != "pace"},
    }


def is_merge(entry: Entry) -> bool:
    return not isinstance(entry, Review) and entry.act == "merge"


def replay_of_all(log: ReviewLog) -> dict[str, Card]:
    """The cards that what counts leads to, by the clock alone: nothing that was stored of a card is used."""
    cards: dict[str, Card] = {}
    entries = [one for one in log.history() if not is_merge(one)]
    for one in sorted(entries, key=lambda one: (one.moment.instant, one.device)):
        card = cards.get(one.key, Card(one.key))
        if isinstance(one, Review):
            cards[one.key] = schedule.review(card, one.rating, one.moment)
        elif one.act != "merge":
            cards[one.key] = acted(card, one.act, one.moment)
    return {key: card for key, card in cards.items() if card != Card(key)}


def test_two_devices_come_to_know_what_both_did(machine: Machines, folder: Path) -> None:
    desk, laptop = machine("desk"), machine("laptop")
    desk.answer("p/one", schedule.EASY, at())
    laptop.answer("p/two", schedule.AGAIN, at(5), disputed=True, typed="\ud800\x00 12\u00a08")
    laptop.log.act("p/two", "flag", at(6), laptop.sitting)
    assert [desk.sync(folder).new, laptop.sync(folder).new, desk.sync(folder).new] == [0, 1, 2]
    assert standing(desk.log) == standing(laptop.log)
    assert [one.typed for one in desk.log.disputes()] == ["\ud800\x00 12\u00a08"]
    assert desk.log.cards() == replay_of_all(desk.log)


def test_interleaved_answers_are_scheduled_as_if_given_on_one_device(machine: Machines, folder: Path) -> None:
    desk, laptop, single = machine("desk"), machine("laptop"), machine("single")
    for day, (device, rating) in enumerate([(desk, 4), (laptop, 3), (desk, 1), (laptop, 3), (desk, 4)]):
        device.answer(rating=rating, when=at(days=3 * day))
        single.answer(rating=rating, when=at(days=3 * day))
    for device in (desk, laptop, desk):
        device.sync(folder, at(days=20))
    assert desk.log.card("p/one") == laptop.log.card("p/one") == single.log.card("p/one")


def test_what_came_by_an_archive_is_passed_on_too(machine: Machines, folder: Path) -> None:
    old, new, third = machine("old"), machine("new"), machine("third")
    old.answer("p/a")
    old.answer("p/b", schedule.AGAIN)
    old.log.undo_last(at(1))
    new.log.union().take_in(list(old.log.union().entries()), at(2), new_id())
    assert new.sync(folder).sent == 3
    assert third.sync(folder).new == 3
    assert standing(third.log) == standing(new.log) == standing(old.log)
    # Whoever has a file of their own needs nobody to pass theirs on.
    assert [new.sync(folder).sent, third.sync(folder).sent, old.sync(folder).sent] == [0, 0, 3]
    assert [one.sync(folder).sent for one in (new, third, old)] == [0, 0, 0]


def test_what_only_this_device_still_holds_of_another_is_passed_on(machine: Machines, folder: Path) -> None:
    laptop, desktop = machine("laptop"), machine("desktop")
    backup = laptop.log.back_up(at(0).instant)
    laptop.answer("p/a")
    laptop.sync(folder)
    desktop.sync(folder)
    laptop.file(folder).unlink()
    laptop.log.restore(backup, at(1).instant)
    assert laptop.sync(folder).new == 0
    assert desktop.sync(folder).sent == 1
    assert laptop.sync(folder).new == 1
    assert standing(laptop.log) == standing(desktop.log)


def test_to_sync_again_changes_nothing_and_writes_nothing(machine: Machines, folder: Path) -> None:
    desk, laptop = machine("desk"), machine("laptop")
    desk.answer()
    laptop.answer("p/two")
    for device in (desk, laptop, desk, laptop):
        device.sync(folder)
    before, files = standing(desk.log), {one.name: (one.read_bytes(), one.stat().st_ino) for one in folder.iterdir()}
    again = desk.sync(folder, at(days=9))
    assert (again.new, again.sent, again.sound) == (0, 0, True)
    assert standing(desk.log) == before
    assert {one.name: (one.read_bytes(), one.stat().st_ino) for one in folder.iterdir()} == files


def test_a_device_continues_its_own_file_and_touches_no_other(machine: Machines, folder: Path) -> None:
    desk, laptop = machine("desk"), machine("laptop")
    desk.answer()
    desk.sync(folder)
    first = desk.file(folder).read_bytes()
    laptop.answer("p/two")
    laptop.sync(folder)
    assert desk.file(folder).read_bytes() == first
    desk.answer("p/three", when=at(9))
    assert desk.sync(folder).sent == 1
    assert desk.file(folder).read_bytes().startswith(first)
    assert {one.name for one in folder.iterdir()} == {desk.file(folder).name, laptop.file(folder).name}


def test_undo_takes_back_what_this_device_did_last_and_others_learn_of_it(machine: Machines, folder: Path) -> None:
    desk, laptop = machine("desk"), machine("laptop")
    desk.answer("p/one", schedule.EASY, at())
    laptop.answer("p/one", schedule.AGAIN, at(5))
    for device in (desk, laptop, desk):
        device.sync(folder)
    alone = Device(desk.path.with_name("alone.db"))
    alone.answer("p/one", schedule.AGAIN, at(5))
    taken = desk.log.undo_last(at(10))
    assert isinstance(taken, Review)
    assert (taken.device, taken.rating) == (desk.log.device_id, schedule.EASY)
    assert desk.log.card("p/one") == alone.log.card("p/one")
    assert desk.log.undo_last(at(11)) is None
    alone.log.close()
    for device in (desk, laptop):
        device.sync(folder)
    assert standing(desk.log) == standing(laptop.log)
    assert desk.log.check().sound
    assert laptop.log.check().sound


def test_an_answer_after_a_sync_is_undone_exactly(machine: Machines, folder: Path) -> None:
    desk, laptop = machine("desk"), machine("laptop")
    desk.answer(when=at())
    laptop.answer(rating=schedule.HARD, when=at(3))
    for device in (laptop, desk):
        device.sync(folder)
    before = standing(desk.log)
    desk.answer(rating=schedule.EASY, when=at(30))
    desk.log.undo_last(at(31))
    assert standing(desk.log) == before


def test_copies_that_the_carrier_made_after_a_conflict_are_read_too(machine: Machines, folder: Path) -> None:
    desk, laptop = machine("desk"), machine("laptop")
    names = (
        "{} (conflicted copy 2026-05-01 120000).jsonl",
        "{}.sync-conflict-20260501-120000-ABCDEFG.jsonl",
        "{} (1).JSONL",
    )
    for number, name in enumerate(names):
        desk.answer(f"p/{number}")
        desk.sync(folder)
        shutil.move(desk.file(folder), folder / name.format(desk.file(folder).stem))
        # The next sync writes anew; here only the copies are left.
    assert laptop.sync(folder).new == 3
    assert laptop.log.cards() == desk.log.cards()


def test_a_file_that_git_left_with_marks_of_a_conflict_is_read_and_then_written_anew(
    machine: Machines, folder: Path
) -> None:
    desk, laptop = machine("desk"), machine("laptop")
    for key in KEYS:
        desk.answer(key)
    desk.sync(folder)
    head, first, second = desk.file(folder).read_text().splitlines()
    marked = [head, "<<<<<<< HEAD", first, "=======", second, ">>>>>>> laptop", ""]
    desk.file(folder).write_text("\n".join(marked))
    done = laptop.sync(folder)
    assert (done.new, done.sound) == (2, True)
    desk.sync(folder)
    assert desk.file(folder).read_text().splitlines() == [head, first, second]


def test_a_half_written_last_line_is_left_out_and_told(machine: Machines, folder: Path) -> None:
    desk, laptop = machine("desk"), machine("laptop")
    for key in KEYS:
        desk.answer(key)
    desk.sync(folder)
    whole = desk.file(folder).read_bytes()
    desk.file(folder).write_bytes(whole[:-40])
    done = laptop.sync(folder)
    assert (done.new, done.sound, done.files[0].cut) == (1, True, True)
    assert done.files[0].problems.count == 0
    desk.sync(folder)
    assert desk.file(folder).read_bytes() == whole
    assert laptop.sync(folder).new == 1


def test_a_file_cut_anywhere_gives_what_is_whole_and_nothing_else(machine: Machines, folder: Path) -> None:
    desk = machine("desk")
    for number in range(6):
        desk.answer(f"p/{number}", when=at(number))
    desk.sync(folder)
    whole = desk.file(folder).read_bytes()
    for number, length in enumerate(random.Random(7).sample(range(len(whole)), 12)):
        desk.file(folder).write_bytes(whole[:length])
        reader = machine(f"reader-{number}")
        done = reader.sync(folder)
        assert done.new == max(0, whole[:length].count(b"\n") - 1)
        assert done.sound
        reader.file(folder).unlink()


def test_what_comes_later_fills_the_gap_that_a_damaged_line_left(machine: Machines, folder: Path) -> None:
    desk, laptop = machine("desk"), machine("laptop")
    for minute in range(4):
        desk.answer(rating=schedule.AGAIN if minute == 1 else schedule.GOOD, when=at(11 * minute))
    desk.log.undo_last(at(50))
    desk.sync(folder)
    whole = desk.file(folder).read_bytes()
    lines = whole.splitlines(keepends=True)
    # The second answer, and the one that is taken back.
    desk.file(folder).write_bytes(b"".join([*lines[:2], b"{broken\n", lines[3], b"\x00\xff\n", *lines[5:]]))
    done = laptop.sync(folder)
    assert [problem.line for problem in done.files[0].problems.told] == [3, 5]
    assert (done.new, done.waiting, done.sound) == (2, 1, False)
    assert laptop.log.check().sound
    desk.file(folder).write_bytes(whole)
    again = laptop.sync(folder)
    assert (again.new, again.waiting, again.sound) == (3, 0, True)
    assert standing(laptop.log) == standing(desk.log)


def test_a_home_that_went_back_to_a_backup_gets_its_own_answers_back(machine: Machines, folder: Path) -> None:
    desk = machine("desk")
    desk.answer("p/one", when=at())
    backup = desk.log.back_up(at(1).instant)
    desk.answer("p/two", when=at(2))
    desk.sync(folder)
    before = standing(desk.log)
    desk.log.restore(backup, at(3).instant)
    desk.answer("p/three", when=at(4))
    assert desk.sync(folder).new == 1
    for key, card in before["cards"].items():
        assert desk.log.card(key) == card
    assert len(desk.file(folder).read_text().splitlines()) == 4
    assert desk.log.check().sound


def test_answers_from_a_clock_years_ahead_wait_and_move_no_card(machine: Machines, folder: Path) -> None:
    desk, laptop = machine("desk"), machine("laptop")
    card = desk.answer(when=at())
    laptop.answer(rating=schedule.EASY, when=at(days=365 * 60))
    laptop.sync(folder)
    done = desk.sync(folder, at(days=1))
    assert (done.new, done.held_back, done.sound) == (0, 1, True)
    assert desk.log.card("p/one") == card
    assert desk.sync(folder, at(days=365 * 60)).new == 1


def test_answers_given_while_the_clock_went_back_end_the_same_everywhere(machine: Machines, folder: Path) -> None:
    desk, laptop = machine("desk"), machine("laptop")
    desk.answer(rating=schedule.EASY, when=at(days=3))
    desk.answer(rating=schedule.AGAIN, when=at())
    desk.sync(folder, at(days=3))
    laptop.sync(folder, at(days=3))
    assert desk.log.cards() == laptop.log.cards() == replay_of_all(desk.log)
    assert desk.log.check().sound
    assert desk.log.rebuild() == 0


def test_what_an_answer_led_to_under_earlier_settings_stands_on_other_devices_too(
    machine: Machines, folder: Path
) -> None:
    desk, laptop = machine("desk"), machine("laptop")
    strict = schedule.Parameters(desired_retention=0.97)
    card = desk.answer(after=schedule.review(Card("p/one"), schedule.EASY, at(), strict), rating=schedule.EASY)
    assert card.due_day != schedule.review(Card("p/one"), schedule.EASY, at()).due_day
    for device in (desk, laptop):
        device.sync(folder)
    assert laptop.log.card("p/one") == card


@pytest.mark.parametrize("own", [True, False])
def test_a_file_of_a_newer_version_is_refused_and_left_as_it_is(own: bool, machine: Machines, folder: Path) -> None:
    desk, laptop = machine("desk"), machine("laptop")
    laptop.answer()
    laptop.sync(folder)
    newer = (desk if own else laptop).file(folder)
    newer.write_text(first_line(2) + '{"id": 1}\n')
    before = newer.read_bytes()
    desk.answer("p/two")
    if own:
        with pytest.raises(StorageError, match="newer version of quiz and was left as it is; update quiz"):
            desk.sync(folder)
    else:
        done = desk.sync(folder)
        assert not done.sound
        assert "format 2, this one knows 1" in str(done.files[0].problems.told[0])
        assert desk.file(folder).exists()
    assert newer.read_bytes() == before


HEAD = {
    "id": "00000000-0000-4000-8000-000000000001",
    "key": "p/one",
    "at": "2026-05-01T12:00:00+00:00",
    "offset": 0,
    "day": 9617,
    "device": "x",
    "sitting": "y",
}
ANSWER: dict[str, Any] = {
    **HEAD,
    **{"seed": 1, "pack": "p", "version": "1", "givens": {}, "typed": "", "verdict": "right", "credit": "1"},
    **{"misconception": None, "proposed": 3, "rating": 3, "thinking_ms": 1, "hints": 0, "disputed": False},
    "before": {},
    "after": {
        **{"state": "learning", "step": 1, "stability": 2.3065, "difficulty": 2.118, "last_day": 9617, "reps": 1},
        "due_at": "2026-05-01T12:10:00+00:00",
    },
}


def other(**changed: Any) -> dict[str, Any]:
    return {**ANSWER, **changed}


def after(**changed: Any) -> dict[str, Any]:
    return other(after={**ANSWER["after"], **changed})


HOSTILE = {
    "a list": [],
    "a number": 7,
    "no id": other(id="1"),
    "an id that is an object": other(id={}),
    "a key that is no text": other(key=["p"]),
    "a key without end": other(key="p/" + "q" * 600),
    "half a surrogate pair in a key": other(key="p/\ud800"),
    "a time of day alone": other(at="12:00"),
    "the year 1": other(at="0001-01-01T00:00:00+14:00"),
    "the year 9999": other(at="9999-12-31T23:59:59+00:00"),
    "a study day of another century": other(day=900_000),
    "a study day that is true": other(day=True),
    "an offset of years": other(offset=10**9),
    "a seed beyond the database": other(seed=2**63),
    "a huge number": other(thinking_ms=10**4000),
    "a rating of five": other(rating=5),
    "a credit that would fill the memory": other(credit="1e999999999"),
    "a credit divided by nothing": other(credit="1/0"),
    "givens in givens": other(givens={"a": {"b": 1}}),
    "a given divided by nothing": other(givens={"a": "1/0"}),
    "an unknown verdict": other(verdict="splendid"),
    "no card": other(after=None),
    "a stability that is no number": after(stability=float("nan")),
    "an infinite stability": after(stability=float("inf")),
    "a state of its own": after(state="mastered"),
    "a step of one and a half": after(step=1.5),
    "a hundred repetitions at once": after(reps=100),
    "due in another century": after(due_at=None, due_day=9617 + 36_501, state="review", step=None),
    "due years from now within a step": after(due_at="2031-05-01T12:10:00+00:00"),
    "reviewed on another day": after(last_day=9717),
    "a mark it did not make": after(suspended=True),
    "an act nobody knows": {**HEAD, "act": "levitate", "before": {}, "after": {}},
    "a merge": {**HEAD, "act": "merge", "before": {}, "after": ANSWER["after"]},
    "a flag that makes the card known": {**HEAD, "act": "flag", "before": {}, "after": ANSWER["after"]},
    "an undo of no id": {**HEAD, "undoes": "../../etc/passwd"},
}


@pytest.mark.parametrize("document", [pytest.param(value, id=name) for name, value in HOSTILE.items()])
def test_an_entry_that_cannot_be_is_left_out_with_its_line(document: Any, machine: Machines, folder: Path) -> None:
    lines = [document, other(id=new_id(), key="p/good")]
    (folder / "quiz-stranger.jsonl").write_text(first_line() + "".join(f"{json.dumps(line)}\n" for line in lines))
    desk = machine("desk")
    done = desk.sync(folder)
    assert (done.new, done.sound) == (1, False)
    assert [problem.line for problem in done.files[0].problems.told] == [2]
    assert set(desk.log.cards()) == {"p/good"}
    assert desk.log.check().sound


def test_the_examples_of_what_is_left_out_are_otherwise_good(machine: Machines, folder: Path) -> None:
    lines = [ANSWER, {**HEAD, "id": new_id(), "undoes": ANSWER["id"]}]
    (folder / "quiz-stranger.jsonl").write_text(first_line() + "".join(f"{json.dumps(line)}\n" for line in lines))
    desk = machine("desk")
    assert (desk.sync(folder).new, desk.log.cards()) == (2, {})


def test_what_only_looks_like_a_log_is_left_unread_and_told(machine: Machines, folder: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.jsonl"
    secret.write_text("a secret\n")
    (folder / "quiz-link.jsonl").symlink_to(secret)
    (folder / "quiz-folder.jsonl").mkdir()
    os.mkfifo(folder / "quiz-pipe.jsonl")
    (folder / "quiz-notes.jsonl").write_text("dear diary\n")
    (folder / "quiz-deep.jsonl").write_text("[" * 100_000 + "\n")
    (folder / "quiz-long.jsonl").write_text(first_line() + '"' + "x" * (3 * LONGEST_LINE) + '"\n')
    (folder / "notes.jsonl").write_text("not for us\n")
    done = machine("desk").sync(folder)
    told = {one.name.removeprefix("quiz-").removesuffix(".jsonl"): one.problems.told for one in done.files}
    assert {name: len(problems) for name, problems in told.items()} == dict.fromkeys(
        ("link", "folder", "pipe", "notes", "deep", "long"), 1
    )
    assert not any("secret" in str(problem) for problems in told.values() for problem in problems)
    assert told["long"][0].line == 2


@given(content=st.binary(max_size=400))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
def test_no_bytes_in_the_folder_crash_a_sync(content: bytes, machine: Machines, folder: Path) -> None:
    (folder / "quiz-a.jsonl").write_bytes(content)
    (folder / "quiz-b.jsonl").write_bytes(first_line().encode() + content)
    device = machine("desk")
    assert device.sync(folder).new == 0
    device.log.close()


def test_a_link_is_not_followed_even_to_a_log(machine: Machines, folder: Path, tmp_path: Path) -> None:
    desk, elsewhere = machine("desk"), tmp_path / "elsewhere"
    elsewhere.mkdir()
    desk.answer()
    desk.sync(elsewhere)
    (folder / "quiz-link.jsonl").symlink_to(desk.file(elsewhere))
    done = machine("laptop").sync(folder)
    assert (done.new, done.files[0].problems.count) == (0, 1)


def test_an_undo_may_be_read_before_what_it_takes_back(machine: Machines, folder: Path) -> None:
    desk, laptop = machine("desk"), machine("laptop")
    desk.answer()
    desk.log.undo_last(at(1))
    desk.sync(folder)
    head, answer, undo = desk.file(folder).read_text().splitlines(keepends=True)
    (folder / "quiz-1.jsonl").write_text(head + undo)
    (folder / "quiz-2.jsonl").write_text(head + answer)
    desk.file(folder).unlink()
    done = laptop.sync(folder)
    assert (done.new, done.waiting, laptop.log.cards()) == (2, 0, {})
    assert laptop.log.check().sound


def test_a_folder_that_is_not_there_is_not_made(machine: Machines, folder: Path) -> None:
    with pytest.raises(UsageError, match="there is no folder"):
        machine("desk").sync(folder / "typo")
    assert not (folder / "typo").exists()
    (folder / "file").touch()
    with pytest.raises(UsageError, match="is no folder"):
        machine("desk").sync(folder / "file")


def test_a_folder_that_cannot_be_written_is_told_and_what_it_held_is_taken_in(
    machine: Machines, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, laptop = machine("desk"), machine("laptop")
    laptop.answer()
    laptop.sync(folder)
    desk.answer("p/two")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("quiz.exchange.devicelog.os.fsync", full)
    with pytest.raises(StorageError, match="cannot be written, so it stays as it was: No space left on device"):
        desk.sync(folder)
    assert set(desk.log.cards()) == set(KEYS)
    assert [one.name for one in folder.iterdir()] == [laptop.file(folder).name]


def test_another_window_may_sync_at_the_same_time(machine: Machines, folder: Path) -> None:
    desk, laptop = machine("desk"), machine("laptop")
    laptop.answer()
    laptop.sync(folder)
    with ReviewLog.open(desk.path) as window:
        union = window.union()
        entries = list(laptop.log.union().entries())
        assert desk.sync(folder).new == 1
        assert union.take_in(entries, at(9), new_id()) == 0
    assert desk.log.check().sound


OPERATIONS = st.lists(
    st.tuples(
        st.integers(0, 2),
        st.one_of(
            st.tuples(st.just("answer"), st.sampled_from(KEYS), st.integers(1, 4)),
            st.tuples(st.just("act"), st.sampled_from(KEYS), st.sampled_from(DEEDS)),
            st.tuples(st.just("undo"), st.none(), st.none()),
            st.tuples(st.just("sync"), st.none(), st.none()),
        ),
        # Hours until the next; now and then the clock stands, or goes back.
        st.sampled_from((0, 0, 0.2, 5, 30, 200, -2, -100)),
    ),
    max_size=24,
)


@given(operations=OPERATIONS, order=st.lists(st.integers(0, 2), max_size=5), at_once=st.sampled_from((1, 3, 1000)))
@example(
    # The clock goes back, a sync puts all in order, and what comes next is as old as what came before the sync.
    operations=[
        (0, ("answer", "p/one", 1), -2),
        (0, ("answer", "p/one", 1), 0),
        (0, ("sync", None, None), 0),
        (0, ("answer", "p/one", 1), 0),
    ],
    order=[],
    at_once=1,
)
@settings(max_examples=80)
def test_three_devices_end_alike_whatever_they_did_and_however_they_synced(
    operations: list[tuple[int, tuple[str, Any, Any], float]], order: list[int], at_once: int
) -> None:
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as name, ExitStack() as stack:
        stack.enter_context(patch("quiz.exchange.intake.AT_ONCE", at_once))
        folder = Path(name, "carried")
        folder.mkdir()
        devices = [Machines(Path(name), stack)(str(number)) for number in range(3)]
        now = START
        for number, (what, key, chosen), hours in operations:
            device, when = devices[number], moment(now, UTC)
            if what == "answer":
                before = device.log.cards()
                device.answer(key, chosen, when)
                device.log.undo_last(when, device.sitting)
                assert device.log.cards() == before
                device.answer(key, chosen, when)
            elif what == "act":
                device.log.act(key, chosen, when, device.sitting)
            elif what == "undo":
                taken = device.log.undo_last(when)
                assert taken is None or taken.device == device.log.device_id
            else:
                device.sync(folder, when)
            now += timedelta(hours=hours)
        end = moment(START + timedelta(days=400), UTC)
        # Once each, so that all of it is in the folder; then in any order and as often as it comes; then once more.
        for number in (0, 1, 2, *order, 0, 1, 2):
            devices[number].sync(folder, end)
        for device in devices:
            assert standing(device.log) == standing(devices[0].log)
            assert device.log.cards() == replay_of_all(device.log)
            assert device.log.check().sound
            assert device.log.rebuild() == 0
            with closing(sqlite3.connect(device.path)) as connection:
                rows, uuids = connection.execute("SELECT count(*), count(DISTINCT uuid) FROM review").fetchone()
            assert rows == uuids
