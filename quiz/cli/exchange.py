"""The commands `quiz export` and `quiz import`: one subcommand for each format."""

import click

from quiz.cli.archive import export_json, import_json


@click.group("export")
def export() -> None:
    """Write what you have for other programs and machines."""


@click.group("import")
def import_() -> None:
    """Take in what other programs and machines wrote."""


export.add_command(export_json)
import_.add_command(import_json)
