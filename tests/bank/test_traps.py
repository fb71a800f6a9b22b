import pytest

from quiz.bank.reader import read_pack_text
from quiz.bank.traps import traps

HEAD = 'format: 1\npack: trial\ntitle: T\nversion: "1"\nquestions:\n'  # 5 lines
CARD = "  - id: q\n    kind: card\n    back: B\n"


def found(text: str) -> list[tuple[int, int, str]]:
    return [(fault.line, fault.column, fault.rule) for fault in traps(read_pack_text(text, "trial.yaml"))]


def card(prompt: str) -> str:
    return f"{HEAD}{CARD}    prompt: {prompt}\n"  # the prompt is in line 9, column 13


@pytest.mark.parametrize(
    ("written", "rule"),
    [
        ("no", "yaml-word"),
        ("Yes", "yaml-word"),
        ("on", "yaml-word"),
        ("OFF", "yaml-word"),
        ("1_000", "yaml-underscore"),
        ("-4_096", "yaml-underscore"),
        ("12:30", "yaml-sixty"),
        ("12:30:45", "yaml-sixty"),
        ("1:30.5", "yaml-sixty"),
    ],
)
def test_bare_text_that_others_read_otherwise_is_advised_to_be_quoted(written: str, rule: str) -> None:
    for ending in ("", "  ", "  # why"):
        assert found(card(written + ending)) == [(9, 13, rule)]
    assert found(card(f'"{written}"')) == []
    (fault,) = traps(read_pack_text(card(written), "trial.yaml"))
    assert fault.fix == f'write "{written}"'
    assert written in fault.message


@pytest.mark.parametrize("written", ["0x10", "0o17", "+5"])
def test_a_bare_number_that_would_be_written_anew_is_noticed(written: str) -> None:
    assert [rule for _, _, rule in found(card(written))] == ["yaml-number"]


@pytest.mark.parametrize(
    "written", ["nothing", "no way", "yes and no", "v1_0", "a:30", "12:75", "1,000", "1000", "'on'", "5 on"]
)
def test_text_that_every_program_reads_alike_is_left_alone(written: str) -> None:
    assert found(card(written)) == []


@pytest.mark.parametrize(
    ("written", "column"),
    [("C # loop", 15), ("C# and F #", 22), ("the # of heads", 17)],
)
def test_a_comment_inside_a_text_is_noticed(written: str, column: int) -> None:
    assert found(card(written)) == [(9, column, "yaml-comment")]


@pytest.mark.parametrize(
    "written", ["C# and F#", "C  # a comment that is meant", '"C # loop"', "'C # loop'", "|\n      C # loop", "x[#]"]
)
def test_a_hash_that_hides_nothing_or_is_set_apart_is_left_alone(written: str) -> None:
    assert found(card(written)) == []


def test_a_comment_in_a_line_that_continues_a_text_is_noticed_there() -> None:
    assert found(card("one\n      two # three")) == [(10, 11, "yaml-comment")]


def test_a_comment_below_a_text_is_none() -> None:
    assert found(card("one\n    # a remark # about it")) == []


@pytest.mark.parametrize("key", ["hints", "steps"])
def test_lists_are_looked_at_item_by_item(key: str) -> None:
    assert found(f"{card('P')}    {key}: [yes, maybe, no]\n") == [
        (10, 13, "yaml-word"),
        (10, 25, "yaml-word"),
    ]
    assert found(f"{card('P')}    {key}:\n      - yes\n      - 12:30 # half past\n") == [
        (11, 9, "yaml-word"),
        (12, 9, "yaml-sixty"),
        (12, 15, "yaml-comment"),
    ]


def test_a_question_on_one_line_is_looked_at() -> None:
    assert found(HEAD + "  - {id: q, kind: card, prompt: no, back: 1_000}\n") == [
        (6, 33, "yaml-word"),
        (6, 43, "yaml-underscore"),
    ]


def test_the_reasons_of_a_stage_question_are_texts() -> None:
    stage = "  - {id: q, kind: stage, prompt: P, answer: load, why: {load: no}}\n"
    assert [rule for _, _, rule in found(HEAD + stage)] == ["yaml-word"]


def test_what_no_learner_reads_is_left_alone() -> None:
    assert (
        found(HEAD.replace("trial", "on") + CARD.replace("id: q", "id: no") + "    prompt: P\n    tags: [yes]\n") == []
    )


def test_windows_line_ends_change_no_place() -> None:
    text = card("no") + "    hints: [yes]\n"
    assert found(text.replace("\n", "\r\n")) == found(text) == [(9, 13, "yaml-word"), (10, 13, "yaml-word")]
