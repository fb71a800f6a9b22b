"""The commands about packs: new, preview, add, remove, list; and the schema that is handed out."""

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from quiz import paths
from quiz.bank.reader import json_schema
from quiz.cli import watching
from quiz.cli.main import run

HEAD = 'format: 1\npack: {id}\ntitle: A title\nversion: "{version}"\nquestions:\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, which is not the learner's."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setenv("QUIZ_HOME", str(tmp_path / "home"))
    return work


class Ran:
    """What a command did."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Call = Callable[..., Ran]


@pytest.fixture
def pack(capsys: pytest.CaptureFixture[str]) -> Call:
    def call(*arguments: str) -> Ran:
        code = run(["pack", *arguments])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.out + captured.err
        return Ran(code, captured.out, captured.err)

    return call


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    class Typed(io.StringIO):
        def isatty(self) -> bool:
            return True

    return lambda typed: monkeypatch.setattr("sys.stdin", Typed(typed))


def text(*questions: str, name: str = "mine", version: str = "1.0") -> str:
    lines = [f"  - {{id: {one}, kind: card, prompt: p, back: b}}\n" for one in questions or ("one",)]
    return HEAD.format(id=name, version=version) + "".join(lines)


def write(content: str, name: str = "it.yaml") -> str:
    Path(name).write_text(content, encoding="utf-8")
    return name


def installed(pack: Call) -> dict[str, str]:
    return {row["pack"]: row["version"] for row in pack("list", "--json").json if not row["shipped"]}


# new


@pytest.mark.parametrize("name", ["optimiser-memory", "TITLE", "1.0", "null", "x" * 64])
def test_a_new_pack_is_whole_and_has_neither_errors_nor_advice(pack: Call, folder: Path, name: str) -> None:
    assert pack("new", name, "--json").json == {"pack": name, "file": f"{name}.yaml", "schema": "pack.schema.json"}
    assert sorted(path.name for path in folder.iterdir()) == sorted([f"{name}.yaml", "pack.schema.json"])
    report = pack("check", f"{name}.yaml", "--json")
    assert (report.code, report.json["errors"], report.json["advice"]) == (0, [], [])
    assert {row["key"].partition("/")[0] for row in pack("preview", f"{name}.yaml", "--json").json} == {name}


def test_a_new_pack_shows_a_lesson_a_card_a_choice_and_a_number_with_a_mistake(pack: Call) -> None:
    pack("new", "mine")
    assert "lessons:" in Path("mine.yaml").read_text(encoding="utf-8")
    card, choice, numeric = pack("preview", "mine.yaml", "--json").json
    assert [card["kind"], choice["kind"], numeric["kind"]] == ["card", "choice", "numeric"]
    assert numeric["givens"]
    assert [mistake["misconception"] for mistake in numeric["mistakes"]] == ["elements-for-bytes"]


def test_the_first_line_of_a_new_pack_names_the_schema_beside_it(pack: Call) -> None:
    pack("new", "mine")
    first = Path("mine.yaml").read_text(encoding="utf-8").partition("\n")[0]
    schema = Path(first.partition("$schema=")[2])
    assert json.loads(schema.read_text(encoding="utf-8")) == json_schema()


def test_a_new_pack_never_overwrites(pack: Call) -> None:
    write("precious", "mine.yaml")
    ran = pack("new", "mine")
    assert (ran.code, ran.err) == (2, "quiz: mine.yaml exists already; nothing was written\n")
    assert Path("mine.yaml").read_text(encoding="utf-8") == "precious"


def test_an_older_schema_is_brought_up_to_date_and_another_file_of_that_name_is_left(pack: Call) -> None:
    write('{"title": "Quiz pack, format 0"}', "pack.schema.json")
    assert pack("new", "mine").code == 0
    assert json.loads(Path("pack.schema.json").read_text(encoding="utf-8")) == json_schema()
    write('{"title": "Parcels"}', "pack.schema.json")
    ran = pack("new", "yours")
    assert (ran.code, Path("yours.yaml").exists()) == (2, False)
    assert json.loads(Path("pack.schema.json").read_text(encoding="utf-8")) == {"title": "Parcels"}


@pytest.mark.parametrize(
    "name", ["", "../up", "/abs", "a/b", "a b", "-x", ".hidden", "ä", "x" * 65, "mine.yaml", "models", "gqa", "a\n"]
)
def test_a_bad_name_is_refused_in_one_line_and_writes_nothing(pack: Call, folder: Path, name: str) -> None:
    ran = pack("new", "--", name)
    assert ran.code == 2
    assert ran.err.count("\n") == 1
    assert list(folder.iterdir()) == []


def test_the_schema_beside_the_shipped_packs_is_the_one_that_is_printed(pack: Call) -> None:
    shipped = json.loads((paths.content_dir() / "pack.schema.json").read_text(encoding="utf-8"))
    assert shipped == pack("schema").json, "run `quiz pack schema > content/pack.schema.json`"


# preview


def test_a_preview_shows_what_a_learner_is_told_about_a_mistake(pack: Call) -> None:
    pack("new", "mine")
    shown = pack("preview", "mine.yaml", "--question", "weight-bytes", "--seed", "3").out
    assert "bias=False) in bf16" in shown
    assert "Hint 1: How many elements are there" in shown
    assert "Every element takes its own bytes, 2 each in bf16." in shown
    assert "What does a linear layer keep?" not in shown


def test_a_preview_gives_every_reason_of_a_choice(pack: Call) -> None:
    pack("new", "mine")
    shown = pack("preview", "mine.yaml", "--question", "weight-shape").out
    assert "The output comes first" in shown
    assert "That is the order of the arguments" in shown


def test_a_preview_gives_every_reason_of_a_stage_and_every_accepted_spelling(pack: Call) -> None:
    stage = "{id: s, kind: stage, prompt: P, answer: build, why: {build: At once., forward: Not so late.}}"
    write(
        HEAD.format(id="mine", version="1") + f"  - {stage}\n  - {{id: t, kind: text, prompt: P, accept: [a, b, c]}}\n"
    )
    shown = pack("preview", "it.yaml").out
    assert "To build: Right" in shown
    assert "To forward: Not right: you said forward; it is build.\n    forward: Not so late." in shown
    assert "Answer: a\n  Also accepted: b, c\n" in shown


def test_several_variants_of_what_is_drawn_and_one_of_what_is_not(pack: Call) -> None:
    pack("new", "mine")
    rows = pack("preview", "mine.yaml", "--seed", "5", "--count", "3", "--json").json
    assert [(row["key"], row["seed"]) for row in rows] == [
        ("mine/what-is-kept", 5),
        ("mine/weight-shape", 5),
        ("mine/weight-bytes", 5),
        ("mine/weight-bytes", 6),
        ("mine/weight-bytes", 7),
    ]


def test_seeds_go_round_at_their_end(pack: Call) -> None:
    rows = pack("preview", "gqa/cache-bytes-per-token", "--seed", str(2**63 - 1), "--count", "2", "--json").json
    assert [row["seed"] for row in rows] == [2**63 - 1, 0]


def test_a_key_shows_one_question_and_a_pack_all_of_its_own(pack: Call) -> None:
    Path("gqa").mkdir()  # a folder of that name is not in the way
    asked = pack("preview", "gqa/cache-bytes-per-token", "--seed", "7", "--json").json
    assert [row["key"] for row in asked] == ["gqa/cache-bytes-per-token"]
    assert {row["key"].partition("/")[0] for row in pack("preview", "gqa", "--json").json} == {"gqa"}


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("gqa/cache-byte-per-token",), "did you mean gqa/cache-bytes-per-token"),
        (("nothing",), "neither a file nor a pack"),
        (("nothing.yaml",), "there is no file nothing.yaml"),
        ((".",), "neither a file nor a pack"),
        (("it.yaml", "--question", "two"), "there are one"),
        (("it.yaml", "--lesson", "two"), "no lesson 'two' in it.yaml\n"),
        (("gqa", "--lesson", "two"), "there are sharing-kv-heads"),
        (("it.yaml", "--lesson", "l", "--question", "one"), "choose one"),
        (("gqa/cache-bytes-per-token", "--question", "x"), "one question already"),
        (("it.yaml", "--count", "0"), "--count"),
    ],
)
def test_a_preview_of_what_is_not_there_says_so(pack: Call, arguments: tuple[str, ...], why: str) -> None:
    write(text("one"))
    ran = pack("preview", *arguments)
    assert ran.code == 2
    assert why in ran.err


def test_a_question_that_cannot_be_drawn_does_not_keep_the_others_from_showing(pack: Call) -> None:
    broken = "  - {id: two, kind: numeric, draw: {n: [1, 2]}, require: [n > 2], prompt: p, formula: n}\n"
    write(text("one") + broken)
    ran = pack("preview", "it.yaml", "--json")
    assert (ran.code, [row["key"] for row in ran.json]) == (1, ["mine/one"])
    assert "mine/two" in ran.err


def test_watching_shows_each_save_says_faults_and_goes_on_until_interrupted(
    pack: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(text("one"))
    steps: list[Callable[[], object]] = [
        lambda: None,
        lambda: write("format: ["),
        lambda: write(text("one", "second")),
        lambda: Path("it.yaml").unlink(),
        lambda: write(text("third-one")),
    ]
    saves = iter(steps)

    def pause() -> None:
        step = next(saves, None)
        if step is None:
            raise KeyboardInterrupt
        step()

    monkeypatch.setattr(watching, "pause", pause)
    ran = pack("preview", "it.yaml", "--watch", "--json")
    assert ran.code == 130
    shown = [[row["key"] for row in json.loads(line)] for line in ran.out.splitlines()]
    assert shown == [["mine/one"], ["mine/one", "mine/second"], ["mine/third-one"]]
    assert "quiz: it.yaml:2:1:" in ran.err


def broken(*ids: str) -> str:
    return "".join(f"  - {{id: {one}, kind: numerik, prompt: P, formula: 1}}\n" for one in ids)


def test_what_is_sound_is_shown_although_another_question_is_broken(pack: Call) -> None:
    write(text("one") + broken("two"))
    alone = pack("preview", "it.yaml", "--question", "one")
    assert alone.code == 0
    assert "mine/one" in alone.out
    assert alone.err == "quiz: 1 error elsewhere in this pack; `quiz pack check it.yaml` says which\n"
    everything = pack("preview", "it.yaml")
    assert (everything.code, "mine/one" in everything.out) == (1, True)
    assert "there is no kind 'numerik'" in everything.err


def test_of_a_broken_question_the_faults_are_shown(pack: Call) -> None:
    write(text("one") + broken("two"))
    ran = pack("preview", "it.yaml", "--question", "two")
    assert (ran.code, ran.out) == (1, "")
    assert "there is no kind 'numerik'" in ran.err


LESSON = "lessons: [{id: l, title: A lesson, tldr: In short., body: At length., talk_track: [Say it.]}]\nquestions:\n"


def test_a_pack_is_shown_with_its_lessons_and_a_lesson_alone_when_asked_for(pack: Call) -> None:
    write(text("one").replace("questions:\n", LESSON))
    shown = pack("preview", "it.yaml").out
    assert shown.index("mine/l · lesson\nA lesson\n") < shown.index("1. Say it.") < shown.index("mine/one")
    alone = pack("preview", "it.yaml", "--lesson", "l").out
    assert "At length." in alone
    assert "mine/one" not in alone
    assert "At length." not in pack("preview", "it.yaml", "--question", "one").out
    assert [row["lesson"] for row in pack("preview", "it.yaml", "--lesson", "l", "--json").json] == ["mine/l"]
    assert [row["key"] for row in pack("preview", "it.yaml", "--json").json] == ["mine/one"]


def test_the_worked_solution_is_shown_once_however_many_mistakes_there_are(pack: Call) -> None:
    shown = pack("preview", "gqa/cache-at-context", "--seed", "7").out
    assert shown.count("Per token: ") == 1
    assert shown.count("The slip: ") > 2


def test_a_screen_shows_what_is_edited_and_the_fault_that_keeps_it_from_showing(
    pack: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = [text("one", "two").replace("two, kind: card, prompt: p", "two, kind: card, prompt: q")]
    saved.append(saved[0] + broken("three"))
    write(text("one", "two"))

    def pause() -> None:
        if not saved:
            raise KeyboardInterrupt
        write(saved.pop(0))

    monkeypatch.setattr(watching, "pause", pause)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    ran = pack("preview", "it.yaml", "--watch")
    assert ran.code == 130
    assert re.findall(r"mine/\w+", ran.out) == ["mine/one", "mine/two", "mine/two"]
    assert ran.err.count("there is no kind 'numerik'") == 1
    assert ran.err.count("watching it.yaml; the lesson or question that you edit is shown; Ctrl+C ends it") == 3


# add


def test_a_new_pack_is_added_without_a_question(pack: Call) -> None:
    ran = pack("add", write(text("one")))
    assert (ran.code, ran.out) == (
        0,
        "added mine 1.0: A title\nstudy it: quiz mine\nadvice on it, if there is any: quiz pack check it.yaml\n",
    )
    assert installed(pack) == {"mine": "1.0"}


def test_adding_the_same_again_changes_nothing_and_is_fine(pack: Call) -> None:
    write(text("one"))
    pack("add", "it.yaml")
    ran = pack("add", "it.yaml")
    assert (ran.code, ran.out) == (0, "mine 1.0 is installed already, letter for letter\n")


def test_a_folder_and_a_zip_are_added_whole(pack: Call) -> None:
    Path("set").mkdir()
    for name in ("a", "b"):
        write(text(name=name), f"set/{name}.yaml")
    assert [one["pack"] for one in pack("add", "set", "--json").json["packs"]] == ["a", "b"]
    with ZipFile("set.zip", "w") as archive:
        for name in ("c", "d"):
            archive.writestr(f"set/{name}.yaml", text(name=name))
    assert pack("add", "set.zip").out == "added c 1.0: A title\nadded d 1.0: A title\nstudy it: quiz c d\n"
    assert installed(pack) == dict.fromkeys("abcd", "1.0")


def test_one_bad_pack_among_several_keeps_all_out_and_is_named_as_it_was_handed_over(pack: Call) -> None:
    with ZipFile("set.zip", "w") as archive:
        archive.writestr("good.yaml", text(name="good"))
        archive.writestr("bad.yaml", text(name="bad") + "    answr: x\n")
    ran = pack("add", "set.zip")
    assert ran.code == 1
    assert ran.out.startswith("set.zip/bad.yaml:")
    assert ran.err == "quiz: nothing was added: 1 error\n"
    assert [error["file"] for error in pack("add", "set.zip", "--json").json["errors"]] == ["set.zip/bad.yaml"]
    assert installed(pack) == {}


def test_two_packs_of_one_id_name_both_files(pack: Call) -> None:
    Path("set").mkdir()
    write(text(), "set/a.yaml")
    write(text(), "set/b.yaml")
    ran = pack("add", "set")
    assert ran.code == 1
    assert "set/b.yaml" in ran.out
    assert "already taken by set/a.yaml" in ran.out


def test_a_hostile_zip_is_refused_and_nothing_is_written(pack: Call, tmp_path: Path) -> None:
    with ZipFile("set.zip", "w") as archive:
        archive.writestr("good.yaml", text(name="good"))
        archive.writestr("../../evil.yaml", text(name="evil"))
    ran = pack("add", "set.zip")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "leads out of the folder" in ran.err
    assert installed(pack) == {}
    assert not list(tmp_path.rglob("*.yaml"))


UPDATE = text("one, tags: [t]", "three", "new, was: [two]", version="2.0")


@pytest.fixture
def update(pack: Call) -> str:
    """A file that adds, changes and renames questions of an installed pack."""
    pack("add", write(text("one", "two")))
    return write(UPDATE, "update.yaml")


def test_a_pack_that_is_called_like_a_command_is_studied_by_the_long_command(pack: Call) -> None:
    assert "study it: quiz study list\n" in pack("add", write(text("one", name="list"))).out


def test_an_update_says_what_it_adds_changes_and_renames(pack: Call, update: str) -> None:
    ran = pack("add", update)
    assert ran.code == 0
    assert ran.out.splitlines() == [
        "mine: 1.0 → 2.0",
        "  adds three",
        "  changes one",
        "  renames two → new",
        "added mine 2.0: A title",
        "study it: quiz mine",
        "advice on it, if there is any: quiz pack check update.yaml",
    ]


def test_an_update_says_it_in_json(pack: Call, update: str) -> None:
    document = pack("add", update, "--json").json
    (one,) = document["packs"]
    assert (document["installed"], one["before"], one["version"], one["downgrade"]) == (True, "1.0", "2.0", False)
    assert one["questions"] == {
        "adds": ["three"],
        "changes": ["one"],
        "renames": [{"from": "two", "to": "new"}],
        "retires": [],
    }


def test_without_a_terminal_retiring_needs_yes(pack: Call) -> None:
    pack("add", write(text("one", "two")))
    write(text("one", version="2.0"))
    ran = pack("add", "it.yaml")
    assert ran.code == 2
    assert "  retires two (asked no more; the history is kept)" in ran.out
    assert "was:" not in ran.out
    assert "--yes" in ran.err
    document = pack("add", "it.yaml", "--json")
    assert (document.code, document.json["installed"]) == (2, False)
    assert document.json["packs"][0]["questions"]["retires"] == ["two"]
    assert installed(pack) == {"mine": "1.0"}
    assert pack("add", "it.yaml", "--yes").code == 0
    assert installed(pack) == {"mine": "2.0"}


@pytest.mark.parametrize(
    ("after", "said"),
    [
        (("one", "three"), "if three is two by a new name, write `was: [two]` in it, and its history goes on"),
        (("one", "three", "four, tags: [t]"), "by a new name, write `was: [two]` in it"),
        (("one", "three, prompt: x", "four, prompt: y"), "a question that only got a new name keeps its history"),
    ],
)
def test_an_update_that_adds_and_retires_says_how_a_rename_is_written(
    pack: Call, after: tuple[str, ...], said: str
) -> None:
    pack("add", write(text("one", "two")))
    lines = text(*after).replace(", prompt: x, kind: card, prompt: p", ", kind: card, prompt: x")
    ran = pack("add", write(lines.replace(", prompt: y, kind: card, prompt: p", ", kind: card, prompt: y")))
    assert said in ran.out


def test_going_back_a_version_is_said_and_needs_yes(pack: Call) -> None:
    pack("add", write(text("one", version="1.10")))
    write(text("one", version="1.9"))
    ran = pack("add", "it.yaml")
    assert ran.code == 2
    assert "mine: 1.10 → 1.9 (an EARLIER version than the installed one)" in ran.out
    assert pack("add", "it.yaml", "--yes", "--json").json["packs"][0]["downgrade"] is True


def test_other_contents_under_the_same_version_are_said(pack: Call) -> None:
    pack("add", write(text("one")))
    assert "the same version number, with other contents" in pack("add", write(text("one, tags: [t]"))).out


@pytest.mark.parametrize(("typed", "code", "version"), [("y\n", 0, "2.0"), ("n\n", 1, "1.0"), ("", 130, "1.0")])
def test_on_a_terminal_an_update_is_asked_for(
    pack: Call, update: str, terminal: Callable[[str], None], typed: str, code: int, version: str
) -> None:
    terminal(typed)
    ran = pack("add", update)
    assert ran.code == code
    assert "Go ahead? [y/N]" in ran.err
    assert installed(pack) == {"mine": version}


def test_with_yes_nobody_is_asked(pack: Call, update: str, terminal: Callable[[str], None]) -> None:
    terminal("n\n")
    assert pack("add", update, "--yes").code == 0
    assert installed(pack) == {"mine": "2.0"}


# list and remove


def test_a_broken_pack_is_told_in_one_line_with_the_way_to_the_rest(pack: Call, tmp_path: Path) -> None:
    pack("add", write(text("one")))
    broken = tmp_path / "home" / "packs" / "mine.yaml"
    broken.write_text(text("one, depht: x", "two, prmpt: y"), encoding="utf-8")
    ran = pack("list", "--json")
    assert ran.code == 0
    assert ran.err.count("\n") == 1
    assert ran.err.startswith(f"quiz: left out: {broken}:6:")
    assert ran.err.endswith(f"; 1 more: quiz pack check {broken}\n")


def test_a_removed_pack_is_gone(pack: Call) -> None:
    pack("add", write(text("one")))
    assert pack("remove", "mine", "--json").json["pack"] == "mine"
    assert installed(pack) == {}
    assert pack("remove", "mine").code == 2
