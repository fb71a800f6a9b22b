import pytest

from quiz.bank.reader import read_pack_text
from quiz.errors import PackError

GOOD = """\
format: 1
pack: p
title: T
version: "1.0.0"
sources:
  s: {title: S}
misconceptions:
  m: {says: M, truth: N}
lessons:
  - {id: l, title: L, tldr: T, body: B}
questions:
  - {id: a, kind: card, prompt: P, back: B}
  - {id: b, kind: numeric, prompt: P, formula: 1}
"""


def found(old: str, new: str) -> list[tuple[int, int, str]]:
    assert old in GOOD
    with pytest.raises(PackError) as caught:
        read_pack_text(GOOD.replace(old, new), "f")
    return [(fault.line, fault.column, fault.rule) for fault in caught.value.faults]


@pytest.mark.parametrize(
    ("old", "new", "places"),
    [
        ("s: {title: S}", "s: {titel: S}", [(6, 6, "missing-key"), (6, 7, "unknown-key")]),
        ("s: {title: S}", "s t: {title: S}", [(6, 3, "bad-id")]),
        ("s: {title: S}", "s: S", [(6, 6, "wrong-type")]),
        ("m: {says: M, truth: N}", "m: {says: M}", [(8, 6, "missing-key")]),
        ("{id: l, title: L, tldr: T, body: B}", "{id: l, title: L, tldr: T}", [(10, 5, "missing-key")]),
        ("- {id: l, title: L, tldr: T, body: B}", "l: {id: l}", [(10, 3, "wrong-type")]),
        ("questions:\n", "questions: 3\nrest:\n", [(11, 12, "wrong-type"), (12, 1, "unknown-key")]),
        ("kind: card", "kind: crad", [(12, 19, "unknown-kind")]),
        ("{id: b, kind: numeric, prompt: P, formula: 1}", "text", [(13, 5, "wrong-type")]),
    ],
)  # fmt: skip
def test_a_fault_in_a_part_is_placed_in_the_file(old: str, new: str, places: list[tuple[int, int, str]]) -> None:
    assert found(old, new) == places


def test_faults_of_the_parts_and_of_the_file_around_them_come_together() -> None:
    assert found('version: "1.0.0"\nsources:\n  s: {title: S}', "sources:\n  s: {}") == [
        (1, 1, "missing-key"),
        (5, 6, "missing-key"),
    ]


def test_a_pack_whose_questions_are_all_broken_does_not_lack_questions() -> None:
    rules = found(GOOD[GOOD.index("questions:") :], "questions:\n  - {id: a, kind: card, prompt: P}\n")
    assert rules == [(12, 5, "missing-key")]


def test_an_item_is_named_by_its_number_in_the_file() -> None:
    with pytest.raises(PackError, match="item 2 of `questions` must be a mapping"):
        read_pack_text(GOOD.replace("{id: b, kind: numeric, prompt: P, formula: 1}", "3"), "f")


def test_a_slip_of_yaml_is_told_alone() -> None:
    assert found("kind: card, prompt: P", "kind: crad, prompt: &x P") == [(12, 33, "yaml-anchor")]
