"""content/README.md teaches by examples: each of them is what the tool takes, and says, today."""

import re
from pathlib import Path

import pytest

from quiz import paths
from quiz.bank.pack import STAGES
from quiz.bank.reader import read_pack_text
from quiz.lint.check import Report, check_packs
from quiz.lint.text import report_lines

GUIDE = (paths.content_dir() / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
YAML = [block for language, block in BLOCKS if language == "yaml"]
FIRST, DRAWN, MISCONCEPTIONS, MISTAKES, KINDS, GOLDEN, LESSONS = YAML
HEAD = FIRST.partition("questions:\n")[0]


def checked(folder: Path, text: str) -> Report:
    file = folder / "mlp.yaml"
    file.write_text(text, encoding="utf-8")
    return check_packs([file], {})


@pytest.fixture
def with_mistakes() -> str:
    """The pack at the end of step 4."""
    return f"{HEAD}{MISCONCEPTIONS}\nquestions:\n{DRAWN}{MISTAKES}"


def test_the_first_question_has_two_pieces_of_advice_and_no_errors(tmp_path: Path) -> None:
    report = checked(tmp_path, FIRST)
    assert report.errors == ()
    assert {fault.rule for fault in report.advice} == {"missing-lesson", "missing-source"}


def test_the_drawn_question_has_the_twenty_variants_that_are_promised(tmp_path: Path) -> None:
    report = checked(tmp_path, f"{HEAD}questions:\n{DRAWN}")
    assert report.errors == ()
    assert [certificate.distinct for certificate in report.certificates] == [20]


def test_the_check_objects_as_the_guide_says(
    tmp_path: Path, with_mistakes: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = "\n".join(report_lines(checked(Path(), with_mistakes)))
    (shown,) = [block for language, block in BLOCKS if language == "text"]
    for part in (
        "  mlp.yaml:19:7: too-few-variants\n",
        "only 15 different variants can be shown, and 20 are needed",
        "mlp/mlp-parameters: 15 sound of 20 valid of 20 drawn",
        "answer = square-matrices: 5 times, as in hidden_size = 1,024, ratio = 1",
        "add `hidden_size < intermediate_size`: removes 5 of 20",
    ):
        assert part in shown
        assert part in said


@pytest.mark.parametrize(
    ("ratio", "require"),
    [("[2, 3, 4, 5]", ""), ("[1, 2, 3, 4, 5]", "    require: [hidden_size < intermediate_size]\n")],
)
def test_both_cures_of_the_guide_help(tmp_path: Path, with_mistakes: str, ratio: str, require: str) -> None:
    report = checked(tmp_path, with_mistakes.replace("ratio: [1, 2, 3, 4]", f"ratio: {ratio}") + require)
    assert report.errors == ()
    assert [certificate.sound for certificate in report.certificates] == [20]


def test_the_pinned_variant_is_what_comes_out_and_holds_the_formula(tmp_path: Path) -> None:
    pinned = f"{HEAD}questions:\n{DRAWN}{GOLDEN}"
    assert checked(tmp_path, pinned).errors == ()
    slipped = pinned.replace("formula: 3 *", "formula: 2 *")
    assert [fault.rule for fault in checked(tmp_path, slipped).errors] == ["golden-changed"]


def test_there_is_an_example_of_every_kind(tmp_path: Path) -> None:
    pack = read_pack_text(f"{HEAD}questions:\n{KINDS}", "kinds.yaml").pack
    kinds = [question.kind for question in pack.questions]
    assert kinds == ["card", "choice", "numeric", "shape", "stage", "text", "order", "open"]
    assert checked(tmp_path, f"{HEAD}questions:\n{KINDS}").errors == ()


def test_the_example_of_a_lesson_has_every_part() -> None:
    pack = read_pack_text(f"{HEAD}{LESSONS}questions:\n{DRAWN}", "lesson.yaml").pack
    assert {name for name, part in pack.lessons[0] if not part} == {"worked", "sources"}


def test_every_stage_is_named() -> None:
    assert [stage for stage in STAGES if not re.search(rf"\b{stage}\b", GUIDE)] == []


def test_every_file_beside_the_guide_is_in_its_table() -> None:
    beside = {path.name for path in paths.content_dir().iterdir()} - {"README.md"}
    assert beside == set(re.findall(r"^\| `([\w.]+)` \|", GUIDE, re.MULTILINE))
