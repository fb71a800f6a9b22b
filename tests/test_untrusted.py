"""What strangers may send: any pack, and any text typed into any question. No traceback, no hang, no escape sequence.

A long run: ``pytest tests/test_untrusted.py --hypothesis-profile=fuzz`` goes on for hours; stop it when you have seen
enough.
"""

import io
import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quiz import plain
from quiz.bank.library import Library, open_library
from quiz.desk import open_desk
from quiz.errors import QuizError
from quiz.lint.check import check_packs
from quiz.lint.text import report_lines
from quiz.paths import content_dir
from quiz.problem.drawing import draw_from
from quiz.problem.marking import mark
from quiz.render.printable import printable

# Far more than anything here takes; a hang is what it stands against.
PATIENCE = 60
FIELDS = [
    "format", "pack", "title", "version", "lessons", "questions", "id", "kind", "prompt", "draw", "let", "require",
    "formula", "unit", "tolerance", "mistakes", "misconceptions", "choices", "when", "answer", "why", "items",
    "accept", "rubric", "points", "golden", "sources", "hints", "steps", "solve",
]  # fmt: skip
METAL = [
    "\x1b[31m", "\x1b]8;;http://x\x07", "\x00", "\x7f", "\u202e", "\u2028", "\ufeff", "\t", "\r\n", "\xa0", "\ud800",
    "{", "}", "[", "]", "&a", "*a", "<<: *a", "!!python/object:os.system", "!x", "? ", "- ", ": ", " #", "|", ">-", "'",
    '"', "\\", "%", "@", "`", "---", "...", "9**9**9", "1 << 999999", "((((((((((", "{n:,}", "{n!r}", "{n.__class__}",
    "no", "010", "1_000", "12:30:45", "1e400", "-1", "0", "null", "~", "2**200", "[1, 2, 3]", "{from: 1, to: 199999}",
    "{powers_of_two: [1, 2**60]}", "{divisors_of: n}", "{model: models}", "x" * 5000,
]  # fmt: skip


@cache
def shipped() -> tuple[str, ...]:
    return tuple(
        path.read_text(encoding="utf-8") for path in sorted(content_dir().glob("*.yaml")) if path.stem != "models"
    )


@contextmanager
def bounded() -> Iterator[None]:
    def hung(signum: int, frame: FrameType | None) -> None:
        raise AssertionError(f"not done after {PATIENCE} s")

    before = signal.signal(signal.SIGALRM, hung)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def is_safe(text: str) -> bool:
    return text.replace("\n", "").isprintable()


@st.composite
def spoiled_packs(draw: st.DrawFn) -> bytes:
    """A piece of a shipped pack with a few things put in, taken out, doubled or swapped."""
    whole = draw(st.sampled_from(shipped()))
    head, _, questions = whole.partition("\nquestions:\n")
    blocks = questions.split("\n  - id: ")
    kept = draw(st.lists(st.sampled_from(blocks[1:]), min_size=1, max_size=3))
    text = f"{head}\nquestions:\n" + "".join(f"  - id: {block.rstrip()}\n" for block in kept)
    for _ in range(draw(st.integers(1, 6))):
        at, length = draw(st.integers(0, len(text))), draw(st.sampled_from([0, 0, 1, 3, 10, 80, 1000]))
        match draw(st.sampled_from(["insert", "cut", "double", "field", "indent"])):
            case "insert":
                piece = draw(st.sampled_from(METAL) | st.text(max_size=20))
                text = text[:at] + piece + text[at + length :]
            case "cut":
                text = text[:at] + text[at + length :]
            case "double":
                text = text[:at] + text[at : at + length] * 2 + text[at + length :]
            case "field":
                text = text.replace(f"{draw(st.sampled_from(FIELDS))}:", f"{draw(st.sampled_from(FIELDS))}:", 1)
            case "indent":
                text = text[:at] + text[at:].replace("\n ", "\n" + draw(st.sampled_from(["", "  ", "\t", "\xa0"])), 1)
    return text.encode("utf-8", "surrogatepass")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(spoiled_packs() | st.binary(max_size=400))
def test_any_bytes_as_a_pack_get_a_report_that_is_safe_to_show(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "any.yaml"
    file.write_bytes(content)
    with bounded():
        report = check_packs([file], {})
        json.dumps(report.to_json())
    for fault in (*report.errors, *report.advice):
        assert fault.rule
        assert fault.message
    assert is_safe(printable("\n".join(report_lines(report))))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(content=spoiled_packs(), typed=st.lists(st.text(max_size=30) | st.sampled_from(["", "1", "(2, 4)"]), max_size=8))
def test_any_pack_that_is_installed_can_be_studied(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, content: bytes, typed: list[str]
) -> None:
    home = tmp_path_factory.mktemp("home")
    (home / "packs").mkdir()
    (home / "packs" / "any.yaml").write_bytes(content)
    monkeypatch.setenv("QUIZ_NOW", "2026-03-02T09:00:00+00:00")
    out = io.StringIO()
    with bounded(), open_desk(home) as desk:
        mine = [pack.id for pack in desk.library.packs() if not pack.shipped]
        if not mine:
            return
        lines = io.StringIO("\n".join(line.replace("\n", " ") for line in typed))
        try:
            plain.study(desk.session(mine), desk.now, lines, out, lambda _, lesson: lesson)
        except QuizError as error:
            out.write(printable(str(error)))
    assert is_safe(out.getvalue())


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with open_library(tmp_path_factory.mktemp("home")) as found:
        yield found


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.data(),
    st.integers(0, 2**63 - 1),
    st.text(max_size=80)
    | st.text("0123456789.,_ eE+-*/^()[]xX×·%=KMGTkiBbits²³½", max_size=40)
    | st.sampled_from(METAL),
)
def test_any_text_typed_into_any_question_gets_a_mark_that_is_safe_to_show(
    library: Library, data: st.DataObject, seed: int, typed: str
) -> None:
    marked = [entry.key for entry in library.entries() if entry.kind not in ("card", "open")]
    variant = draw_from(library, data.draw(st.sampled_from(marked)), seed)
    with bounded():
        judged = mark(variant, typed)
    assert (judged.credit == 1) == (judged.verdict == "right")
    assert judged.feedback
    assert is_safe(judged.feedback)
    assert is_safe(judged.reading)
