import pytest

from quiz.bank.parted import Parted, parted_text
from quiz.bank.reader import read_partly_bytes

KNOWN = ("text", "why", "right")
HEAD = 'format: 1\npack: p\ntitle: T\nversion: "1"\nquestions:\n'


def faults(question: str) -> list[tuple[str, str]]:
    return [(fault.message, fault.fix) for fault in read_partly_bytes(f"{HEAD}  - {question}\n".encode(), "f").faults]


@pytest.mark.parametrize(
    ("mapping", "key", "meant"),
    [
        ({"text": "a", "why": "So it is", "but not here": None}, "but not here", "So it is, but not here"),
        ({"why": "One", "two": None, "and three": None, "right": True}, "two", "One, two, and three"),
        ({"why": "It takes 1", "024 bytes": None}, "024 bytes", "It takes 1,024 bytes"),
        ({"why": "Yes", "but note": "this"}, "but note", "Yes, but note: this"),
    ],
)
def test_a_key_behind_a_comma_belongs_to_the_text_before_it(
    mapping: dict[str, str | None], key: str, meant: str
) -> None:
    assert parted_text(mapping, key, KNOWN) == Parted("why", meant, is_first=True)


@pytest.mark.parametrize(
    ("mapping", "key"),
    [
        ({"why": "So it is", "wy": "x"}, "wy"),
        ({"but not here": None, "why": "So it is"}, "but not here"),
        ({"right": True, "really": None}, "really"),
    ],
)
def test_other_stray_keys_are_slips_of_another_sort(mapping: dict[str, str | bool | None], key: str) -> None:
    assert parted_text(mapping, key, KNOWN) is None


def test_one_sentence_with_commas_in_braces_is_one_fault_that_names_comma_and_quotes() -> None:
    choices = "[{text: a, right: true, why: So it is, but then, not always}, {text: b, why: B}]"
    ((message, fix),) = faults(f"{{id: q, kind: choice, prompt: P, choices: {choices}}}")
    assert message == "a choice has no key `but then`"
    assert fix == (
        'a comma in { } ends a text: put that of `why` in quotes, as in why: "So it is, but then, not always"'
    )


def test_the_reason_of_a_stage_may_be_parted_too() -> None:
    ((message, fix),) = faults("{id: q, kind: stage, prompt: P, answer: build, why: {build: It asserts, so it raises}}")
    assert message == "there is no stage `so it raises`"
    assert 'build: "It asserts, so it raises"' in fix


def test_a_key_of_a_block_is_never_said_to_be_parted() -> None:
    ((message, fix),) = faults("id: q\n    kind: card\n    prompt: P\n    back: B\n    and so: on")
    assert (message, "comma" in fix) == ("a question of kind card has no key `and so`", False)


@pytest.mark.parametrize("key", ["formula: [max(2, 3), 4]", "formula: [5], require: [max(2, 3) > 1]"])
def test_an_expression_parted_by_a_comma_is_told_of_quotes(key: str) -> None:
    found = faults(f"{{id: q, kind: shape, prompt: P, {key}}}")
    assert len(found) == 2
    assert all(fix == "if a comma in [ ] ended it, put all of it in quotes" for _, fix in found)
