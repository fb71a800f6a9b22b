"""The command that checks packs."""

from pathlib import Path

import click

from quiz.cli.printing import as_json, packs_of, print_json, say


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@as_json
@click.pass_obj
def check(home: Path | None, paths: tuple[Path, ...], as_json: bool) -> int:
    """Check packs (files or folders; the shipped ones if none is named) and certify their drawn questions."""
    from quiz.lint.check import check_packs
    from quiz.lint.text import report_lines
    from quiz.paths import content_dir

    with packs_of(home) as library:
        models = library.models()
    report = check_packs(list(paths) or [content_dir()], models)
    if as_json:
        print_json(report.to_json())
    else:
        say("\n".join(report_lines(report)))
    return 1 if report.errors else 0
