"""``quiz data sync``, ``quiz export json`` and ``quiz import json`` as they are typed."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from quiz.cli.main import run
from quiz.desk import open_desk
from quiz.paths import data_dir


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QUIZ_NOW", "2026-11-29T09:00:00+00:00")
    (tmp_path / "carried").mkdir()


def report(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> Any:
    assert run([*arguments, "--json"]) == code
    return json.loads(capsys.readouterr().out)


def flagged(home: str, key: str) -> None:
    with open_desk(Path(home)) as desk:
        desk.act(key, "flag")


def cards(home: str) -> Any:
    with open_desk(Path(home)) as desk:
        return desk.log.cards()


def test_two_homes_come_together_through_a_folder(capsys: pytest.CaptureFixture[str]) -> None:
    flagged("desk", "gqa/one")
    flagged("laptop", "gqa/two")
    first = report(capsys, "--home", "desk", "data", "sync", "carried")
    assert (first["new"], first["sent"], first["files"]) == (0, 1, [])
    second = report(capsys, "--home", "laptop", "data", "sync", "carried")
    assert (second["new"], second["sent"], second["held_back"], second["waiting"], second["unread"]) == (1, 1, 0, 0, 0)
    assert second["files"] == [
        {
            "name": first["file"],
            "device": first["device"],
            "entries": 1,
            "half_written": False,
            "left_out": 0,
            "problems": [],
        }
    ]
    assert run(["--home", "desk", "data", "sync", "carried"]) == 0
    assert capsys.readouterr().out.startswith("taken in: 1, from 2 files; added to quiz-")
    assert set(cards("desk")) == set(cards("laptop")) == {"gqa/one", "gqa/two"}


def test_a_stranger_s_file_ends_in_1_and_says_where(capsys: pytest.CaptureFixture[str]) -> None:
    Path("carried", "quiz-\x1b[31m.jsonl").write_text("dear diary\n")
    assert run(["--home", "desk", "data", "sync", "carried"]) == 1
    told = capsys.readouterr().out
    assert "line 1: it does not begin as a log of quiz" in told
    assert "\x1b" not in told
    found = report(capsys, "--home", "desk", "data", "sync", "carried", code=1)
    assert found["files"][0]["problems"][0]["line"] == 1


def test_a_missing_folder_is_one_line_and_a_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--home", "desk", "data", "sync", "nowhere"]) == 2
    said = capsys.readouterr()
    assert said.err == "quiz: there is no folder nowhere; make it first, or name the one that is carried\n"


def test_an_archive_moves_a_learner_with_their_settings(capsys: pytest.CaptureFixture[str]) -> None:
    flagged("old", "gqa/one")
    assert run(["--home", "old", "settings", "retention", "0.95"]) == 0
    capsys.readouterr()
    assert report(capsys, "--home", "old", "export", "json", "a.json") == {"file": "a.json", "entries": 1}
    done = report(capsys, "--home", "new", "import", "json", "a.json")
    assert (done["entries"], done["new"], done["left_out"], done["settings_taken"]) == (1, 1, 0, True)
    assert cards("new") == cards("old")
    assert report(capsys, "--home", "new", "settings", "retention") == {"retention": 0.95}
    again = report(capsys, "--home", "new", "import", "json", "a.json")
    assert (again["new"], again["settings_taken"]) == (0, False)


def test_settings_that_stand_here_are_kept(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--home", "old", "export", "json", "a.json"]) == 0
    assert run(["--home", "new", "settings", "rollover", "3"]) == 0
    assert run(["--home", "new", "import", "json", "a.json"]) == 0
    assert "read 0 entries, 0 of them new" in capsys.readouterr().out
    with open_desk(Path("new")) as desk:
        assert desk.settings.rollover == 3


def test_an_archive_that_is_there_is_replaced_only_by_force(capsys: pytest.CaptureFixture[str]) -> None:
    flagged("old", "gqa/one")
    assert run(["--home", "old", "export", "json", "a.json"]) == 0
    before = Path("a.json").read_bytes()
    # Whoever meant to import on a new machine would lose all.
    assert run(["--home", "new", "export", "json", "a.json"]) == 2
    assert capsys.readouterr().err == (
        "quiz: a.json is there already; choose another name, or replace it with --force\n"
    )
    assert Path("a.json").read_bytes() == before
    assert report(capsys, "--home", "new", "export", "json", "a.json", "--force")["entries"] == 0
    assert Path("a.json").read_bytes() != before


def test_an_archive_goes_through_a_pipe(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    flagged("old", "gqa/one")
    assert run(["--home", "old", "export", "json"]) == 0
    piped = capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(piped.encode())))
    assert run(["--home", "new", "import", "json", "-"]) == 0
    assert capsys.readouterr().out.startswith("read 1 entry, 1 of them new\n")
    assert cards("new") == cards("old")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["import", "json", "nowhere.json"], "quiz: nowhere.json cannot be read: No such file or directory\n"),
        (["import", "json", "carried"], "quiz: carried cannot be read: Is a directory\n"),
        (
            ["import", "json", "notes.md"],
            'quiz: notes.md is no archive of quiz: it does not begin with {"archive": 1\n',
        ),
        (
            ["export", "json", "notes.md", "--force"],
            "quiz: notes.md is there already and is no archive of quiz; choose another name\n",
        ),
    ],
)
def test_what_cannot_be_is_one_line_and_a_2(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("notes.md").write_text("dear diary")
    assert run(["--home", "desk", *arguments]) == 2
    assert capsys.readouterr().err == said
    assert data_dir(Path("desk")).exists()
