"""The commands about packs: new, check, preview, add, remove, list, schema."""

from pathlib import Path

import click

from quiz.cli.add import add
from quiz.cli.check import check
from quiz.cli.preview import preview
from quiz.cli.printing import as_json, packs_of, print_json, say, warn_of_faults
from quiz.errors import UsageError
from quiz.render.numbers import counted


@click.group()
def pack() -> None:
    """Write, check and install packs."""


@pack.command("new")
@click.argument("name")
@as_json
@click.pass_obj
def pack_new(home: Path | None, name: str, as_json: bool) -> None:
    """Write NAME.yaml, a small pack to start from, and the schema by which editors complete it."""
    from quiz.bank.starter import write_starter

    with packs_of(home) as library:
        if any(one.id == name and one.shipped for one in library.packs()):
            raise UsageError(f"the id {name!r} is taken by a pack that comes with quiz; give your pack another")
    file, schema = write_starter(name, Path())
    if as_json:
        print_json({"pack": name, "file": str(file), "schema": str(schema)})
        return
    say(f"wrote {file}, and {schema} for your editor")
    say(f"look at it: quiz pack preview {file} --watch\nthen judge it: quiz pack check {file}")


pack.add_command(check)
pack.add_command(preview)
pack.add_command(add)


@pack.command("remove")
@click.argument("name", metavar="PACK")
@as_json
@click.pass_obj
def pack_remove(home: Path | None, name: str, as_json: bool) -> None:
    """Take an installed pack away; its history stays."""
    from quiz.bank.shelf import remove_pack
    from quiz.paths import data_dir

    with packs_of(home) as library:
        file = remove_pack(library, data_dir(home), name)
    if as_json:
        print_json({"pack": name, "file": str(file)})
        return
    say(f"removed {name}; its history is kept")


@pack.command("list")
@as_json
@click.pass_obj
def pack_list(home: Path | None, as_json: bool) -> None:
    """List shipped and installed packs."""
    with packs_of(home) as library:
        warn_of_faults(library)
        packs, entries = library.packs(), library.entries()
    held = {one.id: sum(entry.pack == one.id for entry in entries) for one in packs}
    rows = [
        {
            "pack": one.id,
            "title": one.title,
            "version": one.version,
            "questions": held[one.id],
            "shipped": one.shipped,
            "file": one.file,
        }
        for one in packs
    ]
    if as_json:
        print_json(rows)
        return
    for one in packs:
        say(f"{one.id:<16} {one.version:<8} {counted(held[one.id], 'question'):>15}  {one.title}")


@pack.command("schema")
@click.option("--json", is_flag=True, expose_value=False, help="The schema is JSON either way.")
def pack_schema() -> None:
    """Print the JSON Schema of packs, for editors."""
    from quiz.bank.reader import json_schema

    print_json(json_schema(), indent=2)
