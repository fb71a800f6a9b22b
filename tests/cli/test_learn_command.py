"""``quiz learn``: lessons without a screen."""

import json

import pytest

from quiz.cli.main import run


@pytest.fixture(autouse=True)
def _home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIZ_HOME", str(tmp_path_factory.mktemp("home")))


def test_the_lessons_are_listed_of_all_packs_or_of_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["learn"]) == 0
    assert capsys.readouterr().out.startswith("head_dim/")
    assert run(["learn", "gqa", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["lesson"] for row in rows] == ["gqa/sharing-kv-heads", "gqa/kv-cache"]
    assert all(row["title"] for row in rows)


def test_a_lesson_is_printed_with_what_surrounds_it_and_its_sources(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["learn", "gqa/kv-cache"]) == 0
    text = capsys.readouterr().out
    for part in ("From real models", "Where it stops being true", "Red flags", "Sources", "https://"):
        assert part in text
    assert run(["learn", "gqa/kv-cache", "--json"]) == 0
    lesson = json.loads(capsys.readouterr().out)
    assert lesson["lesson"] == "gqa/kv-cache"
    assert {"title", "tldr", "body", "worked", "exceptions", "red_flags", "sources"} <= lesson.keys()
    assert all(source["title"] for source in lesson["sources"])


@pytest.mark.parametrize("wrong", ["gqa/nothing", "nothing", "nothing/at-all", ""])
def test_a_lesson_that_is_not_there_is_a_wrong_call(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["learn", wrong]) == 2
    assert "no topic" in capsys.readouterr().err
