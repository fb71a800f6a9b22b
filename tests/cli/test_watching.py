"""What a preview shows while it watches a file."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from quiz.bank.reader import read_pack_text
from quiz.cli import watching
from quiz.cli.watching import Content, Part, contents, fitted, in_view

PACK = """\
format: 1
pack: p
title: T
version: "1"
misconceptions: {m: {says: M, truth: N}}
lessons: [{id: a, title: L, tldr: T, body: B}]
questions:
  - {id: a, kind: card, prompt: P, back: B}
  - {id: b, kind: numeric, prompt: P, formula: 1, mistakes: [{formula: 2, misconception: m}]}
"""


def of(old: str = "", new: str = "") -> dict[Part, Content]:
    assert old in PACK
    return dict(contents(read_pack_text(PACK.replace(old, new) if old else PACK, "f").pack))


def test_at_the_start_the_first_question_is_shown() -> None:
    assert in_view({}, of(), None) == ("question", "a")


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("body: B", "body: C", ("lesson", "a")),
        ("back: B", "back: C", ("question", "a")),
        ("formula: 1,", "formula: 3,", ("question", "b")),
        ("truth: N", "truth: O", ("question", "b")),
        ("questions:", "questions:\n  - {id: c, kind: card, prompt: P, back: B}", ("question", "c")),
    ],
)
def test_what_was_edited_is_shown(old: str, new: str, part: Part) -> None:
    assert in_view(of(), of(old, new), ("question", "a")) == part


def test_where_nothing_to_see_was_edited_the_last_one_stays() -> None:
    assert in_view(of(), of("title: T", "title: U"), ("question", "b")) == ("question", "b")


def test_what_is_gone_is_not_shown() -> None:
    gone = "  - {id: a, kind: card, prompt: P, back: B}\n"
    assert in_view(of(), of(gone), ("question", "a")) is None


def test_lines_that_fit_are_all_shown() -> None:
    assert fitted(["a", "b\nc"], 10, 3) == ["a", "b", "c"]


def test_of_more_lines_the_first_are_shown_and_the_others_counted() -> None:
    assert fitted(["a", "b", "c", "d"], 10, 3) == ["a", "b", "… and 2 lines more, for which the window is too low"]


def test_a_long_line_takes_several_rows() -> None:
    assert fitted(["x" * 25, "b", "c"], 10, 4) == ["x" * 25, "… and 2 lines more, for which the window is too low"]


def test_a_save_that_keeps_the_size_is_seen_and_none_is_seen_twice(tmp_path: Path) -> None:
    file = tmp_path / "it.yaml"
    file.write_text("a", encoding="utf-8")
    os.utime(file, ns=(1, 1))
    looks: list[str] = []

    def pause() -> None:
        looks.append("look")
        if len(looks) == 3:
            file.write_text("b", encoding="utf-8")
            os.utime(file, ns=(2, 2))

    seen: Iterator[None] = watching.saves(file, pause)
    next(seen)
    assert looks == []
    next(seen)
    assert len(looks) == 3
