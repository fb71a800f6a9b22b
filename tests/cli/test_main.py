"""The command line, run in-process on a folder of its own."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from quiz.cli.main import run

KEY = "gqa/cache-bytes-per-token"
PACK = """\
format: 1
pack: mine
title: Mine
version: "1.0"
questions:
  - id: one
    kind: text
    prompt: What is cached?
    accept: [latent]
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setenv("QUIZ_HOME", str(folder))
    monkeypatch.setenv("QUIZ_NOW", "2026-03-02T09:00:00+00:00")
    monkeypatch.setenv("TZ", "UTC")
    return folder


class Ran:
    """What a command did."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def quiz(capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*arguments: str) -> Ran:
        code = run(arguments)
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return call


def test_list_names_every_question_of_the_shipped_packs(quiz: Any) -> None:
    rows = quiz("list", "--json").json
    assert {row["pack"] for row in rows} == {"head_dim", "divisibility", "gqa", "mla"}
    assert {row["state"] for row in rows} == {"new"}
    fields = ["key", "pack", "id", "kind", "depth", "lesson", "title", "drawn", "due", "state"]
    assert list(rows[0]) == [*fields, "suspended", "buried", "flagged"]


def test_list_tells_what_is_suspended_put_aside_or_flagged(quiz: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    done = {"suspend": "gqa/k-proj-shape", "bury": "gqa/what-shrinks", "flag": KEY}
    for deed, key in done.items():
        assert quiz("card", key, deed).code == 0
    assert quiz("card", KEY, "suspend").code == 0

    def marked(name: str) -> set[str]:
        return {row["key"] for row in quiz("list", "--json").json if row[name]}

    assert marked("suspended") == {done["suspend"], KEY}
    assert marked("buried") == {done["bury"]}
    assert marked("flagged") == {KEY}
    lines = {line.split()[0]: line for line in quiz("list").out.splitlines()}
    assert lines[done["suspend"]].endswith("  suspended")
    assert lines[done["bury"]].endswith("  not today")
    assert lines[KEY].endswith("  suspended, flagged")
    assert lines["mla/two-savings"].endswith(" -")
    monkeypatch.setenv("QUIZ_NOW", "2026-03-03T09:00:00+00:00")
    assert marked("buried") == set()


def test_ask_gives_the_same_bytes_in_another_process(quiz: Any) -> None:
    here = quiz("ask", KEY, "--seed", "11", "--json").out
    command = [sys.executable, "-m", "quiz", "ask", KEY, "--seed", "11", "--json"]
    there = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert here == there
    document = json.loads(here)
    givens = document["givens"]
    by_hand = 2 * givens["num_layers"] * givens["num_kv_heads"] * givens["head_dim"] * givens["dtype"]
    assert document["answer"] == {"value": by_hand, "display": f"{by_hand:,} B"}


def test_ask_draws_and_prints_a_seed_and_can_hide_the_answer(quiz: Any) -> None:
    document = quiz("ask", KEY, "--hide-answer", "--json").json
    assert 0 <= document["seed"] < 2**63
    assert not {"answer", "steps", "mistakes"} & document.keys()


def test_mark_tells_right_wrong_and_unreadable_apart_by_exit_code(quiz: Any) -> None:
    document = quiz("ask", KEY, "--seed", "7", "--json").json
    right = quiz("mark", KEY, "--seed", "7", "--json", "--", document["answer"]["display"])
    assert (right.code, right.json["verdict"], right.json["credit"]) == (0, "right", 1)
    for mistake in document["mistakes"]:
        wrong = quiz("mark", KEY, "--seed", "7", "--json", "--", str(mistake["value"]))
        assert (wrong.code, wrong.json["verdict"], wrong.json["misconception"]) == (
            1,
            "wrong",
            mistake["misconception"],
        )
    unreadable = quiz("mark", KEY, "--seed", "7", "--json", "--", "sixty-four")
    assert (unreadable.code, unreadable.json["verdict"]) == (2, "unreadable")


def test_a_negative_answer_is_an_answer_after_two_dashes(quiz: Any) -> None:
    assert quiz("mark", KEY, "--seed", "7", "--json", "--", "-64").json["reading"] == "-64 B"


@pytest.mark.parametrize(
    "arguments",
    [
        ("mark", "gqa/nothing", "--seed", "1", "--", "1"),
        ("mark", KEY, "--", "1"),
        ("mark", KEY, "--seed", "9223372036854775808", "--", "1"),
        ("mark", "mla/two-savings", "--seed", "1", "--", "x"),
        ("ask", "gqa/nothing", "--json"),
        ("solve", "head_dimm", "--json"),
        ("solve", "head_dim", "hidden_size=4096"),
        ("solve", "head_dim", "hidden_size=4096", "num_heads=32", "nmu=3"),
        ("solve", "head_dim", "hidden_size"),
        ("solve", "head_dim", "hidden_size=9**9**9", "num_heads=3"),
        ("nonsense",),
        ("study", "--limit", "0"),
    ],
)
def test_a_wrong_call_ends_in_a_line_on_stderr_and_exit_2(quiz: Any, arguments: tuple[str, ...]) -> None:
    ran = quiz(*arguments)
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("gqaa", "no topic 'gqaa'; did you mean gqa?"),
        ("gqa/kv-cach", "no topic 'gqa/kv-cach'; did you mean gqa/kv-cache?"),
        ("stduy", "no command and no topic 'stduy'; did you mean `quiz study`?"),
        ("progres", "no command and no topic 'progres'; did you mean `quiz progress`?"),
        ("weather", "no topic 'weather'; `quiz learn` lists"),
    ],
)
def test_a_misspelt_first_word_is_answered_by_the_nearest_topic_or_command(quiz: Any, word: str, said: str) -> None:
    for arguments in ((word,), (word, "--plain")):
        ran = quiz(*arguments)
        assert (ran.code, len(ran.err.splitlines())) == (2, 1)
        assert said in ran.err
        assert "mla/rope-and-absorption" not in ran.err


def test_a_question_in_place_of_a_topic_is_told_with_its_topic(quiz: Any) -> None:
    for arguments in ((KEY,), ("study", KEY), ("learn", KEY)):
        ran = quiz(*arguments)
        assert ran.code == 2
        assert f"{KEY} is a question, not a topic; `quiz ask {KEY}` shows it, `quiz study gqa/kv-cache`" in ran.err


def test_only_the_first_word_can_be_a_command(quiz: Any) -> None:
    assert "no topic 'stduy'" in quiz("study", "stduy").err
    assert "no topic 'stduy'" in quiz("gqa", "stduy").err


def test_solve_measures_and_explains(quiz: Any) -> None:
    document = quiz(
        "solve", "kv_cache_bytes_per_token", "num_layers=32", "num_kv_heads=8", "head_dim=128", "--json"
    ).json
    assert (document["value"], document["unit"], document["error"]) == (131_072, "B", None)
    assert quiz("solve", "q_proj_shape", "hidden_size=2560", "num_heads=32", "head_dim=128", "--json").json[
        "value"
    ] == [4096, 2560]
    tokens = quiz(
        "solve", "tokens_in_memory", "memory=20*2**30", "num_layers=80", "num_kv_heads=8", "head_dim=128", "--json"
    )
    assert tokens.json["value"] == 65_536


def test_solve_of_illegal_sizes_is_exit_1_with_the_reason_in_json(quiz: Any) -> None:
    ran = quiz("solve", "head_dim", "hidden_size=800", "num_heads=12", "--json")
    assert ran.code == 1
    assert ran.json["value"] is None
    assert "leaves 8" in ran.json["error"]["message"]


def test_the_quantities_programs_rely_on_are_there(quiz: Any) -> None:
    names = {row["quantity"] for row in quiz("quantities", "--json").json}
    assert names >= {
        "head_dim",
        "kv_cache_elements_per_token_per_layer",
        "kv_cache_bytes_per_token",
        "kv_cache_bytes",
        "attention_params_per_layer",
        "group_size",
        "q_proj_shape",
        "k_proj_shape",
        "scores_shape",
        "softmax_scale",
    }


def test_the_shipped_packs_pass_their_own_check(quiz: Any) -> None:
    ran = quiz("pack", "check", "--json")
    assert ran.code == 0
    assert ran.json["errors"] == []
    assert len(ran.json["certificates"]) >= 16


@pytest.mark.parametrize(
    ("broken", "line"),
    [
        (PACK + "    answr: x\n", 10),
        (PACK.replace("    kind: text\n", "   kind: text\n"), 7),
        (PACK.replace("    accept: [latent]\n", ""), 6),
        (PACK + PACK[PACK.index("  - id") :], 10),
        (PACK.replace("accept: [latent]", "accept: 3"), 9),
    ],
    ids=["unknown key", "bad indentation", "missing answer", "duplicate id", "wrong type"],
)
def test_a_faulty_pack_is_told_where_and_what(quiz: Any, tmp_path: Path, broken: str, line: int) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(broken, encoding="utf-8")
    ran = quiz("pack", "check", str(file))
    assert ran.code == 1
    assert f"{file}:{line}:" in ran.out
    assert "Traceback" not in ran.out + ran.err
    fault = quiz("pack", "check", str(file), "--json").json["errors"][0]
    assert list(fault) == ["file", "line", "column", "rule", "message", "fix"]
    assert quiz("pack", "add", str(file)).code == 1


def test_a_pack_can_be_previewed_added_studied_and_removed_with_its_history_kept(
    quiz: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import io

    file = tmp_path / "other-name.yaml"
    file.write_text(PACK, encoding="utf-8")
    assert [row["key"] for row in quiz("pack", "preview", str(file), "--json").json] == ["mine/one"]
    assert quiz("pack", "add", str(file)).code == 0
    monkeypatch.setattr("sys.stdin", io.StringIO("latent\n4\n"))
    assert "saved mine/one rating 4 due 2026-03-" in quiz("mine", "--plain").out
    assert quiz("pack", "remove", "gqa").code == 2
    assert quiz("pack", "remove", "mine").code == 0
    assert quiz("mine", "--plain").code == 2
    assert quiz("pack", "add", str(file)).code == 0
    row = next(row for row in quiz("list", "--json").json if row["key"] == "mine/one")
    assert row["state"] == "review"
    assert row["due"] > "2026-03-02"


def test_progress_agrees_with_what_was_done(quiz: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO("0\n1\n" * 3))
    out = quiz("study", "--plain", "--limit", "3").out
    figures = quiz("progress", "--json").json
    assert figures["reviews"] == out.count("\nsaved ") == 3
    assert figures["studied_days"] == 1
    assert figures["cards"]["learning"] == len({line for line in out.splitlines() if line.startswith("saved ")})
    assert sum(figures["cards"].values()) == len(quiz("list", "--json").json)
    assert figures["forecast"][0]["day"] == "2026-03-02"


def test_the_screens_refuse_to_open_without_a_terminal(quiz: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    ran = quiz()
    assert ran.code == 2
    assert "--plain" in ran.err


def test_home_moves_everything(quiz: Any, tmp_path: Path) -> None:
    where = quiz("--home", str(tmp_path / "else"), "data", "where", "--json").json
    assert where["folder"] == str(tmp_path / "else")


def test_a_clock_that_is_no_clock_is_said(quiz: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIZ_NOW", "yesterday")
    ran = quiz("progress")
    assert ran.code == 2
    assert "QUIZ_NOW" in ran.err


def test_the_schema_is_a_json_schema(quiz: Any) -> None:
    assert quiz("pack", "schema").json["$schema"].startswith("https://json-schema.org/")
