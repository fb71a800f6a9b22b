"""The pack that `quiz pack new` writes: small, whole and without faults, with a comment wherever an author decides."""

import json
import re
from pathlib import Path

from quiz.bank.catalogue import title_of
from quiz.bank.library import MODELS
from quiz.bank.schema import json_schema
from quiz.errors import StorageError, UsageError

SCHEMA = "pack.schema.json"
# As `quiz.bank.pack.Id` has it; letters, digits, _ . - are safe in quotes and as a file's name.
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


def write_starter(name: str, folder: Path) -> tuple[Path, Path]:
    """Write NAME.yaml and, for editors, the schema its first line names. Gives both paths.

    Raises:
        UsageError: the name cannot be an id, or a file is in the way.
        StorageError: the folder cannot be written.
    """
    _check_name(name)
    pack, schema = folder / f"{name}.yaml", folder / SCHEMA
    schema_text = json.dumps(json_schema(), ensure_ascii=False, indent=2) + "\n"
    try:
        if schema.exists() and not _is_ours(schema):
            raise UsageError(f"{schema} is not the schema of packs; move it away, or use another folder")
        with pack.open("x", encoding="utf-8", newline="\n") as file:
            file.write(starter(name))
        schema.write_text(schema_text, encoding="utf-8", newline="\n")
    except FileExistsError:
        raise UsageError(f"{pack} exists already; nothing was written") from None
    except OSError as error:
        raise StorageError(f"{pack} could not be written: {error.strerror or error}") from None
    return pack, schema


def starter(name: str) -> str:
    """The text of a starter whose id is ``name``."""
    title = title_of(name)
    filled = {"NAME": name, "TITLE": title[:1].upper() + title[1:]}
    return re.sub("NAME|TITLE", lambda found: filled[found[0]], _TEXT)


def _check_name(name: str) -> None:
    if name.lower().endswith((".yaml", ".yml")):
        raise UsageError(f"give the name without its ending: `quiz pack new {name.rpartition('.')[0]}`")
    if not _ID.fullmatch(name):
        raise UsageError(
            f"{name!r} cannot be the id of a pack: a letter or digit first, then letters, digits, _, . and -, "
            "at most 64 of them, such as optimiser-memory"
        )
    if name == MODELS:
        raise UsageError(f"{name!r} is the name of the real models' numbers; choose another")


def _is_ours(schema: Path) -> bool:
    """Whether a file is a schema of packs, of this or an earlier version."""
    try:
        found = json.loads(schema.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and str(found.get("title", "")).startswith("Quiz pack")


_TEXT = """\
# yaml-language-server: $schema=pack.schema.json
#
# A pack: lessons and questions. While you write,
#   quiz pack check NAME.yaml             says what is wrong, and where
#   quiz pack preview NAME.yaml --watch   shows it anew at every save
# and when it is good,
#   quiz pack add NAME.yaml               puts it among your packs: `quiz NAME` studies it
format: 1
pack: "NAME"  # the id: keep it, the learner's history hangs on it
title: "TITLE"
version: "0.1.0"  # in quotes; raise it when you hand out a new version
license: CC-BY-4.0

# Where it can be read. Lessons and questions name sources by these ids.
sources:
  torch-linear:
    title: "PyTorch: torch.nn.Linear"
    url: "https://docs.pytorch.org/docs/stable/generated/torch.nn.Linear.html"

# Wrong ideas that people have. Mistakes and choices name them; progress adds them up over all packs.
misconceptions:
  elements-for-bytes:
    says: Counts elements and calls them bytes.
    truth: Every element takes its own bytes, 2 each in bf16.
  swapped-in-out:
    says: Writes a weight as (in, out).
    truth: The weight of nn.Linear is (out, in), and it is transposed when used.

lessons:
  - id: linear-layers
    title: What a linear layer holds
    tldr: One weight for every pair of an input and an output, and one bias for every output.
    # Markdown, for a terminal of 60 columns. Braces are plain text here.
    body: |
      `nn.Linear(in_features, out_features)` keeps a weight of
      shape (out_features, in_features) and, unless you say
      `bias=False`, a bias of shape (out_features).

      In memory each element takes as many bytes as its dtype:
      4 in fp32, 2 in bf16.
    sources: [torch-linear]

questions:
  # A card: the learner turns it and judges for themselves.
  - id: what-is-kept
    kind: card
    lesson: linear-layers
    prompt: What does a linear layer keep?
    back: A weight for every pair of an input and an output, and a bias for every output.
    sources: [torch-linear]

  # A choice: every choice has a reason, the right one too.
  - id: weight-shape
    kind: choice
    lesson: linear-layers
    prompt: What is the shape of the weight of nn.Linear(512, 2048)?
    choices:
      - text: (2048, 512)
        right: true
        why: The output comes first, so that each row makes one output.
      - text: (512, 2048)
        why: That is the order of the arguments, not of the stored axes.
        misconception: swapped-in-out
      - text: (512, 512)
        why: Both widths are in the shape, the one read and the one made.
    sources: [torch-linear]

  # A number that is drawn anew at each showing. `{name}` is filled in; `{name:,}` groups the digits.
  - id: weight-bytes
    kind: numeric
    lesson: linear-layers
    draw:
      in_features: [256, 512, 768, 1024, 1280]
      out_features: [384, 640, 896, 1152, 1408]
    prompt: >-
      nn.Linear({in_features}, {out_features}, bias=False) in bf16.
      How many bytes does its weight take?
    formula: in_features * out_features * 2
    unit: B  # bytes; FLOP for work, "1" for a plain count
    hints:
      - How many elements are there, and what does each take?
    steps:
      - "{in_features} × {out_features} = {in_features * out_features:,} elements."
      - "2 bytes each: {in_features * out_features * 2:,} B."
    # Wrong answers that people give, as formulas. Whoever gives one is told why.
    mistakes:
      - formula: in_features * out_features
        misconception: elements-for-bytes
    sources: [torch-linear]
"""
