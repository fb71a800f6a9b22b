"""Files that cannot be written, disks that are full."""

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from quiz.errors import StorageError
from quiz.memory.cards import Card
from quiz.memory.days import Moment
from quiz.memory.reviews import Review, ReviewLog

Answer = Callable[..., Review]
NOBODY = 65534

# Writes answers until it may not, printing the id of each once it is acknowledged, and how that ended.
WRITER = """
import resource, sys
from datetime import UTC, datetime
from pathlib import Path
from quiz.errors import StorageError
from quiz.memory.days import moment
from quiz.memory.reviews import ReviewLog
if len(sys.argv) > 2:
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
now = moment(datetime(2026, 5, 1, 12, tzinfo=UTC), UTC)
try:
    with ReviewLog.open(Path(sys.argv[1])) as log:
        for number in range(100_000):
            log.act(f"p/{number}", "known", now, "s")
            print(f"p/{number}", flush=True)
except StorageError as error:
    print(error, flush=True)
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that others than root can get at."""
    with TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@contextmanager
def without_rights() -> Iterator[None]:
    """Root may write anywhere, so for a while it is someone else."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def forbid(folder: Path, *, all_of_it: bool) -> None:
    for path in folder.iterdir():
        path.chmod(stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH)
    folder.chmod(0o555 if all_of_it else 0o777)


@pytest.mark.parametrize("all_of_it", [True, False])
@pytest.mark.parametrize("killed", [True, False])
def test_what_cannot_be_written_can_be_read(
    all_of_it: bool, killed: bool, folder: Path, tmp_path: Path, answer: Answer, noon: Moment
) -> None:
    with ReviewLog.open(tmp_path / "quiz.db") as log:
        stored = log.record(answer(Card("p/q")))
        if killed:
            shutil.copytree(tmp_path, folder, dirs_exist_ok=True)
    if not killed:
        shutil.copytree(tmp_path, folder, dirs_exist_ok=True)
    forbid(folder, all_of_it=all_of_it)
    before = sorted(path.name for path in folder.iterdir())
    with without_rights(), ReviewLog.open(folder / "quiz.db") as log:
        assert log.read_only
        assert "may not be written, so nothing will be saved" in log.notice
        assert (list(log.reviews()), log.cards()) == ([stored], {"p/q": stored.after})
        assert log.check().sound
        with pytest.raises(StorageError, match="may not be written, so nothing was saved"):
            log.record(answer(log.card("p/q")))
        with pytest.raises(StorageError, match="may not be written"):
            log.act("p/q", "flag", noon, "s")
    if all_of_it:
        assert sorted(path.name for path in folder.iterdir()) == before


def test_a_folder_that_cannot_be_written_and_holds_no_log_is_told(folder: Path) -> None:
    forbid(folder, all_of_it=True)
    with without_rights(), pytest.raises(StorageError, match="cannot be opened"):
        ReviewLog.open(folder / "quiz.db")


def assert_all_acknowledged_is_there(path: Path, printed: list[str]) -> None:
    *acknowledged, end = printed
    assert "full" in end or "cannot be read or written" in end
    assert "Traceback" not in end
    assert len(acknowledged) > 50
    with ReviewLog.open(path) as log:
        assert log.notice == ""
        assert set(acknowledged) <= set(log.cards())
        assert len(log.cards()) <= len(acknowledged) + 1
        assert log.check().sound


def test_a_file_that_may_not_grow_is_told_and_loses_nothing(tmp_path: Path) -> None:
    """A limit on the size of files, in place of a full disk: it can be had anywhere."""
    command = [sys.executable, "-c", WRITER, str(tmp_path / "quiz.db"), str(1_500_000)]
    written = subprocess.run(command, capture_output=True, text=True, check=False)
    assert written.stderr == ""
    assert_all_acknowledged_is_there(tmp_path / "quiz.db", written.stdout.splitlines())


def test_a_full_disk_is_told_and_loses_nothing(folder: Path) -> None:
    mounted = os.geteuid() == 0 and shutil.which("mount") is not None
    mounted = (
        mounted
        and subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)], capture_output=True, check=False
        ).returncode
        == 0
    )
    if not mounted:
        pytest.skip("a small disk cannot be mounted here")
    try:
        command = [sys.executable, "-c", WRITER, str(folder / "quiz.db")]
        written = subprocess.run(command, capture_output=True, text=True, check=False)
        assert written.stderr == ""
        assert_all_acknowledged_is_there(folder / "quiz.db", written.stdout.splitlines())
    finally:
        subprocess.run(["umount", str(folder)], check=True)
