"""What an update does to a pack."""

import pytest

from quiz.bank.changes import Changes, changes, is_downgrade
from quiz.bank.pack import Pack
from quiz.bank.reader import read_pack_text

HEAD = 'format: 1\npack: mine\ntitle: Mine\nversion: "{version}"\nquestions:\n'


def pack(*questions: str, version: str = "1.0") -> Pack:
    lines = [f"  - {{id: {one}, kind: card, prompt: p, back: b}}\n" for one in questions]
    return read_pack_text(HEAD.format(version=version) + "".join(lines), "mine.yaml").pack


def between(before: Pack, after: Pack) -> Changes:
    return changes(before.questions, after.questions)


def test_what_is_new_is_added_and_what_is_gone_is_retired() -> None:
    found = between(pack("a", "b"), pack("b", "c"))
    assert (found.added, found.retired, found.changed, found.renamed) == (("c",), ("a",), (), ())


def test_what_reads_like_a_retired_question_may_be_that_question() -> None:
    after = pack("b", "c").model_copy(update={"questions": pack("b", "d", "c").questions})
    assert between(pack("a", "b"), after).alike == (("a", "c"),)


def texts(*questions: str) -> Pack:
    return read_pack_text(HEAD.format(version="1") + "".join(f"  - {{{one}}}\n" for one in questions), "f").pack


def test_an_only_arrival_may_be_the_only_question_that_went_if_it_is_of_its_kind() -> None:
    before = texts("id: a, kind: card, prompt: p, back: b")
    assert between(before, texts("id: c, kind: card, prompt: q, back: b")).alike == (("a", "c"),)
    assert between(before, texts("id: c, kind: text, prompt: q, accept: [b]")).alike == ()
    two = texts("id: c, kind: card, prompt: q, back: b", "id: d, kind: card, prompt: r, back: b")
    assert between(before, two).alike == ()
    assert between(before, pack("a", "c")).alike == ()


def test_what_reads_otherwise_is_changed_and_a_move_changes_nothing() -> None:
    edited = pack("b", "a, tags: [t]")
    assert between(pack("a", "b"), edited) == Changes(changed=("a",))


def test_a_former_id_makes_a_rename_of_what_would_be_an_arrival_and_a_retirement() -> None:
    assert between(pack("a"), pack("z, was: [a]")) == Changes(renamed=(("a", "z"),))


def test_a_former_id_that_was_not_installed_renames_nothing() -> None:
    assert between(pack("a"), pack("a", "z, was: [older]")) == Changes(added=("z",))


def test_a_question_that_takes_in_another_is_changed_and_retires_nothing() -> None:
    assert between(pack("a", "b"), pack("a, was: [b]")) == Changes(changed=("a",), renamed=(("b", "a"),))


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("1.10", "1.9", True),
        ("1.9", "1.10", False),
        ("2", "1.9.9", True),
        ("1.0", "1", False),
        ("1", "1.0.0", False),
        ("1.0.1", "1", True),
        ("2026-11", "2025-01", False),
        ("1.0", "1.0-rc1", False),
    ],
)
def test_versions_are_compared_by_their_numbers_where_they_are_numbers(before: str, after: str, expected: bool) -> None:
    assert is_downgrade(pack("a", version=before), pack("a", version=after)) is expected
