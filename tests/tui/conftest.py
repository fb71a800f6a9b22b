"""A learner's desk over a pack that the test writes, and a way to press keys and look at the screen."""

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.events import Paste

from quiz import paths
from quiz.desk import Desk, open_desk
from quiz.tui.app import QuizApp

NOON = "2026-11-29T12:00:00+00:00"
Look = Callable[[QuizApp], None]
MakeDesk = Callable[..., Desk]
Play = Callable[..., str]

CARD = {"id": "a-card", "kind": "card", "prompt": "What is head_dim?", "back": "The width of one head."}
CHOICE = {
    "id": "a-choice",
    "kind": "choice",
    "prompt": "Which one has the fewest KV heads?",
    "choices": [
        {"text": "MQA", "right": True, "why": "It has one.", "last": True},
        {"text": "MHA", "why": "It has as many as query heads.", "last": True},
    ],
}
SEVERAL = {
    "id": "several",
    "kind": "choice",
    "prompt": "Which are made of sizes?",
    "choices": [
        {"text": "shape", "right": True, "why": "Yes.", "last": True},
        {"text": "smell", "why": "No.", "last": True},
        {"text": "stride", "right": True, "why": "Yes, too.", "last": True},
    ],
}
NUMERIC = {
    "id": "a-number",
    "kind": "numeric",
    "prompt": "4096 wide, 32 heads: head_dim?",
    "formula": "4096 // 32",
    "hints": ["Divide.", "4096 / 32"],
    "steps": ["4096 / 32 = 128"],
}
SHAPE = {"id": "a-shape", "kind": "shape", "prompt": "Split (2, 7, 64) into 4 heads.", "formula": ["2", "4", "7", "16"]}
STAGE = {
    "id": "a-stage",
    "kind": "stage",
    "prompt": "Does it raise?",
    "snippet": "x.view(2, 3)",
    "answer": "forward",
    "why": {"forward": "The sizes do not match."},
}
TERM = {"id": "a-term", "kind": "text", "prompt": "The L in MLA?", "accept": ["latent"]}
ORDER = {"id": "an-order", "kind": "order", "prompt": "Count.", "items": ["one", "two", "three"]}
OPEN = {
    "id": "an-open",
    "kind": "open",
    "prompt": "Why group?",
    "approach": "Because of the cache.",
    "rubric": [{"point": "Cache", "weight": 3}, {"point": "Bandwidth"}],
    "red_flags": ["It is faster to train."],
}
EVERY_KIND = (CARD, CHOICE, NUMERIC, SHAPE, STAGE, TERM, ORDER, OPEN)
LESSON = {
    "id": "width",
    "title": "The width",
    "tldr": "Heads share out a width.",
    "analogy": "A newsroom.",
    "body": "## How\n\nDivide `H` by the heads.\n",
    "exceptions": [{"when": "head_dim is named", "because": "The name wins."}],
    "talk_track": ["Say it."],
    "red_flags": [{"says": "They add up.", "instead": "They share."}],
}


@pytest.fixture
def make_desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MakeDesk]:
    """Opens a desk over one pack of these questions and lessons; it is noon on 2026-11-29, UTC."""
    content = tmp_path / "content"
    content.mkdir()
    monkeypatch.setattr(paths, "content_dir", lambda: content)
    monkeypatch.setenv("QUIZ_NOW", NOON)
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    opened: list[Desk] = []

    def make(*questions: dict[str, Any], lessons: tuple[dict[str, Any], ...] = (), **pack: Any) -> Desk:
        whole = {"format": 1, "pack": "trial", "title": "A trial", "version": "1.0.0", **pack}
        text = json.dumps({**whole, "lessons": list(lessons), "questions": list(questions)})
        (content / "trial.yaml").write_text(text, encoding="utf-8")
        opened.append(open_desk(tmp_path / "home"))
        return opened[-1]

    yield make
    for desk in opened:
        desk.close()


@pytest.fixture
def kinds() -> dict[str, dict[str, Any]]:
    """A question of every kind, by kind; ``several`` is a choice with two right answers."""
    return {"several": SEVERAL} | {str(question["kind"]): question for question in EVERY_KIND}


@pytest.fixture
def lesson() -> dict[str, Any]:
    """A lesson with all its parts."""
    return LESSON


@pytest.fixture
def play() -> Play:
    """Presses keys and returns what is then on screen."""
    return _play


def _frame(app: QuizApp) -> str:
    """The screen as text. Textual has no public way to it."""
    return "\n".join(strip.text.rstrip() for strip in app.screen._compositor.render_strips())


def _play(
    desk: Desk, *keys: str, size: tuple[int, int] = (80, 24), look: Look | None = None, app: QuizApp | None = None
) -> str:
    """Press the keys one after another; what is on screen at the end, after what was there at each "look".

    "=text" types the text, "~text" pastes it, "@column,row" clicks, "+60x18" gives the window that size; ``look`` may
    ask the app before it ends.
    """
    app = app or QuizApp(desk)
    frames = []

    async def run() -> str:
        async with app.run_test(size=size, notifications=True) as pilot:
            await pilot.pause()
            for key in keys:
                if key == "look":
                    await pilot.pause()
                    frames.append(_frame(app))
                elif key.startswith("~"):
                    app.post_message(Paste(key[1:]))
                    await pilot.pause()
                elif key.startswith("@"):
                    column, row = map(int, key[1:].split(","))
                    await pilot.click(offset=(column, row))
                elif key.startswith("+"):
                    await pilot.resize_terminal(*map(int, key[1:].split("x")))
                    await pilot.pause()
                elif key.startswith("="):
                    await pilot.press(*({" ": "space"}.get(one, one) for one in key[1:]))
                else:
                    await pilot.press(key)
            await app.workers.wait_for_complete()
            await pilot.pause()
            if look is not None:
                look(app)
            return "\n".join([*frames, _frame(app)])

    return asyncio.run(run())
