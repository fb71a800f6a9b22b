import pytest

from quiz.bank.indentation import misplaced_key

QUESTION = ["questions:", "  - id: q", "    kind: card", ""]


@pytest.mark.parametrize(
    ("above", "line", "columns"),
    [
        (QUESTION, "     prompt: P", (6, 5)),
        (QUESTION, "   prompt: P", (4, 5)),
        (QUESTION, "   - id: r", (6, 5)),
        ([*QUESTION, "    draw: {n: [4]}"], "     let:", (6, 5)),
        ([*QUESTION, "    draw:", "      n: [4]"], "     let:", (6, 5)),
        ([*QUESTION, "    prompt: >-", "      Text."], "     back: B", (6, 5)),
        ([*QUESTION, "    # remark"], "     back: B", (6, 5)),
        (["format: 1"], " pack: x", (2, 1)),
    ],
)
def test_a_key_that_stands_beside_its_neighbours_is_placed(
    above: list[str], line: str, columns: tuple[int, int]
) -> None:
    assert misplaced_key(above, line) == columns


@pytest.mark.parametrize(
    ("above", "line"),
    [
        (QUESTION, "    prompt: P"),
        (QUESTION, "  - id: r"),
        (QUESTION, "lessons:"),
        (QUESTION, "     just text"),
        ([*QUESTION, "    draw:"], "      n: [4]"),
        ([*QUESTION, "    draw:  # numbers"], "      n: [4]"),
        ([*QUESTION, "    draw: {"], "      n: [4]"),
        ([*QUESTION, "    prompt: |"], "      note: text"),
        ([*QUESTION, "    choices:"], "      - text: A"),
        ([], "   format: 1"),
    ],
)
def test_a_key_that_stands_well_is_left_alone(above: list[str], line: str) -> None:
    assert misplaced_key(above, line) is None
