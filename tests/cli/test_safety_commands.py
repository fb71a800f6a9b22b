"""``quiz data backup``, ``restore`` and ``check``, and that the learner is told what became of the log."""

import io
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from quiz.cli.main import run
from quiz.memory.backups import backups
from quiz.paths import database


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QUIZ_HOME", str(tmp_path))
    monkeypatch.setenv("QUIZ_NOW", "2026-03-02T09:00:00+00:00")
    monkeypatch.setenv("TZ", "UTC")
    return tmp_path


@pytest.fixture
def study(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """One answer in the log."""
    sit(monkeypatch)
    assert "saved head_dim/" in capsys.readouterr().out


def sit(monkeypatch: pytest.MonkeyPatch, now: str = "2026-03-02T09:00:00+00:00") -> None:
    monkeypatch.setenv("QUIZ_NOW", now)
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n1\n1\n1\n"))
    assert run(["study", "--plain", "--new", "5", "head_dim"]) == 0


def documents(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> dict[str, object]:
    assert run(["data", *arguments, "--json"]) == code
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.usefixtures("study")
def test_a_backup_is_written_listed_and_restored(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = documents(capsys, "backup")
    name = Path(str(made["file"])).name
    assert name == "quiz-20260302T090000Z.db"
    sit(monkeypatch, "2026-03-03T09:00:00+00:00")
    capsys.readouterr()
    assert run(["data", "restore"]) == 0
    assert name in capsys.readouterr().out
    before = documents(capsys, "check")["answers"]
    restored = documents(capsys, "restore", name)
    answers = restored["answers"]
    assert isinstance(answers, int)
    assert isinstance(before, int)
    assert 0 < answers < before
    assert documents(capsys, "check")["answers"] == answers
    documents(capsys, "restore", Path(str(restored["kept"])).name)
    assert documents(capsys, "check")["answers"] == before


def test_without_backups_that_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["data", "restore"]) == 0
    assert "no backups yet: quiz data backup" in capsys.readouterr().out
    assert run(["data", "restore", "nothing.db"]) == 2
    assert "no backup and no file nothing.db" in capsys.readouterr().err


PACK = """\
format: 1
pack: mine
title: Mine
version: "1.0"
questions:
  - {id: one, kind: card, prompt: p, back: b}
"""


@pytest.mark.usefixtures("study")
def test_questions_of_a_pack_that_is_gone_are_told_apart(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = documents(capsys, "check")
    assert before["gone"] == 0
    (home / "mine.yaml").write_text(PACK, encoding="utf-8")
    for call in (["pack", "add", str(home / "mine.yaml")], ["card", "mine/one", "known"], ["pack", "remove", "mine"]):
        assert run(call) == 0
    capsys.readouterr()
    after = documents(capsys, "check")
    questions = before["questions"]
    assert isinstance(questions, int)
    assert (after["gone"], after["questions"]) == (1, questions + 1)
    assert run(["data", "check"]) == 0
    assert "1 of these is in no pack any more" in capsys.readouterr().out


@pytest.mark.usefixtures("study")
def test_a_sound_log_is_said_to_be_sound(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["data", "check"]) == 0
    assert capsys.readouterr().out.endswith("Nothing is wrong.\n")


@pytest.mark.usefixtures("study")
def test_a_card_changed_behind_our_back_is_found_and_rebuilt(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(sqlite3.connect(database(home))) as connection:
        sound = connection.execute("SELECT * FROM card ORDER BY question").fetchall()
        connection.execute("UPDATE card SET stability = 99 WHERE question = 1")
        connection.commit()
    assert run(["data", "check"]) == 1
    assert "1 card is not what the log says: quiz data check --rebuild" in capsys.readouterr().out
    assert documents(capsys, "check", "--rebuild", code=1)["rebuilt"] == 1
    assert documents(capsys, "check", "--rebuild")["rebuilt"] == 0
    with closing(sqlite3.connect(database(home))) as connection:
        assert connection.execute("SELECT * FROM card ORDER BY question").fetchall() == sound


@pytest.mark.usefixtures("study")
def test_a_sum_changed_behind_our_back_is_found_with_and_without_a_rebuild(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert documents(capsys, "check")["sums"] == 0
    before = (run(["progress", "--json"]), capsys.readouterr().out)
    with closing(sqlite3.connect(database(home))) as connection:
        connection.execute("UPDATE rolled SET a = a + 7 WHERE figure = 1")
        connection.execute("DELETE FROM rolled WHERE figure = 2 AND first = 1")
        connection.execute("UPDATE rolled SET second = second + 9 WHERE figure > 100")
        connection.commit()
    # The day as it is and as it should be, and the question that is missing.
    found = documents(capsys, "check", code=1)
    assert (found["sums"], found["cards"], found["sound"], found["rebuilt"]) == (3, 0, False, None)
    assert run(["data", "check"]) == 1
    assert "3 sums are not what the log says: quiz data check --rebuild" in capsys.readouterr().out
    assert run(["data", "check", "--rebuild"]) == 1
    assert "cards that were wrong: 0, sums: 3" in capsys.readouterr().out
    assert documents(capsys, "check", "--rebuild")["sums"] == 0
    assert (run(["progress", "--json"]), capsys.readouterr().out) == before


@pytest.mark.usefixtures("study")
def test_a_rebuild_gives_the_same_state_from_the_log_alone(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    derived = [["list", "--json"], ["progress", "--json"]]
    before = [(run(command), capsys.readouterr().out) for command in derived]
    with closing(sqlite3.connect(database(home))) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for name in ("card", *(name for name in tables if name.startswith("rolled"))):
            connection.execute(f"DELETE FROM {name}")
        connection.commit()
    assert run(["data", "check", "--rebuild"]) in (0, 1)
    capsys.readouterr()
    assert [(run(command), capsys.readouterr().out) for command in derived] == before
    assert documents(capsys, "check", "--rebuild")["rebuilt"] == 0


@pytest.mark.usefixtures("study")
def test_a_row_that_cannot_be_is_found_said_and_mended_at_the_next_start(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["data", "backup"])
    with closing(sqlite3.connect(database(home))) as connection:
        connection.execute("DROP TRIGGER review_is_final")
        connection.execute("UPDATE review SET rating = 9 WHERE id = 1")
        connection.commit()
    capsys.readouterr()
    found = documents(capsys, "check", "--rebuild", code=1)
    assert (found["illegible"], found["mended"], found["rebuilt"]) == (1, "", None)
    told = documents(capsys, "check", code=1)
    assert (told["sound"], told["illegible"]) == (True, 0)
    assert str(told["mended"]).startswith("quiz.db was damaged: 2 answers are back from the backup of 2026-03-02")
    assert documents(capsys, "check")["mended"] == ""


@pytest.mark.usefixtures("study")
@pytest.mark.parametrize("command", [["list", "--json"], ["progress", "--json"], ["study", "--plain"]])
def test_every_command_says_on_stderr_what_was_mended(
    home: Path, command: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(["data", "backup"])
    database(home).unlink()
    capsys.readouterr()
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert run(command) == 0
    shown = capsys.readouterr()
    assert shown.err.startswith("quiz: quiz.db was gone or empty: 2 answers are back from the backup of 2026-03-02")
    assert "gone or empty" not in shown.out


@pytest.mark.usefixtures("study")
def test_a_sitting_backs_up_what_earlier_days_brought(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert backups(database(home)) == []
    sit(monkeypatch, "2026-03-03T09:00:00+00:00")
    (made,) = backups(database(home))
    assert made.path.name == "quiz-20260303T090000Z.db"


@pytest.mark.usefixtures("study")
def test_a_backup_that_cannot_be_written_stops_no_sitting(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "backups").write_bytes(b"")
    sit(monkeypatch, "2026-03-03T09:00:00+00:00")
    shown = capsys.readouterr()
    assert "saved head_dim/" in shown.out
    assert "quiz: no backup could be written to" in shown.err
