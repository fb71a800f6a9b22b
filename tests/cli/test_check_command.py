"""`quiz pack check`: its forms of output, its mutation and its explanations."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from quiz.cli.main import run
from quiz.lint.rules import RULES

HEAD = 'format: 1\npack: mine\ntitle: T\nversion: "1"\nquestions:\n'
GOOD = '  - {id: q, kind: numeric, unit: "1", prompt: "{n} twice?", draw: {n: {from: 1, to: 30}}, formula: 2 * n}\n'
BROKEN = "  - {id: q, kind: card, prompt: P, back: B, hint: H}\n"


class Ran(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Call = Callable[..., Ran]


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    monkeypatch.setenv("QUIZ_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> Ran:
        code = run(["pack", "check", *arguments])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.out + captured.err
        return Ran(code, captured.out, captured.err)

    return call


def pack(questions: str, name: str = "mine.yaml") -> str:
    Path(name).write_text(HEAD + questions, encoding="utf-8")
    return name


def test_errors_are_exit_1_and_advice_is_not(check: Call) -> None:
    assert check(pack(BROKEN)).code == 1
    assert check(pack(GOOD)).code == 0


def test_github_annotations_are_one_line_each_with_a_summary(check: Call) -> None:
    ran = check("--format", "github", pack(BROKEN))
    first, *_, summary = ran.out.splitlines()
    assert ran.code == 1
    assert first.startswith("::error file=mine.yaml,line=6,col=45,title=unknown-key::")
    assert "did you mean 'hints'?" in first
    assert summary == "1 error, 0 pieces of advice"


def test_advice_is_a_warning_for_github(check: Call) -> None:
    ran = check("--format", "github", pack(GOOD))
    *annotations, _ = ran.out.splitlines()
    assert ran.code == 0
    assert [line.split(" ", 1)[0] for line in annotations] == ["::warning", "::warning"]


def test_what_a_pack_says_cannot_forge_an_annotation(check: Call) -> None:
    forged = '  - {id: q, kind: card, prompt: P, back: B, lesson: "x\\n::error file=a::b"}\n'
    lines = check("--format", "github", pack(forged)).out.splitlines()
    assert [line for line in lines if line.startswith("::error file=a::")] == []


def test_json_is_the_same_by_either_name(check: Call) -> None:
    file = pack(GOOD)
    assert check("--format", "json", file).json == check("--json", file).json
    assert check("--json", "--format", "json", file).code == 0


@pytest.mark.parametrize("form", ["text", "github"])
def test_two_forms_at_once_contradict_each_other(check: Call, form: str) -> None:
    ran = check("--json", "--format", form, pack(GOOD))
    assert (ran.code, ran.out) == (2, "")
    assert "contradict each other" in ran.err


def test_an_unknown_form_is_a_wrong_call(check: Call) -> None:
    assert check("--format", "xml", pack(GOOD)).code == 2


def test_mutation_is_reported_when_asked_for(check: Call) -> None:
    file = pack(GOOD)
    ran = check("--mutate", file)
    assert ran.code == 0
    assert "mutant-unnoticed" in ran.out
    assert "Mutation: 2 changes tried" in ran.out
    assert check("--mutate", "--json", file).json["mutation"]["tried"] == 2
    assert "mutation" not in check("--json", file).json


@pytest.mark.parametrize("rule", ["golden-changed", "yaml-colon", "unreadable"])
def test_a_rule_is_explained_and_nothing_is_checked(check: Call, rule: str) -> None:
    assert check("--explain", rule, "no-such-file.yaml") == (0, f"{rule}: {RULES[rule]}\n", "")
    assert check("--explain", rule, "--json").json == {"rule": rule, "explanation": RULES[rule]}


def test_a_rule_that_there_is_not_is_told_the_nearest(check: Call) -> None:
    ran = check("--explain", "yaml-colons")
    assert (ran.code, ran.out) == (2, "")
    assert "did you mean 'yaml-colon'?" in ran.err
    assert "names its rules" in check("--explain", "zzzzzzzz").err


def test_one_pack_given_twice_is_one_pack(check: Call) -> None:
    file = pack(GOOD)
    for paths in ((file, file), (file, "."), (file, f"./{file}"), (file, str(Path(file).resolve()))):
        ran = check("--json", *paths)
        assert ran.json["errors"] == []
        assert len(ran.json["certificates"]) == 1


def test_two_packs_with_one_id_are_told_of_each_other_across_paths(check: Call) -> None:
    first, second = pack(GOOD), pack(GOOD, "other.yaml")
    (fault,) = check("--json", first, second).json["errors"]
    assert (fault["file"], fault["line"], fault["rule"]) == (second, 2, "duplicate-pack")
    assert first in fault["message"]
