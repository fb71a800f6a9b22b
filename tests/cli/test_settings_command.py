"""``quiz settings``: show all, show one, change one."""

import json
from pathlib import Path

import pytest

from quiz.cli.main import run
from quiz.desk import open_desk
from quiz.settings import MEANINGS, Settings


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


def test_all_settings_say_what_they_are_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["settings"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in shown] == list(Settings._fields) == list(MEANINGS)
    assert "12          new questions a day may bring" in shown[1]
    assert all(len(line) <= 60 for line in shown)
    assert run(["settings", "--help"]) == 0
    told = capsys.readouterr().out
    assert all(f"{name:<12} {what} ({values})" in told for name, (what, values) in MEANINGS.items())


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


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is shipped has been learned, and some of it is due."""
    monkeypatch.setenv("QUIZ_NOW", "2026-11-01T09:00:00+00:00")
    with open_desk() as desk:
        for entry in desk.library.entries():
            desk.act(entry.key, "known")
        desk.act(desk.library.entries()[0].key, "suspend")
    monkeypatch.setenv("QUIZ_NOW", "2026-11-09T09:00:00+00:00")


def cards() -> dict[str, object]:
    with open_desk() as desk:
        return {**desk.log.cards()}


@pytest.mark.usefixtures("known")
def test_another_retention_is_previewed_before_it_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    before = cards()
    assert run(["settings", "retention", "0.95", "--preview", "--json"]) == 0
    previewed = json.loads(capsys.readouterr().out)
    assert previewed["retention"] == 0.9
    assert [ahead["days"] for ahead in previewed["load"]] == [30, 90]
    assert all(0 < ahead["before"] < ahead["after"] for ahead in previewed["load"])
    assert run(["settings", "retention"]) == 0
    assert capsys.readouterr().out.split() == ["retention", "0.9"]

    assert run(["settings", "retention", "0.95", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"retention": 0.95, "load": previewed["load"]}
    assert cards() == before

    assert run(["settings", "retention", "0.9", "--json"]) == 0
    back = json.loads(capsys.readouterr().out)
    assert [(one["after"], one["before"]) for one in back["load"]] == [
        (one["before"], one["after"]) for one in previewed["load"]
    ]


@pytest.mark.usefixtures("known")
def test_the_preview_says_in_words_what_changes_and_what_stays(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["settings", "retention", "0.8", "--preview"]) == 0
    first, month, quarter, stays, how = capsys.readouterr().out.splitlines()
    assert first.split() == ["retention", "0.9"]
    assert month.startswith("reviews in 30 days, if all goes well: ")
    assert quarter.startswith("reviews in 90 days, if all goes well: ")
    assert "stays" in stays
    assert how == "To have it so: quiz settings retention 0.8"
    assert run(["settings", "retention", "0.8"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].split() == ["retention", "0.8"]
    assert shown[1:] == [month, quarter, stays]


def test_only_a_retention_has_a_preview(capsys: pytest.CaptureFixture[str]) -> None:
    for call in (["theme", "light"], ["retention"], []):
        assert run(["settings", *call, "--preview"]) == 2
        assert "--preview goes with a retention" in capsys.readouterr().err
    assert run(["settings", "theme"]) == 0
    assert capsys.readouterr().out.split() == ["theme", "dark"]


def test_a_retention_that_cannot_be_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["settings", "retention", "0.2"]) == 2
    assert "from 0.7 to 0.99" in capsys.readouterr().err
