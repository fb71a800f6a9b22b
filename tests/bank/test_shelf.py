"""Installing packs, and never at the cost of another file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from quiz.bank.library import Library, open_library
from quiz.bank.shelf import add_pack, remove_pack
from quiz.errors import UsageError

PACK = """\
format: 1
pack: mine
title: Mine
version: "1.0"
questions:
  - {id: one, kind: text, prompt: What is cached?, accept: [latent]}
"""


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with open_library(tmp_path) as opened:
        yield opened


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "anything.yaml"
    path.write_text(PACK, encoding="utf-8")
    return path


def test_a_pack_is_kept_under_its_id(library: Library, file: Path, tmp_path: Path) -> None:
    entry = add_pack(library, tmp_path, file)
    assert (entry.id, entry.version, Path(entry.file).name) == ("mine", "1.0", "mine.yaml")


def test_a_file_in_the_way_is_never_overwritten(library: Library, file: Path, tmp_path: Path) -> None:
    kept = tmp_path / "packs" / "mine.yaml"
    kept.parent.mkdir()
    kept.write_text("broken: [by an edit", encoding="utf-8")
    with pytest.raises(UsageError, match="in the way"):
        add_pack(library, tmp_path, file)
    assert kept.read_text(encoding="utf-8") == "broken: [by an edit"


def test_a_broken_pack_can_be_removed(library: Library, tmp_path: Path) -> None:
    kept = tmp_path / "packs" / "mine.yaml"
    kept.parent.mkdir()
    kept.write_text("broken: [by an edit", encoding="utf-8")
    assert remove_pack(library, tmp_path, "mine") == kept
    assert not kept.exists()


def test_shipped_and_unknown_packs_cannot_be_removed(library: Library, tmp_path: Path) -> None:
    for name in ("gqa", "nothing"):
        with pytest.raises(UsageError):
            remove_pack(library, tmp_path, name)
