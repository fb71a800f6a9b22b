"""``quiz ready``: what will be known on the day of the interview, and what it takes."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quiz.cli.main import run
from quiz.desk import open_desk
from quiz.study.rating import Rating

Run = Callable[..., list[str]]


@pytest.fixture(autouse=True)
def november(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIZ_HOME", str(tmp_path))
    monkeypatch.setenv("QUIZ_NOW", "2026-11-30T09:00:00+00:00")
    monkeypatch.setenv("TZ", "UTC")


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command that must go well; the lines it prints."""

    def lines(*arguments: str) -> list[str]:
        assert run(arguments) == 0
        return capsys.readouterr().out.splitlines()

    return lines


def figures(said: Run, *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads("\n".join(said("ready", *arguments, "--json")))
    return found


def study(count: int) -> None:
    """Answer questions, and rate them all Easy."""
    with open_desk() as desk:
        session = desk.session(limit=count)
        view = session.start(desk.now())
        while view.phase != "finished":
            view = session.answer("1", desk.now())
            view = session.skip(desk.now()) if view.phase == "asking" else session.rate(Rating.EASY, desk.now())


def kept() -> str:
    with open_desk() as desk:
        return str(desk.settings.interview)


def test_the_page_says_day_shares_minutes_and_todays_work_within_sixty_cells(said: Run) -> None:
    lines = said("ready", "--on", "2026-12-20")
    assert lines[0] == "Interview in 20 days: Sunday, 20 December 2026"
    for name in ("head_dim", "divisibility", "gqa", "mla", "screen", "onsite", "research"):
        assert sum(line.startswith(f"  {name} ") for line in lines) == 1
    assert any(line.startswith("90 % takes ") for line in lines)
    assert "Today: 0 due, 12 new: quiz study" in lines
    assert max(map(len, lines)) <= 60


def test_the_first_day_asked_about_is_kept_and_another_is_only_looked_at(said: Run) -> None:
    assert "This day is kept, and every sitting works toward it now." in said("ready", "--on", "2026-12-20")
    assert kept() == "2026-12-20"
    assert "This was only a look: your interview is on 2026-12-20." in said("ready", "--on", "2027-01-15")
    assert kept() == "2026-12-20"
    assert figures(said)["interview"] == "2026-12-20"
    assert not [line for line in said("ready", "--on", "2026-12-20") if "kept" in line or "look" in line]


def test_a_day_takes_the_place_of_one_that_is_over(said: Run) -> None:
    said("settings", "interview", "2026-11-01")
    said("ready", "--on", "2026-12-20")
    assert kept() == "2026-12-20"


def test_the_document_holds_bands_by_topic_and_depth_the_minutes_and_today(said: Run) -> None:
    found = figures(said, "--on", "2026-12-20")
    assert (found["interview"], found["days"], found["goal"], found["band"]) == ("2026-12-20", 20, 0.9, 0.8)
    assert set(found["plan"]["topics"]) == {"head_dim", "divisibility", "gqa", "mla"}
    assert set(found["plan"]["depths"]) == {"screen", "onsite", "research"}
    for outlook in (found["stop"], found["plan"]):
        parts = [outlook["overall"], *outlook["topics"].values(), *outlook["depths"].values()]
        assert all(0 <= part["low"] <= part["known"] <= part["high"] <= 1 for part in parts)
        assert sum(part["questions"] for part in outlook["topics"].values()) == outlook["overall"]["questions"]
    # Nothing was studied yet, so the plan is what the goal takes.
    assert found["stop"]["overall"]["known"] == 0
    assert found["minutes"] == found["minutes_needed"]
    assert found["plan"]["overall"]["known"] == pytest.approx(found["goal"], abs=0.03)
    shares = [point["known"] for point in found["curve"]]
    assert shares == sorted(shares)
    assert found["today"] == {"due": 0, "new": 12}


def test_more_days_take_fewer_minutes_a_day(said: Run) -> None:
    needed = [figures(said, "--on", day)["minutes_needed"] for day in ("2026-12-05", "2026-12-12", "2027-02-20")]
    assert needed == sorted(needed, reverse=True)
    assert needed[0] > needed[-1] > 0


def test_what_was_studied_counts_if_one_stops_and_the_plan_goes_on_as_lately(
    said: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    study(5)
    monkeypatch.setenv("QUIZ_NOW", "2026-12-01T09:00:00+00:00")
    study(5)
    monkeypatch.setenv("QUIZ_NOW", "2026-12-02T09:00:00+00:00")
    found = figures(said, "--on", "2026-12-20")
    assert 0 < found["stop"]["overall"]["known"] < found["plan"]["overall"]["known"]
    # Two days of five answers, at the 45 seconds that count until a pace is known.
    assert found["minutes"] == round(5 * 45 / 60)


def test_on_the_day_itself_only_what_is_known_now_is_told(said: Run) -> None:
    study(5)
    lines = said("ready", "--on", "2026-11-30")
    assert lines[0] == "Interview today: Monday, 30 November 2026"
    assert not any("min a day" in line for line in lines)
    assert figures(said)["today"]["new"] == 0


def test_tomorrow_and_years_off_are_told(said: Run) -> None:
    assert said("ready", "--on", "2026-12-01")[0].startswith("Interview tomorrow: Tuesday")
    far = said("ready", "--on", "2045-01-01")
    assert far[0].startswith("Interview in 6,607 days")
    assert "Only the last 180 days are taken as studied." in far
    assert said("ready", "--on", "9999-12-31")


def test_a_goal_out_of_reach_is_told(said: Run, tmp_path: Path) -> None:
    questions = [{"id": f"q{at}", "kind": "card", "prompt": f"{at}?", "back": "Yes."} for at in range(900)]
    pack = {"format": 1, "pack": "own", "title": "Own", "version": "1.0.0", "questions": questions}
    (tmp_path / "packs").mkdir()
    (tmp_path / "packs" / "own.yaml").write_text(json.dumps(pack), encoding="utf-8")
    assert "90 % is out of reach by then: 180 min a day lead to" in "\n".join(said("ready", "--on", "2026-12-02"))
    assert figures(said)["minutes_needed"] is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no interview date is set"),
        (["--on", "2026-11-29"], "2026-11-29 is over: today is 2026-11-30"),
        (["--on", "christmas"], "--on takes a date such as 2026-12-18, not 'christmas'"),
        (["--on", "2026-02-30"], "not '2026-02-30'"),
        (["--on", ""], "not ''"),
    ],
)
def test_what_is_no_day_ahead_is_a_usage_error(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["ready", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert kept() == "None"


def test_an_interview_that_is_over_is_told(said: Run, capsys: pytest.CaptureFixture[str]) -> None:
    said("settings", "interview", "2026-11-29")
    assert run(["ready"]) == 2
    assert "the interview was on 2026-11-29, and all is scheduled as usual again" in capsys.readouterr().err


def test_a_sitting_line_by_line_lets_nothing_come_back_after_the_interview(
    said: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def due(key: str) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO("1\n4\n" * 3))
        lines = said("study", "--plain", "--limit", "1", "--new", "1", key)
        (line,) = [line for line in lines if line.startswith("saved ") and " rating 4 " in line]
        return line.rpartition(" ")[2]

    said("settings", "interview", "2026-12-03")
    assert "2026-12-01" <= due("gqa") <= "2026-12-03"
    monkeypatch.setenv("QUIZ_NOW", "2026-12-04T09:00:00+00:00")
    assert due("mla") > "2026-12-08"
