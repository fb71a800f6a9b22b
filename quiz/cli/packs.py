"""The commands about packs: check, preview, schema, add, remove, list."""

from pathlib import Path

import click

from quiz.cli.check import check
from quiz.cli.printing import as_json, packs_of, print_json, say, seed_or_fresh, show_variant, warn_of_faults, with_seed


@click.group()
def pack() -> None:
    """Write, check and install packs."""


pack.add_command(check)


@pack.command("preview")
@click.argument("file", type=click.Path(path_type=Path))
@with_seed
@as_json
@click.pass_obj
def pack_preview(home: Path | None, file: Path, seed: int | None, as_json: bool) -> None:
    """Show one variant of each question of a pack."""
    from quiz.bank.reader import read_pack
    from quiz.cli import documents
    from quiz.problem.drawing import draw

    with packs_of(home) as library:
        models = library.models()
    found = read_pack(file).pack
    chosen = seed_or_fresh(seed)
    variants = [draw(found, question, chosen, models) for question in found.questions]
    if as_json:
        print_json([documents.asked(variant) for variant in variants])
        return
    for variant in variants:
        show_variant(variant, hide_answer=False)
        say("")


@pack.command("schema")
@click.option("--json", is_flag=True, expose_value=False, help="The schema is JSON either way.")
def pack_schema() -> None:
    """Print the JSON Schema of packs, for editors."""
    from quiz.bank.reader import json_schema

    print_json(json_schema(), indent=2)


@pack.command("add")
@click.argument("file", type=click.Path(path_type=Path))
@as_json
@click.pass_obj
def pack_add(home: Path | None, file: Path, as_json: bool) -> int:
    """Install a pack into the data folder, after checking it."""
    from quiz.bank.shelf import add_pack
    from quiz.lint.check import check_packs
    from quiz.lint.text import report_lines
    from quiz.paths import data_dir

    with packs_of(home) as library:
        report = check_packs([file], library.models())
        if report.errors:
            if as_json:
                print_json(report.to_json())
            else:
                say("\n".join(report_lines(report)))
            return 1
        entry = add_pack(library, data_dir(home), file)
    if as_json:
        print_json({"pack": entry.id, "version": entry.version, "file": entry.file})
    else:
        say(f"added {entry.id} {entry.version}: {entry.title}")
    return 0


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
    rows = [
        {
            "pack": one.id,
            "title": one.title,
            "version": one.version,
            "questions": sum(entry.pack == one.id for entry in entries),
            "shipped": one.shipped,
            "file": one.file,
        }
        for one in packs
    ]
    if as_json:
        print_json(rows)
        return
    for row in rows:
        say(f"{row['pack']:<16} {row['version']:<8} {row['questions']:>4} questions  {row['title']}")
