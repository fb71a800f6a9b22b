import pytest

from quiz.bank.parts import UNKNOWN
from quiz.bank.reader import Located, read_pack_text, read_partly_bytes
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


def partly(text: str) -> tuple[list[str], list[tuple[int, str]], Located]:
    located, faults = read_partly_bytes(text.encode(), "f")
    return [one.id for one in located.pack.questions], [(fault.line, fault.rule) for fault in faults], located


def test_questions_behind_broken_ones_are_checked_and_found_where_they_stand() -> None:
    more = "  - {id: c, kind: numeric, prompt: P, formula: x}\n  - {id: d, kind: card, prompt: P, back: B}\n"
    ids, faults, located = partly(GOOD.replace("kind: card", "kind: crad") + more)
    assert ids == ["b", "d"]
    assert faults == [(12, "unknown-kind"), (14, "unknown-name")]
    assert [located.where("questions", index, "id") for index in range(2)] == [(13, 10), (15, 10)]
    assert not located.is_whole


def test_what_is_sound_of_a_whole_pack_is_the_pack() -> None:
    ids, faults, located = partly(GOOD)
    assert (ids, faults, located.is_whole) == (["a", "b"], [], True)


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("s: {title: S}", "s: {titel: S}", "sources: [s]"),
        ("  s: {title: S}", "  [s]", "sources: [s]"),
        ("{id: l, title: L, tldr: T, body: B}", "{id: l, title: L, tldr: T}", "lesson: l"),
        ("{id: l, title: L, tldr: T, body: B}", "{ID: l, title: L, tldr: T, body: B}", "lesson: l"),
        ("m: {says: M, truth: N}", "m: {says: M}", "mistakes: [{formula: 2, misconception: m}]"),
    ],
)
def test_what_is_there_but_broken_may_be_named_and_a_question_that_needs_it_is_left_out(
    old: str, new: str, named: str
) -> None:
    assert old in GOOD
    text = GOOD.replace(old, new).replace("formula: 1}", f"formula: 1, {named}}}")
    ids, faults, _ = partly(text)
    assert ids == (["a", "b"] if named.startswith("lesson") else ["a"])
    assert not [rule for _, rule in faults if rule.startswith(("unknown-source", "unknown-lesson", "unknown-misc"))]


def test_an_id_is_taken_by_a_broken_question_too() -> None:
    _, faults, _ = partly(GOOD.replace("kind: card", "kind: crad").replace("id: b", "id: a"))
    assert faults == [(12, "unknown-kind"), (13, "duplicate-id")]


def test_the_questions_of_a_pack_without_a_sound_head_are_checked() -> None:
    ids, faults, located = partly(GOOD.replace('pack: p\ntitle: T\nversion: "1.0.0"', "version: 1.0") + "rest: 1\n")
    assert (ids, located.pack.pack) == (["a", "b"], UNKNOWN)
    assert faults == [(1, "missing-key"), (1, "missing-key"), (2, "wrong-type"), (12, "unknown-key")]


def test_a_pack_whose_questions_are_no_list_has_none() -> None:
    ids, faults, _ = partly(GOOD[: GOOD.index("  - {id: a, kind")] + "  q: {id: q}\n")
    assert (ids, [rule for _, rule in faults]) == ([], ["wrong-type"])


def test_of_a_pack_with_more_faults_than_anybody_reads_no_question_is_taken_for_sound() -> None:
    wrong = "".join(f"  - {{id: w{number}, kind: numeric, prompt: P, formula: x}}\n" for number in range(250))
    unknown = "  - {id: u, kind: card, prompt: P, back: B, sources: [nowhere]}\n"
    ids, faults, _ = partly(GOOD + wrong + unknown)
    assert (ids, faults[-1][1]) == ([], "too-many-faults")
