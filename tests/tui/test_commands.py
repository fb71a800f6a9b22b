"""The one table of commands, and what is made of it."""

import pytest
from textual.app import App

from quiz.tui.app import QuizApp
from quiz.tui.commands import COMMANDS, ON_THE_APP, PLACES, Place, applies, commands_at, is_printable, key_name
from quiz.tui.screens.help import TITLES, HelpScreen, help_text
from quiz.tui.screens.home import HomeScreen
from quiz.tui.screens.interview import InterviewScreen
from quiz.tui.screens.lesson import LessonScreen
from quiz.tui.screens.progress import ProgressScreen
from quiz.tui.screens.study import StudyScreen
from quiz.tui.widgets.keybar import Shown, place_lines

SCREENS = (HomeScreen, StudyScreen, LessonScreen, ProgressScreen, InterviewScreen, HelpScreen)


@pytest.mark.parametrize("place", PLACES)
def test_no_key_means_two_things_at_one_place(place: Place) -> None:
    keys = [key for command in commands_at(place) for key in command.keys]
    assert sorted(set(keys)) == sorted(keys)


@pytest.mark.parametrize("place", PLACES)
def test_every_place_has_a_way_on_a_way_out_and_help(place: Place) -> None:
    ids = {command.id for command in commands_at(place)}
    assert {"quit", "suspend_process"} <= ids
    assert ids & {"help", "back"}
    assert ids & {"leave", "back", "home", "quit"}


def test_every_command_has_its_action() -> None:
    for command in COMMANDS:
        owners = (QuizApp,) if command.id in ON_THE_APP else SCREENS
        assert any(hasattr(owner, f"action_{command.id}") for owner in owners), command.id


def test_no_screen_hides_a_command_of_textual_by_accident() -> None:
    assert not {command.id for command in COMMANDS if hasattr(App, f"action_{command.id}")} - {
        "quit",
        "suspend_process",
        "back",
    }


def test_where_text_is_typed_no_command_needs_a_letter() -> None:
    for command in commands_at("typing"):
        assert any(not is_printable(key) for key in command.keys), command.id
        assert not is_printable(command.key_at("typing").lower()) or command.face


def test_commands_apply_only_at_their_places() -> None:
    assert applies("rate", "marked")
    assert not applies("rate", "picking")
    assert applies("something_of_textual", "picking")


def test_keys_have_names_that_people_know() -> None:
    assert [key_name(key) for key in ("question_mark", "ctrl+q", "f2", "pagedown", "h")] == [
        "?",
        "Ctrl+Q",
        "F2",
        "PgDn",
        "h",
    ]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("width", [58, 78, 118])
def test_the_key_bar_takes_two_lines_at_most_and_keeps_the_help(place: Place, width: int) -> None:
    lines = [line.plain for line in place_lines(Shown(place, frozenset(), 9, width))]
    assert len(lines) <= 2
    assert all(len(line) <= width for line in lines)
    assert place == "help" or "Help" in "".join(lines)


@pytest.mark.parametrize("origin", PLACES)
def test_the_help_begins_with_where_you_were_and_lists_everything(origin: Place) -> None:
    text = help_text(origin, 300).plain
    assert text.startswith("Here: ")
    for command in COMMANDS:
        assert command.help in text


def test_help_that_wraps_hangs_beside_its_keys() -> None:
    lines = help_text("picking", 55).plain.split("\n")
    assert all(len(line) <= 55 for line in lines)
    # What begins a line at the margin is the title of a place.
    assert {line for line in lines if line and not line.startswith("  ")} == {
        f"Here: {title}" if place == "picking" else title
        for place, title in TITLES.items()
        if title in "\n".join(lines)
    }
