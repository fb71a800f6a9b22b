"""The command that checks packs."""

from pathlib import Path
from typing import Literal

import click

from quiz.cli.printing import as_json, packs_of, print_json, say
from quiz.errors import UsageError

Form = Literal["text", "json", "github"]


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--mutate", is_flag=True, help="Change each formula a little, and report what nothing notices.")
@click.option("--format", "form", type=click.Choice(["text", "json", "github"]), help="How to print what is found.")
@click.option("--explain", metavar="RULE", help="Say what a rule means, and check nothing.")
@as_json
@click.pass_obj
def check(
    home: Path | None, paths: tuple[Path, ...], mutate: bool, form: Form | None, explain: str | None, as_json: bool
) -> int:
    """Check packs (files or folders; the shipped ones if none is named) and certify their drawn questions."""
    if as_json and form not in (None, "json"):
        raise UsageError(f"--json and --format {form} contradict each other; choose one")
    form = "json" if as_json else form or "text"
    if explain is not None:
        _explain(explain, form)
        return 0
    from quiz.lint.annotations import annotation_lines
    from quiz.lint.check import check_packs
    from quiz.lint.text import report_lines
    from quiz.paths import content_dir

    with packs_of(home) as library:
        models = library.models()
    report = check_packs(list(paths) or [content_dir()], models, mutate=mutate)
    if form == "json":
        print_json(report.to_json())
    else:
        say("\n".join(annotation_lines(report) if form == "github" else report_lines(report)))
    return 1 if report.errors else 0


def _explain(rule: str, form: Form) -> None:
    from quiz.lint.rules import RULES
    from quiz.render.nearest import nearest

    if rule not in RULES:
        close = nearest(rule, RULES)
        raise UsageError(f"there is no rule {rule!r}; " + (f"did you mean {close!r}?" if close else _SEEN))
    if form == "json":
        print_json({"rule": rule, "explanation": RULES[rule]})
    else:
        say(f"{rule}: {RULES[rule]}")


_SEEN = "the check names its rules beside what it finds"
