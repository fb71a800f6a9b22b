from quiz.bank.reader import read_pack_text
from quiz.lint.unused import unused_advice

HEAD = """\
format: 1
pack: trial
title: T
version: "1"
sources:
  seen: {title: A}
  unseen: {title: B}
misconceptions:
  made: {says: A, truth: B}
  chosen: {says: A, truth: B}
  never: {says: A, truth: B}
lessons:
  - {id: l, title: L, tldr: T, body: B, sources: [%s]}
questions:
  - {id: n, kind: numeric, prompt: P, formula: 1, mistakes: [{formula: 2, misconception: made}]}
  - {id: c, kind: choice, prompt: P, choices: [{text: A, why: W, right: true}, {text: B, why: W, misconception: %s}]}
"""


def unused(lesson_source: str, chosen: str) -> list[tuple[int, int, str]]:
    located = read_pack_text(HEAD % (lesson_source, chosen), "trial.yaml")
    return [(fault.line, fault.column, fault.rule) for fault in unused_advice(located)]


def test_what_nothing_names_is_told_at_its_own_line() -> None:
    assert unused("seen", "chosen") == [(7, 11, "unused-source"), (11, 10, "unused-misconception")]


def test_lessons_mistakes_and_choices_count_as_use() -> None:
    assert unused("unseen", "never") == [(6, 9, "unused-source"), (10, 11, "unused-misconception")]
