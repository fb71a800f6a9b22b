"""Every part of a file is placed where it stands, though only the part is read again."""

from collections.abc import Iterator

import pytest
import yaml

from quiz import paths
from quiz.bank import document, places
from quiz.bank.document import read_document
from quiz.bank.library import pack_files
from quiz.bank.places import Path, Place

SECTIONS = {"questions": 100, "lessons": 100, "sources": 100}
BLOCK = """\
# a comment
title: C # and another
sources:
    one:
      title: "a
        b"
    'two': {title: b, url: c}
    three:
lessons: []
questions:
- id: a
  text: |
     lines

     of it
  tags: [x, {y: z}, [1, 2]]   # here too

-   id: b
    why: goes
      on
    more: >-
     folded

  # far left
- just text
-
- - deep
  - - deeper
- {id: c,
   text: 'd e',
 back: f}
other: {a: [b, {c: d}]}
last: |2
   kept
"""
FLOW = '{format: 1, "title":2,\n sources: {a: {title: b},"c":{title: d},\n  e: },\n'
FLOW += 'questions: [{id: a, tags: [b]}, c: d, [e,\n f], {id: g\n}, "h", ], more: {k: [l]}}\n'
TEXTS = {
    "in block style": BLOCK,
    "between brackets": FLOW,
    "after a marker": f"--- {FLOW}",
    "with carriage returns": BLOCK.replace("\n", "\r\n"),
    "with older line ends": BLOCK.replace("\n", "\r"),
    "with signs beyond the first plane": BLOCK.replace("goes", "g😀es").replace("b, url", "é, url"),
}


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("loader", ["CSafeLoader", "SafeLoader"])
def test_every_value_and_key_has_the_place_that_the_whole_file_gives_it(
    name: str, loader: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document, "LOADER", getattr(yaml, loader))
    monkeypatch.setattr(places, "LOADER", getattr(yaml, loader))
    see_that_all_are_right(TEXTS[name])


def test_the_shipped_packs_are_placed_right() -> None:
    for file in pack_files(paths.content_dir()):
        see_that_all_are_right(file.read_text(encoding="utf-8"))


def see_that_all_are_right(text: str) -> None:
    _, found = read_document(text, "f", SECTIONS)
    root = yaml.compose(text, places.LOADER)
    assert root is not None
    for path, key, node in inside(root):
        place = found.of(path)
        assert (path, place.line, place.column) == (path, *at(node))
        assert (path, place.style) == (path, style(node))
        assert (path, found.of_key(path)) == (path, at(key or node))


def inside(node: yaml.Node, *path: str | int) -> Iterator[tuple[Path, yaml.Node | None, yaml.Node]]:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield (*path, key.value), key, value
            yield from inside(value, *path, key.value)
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            yield (*path, index), None, value
            yield from inside(value, *path, index)


def at(node: yaml.Node) -> tuple[int, int]:
    return node.start_mark.line + 1, node.start_mark.column + 1


def style(node: yaml.Node) -> str:
    if isinstance(node, yaml.ScalarNode):
        return node.style or "plain"
    return "flow" if isinstance(node, yaml.CollectionNode) and node.flow_style else "block"


def test_what_is_not_in_the_file_is_passed_over() -> None:
    _, found = read_document(BLOCK, "f", SECTIONS)
    assert found.of(("questions", 0, "card", "tags", 1, "y")) == found.of(("questions", 0, "tags", 1, "y"))
    assert found.of(("questions", 99))[:2] == found.of(("questions",))[:2] == (11, 1)
    assert found.of(("nothing", "at", "all")) == found.root
    assert found.of_key(("questions", 0, "nothing")) == (11, 3)


def test_a_part_that_makes_no_sense_alone_is_placed_at_its_beginning() -> None:
    _, found = read_document("sources:\n  ? a\n  : {title: b}\n", "f", SECTIONS)
    assert found.of(("sources", "a", "title")) == Place(2, 5, "plain")
