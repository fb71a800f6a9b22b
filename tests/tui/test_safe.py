"""Text that we did not write is shown as it is, wherever it stands."""

from collections.abc import Callable
from typing import Any

import pytest

from quiz.desk import Desk
from quiz.tui.safe import content

HOSTILE = (
    "[/b] x",
    "[/] y",
    "[link='",
    "[red]hi",
    "[@click=app.quit]press[/]",
    "arr[0] = q[i, j]",
    "[1,2,3]",
    "\\[x]",
    'f\'{{x["a"]}}\' [x="y"]',
    "[$primary]",
    "[bold",
    "[00]",
)
Kinds = dict[str, dict[str, Any]]
MakeDesk = Callable[..., Desk]
Play = Callable[..., str]


def as_shown(text: str) -> str:
    """What a template makes of it; titles and lessons are no templates."""
    return text.replace("{{", "{").replace("}}", "}")


@pytest.mark.parametrize("text", HOSTILE)
def test_content_holds_it_verbatim(text: str) -> None:
    assert content(text, "bold").plain == text


@pytest.mark.parametrize("text", HOSTILE)
def test_packs_are_shown_verbatim(text: str, kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    want = as_shown(text)
    question = kinds["choice"] | {
        "prompt": f"Prompt {text}",
        "hints": [f"Look {text}"],
        "choices": [
            {"text": f"First {text}", "right": True, "why": f"Since {text}", "last": True},
            {"text": f"Second {text}", "why": f"For {text}", "last": True},
        ],
        "lesson": "one",
    }
    lesson = {"id": "one", "title": f"Title {text}", "tldr": f"Short {text}", "body": f"Body {text} and **{text}**"}
    desk = make_desk(question, lessons=(lesson,), title=f"Pack {text}")
    seen = play(desk, "look", "space", "h", "look", "l", "look", "escape", "2", "enter", size=(80, 40))
    home, asked, read, told = (seen.split("\n")[start : start + 40] for start in range(0, 160, 40))
    assert f"Pack {text}" in "\n".join(home)
    for part in (f"Pack {text} · Title {text}", f"Prompt {want}", f"First {want}", f"Second {want}", f"Look {want}"):
        assert part in "\n".join(asked)
    assert f"Short {text}" in "\n".join(read)
    assert f"Since {want}" in "\n".join(told)
    assert f"For {want}" in "\n".join(told)


@pytest.mark.parametrize("text", HOSTILE)
def test_typed_answers_are_shown_verbatim(text: str, kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["text"])
    seen = play(desk, "space", f"~{text}", "look", "enter")
    assert f"  {text}\n" in seen
    assert f"You     {text}" in seen


def test_escape_sequences_of_a_pack_do_not_reach_the_terminal(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["card"] | {"prompt": "Look \x9b31m here"})
    assert "\x9b" not in play(desk, "space")
