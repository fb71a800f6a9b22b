"""Installing packs, and never at the cost of another file."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from quiz.bank.changes import Changes
from quiz.bank.library import Library, open_library
from quiz.bank.pack import Pack
from quiz.bank.reader import read_pack_text
from quiz.bank.shelf import install, plan, remove_pack
from quiz.errors import StorageError, UsageError

PACK = """\
format: 1
pack: {id}
title: Mine
version: "{version}"
questions:
  - {{id: one, kind: text, prompt: What is cached?, accept: [latent]}}
"""


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with open_library(tmp_path) as opened:
        yield opened


def arrival(name: str = "mine", version: str = "1.0") -> tuple[Pack, bytes]:
    text = PACK.format(id=name, version=version)
    return read_pack_text(text, "it.yaml").pack, text.encode()


def put(data: Path, *arrivals: tuple[Pack, bytes]) -> None:
    with open_library(data) as opened:
        install(plan(opened, data, arrivals), data)


def versions(data: Path) -> dict[str, str]:
    with open_library(data) as opened:
        return {one.id: one.version for one in opened.packs() if not one.shipped}


def everything(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_packs_are_kept_under_their_ids(tmp_path: Path) -> None:
    put(tmp_path, arrival("mine"), arrival("yours", "2.0"))
    assert versions(tmp_path) == {"mine": "1.0", "yours": "2.0"}
    assert sorted(everything(tmp_path / "packs")) == ["mine.yaml", "yours.yaml"]


def test_an_update_goes_to_the_file_the_pack_is_in(tmp_path: Path) -> None:
    kept = tmp_path / "packs" / "put-there-by-hand.yaml"
    kept.parent.mkdir()
    kept.write_bytes(arrival()[1])
    put(tmp_path, arrival(version="1.1"))
    assert versions(tmp_path) == {"mine": "1.1"}
    assert list(everything(kept.parent)) == ["put-there-by-hand.yaml"]


def test_a_plan_knows_what_is_new_what_is_the_same_and_what_goes_back(tmp_path: Path) -> None:
    put(tmp_path, arrival("mine", "1.1"), arrival("yours"))
    with open_library(tmp_path) as opened:
        back, same, new = plan(opened, tmp_path, [arrival("mine"), arrival("yours"), arrival("new")])
    assert back.before is not None
    assert (back.before.version, back.is_downgrade, back.is_same) == ("1.1", True, False)
    assert (same.is_same, same.is_downgrade) == (True, False)
    assert (new.before, new.questions) == (None, Changes(added=("one",)))


def test_a_file_in_the_way_is_never_overwritten(library: Library, tmp_path: Path) -> None:
    kept = tmp_path / "packs" / "mine.yaml"
    kept.parent.mkdir()
    kept.write_text("broken: [by an edit", encoding="utf-8")
    with pytest.raises(UsageError, match="in the way"):
        plan(library, tmp_path, [arrival()])


def test_a_shipped_id_is_taken(library: Library, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="comes with quiz"):
        plan(library, tmp_path, [arrival("gqa")])


def test_ids_that_a_disk_may_not_tell_apart_do_not_come_together(library: Library, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="too alike"):
        plan(library, tmp_path, [arrival("mine"), arrival("Mine")])


def test_if_one_cannot_be_written_none_is_and_the_old_ones_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, arrival("a"))
    before = everything(tmp_path / "packs")
    real = Path.replace

    def fails_at_c(self: Path, target: Any) -> Path:
        if Path(target).name == "c.yaml":
            raise OSError(28, "No space left on device")
        return real(self, target)

    monkeypatch.setattr(Path, "replace", fails_at_c)
    with pytest.raises(StorageError, match=r"nothing was added.*No space left"):
        put(tmp_path, arrival("a", "2.0"), arrival("b"), arrival("c"))
    assert everything(tmp_path / "packs") == before


def test_a_folder_that_cannot_be_written_is_said(library: Library, tmp_path: Path) -> None:
    (tmp_path / "packs").write_text("a file", encoding="utf-8")
    with pytest.raises(StorageError, match="nothing was added"):
        install(plan(library, tmp_path, [arrival()]), tmp_path)


def test_a_broken_pack_can_be_removed(library: Library, tmp_path: Path) -> None:
    kept = tmp_path / "packs" / "mine.yaml"
    kept.parent.mkdir()
    kept.write_text("broken: [by an edit", encoding="utf-8")
    assert remove_pack(library, tmp_path, "mine") == kept
    assert not kept.exists()


def test_an_installed_pack_whose_id_is_shipped_since_can_be_removed(tmp_path: Path) -> None:
    kept = tmp_path / "packs" / "gqa.yaml"
    kept.parent.mkdir()
    kept.write_bytes(arrival("gqa")[1])
    with open_library(tmp_path) as opened:
        assert remove_pack(opened, tmp_path, "gqa") == kept
    assert not kept.exists()


def test_shipped_and_unknown_packs_cannot_be_removed(library: Library, tmp_path: Path) -> None:
    for name in ("gqa", "nothing"):
        with pytest.raises(UsageError):
            remove_pack(library, tmp_path, name)
