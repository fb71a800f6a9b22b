"""The library: what there is, from a cache that may be in any state."""

import os
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import pytest

from quiz.bank.catalogue import title_of
from quiz.bank.library import Library, open_library, pack_files
from quiz.errors import NoTopicError, UsageError

PACK = 'format: 1\npack: {id}\ntitle: T\nversion: "1"\nquestions:\n  - {{id: q, kind: card, prompt: p, back: b}}\n'


def install(data: Path, name: str, text: str) -> Path:
    path = data / "packs" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_the_shipped_packs_come_in_teaching_order_and_installed_ones_after(tmp_path: Path) -> None:
    install(tmp_path, "a.yaml", PACK.format(id="a"))
    with open_library(tmp_path) as library:
        assert [pack.id for pack in library.packs()] == ["head_dim", "divisibility", "gqa", "mla", "a"]


def test_an_edit_is_seen_at_the_next_start_and_a_deleted_file_is_forgotten(tmp_path: Path) -> None:
    path = install(tmp_path, "a.yaml", PACK.format(id="a"))
    with open_library(tmp_path) as library:
        assert library.posed("a/q").question.prompt == "p"
    path.write_text(PACK.format(id="a").replace("prompt: p", "prompt: new"), encoding="utf-8")
    with open_library(tmp_path) as library:
        assert library.posed("a/q").question.prompt == "new"
    path.unlink()
    with open_library(tmp_path) as library, pytest.raises(UsageError, match="no question"):
        library.posed("a/q")


def test_the_stamp_is_another_one_once_a_question_may_have_come_gone_or_moved(tmp_path: Path) -> None:
    def stamp() -> str:
        with open_library(tmp_path) as library:
            return library.stamp()

    before = stamp()
    assert stamp() == before
    path = install(tmp_path, "a.yaml", PACK.format(id="a"))
    added = stamp()
    path.write_text(PACK.format(id="a").replace("id: q,", "id: q, depth: onsite,"), encoding="utf-8")
    assert len({before, added, stamp()}) == 3
    (tmp_path / "catalogue.db").unlink()
    path.write_text(PACK.format(id="a"), encoding="utf-8")
    assert stamp() == added
    path.unlink()
    assert stamp() == before


def test_a_broken_pack_is_left_out_with_its_faults_and_the_others_work(tmp_path: Path) -> None:
    install(tmp_path, "bad.yaml", "format: [")
    with open_library(tmp_path) as library:
        assert Path(library.faults[0].file).name == "bad.yaml"
        assert len(library.packs()) == 4


@pytest.mark.parametrize("order", [("a.yaml", "b.yaml"), ("b.yaml", "a.yaml")])
def test_of_two_packs_of_one_id_the_first_by_name_counts_whichever_came_first(
    tmp_path: Path, order: tuple[str, str]
) -> None:
    for name in order:
        install(tmp_path, name, "# a comment\n" + PACK.format(id="same"))
        open_library(tmp_path).close()
    for _ in range(2):
        with open_library(tmp_path) as library:
            assert [Path(pack.file).name for pack in library.packs() if pack.id == "same"] == ["a.yaml"]
            assert [(fault.rule, Path(fault.file).name, fault.line) for fault in library.faults] == [
                ("duplicate-pack", "b.yaml", 3)
            ]
            assert str(tmp_path / "packs" / "a.yaml") in library.faults[0].message
            assert library.posed("same/q").question.prompt == "p"


def test_a_shipped_pack_has_its_id_even_if_an_installed_one_had_it_before(tmp_path: Path) -> None:
    shipped, cache = tmp_path / "shipped", tmp_path / "catalogue.db"
    installed = install(tmp_path, "a.yaml", PACK.format(id="same")).parent
    Library(shipped, installed, cache).close()
    shipped.mkdir()
    (shipped / "z.yaml").write_text(PACK.format(id="same"), encoding="utf-8")
    for _ in range(2):
        with Library(shipped, installed, cache) as library:
            assert [pack.shipped for pack in library.packs()] == [True]
            assert [Path(fault.file).name for fault in library.faults] == ["a.yaml"]
    (shipped / "z.yaml").unlink()
    with Library(shipped, installed, cache) as library:
        assert [pack.shipped for pack in library.packs()] == [False]
        assert library.faults == ()


@pytest.mark.parametrize("damage", [b"", b"no database" * 1000, None])
def test_a_damaged_cache_is_done_without(tmp_path: Path, damage: bytes | None) -> None:
    with open_library(tmp_path) as library:
        before = library.entries()
    cache = tmp_path / "catalogue.db"
    if damage is None:
        with sqlite3.connect(cache) as database:
            database.execute("DROP TABLE question")
        database.close()
    else:
        cache.write_bytes(damage)
    for _ in range(2):
        with open_library(tmp_path) as library:
            assert library.entries() == before


def test_a_page_that_turns_out_to_be_damaged_is_done_without(tmp_path: Path) -> None:
    with open_library(tmp_path) as library:
        before = [library.posed(entry.key) for entry in library.entries()]
    cache = tmp_path / "catalogue.db"
    with open_library(tmp_path) as library:
        content = cache.read_bytes()
        cache.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
        assert [library.posed(entry.key) for entry in library.entries()] == before


def test_a_broken_pack_is_read_once_and_told_every_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = install(tmp_path, "a.yaml", "format: 1\npack: a\n")
    with open_library(tmp_path) as library:
        first = library.faults
    assert [fault.rule for fault in first] == ["missing-key", "missing-key", "missing-key"]
    with monkeypatch.context() as patch:
        patch.setattr("quiz.bank.reader.read_pack", None)
        with open_library(tmp_path) as library:
            assert library.faults == first
    file.write_text(PACK.format(id="a"), encoding="utf-8")
    with open_library(tmp_path) as library:
        assert library.faults == ()
        assert library.posed("a/q").question.prompt == "p"


def test_a_file_that_looks_as_it_did_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = install(tmp_path, "a.yaml", PACK.format(id="a"))
    os.utime(path, (1_000_000_000, 1_000_000_000))
    open_library(tmp_path).close()
    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_bytes", None)
        with open_library(tmp_path) as library:
            assert library.posed("a/q").question.prompt == "p"
    path.write_text(PACK.format(id="a").replace("prompt: p", "prompt: n"), encoding="utf-8")
    with open_library(tmp_path) as library:
        assert library.posed("a/q").question.prompt == "n"


class Met:
    """A past in which these questions were answered, and nothing is known of how far."""

    def __init__(self, keys: set[str]) -> None:
        self.keys = keys

    def met(self, keys: Sequence[str]) -> Mapping[str, bool]:
        return dict.fromkeys(self.keys & set(keys), True)

    def reached(self, pack: str, depth: str, stamp: str) -> tuple[int, int]:
        return (0, 0)

    def reach(self, pack: str, depth: str, stamp: str, place: tuple[int, int]) -> None:
        raise AssertionError("so short a way is not worth keeping")


def test_what_is_asked_and_the_first_others_by_lesson_and_depth_come_in_order(tmp_path: Path) -> None:
    questions = [("a", "one", "screen"), ("b", "two", "screen"), ("c", "one", "screen"), ("d", "one", "onsite")]
    lines = [
        f"  - {{id: {name}, kind: card, lesson: {lesson}, depth: {depth}, prompt: p, back: b}}\n"
        for name, lesson, depth in questions
    ]
    lessons = "lessons: [{id: one, title: T, tldr: T, body: B}, {id: two, title: T, tldr: T, body: B}]\n"
    install(
        tmp_path, "own.yaml", f'format: 1\npack: own\ntitle: O\nversion: "1"\n{lessons}questions:\n{"".join(lines)}'
    )

    def ids(asked: set[str], fresh: int, *topics: str, met: Collection[str] = ()) -> list[str]:
        new = library.unmet(Met(asked.union(met)), fresh, topics)
        return [entry.id for entry in library.in_order([*library.of(asked, topics), *new])]

    with Library(tmp_path / "none", tmp_path / "packs", tmp_path / "catalogue.db") as library:
        assert ids(set(), 1) == ["a", "d"]
        assert ids({"own/a"}, 1, "own") == ["a", "c", "d"]
        assert ids(set(), 1, met={"own/a", "own/d"}) == ["a", "c"]
        assert ids({"own/b"}, 0) == ["b"]
        assert ids({"own/a", "gone/x", "\udcff"}, 9) == ["a", "b", "c", "d"]
        assert ids({"own/b"}, 9, "own/one") == ["a", "c", "d"]
        assert library.totals() == {"own": 4}
        with pytest.raises(UsageError):
            ids(set(), 1, "own/three")


def test_what_is_no_file_is_no_pack(tmp_path: Path) -> None:
    install(tmp_path, "a.yaml", PACK.format(id="a"))
    os.mkfifo(tmp_path / "packs" / "pipe.yaml")
    (tmp_path / "packs" / "zero.yaml").symlink_to("/dev/zero")
    assert [path.name for path in pack_files(tmp_path / "packs")] == ["a.yaml"]


def test_an_unknown_key_names_the_nearest(tmp_path: Path) -> None:
    with open_library(tmp_path) as library:
        with pytest.raises(UsageError, match="did you mean gqa/cache-bytes-per-token"):
            library.posed("gqa/cache-byte-per-token")
        with pytest.raises(UsageError):
            library.posed("\udcff")


def test_an_id_reads_as_a_title() -> None:
    assert title_of("cache-bytes_per-token") == "cache bytes per token"


def test_a_former_key_is_answered_with_the_present_one(tmp_path: Path) -> None:
    install(tmp_path, "a.yaml", PACK.format(id="a").replace("id: q,", "id: new-name, was: [q],"))
    with open_library(tmp_path) as library, pytest.raises(UsageError, match="it is now called a/new-name"):
        library.posed("a/q")


def test_misconceptions_are_told_in_the_words_of_their_pack(tmp_path: Path) -> None:
    idea = 'misconceptions:\n  all-heads: {says: "Counts [all] heads", truth: Only KV heads}\n'
    install(tmp_path, "a.yaml", PACK.format(id="a").replace("questions:", f"{idea}questions:"))
    with open_library(tmp_path) as library:
        assert library.ideas(["all-heads", "unheard-of"]) == {"all-heads": ("Counts [all] heads", "Only KV heads")}
        assert library.ideas([]) == {}


@pytest.mark.parametrize(
    ("topic", "near"),
    [("gqaa", "gqa"), ("gqa/kv-cach", "gqa/kv-cache"), ("mla/kv-cache", "mla/latent-cache"), ("weather", None)],
)
def test_a_topic_that_is_not_there_is_answered_by_the_nearest_of_its_pack(
    topic: str, near: str | None, tmp_path: Path
) -> None:
    with open_library(tmp_path) as library, pytest.raises(NoTopicError) as raised:
        library.check_topics(["gqa", topic])
    assert (raised.value.topic, raised.value.near) == (topic, near)
    assert ("did you mean" in str(raised.value)) == (near is not None)
