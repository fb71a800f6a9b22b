"""Where the log is, also where the learner keeps it elsewhere and has left a link to it."""

from pathlib import Path

import pytest

from quiz.desk import open_desk
from quiz.errors import StorageError
from quiz.memory.acts import Act


@pytest.fixture
def linked(tmp_path: Path) -> tuple[Path, Path]:
    """A learner's folder, and the file on another disk to which its database is a link."""
    home, disk = tmp_path / "home", tmp_path / "disk"
    home.mkdir()
    disk.mkdir()
    (home / "quiz.db").symlink_to(disk / "kept.db")
    return home, disk / "kept.db"


def flag(home: Path) -> None:
    with open_desk(home) as desk:
        desk.log.act(desk.library.entries()[0].key, "flag", desk.now(), desk.log.device_id)


def flagged(home: Path) -> int:
    with open_desk(home) as desk:
        return sum(isinstance(one, Act) and one.act == "flag" for one in desk.log.history())


def test_what_is_done_goes_where_the_link_leads(linked: tuple[Path, Path]) -> None:
    home, file = linked
    flag(home)
    assert flagged(home) == 1
    assert file.is_file()
    assert (home / "quiz.db").is_symlink()


def test_a_file_that_is_emptied_is_restored_where_the_link_leads(linked: tuple[Path, Path]) -> None:
    home, file = linked
    flag(home)
    with open_desk(home) as desk:
        desk.log.back_up(desk.now().instant)
    file.write_bytes(b"")
    assert flagged(home) == 1
    assert file.stat().st_size > 1
    assert (home / "quiz.db").is_symlink()


def test_a_disk_that_is_not_connected_is_said_and_nothing_begins_anew(linked: tuple[Path, Path]) -> None:
    home, file = linked
    flag(home)
    file.parent.rename(file.parent.with_name("elsewhere"))
    with pytest.raises(StorageError, match="is its disk connected"):
        flag(home)
    assert not file.parent.exists()
    file.parent.with_name("elsewhere").rename(file.parent)
    assert flagged(home) == 1
