"""Sixteen megabytes of anything end in a clear error, or in a pack, within a bounded memory."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.packs import terse_pack

SIZE = 16 * 1024**2 - 64
HEAD = 'format: 1\npack: a\ntitle: a\nversion: "1"\nquestions:\n'


def repeated(unit: str | bytes) -> Callable[[], bytes]:
    raw = unit.encode() if isinstance(unit, str) else unit
    return lambda: raw * (SIZE // len(raw))


def text(build: Callable[[], str]) -> Callable[[], bytes]:
    return lambda: build().encode()[:SIZE]


def former(number: int) -> str:
    return ", ".join(f"w{number}.{index}" for index in range(100))


def card(rest: str) -> str:
    return f"{HEAD} - {{kind: card, id: a, prompt: b, back: c, {rest}}}\n"


HOSTILE: dict[str, Callable[[], bytes]] = {
    "double quotes": repeated('"'),
    "single quotes": repeated("'"),
    "a key in double quotes": text(lambda: '"' + "a" * 15_000_000 + '": 1\n'),
    "a key in single quotes": text(lambda: "'" + "''" * 7_000_000 + "': 1\n"),
    "text after a long quote": text(lambda: 'a: "' + "x" * 15_000_000 + '" b'),
    "escapes": text(lambda: 'a: "' + "\\n" * 7_000_000 + '" b'),
    "opening brackets": repeated("["),
    "opening braces": repeated("{"),
    "closing brackets": repeated("]"),
    "empty lists": text(lambda: "[" + "[]," * 5_000_000 + "]"),
    "small mappings": text(lambda: "[" + "a: b," * 3_000_000 + "]"),
    "a list of quotes with the wrong end": text(lambda: "a: [" + "''" * 7_000_000 + "}"),
    "one long scalar": text(lambda: "a: " + "a" * 15_000_000),
    "one long number": text(lambda: "a: 0" + "1" * 15_000_000),
    "one long anchor": text(lambda: "a: &" + "x" * 15_000_000 + " b"),
    "one long alias": text(lambda: "a: *" + "x" * 15_000_000),
    "one long tag": text(lambda: "a: !" + "x" * 15_000_000 + " b"),
    "a block": text(lambda: "a: |\n" + "  aaa\n" * 2_700_000),
    "a folded block": text(lambda: "a: >\n" + " a\n" * 5_000_000),
    "comments": repeated("#\n"),
    "blank lines": repeated("\n"),
    "blanks": repeated(" "),
    "tabs": repeated("\t"),
    "carriage returns": repeated("\r\n"),
    "next lines": repeated("\u0085"),
    "no-break blanks": repeated("\u00a0"),
    "no-break keys": repeated("\u00a0a: b\n"),
    "items": repeated("- a\n"),
    "items in items": repeated("- "),
    "question marks": repeated("? "),
    "complex keys": repeated("? a\n"),
    "colons": repeated(": "),
    "deep indentation": text(lambda: "".join(" " * depth + "a:\n" for depth in range(5_600))),
    "duplicate keys": text(lambda: "a: 1\n" * 100_000),
    "different keys": text(lambda: "".join(f"k{index}: 1\n" for index in range(1_400_000))),
    "tag directives": text(lambda: "".join(f"%TAG !{index}! x\n" for index in range(900_000))),
    "documents": repeated("---\n"),
    "invalid bytes": repeated(b"\xff"),
    "an invalid byte at the end": lambda: b"a\n" * (SIZE // 2) + b"\xff",
    "NULs": repeated("\0"),
    "escape characters": repeated("\x1b"),
    "UTF-16": lambda: ("\ufeff" + "a: 1\n" * 1_600_000).encode("utf-16-le"),
    "byte order marks": repeated("\ufeff"),
    "empty questions": text(lambda: HEAD + " - {}\n" * 2_000_000),
    "questions with an unknown key": text(lambda: HEAD + " - {kind: card, z: 1}\n" * 700_000),
    "questions that are numbers": text(lambda: HEAD + " - 1\n" * 3_000_000),
    "unknown keys in a question": text(lambda: card(", ".join(f"k{index}: 1" for index in range(1_000_000)))),
    "bad items in a draw": text(lambda: card("draw: {x: [" + "a," * 5_000_000 + "]}")),
    "bad names of sources": text(lambda: "sources:\n" + "".join(f'  "k {index}": 1\n' for index in range(900_000))),
    "bad braces": text(lambda: card("steps: [" + '"{",' * 40_000 + "]")),
    "references to nothing": text(lambda: card("sources: [" + "x," * 40_000 + "]")),
    "former ids that clash": text(lambda: card("was: [" + "a," * 40_000 + "]")),
    "brackets in expressions": text(
        lambda: HEAD + f' - {{kind: numeric, id: x, prompt: p, formula: "{"(" * 200}1{")" * 200}"}}\n' * 30_000
    ),
    "more former ids than are kept": text(
        lambda: (
            HEAD
            + "".join(f" - {{kind: card, id: q{n}, prompt: p, back: b, was: [{former(n)}]}}\n" for n in range(2_500))
        )
    ),
    "more lessons than are kept": text(
        lambda: "lessons:\n" + "".join(f" - {{id: l{n}, title: t, tldr: t, body: b}}\n" for n in range(11_000))
    ),
    "a fault in every question of one line": text(
        lambda: "{" + ONE_LINE + "".join(f"{{kind: card, id: q{n}, prompt: p, bakc: b}}, " for n in range(300_000))
    ),
    "line ends after a fault": text(
        lambda: HEAD + " - {kind: numeric, id: x, prompt: p, formula: 1 +}\n" + "\n" * SIZE
    ),
}

ONE_LINE = 'format: 1, pack: a, title: a, version: "1", questions: ['
SOUND: dict[str, Callable[[], bytes]] = {
    "a hundred thousand questions": lambda: terse_pack(100_000).encode(),
    "sixty thousand questions in one line": lambda: (
        "{" + ONE_LINE + "".join(f"{{kind: card, id: q{n}, prompt: p, back: no}}, " for n in range(60_000)) + "]}"
    ).encode(),
    "signs beyond the first plane": lambda: (
        HEAD + "".join(f' - {{kind: card, id: q{n}, prompt: "😀 {"x" * 1_900}", back: b}}\n' for n in range(8_000))
    ).encode(),
    "ten thousand sources and ideas": lambda: (
        HEAD
        + " - {kind: card, id: q, prompt: p, back: b}\nsources:\n"
        + "".join(f" s{n}: {{title: {'t' * 700}}}\n" for n in range(9_999))
        + "misconceptions:\n"
        + "".join(f" s{n}: {{says: {'t' * 300}, truth: u}}\n" for n in range(9_999))
    ).encode(),
    "texts of ten thousand braces": lambda: (
        HEAD + "".join(f' - {{kind: card, id: q{n}, prompt: "{"{{}}" * 4_900}", back: b}}\n' for n in range(400))
    ).encode(),
    "comments behind it": lambda: (
        (HEAD + " - {kind: card, id: q, prompt: p, back: no}\n").encode() + b"##\n" * 5_500_000
    ),
}

READ = """
import json, resource, sys, time
from pathlib import Path
from quiz.bank.reader import read_pack
from quiz.errors import PackError
from quiz.lint.check import pack_errors
resource.setrlimit(resource.RLIMIT_AS, (600 * 1024**2, 600 * 1024**2))
try:
    faults = pack_errors([read_pack(Path(sys.argv[1]))], {})
except PackError as error:
    faults = error.faults
status = Path("/proc/self/status")
peak = status.read_text().partition("VmHWM:")[2].split()[:1] if status.exists() else []
print(json.dumps([[[str(fault), fault.rule] for fault in faults], int(peak[0]) if peak else 0]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits on memory")
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_ends_in_few_short_faults_within_300_mb(name: str, tmp_path: Path) -> None:
    faults, peak = read(HOSTILE[name](), tmp_path)
    assert peak < 300 * 1024, "kB at most were held at once"
    assert 1 <= len(faults) <= 201
    assert all(len(said) < 600 for said, _ in faults)


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits on memory")
@pytest.mark.parametrize("name", SOUND)
def test_a_sound_file_is_read_and_proven_within_300_mb(name: str, tmp_path: Path) -> None:
    faults, peak = read(SOUND[name](), tmp_path)
    assert faults == []
    assert peak < 300 * 1024, "kB at most were held at once"


def read(content: bytes, folder: Path) -> tuple[list[list[Any]], int]:
    """What is wrong with a pack, and how much memory it took to find out, in kB."""
    assert len(content) <= 16 * 1024**2
    file = folder / "large.yaml"
    file.write_bytes(content)
    done = subprocess.run([sys.executable, "-c", READ, str(file)], capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr[-500:]
    faults, peak = json.loads(done.stdout)
    return faults, peak


def test_more_faults_than_anybody_reads_are_counted_as_more(tmp_path: Path) -> None:
    from quiz.bank.reader import read_pack_text
    from quiz.errors import PackError

    with pytest.raises(PackError) as caught:
        read_pack_text(HEAD + " - {}\n" * 300, "many.yaml")
    *listed, last = caught.value.faults
    assert len(listed) == 200
    assert (last.rule, last.line) == ("too-many-faults", 205)
    assert last.message == "the first 200 faults are listed, and there are more"
