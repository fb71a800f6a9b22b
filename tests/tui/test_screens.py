"""Home, lessons, progress and help, as they look and as keys move them."""

import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from quiz import paths
from quiz.desk import Desk
from quiz.memory.backups import backups
from quiz.tui.app import QuizApp
from quiz.tui.screens.help import HelpScreen
from quiz.tui.screens.lesson import LessonScreen

Kinds = dict[str, dict[str, Any]]
MakeDesk = Callable[..., Desk]
Play = Callable[..., str]
SIZES = [(60, 18), (80, 24), (120, 40)]


def test_home_says_what_today_brings(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    seen = play(make_desk(kinds["card"], kinds["choice"]))
    assert "0 due, 2 new — about 2 min" in seen
    assert "› A trial" in seen


def test_home_says_how_much_of_it_is_early_for_the_interview(
    kinds: Kinds, make_desk: MakeDesk, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = make_desk(kinds["card"])
    play(desk, "space", "space", "4", "enter")
    desk.save(desk.settings._replace(interview=desk.now().instant.date() + timedelta(days=4)))
    monkeypatch.setenv("QUIZ_NOW", (desk.now().instant + timedelta(days=2)).isoformat())
    seen = play(desk)
    assert "1 due, 0 new" in seen
    assert "1 of them early, for the interview. Most useful first" in seen


def test_home_says_when_there_is_nothing_to_do(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["card"])
    assert "Nothing is due now" in play(desk, "space", "space", "4", "enter")


def test_home_names_a_pack_that_was_left_out(kinds: Kinds, make_desk: MakeDesk, play: Play, tmp_path: Path) -> None:
    (tmp_path / "content" / "broken.yaml").write_text("format: 9\n", encoding="utf-8")
    seen = play(make_desk(kinds["card"]))
    assert "! Left out: broken.yaml" in seen
    assert "quiz pack check" in seen


def test_home_says_what_became_of_the_log(kinds: Kinds, make_desk: MakeDesk, play: Play, tmp_path: Path) -> None:
    desk = make_desk(kinds["card"])
    play(desk, "space", "space", "3")
    desk.log.back_up(desk.now().instant)
    desk.close()
    (tmp_path / "home" / "quiz.db").unlink()
    mended = make_desk(kinds["card"])
    assert "! quiz.db was gone or empty: 1 answer is back from the backup of 2026-11-29" in play(mended)
    assert "quiz.db was gone or empty" in play(mended, app=QuizApp(mended, ["trial"]))


def test_the_log_is_backed_up_once_home_is_painted(
    kinds: Kinds, make_desk: MakeDesk, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = make_desk(kinds["card"])
    play(desk, "space", "space", "3")
    assert backups(paths.database(desk.data)) == []
    monkeypatch.setenv("QUIZ_NOW", "2026-11-30T12:00:00+00:00")
    play(desk)
    (made,) = backups(paths.database(desk.data))
    assert made.path.name == "quiz-20261130T120000Z.db"


def test_enter_studies_the_topic_under_the_cursor(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    assert "What is head_dim?" in play(make_desk(kinds["card"]), "down", "up", "j", "k", "enter")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("keys", [(), ("p",), ("l",), ("question_mark",), ("space",)])
def test_every_screen_fits_and_keeps_its_keys_in_sight(
    size: tuple[int, int], keys: tuple[str, ...], kinds: Kinds, lesson: dict[str, Any], make_desk: MakeDesk, play: Play
) -> None:
    desk = make_desk(kinds["choice"] | {"lesson": "width"}, lessons=(lesson,))
    lines = play(desk, *keys, size=size).split("\n")
    assert len(lines) == size[1]
    assert all(len(line) <= size[0] for line in lines)
    assert any(word in "".join(lines[-2:]) for word in ("Help", "Back"))


def test_a_lesson_shows_all_its_parts(kinds: Kinds, lesson: dict[str, Any], make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["choice"] | {"lesson": "width"}, lessons=(lesson,))
    seen = play(desk, "l", size=(80, 50))
    for part in (
        "A trial · The width",
        "Heads share out a width.",
        "A newsroom.",
        "Divide H by the heads.",
        "head_dim is named",
        "The name wins.",
        "1. Say it.",
        "✗ They add up.",
        "✓ They share.",
    ):
        assert part in seen


def test_several_lessons_are_listed_and_followed_by_the_next(
    kinds: Kinds, lesson: dict[str, Any], make_desk: MakeDesk, play: Play
) -> None:
    desk = make_desk(kinds["card"], lessons=(lesson, lesson | {"id": "second", "title": "The second"}))
    assert "› The width" in play(desk, "l")
    assert "A trial · The second" in play(desk, "l", "down", "enter")
    assert "A trial · The second" in play(desk, "l", "enter", "n")
    assert "› The width" in play(desk, "l", "enter", "escape")
    assert "topic" in play(desk, "l", "enter", "escape", "escape")


def test_a_lesson_leads_to_its_questions(kinds: Kinds, lesson: dict[str, Any], make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["choice"] | {"lesson": "width"}, kinds["card"], lessons=(lesson,))
    assert "fewest KV heads" in play(desk, "l", "s")


def test_the_lesson_of_a_question_leads_back_to_it(
    kinds: Kinds, lesson: dict[str, Any], make_desk: MakeDesk, play: Play
) -> None:
    desk = make_desk(kinds["choice"] | {"lesson": "width"}, lessons=(lesson,))
    assert "Heads share out a width." in play(desk, "space", "2", "l")
    assert "2 ●" in play(desk, "space", "2", "l", "escape")


def test_progress_agrees_with_what_was_done(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    wrong = kinds["numeric"] | {"mistakes": [{"formula": "4096", "misconception": "no-split"}]}
    ideas = {"no-split": {"says": "Gives every head the full width", "truth": "Heads share it."}}
    desk = make_desk(wrong, kinds["card"], misconceptions=ideas)
    play(desk, "space", "=4096", "enter", "enter", "space", "3", "escape")
    seen = play(desk, "p", size=(80, 50))
    assert "1 day in a row" in seen
    assert "2 answers on 1 day" in seen
    assert "1 × Gives every head the full width" in seen
    assert "1 of 2 right" in seen


def test_progress_of_a_beginner_says_where_to_begin(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    seen = play(make_desk(kinds["card"]), "p")
    assert "0 answers" in seen
    assert "→ 1 question" in seen


def test_the_first_screen_needs_no_numpy_yaml_or_pydantic() -> None:
    heavy = "numpy", "yaml", "pydantic", "quiz.tui.screens.study", "textual.widgets._markdown"
    script = f"import sys, quiz.tui.app; print([name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_ctrl_c_twice_leaves(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    app = QuizApp(make_desk(kinds["card"]))
    seen = play(app.desk, "ctrl+c", app=app)
    assert "Press Ctrl+C again" in seen
    assert app.return_code is None or app.return_code == 0


def test_the_palette_runs_the_commands_of_the_place(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["card"])
    assert "By topic" in play(desk, "ctrl+p", "=progress", "look", "enter")


def test_a_screen_takes_no_command_before_it_stands() -> None:
    # A key may arrive between the moment a screen is pushed and the moment its parts are there.
    assert HelpScreen("home").check_action("back", ()) is False
    assert LessonScreen("trial", None, aside=False).check_action("page_down", ()) is False


def test_a_window_too_small_says_how_large_it_must_be_and_takes_no_answer(
    kinds: Kinds, make_desk: MakeDesk, play: Play
) -> None:
    desk = make_desk(kinds["choice"])
    seen = play(desk, "space", "+59x18")
    assert "The window is 59×18; make it at least 60×18." in seen
    assert "The window is 60×17" in play(desk, "+60x17")
    assert "The window is 20×5" in " ".join(play(desk, size=(20, 5)).split())
    app = QuizApp(desk)
    play(desk, "space", "1", "+40x10", "enter", "enter", "d", "q", "ctrl+p", "+80x24", app=app)
    assert list(desk.log.reviews()) == []
    assert app.return_code is None


def test_a_window_too_small_can_be_left(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["choice"])
    app = QuizApp(desk)
    play(desk, "space", "1", "enter", "+40x10", "ctrl+q", app=app)
    assert app.return_code == 0
    assert len(list(desk.log.reviews())) == 1


def test_a_window_that_was_too_small_goes_on_where_it_was(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["numeric"])
    seen = play(desk, "space", "=12", "+40x10", "=9", "+30x12", "+80x24", "=8", "enter")
    assert "The window is" not in seen
    assert "✓ Right" in seen


def test_a_sitting_that_was_asked_for_waits_for_a_large_enough_window(
    kinds: Kinds, make_desk: MakeDesk, play: Play
) -> None:
    desk = make_desk(kinds["numeric"])
    screens: list[str] = []
    app = QuizApp(desk, ["trial"])
    seen = play(
        desk, "look", "+80x24", size=(40, 10), app=app, look=lambda app: screens.extend(map(repr, app.screen_stack))
    )
    assert "The window is 40×10" in seen
    assert "4096 wide" in seen
    assert screens == ["HomeScreen()", "StudyScreen()"]
