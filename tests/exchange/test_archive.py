"""Everything in one document: it comes back whole, merges, and takes from strangers only what can be."""

import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quiz.errors import StorageError, UsageError
from quiz.exchange.archive import Imported, import_archive, save_archive, write_archive
from quiz.memory import schedule
from quiz.memory.acts import Deed
from quiz.memory.days import Moment, moment
from quiz.memory.reviews import Review, ReviewLog, new_id

START = datetime(2026, 5, 1, 12, tzinfo=UTC)


def at(minutes: float = 0, days: float = 0) -> Moment:
    return moment(START + timedelta(days=days, minutes=minutes), UTC)


def answer(log: ReviewLog, key: str, rating: int, when: Moment, **other: Any) -> None:
    before = log.card(key)
    values: dict[str, Any] = {
        "id": new_id(),
        "key": key,
        "seed": 7,
        "pack": key.partition("/")[0],
        "pack_version": "1.0.0",
        "givens": {"num_heads": 8, "share": Fraction(1, 3)},
        "moment": when,
        "typed": "128",
        "verdict": "wrong" if rating == 1 else "right",
        "credit": Fraction(1, 3),
        "misconception": "query-heads" if rating == 1 else None,
        "proposed": rating,
        "rating": rating,
        "thinking_ms": 900,
        "hints": 2,
        "sitting": "s",
        "device": log.device_id,
        "before": before,
        "after": schedule.review(before, rating, when),
    }
    log.record(Review(**(values | other)))


@pytest.fixture
def log(tmp_path: Path) -> Iterator[ReviewLog]:
    """A log with all that can be in one."""
    with ReviewLog.open(tmp_path / "lived" / "quiz.db") as log:
        for day, rating in enumerate((3, 3, 1, 3, 4)):
            answer(log, "p/one", rating, at(days=2 * day))
            answer(log, "p/two", rating, at(5, days=2 * day), disputed=rating == 1, typed="\udcff\x1b[31m Ω")
        deeds: tuple[Deed, ...] = ("flag", "suspend", "bury")
        for number, deed in enumerate(deeds):
            log.act(f"p/{number}", deed, at(days=11), "s")
        log.act("q/known", "known", at(days=11), "s")
        log.act("p/two", "reset", at(days=11), "s")
        answer(log, "p/two", 4, at(days=12))
        log.undo_last(at(1, days=12))
        yield log


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[ReviewLog]:
    with ReviewLog.open(tmp_path / "empty" / "quiz.db") as log:
        yield log


def exported(log: ReviewLog) -> str:
    text = io.StringIO()
    write_archive(log, {"retention": 0.9}, at().instant, text)
    return text.getvalue()


def imported(log: ReviewLog, text: str | bytes, when: Moment | None = None) -> Imported:
    content = text.encode() if isinstance(text, str) else text
    return import_archive(log, io.BytesIO(content), "a.json", when or at(days=20))


def test_an_empty_home_gets_the_same_reviews_acts_and_cards(log: ReviewLog, empty: ReviewLog) -> None:
    done = imported(empty, exported(log))
    assert (done.entries, done.new, done.left_out, done.waiting) == (17, 17, 0, 0)
    assert list(empty.reviews()) == list(log.reviews())
    assert empty.cards() == log.cards()
    assert list(empty.disputes()) == list(log.disputes())
    assert [empty.introduced_on(at(days=day).day) for day in range(14)] == [
        log.introduced_on(at(days=day).day) for day in range(14)
    ]
    assert empty.check().sound
    assert empty.rebuild() == 0


def test_what_was_imported_is_exported_the_same_again(log: ReviewLog, empty: ReviewLog) -> None:
    first = exported(log)
    imported(empty, first)
    second = json.loads(exported(empty))
    assert {entry["id"]: entry for entry in second["entries"]} == {
        entry["id"]: entry for entry in json.loads(first)["entries"]
    }
    assert len(second["entries"]) == 17


def test_the_second_import_changes_nothing(log: ReviewLog, empty: ReviewLog, tmp_path: Path) -> None:
    text = exported(log)
    imported(empty, text)
    once = exported(empty)
    assert imported(empty, text).new == 0
    assert imported(log, once).new == 0
    assert exported(empty) == once
    assert not (tmp_path / "empty" / "backups").exists()


def test_a_log_is_backed_up_before_something_is_merged_into_it(
    log: ReviewLog, empty: ReviewLog, tmp_path: Path
) -> None:
    answer(empty, "p/own", 3, at())
    mine = empty.card("p/own")
    assert imported(empty, exported(log)).new == 17
    assert empty.card("p/own") == mine
    (backup,) = (tmp_path / "empty" / "backups").glob("quiz-*.db")
    empty.restore(backup, at(days=30).instant)
    assert set(empty.cards()) == {"p/own"}


def test_two_archives_give_the_same_in_either_order(log: ReviewLog, empty: ReviewLog, tmp_path: Path) -> None:
    answer(empty, "p/one", 2, at(days=1))
    answer(empty, "p/one", 3, at(days=5))
    texts = [exported(log), exported(empty)]
    ends = []
    for number, order in enumerate((texts, texts[::-1], [*texts, texts[0]])):
        with ReviewLog.open(tmp_path / str(number) / "quiz.db") as other:
            for text in order:
                imported(other, text)
            ends.append(other.cards())
    assert ends[0] == ends[1] == ends[2]


def test_an_archive_is_one_json_document_whose_keys_may_be_sorted_and_indented(
    log: ReviewLog, empty: ReviewLog
) -> None:
    document = json.loads(exported(log))
    assert (document["archive"], document["device"], document["settings"]) == (1, log.device_id, {"retention": 0.9})
    done = imported(empty, b"\xef\xbb\xbf" + json.dumps(document, sort_keys=True, indent=2).encode())
    assert (done.new, done.left_out, done.settings) == (17, 0, {"retention": 0.9})
    assert empty.cards() == log.cards()


def test_all_of_a_long_history_is_taken_in_piece_by_piece(
    log: ReviewLog, empty: ReviewLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quiz.exchange.intake.AT_ONCE", 3)
    monkeypatch.setattr("quiz.exchange.stream._BLOCK", 50)
    assert imported(empty, exported(log)).new == 17
    assert list(empty.reviews()) == list(log.reviews())
    assert empty.cards() == log.cards()
    assert empty.check().sound


def test_a_former_name_of_a_question_leads_to_the_present_one(log: ReviewLog, empty: ReviewLog) -> None:
    empty.rename({"p/one": "p/first"}, at())
    imported(empty, exported(log))
    renamed = {"p/first" if key == "p/one" else key for key in log.cards()}
    assert set(empty.cards()) == renamed
    assert [one.rating for one in empty.reviews("p/first")] == [one.rating for one in log.reviews("p/one")]
    assert empty.card("p/first").stability == log.card("p/one").stability


def test_entries_that_cannot_be_are_left_out_with_their_lines(log: ReviewLog, empty: ReviewLog) -> None:
    lines = exported(log).splitlines(keepends=True)
    lines[2] = "{broken,\n"
    lines[4] = lines[4].replace('"rating": 3', '"rating": 33')
    lines[6] = "null,\n"
    done = imported(empty, "".join(lines))
    assert [problem.line for problem in done.problems] == [3, 5, 7]
    assert (done.new, done.left_out, done.settings) == (14, 3, {"retention": 0.9})


def test_of_an_archive_that_was_cut_off_all_whole_entries_are_taken(log: ReviewLog, empty: ReviewLog) -> None:
    whole = exported(log)
    done = imported(empty, whole[: len(whole) * 2 // 3])
    assert done.left_out > 0
    assert 8 <= done.new <= 12
    assert imported(empty, whole).left_out == 0
    assert empty.cards() == log.cards()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no archive of quiz"),
        ("dear diary", "no archive of quiz"),
        ("[]", "no archive of quiz"),
        ('{"entries": [], "archive": 1}', "no archive of quiz"),
        ('{"archive": "1"}', "no archive of quiz"),
        ('{"archive": 2, "entries": []}', r"newer version of quiz \(format 2, this one knows 1\); update quiz"),
        ("\0" * 100, "no archive of quiz"),
        ("[" * 200_000, "no archive of quiz"),
        ('{"archive": ' + "1" * 5000, "no archive of quiz"),
    ],
)
def test_what_is_no_archive_of_this_version_is_refused_whole(text: str, told: str, empty: ReviewLog) -> None:
    with pytest.raises(UsageError, match=told):
        imported(empty, text)
    assert empty.cards() == {}


def test_an_entry_without_end_is_left_out_in_bounded_memory(empty: ReviewLog) -> None:
    class Endless(io.RawIOBase):
        read_so_far = 0

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            if self.read_so_far > 50_000_000:
                return 0
            beginning = b'{"archive": 1, "entries": [\n{"id": "' if not self.read_so_far else b""
            buffer[:] = beginning + b"x" * (len(buffer) - len(beginning))
            self.read_so_far += len(buffer)
            return len(buffer)

    import tracemalloc

    tracemalloc.start()
    try:
        done = import_archive(empty, io.BufferedReader(Endless()), "endless", at())
        assert tracemalloc.get_traced_memory()[1] < 12_000_000
    finally:
        tracemalloc.stop()
    assert (done.new, done.problems[0].line) == (0, 2)


@given(content=st.one_of(st.binary(max_size=300), st.text(alphabet='{}[],:"1 \n\\ax', max_size=80).map(str.encode)))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
def test_no_bytes_in_an_archive_crash_an_import(content: bytes, empty: ReviewLog) -> None:
    assert imported(empty, b'{"archive": 1, "entries": [' + content).new == 0
    assert imported(empty, b'{"archive": 1, ' + content).new == 0


def test_an_archive_replaces_an_earlier_one_where_it_is_to_and_nothing_else(log: ReviewLog, tmp_path: Path) -> None:
    target = tmp_path / "a.json"
    assert save_archive(log, {}, at().instant, target) == 17
    log.act("p/new", "flag", at(days=13), "s")
    with pytest.raises(UsageError, match="there already"):
        save_archive(log, {}, at().instant, target)
    assert save_archive(log, {}, at().instant, target, replace=True) == 18
    notes = tmp_path / "notes.md"
    notes.write_text("dear diary")
    with pytest.raises(UsageError, match="is no archive of quiz; choose another name"):
        save_archive(log, {}, at().instant, notes, replace=True)
    assert notes.read_text() == "dear diary"
    with pytest.raises(StorageError, match="cannot be written"):
        save_archive(log, {}, at().instant, tmp_path / "nowhere" / "a.json")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.json", "lived", "notes.md"]
