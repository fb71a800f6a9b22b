"""``quiz settings``: show all, show one, change one."""

import json
from pathlib import Path

import pytest

from quiz.cli.main import run


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIZ_HOME", str(tmp_path))


def test_a_changed_setting_is_shown_from_then_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["settings", "interview", "2026-12-18"]) == 0
    assert capsys.readouterr().out.split() == ["interview", "2026-12-18"]
    assert run(["settings", "--json"]) == 0
    kept = json.loads(capsys.readouterr().out)
    assert kept == {"rollover": 4, "new_per_day": 12, "retention": 0.9, "interview": "2026-12-18", "theme": "dark"}


def test_one_setting_is_shown_by_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["settings", "rollover", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"rollover": 4}


def test_an_unknown_setting_and_an_impossible_value_are_usage_errors(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["settings", "volume"]) == 2
    assert "there are rollover" in capsys.readouterr().err
    assert run(["settings", "rollover", "25"]) == 2
    assert "0 to 23" in capsys.readouterr().err


def test_an_interview_that_is_over_already_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIZ_NOW", "2026-11-30T09:00:00+00:00")
    assert run(["settings", "interview", "2026-11-29"]) == 0
    assert "2026-11-29 is over already" in capsys.readouterr().err
    assert run(["settings", "interview", "2026-11-30"]) == 0
    assert capsys.readouterr().err == ""
