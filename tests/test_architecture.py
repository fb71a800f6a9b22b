"""Imports run one way, and heavy libraries stay in their rooms: start-up depends on it."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import quiz

PACKAGE = Path(quiz.__file__).parent
ROOMS = {
    "attention": {"attention", "render", "errors", "paths"},
    "bank": {"bank", "render", "errors", "paths"},
    "memory": {"memory", "render", "errors", "paths"},
    "render": {"render"},
    "errors": set[str](),
    "paths": {"errors"},
    "problem": {"problem", "bank", "attention", "render", "errors", "paths"},
    "exchange": {"exchange", "study", "problem", "memory", "bank", "render", "errors", "paths"},
    "lint": {"lint", "problem", "bank", "attention", "render", "errors", "paths"},
    "study": {"study", "problem", "memory", "render", "errors", "paths"},
}
HOMES = {
    "textual": {"tui"},
    "rich": {"tui"},
    "sqlite3": {"memory", "exchange", "bank.library", "bank.cache"},
    "yaml": {"bank"},
    "pydantic": {"bank"},
    "pydantic_core": {"bank"},
    "numpy": {"attention"},
    "fsrs": {"memory"},
    "click": {"cli"},
    "platformdirs": {"paths"},
}


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            if node.module == "quiz":
                yield from (f"quiz.{alias.name}" for alias in node.names)


@pytest.mark.parametrize(("module", "path"), [pytest.param(*pair, id=pair[0]) for pair in modules()])
def test_a_module_imports_only_what_its_room_may(module: str, path: Path) -> None:
    room = module.partition(".")[0]
    for name in imported(path):
        top, _, rest = name.partition(".")
        if top == "quiz" and rest and room in ROOMS:
            assert rest.partition(".")[0] in ROOMS[room], f"{module} imports {name}"
        if top in HOMES:
            homes = HOMES[top]
            assert room in homes or module in homes, f"{module} imports {name}"


def loaded_by(code: str, home: Path) -> set[str]:
    script = f"{code}\nimport sys\nprint('\\n'.join(sys.modules))"
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env={"QUIZ_HOME": str(home)}
    )
    return {line.partition(".")[0] for line in run.stdout.splitlines()}


def test_a_warm_start_reads_neither_yaml_nor_pydantic_nor_numpy(tmp_path: Path) -> None:
    start = "from quiz.desk import open_desk\nwith open_desk() as desk: desk.standings()"
    assert {"yaml", "pydantic"} <= loaded_by(start, tmp_path)
    assert not {"yaml", "pydantic", "numpy", "textual", "fsrs"} & loaded_by(start, tmp_path)


def test_the_first_screen_needs_no_numpy_yaml_or_pydantic(tmp_path: Path) -> None:
    assert not {"numpy", "yaml", "pydantic", "fsrs"} & loaded_by("import quiz.tui.app", tmp_path)


def test_the_core_never_loads_the_screens(tmp_path: Path) -> None:
    rooms = "import quiz.study.session, quiz.lint.check, quiz.plain, quiz.cli.documents, quiz.cli.main"
    assert not {"textual", "rich"} & loaded_by(rooms, tmp_path)


def test_no_file_outgrows_one_idea() -> None:
    long = {
        module: lines for module, path in modules() if (lines := path.read_text(encoding="utf-8").count("\n")) > 420
    }
    assert long == {}


def test_no_name_says_nothing() -> None:
    vague = {"utils", "util", "helpers", "helper", "common", "misc", "manager"}
    assert [module for module, _ in modules() if module.rpartition(".")[2] in vague] == []
