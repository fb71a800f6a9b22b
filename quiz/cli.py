"""The command line. Thin: each command imports its room when it is called, prints for people, or JSON with --json.

Exit codes: 0 fine, 1 the content or the answer was found wanting, 2 the call or the input is wrong, 130 interrupted.
"""

import json
import os
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from quiz.errors import QuizError, SolveError, UsageError

if TYPE_CHECKING:
    from fractions import Fraction

    from quiz.bank.library import Library
    from quiz.desk import Desk
    from quiz.problem.variant import Variant

LARGEST_SEED = 2**63 - 1
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
with_seed = click.option("--seed", type=click.IntRange(0, LARGEST_SEED), help="Which variant; drawn if left out.")


class StudyByDefault(click.Group):
    """``quiz gqa`` means ``quiz study gqa``."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Take a first word that is no command as a topic to study."""
        if args and args[0] not in self.commands:
            args = ["study", *args]
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take options of ``study`` right after ``quiz`` as well."""
        own = {"--home", "--version", "--help", "-h"}
        if args and args[0].startswith("-") and args[0].partition("=")[0] not in own:
            args = ["study", *args]
        return super().parse_args(ctx, args)


@click.group(cls=StudyByDefault, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--home", type=click.Path(path_type=Path, file_okay=False), help="The data folder; also QUIZ_HOME.")
@click.version_option(None, "--version", package_name="attention-quiz", prog_name="quiz")
@click.pass_context
def quiz(context: click.Context, home: Path | None) -> None:
    """Get ready for the attention part of an LLM interview.

    Alone, it opens the screens at what is due; `quiz gqa` studies one topic.
    """
    context.obj = home
    if context.invoked_subcommand is None:
        context.invoke(study)


@quiz.command()
@click.argument("topics", nargs=-1, metavar="[TOPIC]...")
@click.option("--new", type=click.IntRange(0), help="How many new questions, instead of what is left of today's.")
@click.option("--limit", type=click.IntRange(1), help="End after so many answers.")
@click.option("--plain", is_flag=True, help="Line by line, without a screen.")
@click.pass_obj
def study(home: Path | None, topics: tuple[str, ...], new: int | None, limit: int | None, plain: bool) -> int:
    """Study what is due in some topics (pack or pack/lesson), or in all."""
    with _desk(home) as desk:
        desk.library.entries(topics)  # a wrong topic is said before any screen opens
        if plain:
            from quiz import plain as lines

            _warn_of_faults(desk.library)
            return lines.study(desk.session(topics, new, limit), desk.now, sys.stdin, sys.stdout)
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise UsageError("the screens need a terminal; `quiz study --plain` works line by line without one")
        from quiz.tui.app import run as run_screens

        return run_screens(desk, topics, new, limit)


@quiz.command("list")
@as_json
@click.pass_obj
def list_questions(home: Path | None, as_json: bool) -> None:
    """List every question, its state and when it comes back."""
    from quiz import documents

    with _desk(home) as desk:
        _warn_of_faults(desk.library)
        rows = documents.listed(desk.library.entries(), desk.log.cards(), desk.due)
    if as_json:
        _print_json(rows)
        return
    for row in rows:
        due = row["due"][:10] if row["due"] else "-"
        _say(f"{row['key']:<44} {row['kind']:<8} {row['depth']:<9} {row['state']:<10} {due}")


@quiz.command()
@click.argument("key")
@with_seed
@click.option("--hide-answer", is_flag=True, help="Leave out answer, steps and mistakes.")
@as_json
@click.pass_obj
def ask(home: Path | None, key: str, seed: int | None, hide_answer: bool, as_json: bool) -> None:
    """Show one variant of a question."""
    from quiz import documents
    from quiz.problem.drawing import draw_from

    with _library(home) as library:
        variant = draw_from(library, key, _seed(seed))
    if as_json:
        _print_json(documents.asked(variant, hide_answer))
        return
    _show_variant(variant, hide_answer)


@quiz.command()
@click.argument("key")
@click.option("--seed", type=click.IntRange(0, LARGEST_SEED), required=True, help="The seed that `quiz ask` printed.")
@click.argument("answer", nargs=-1, required=True)
@as_json
@click.pass_obj
def mark(home: Path | None, key: str, seed: int, answer: tuple[str, ...], as_json: bool) -> int:
    """Mark an answer to a variant; nothing is recorded. Put -- before the answer."""
    from quiz import documents
    from quiz.problem.drawing import draw_from
    from quiz.problem.marking import mark as judge

    with _library(home) as library:
        judged = judge(draw_from(library, key, seed), " ".join(answer))
    if as_json:
        _print_json(documents.marked(judged))
    else:
        reading = f" (read as {judged.reading})" if judged.reading else ""
        _say(f"{judged.verdict}{reading}\n{judged.feedback}".rstrip())
    return {"right": 0, "wrong": 1, "unreadable": 2}[judged.verdict]


@quiz.command()
@click.argument("quantity")
@click.argument("givens", nargs=-1, metavar="[NAME=VALUE]...")
@as_json
def solve(quantity: str, givens: tuple[str, ...], as_json: bool) -> int:
    """Measure a quantity on arrays of these sizes, such as `quiz solve head_dim hidden_size=4096 num_heads=32`."""
    from quiz import documents
    from quiz.attention.quantities import QUANTITIES
    from quiz.attention.solver import solve as measure
    from quiz.render.numbers import show_quantity, show_shape

    values = dict(map(_given, givens))
    if quantity in QUANTITIES:
        known = [given.name for given in QUANTITIES[quantity].givens]
        for name in values.keys() - known:
            raise UsageError(f"{quantity} does not take {name!r}; it takes {', '.join(known)}")
    try:
        solution = measure(quantity, values)
    except SolveError as error:
        if not as_json:
            raise
        _print_json(documents.unsolvable(QUANTITIES[quantity], error))
        return error.exit_code
    if as_json:
        _print_json(documents.solved(solution))
        return 0
    value = solution.value
    _say(show_shape(value) if isinstance(value, tuple) else show_quantity(value, solution.unit))
    for step in solution.steps:
        _say(f"  {step}")
    _say(f"  formula: {solution.formula}")
    return 0


@quiz.command()
@as_json
def quantities(as_json: bool) -> None:
    """List every quantity the solver can measure."""
    from quiz import documents
    from quiz.attention.quantities import QUANTITIES

    if as_json:
        _print_json(documents.measurable(QUANTITIES.values()))
        return
    for one in QUANTITIES.values():
        _say(f"{one.name} [{one.unit}]  {one.summary}")
        _say(f"    {' '.join(given.name + ('' if given.needed else '?') for given in one.givens)}")


@quiz.command()
@as_json
@click.pass_obj
def progress(home: Path | None, as_json: bool) -> None:
    """Show how far you are."""
    with _desk(home) as desk:
        figures = desk.progress()
    if as_json:
        _print_json(figures)
        return
    from quiz.render.charts import meter

    cards = figures["cards"]
    _say(f"{figures['reviews']} reviews on {figures['studied_days']} days, {figures['due_now']} due now")
    _say(f"{cards['new']} new, {cards['learning']} learning, {cards['review']} in review; streak {figures['streak']}")
    for name, topic in figures["topics"].items():
        share = topic["strength"]
        _say(f"{name:<16} {meter(share, 20)} {share:4.0%} known, {topic['due']} due, {topic['new']} new")
    for day in figures["forecast"]:
        _say(f"{day['day']}  {day['due']}")


@quiz.group()
def pack() -> None:
    """Write, check and install packs."""


@pack.command("check")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@as_json
@click.pass_obj
def pack_check(home: Path | None, paths: tuple[Path, ...], as_json: bool) -> int:
    """Check packs (files or folders; the shipped ones if none is named) and certify their drawn questions."""
    from quiz.lint.check import check_packs
    from quiz.lint.text import report_lines
    from quiz.paths import content_dir

    with _library(home) as library:
        models = library.models()
    report = check_packs(list(paths) or [content_dir()], models)
    if as_json:
        _print_json(report.to_json())
    else:
        for line in report_lines(report):
            _say(line)
    return 1 if report.errors else 0


@pack.command("preview")
@click.argument("file", type=click.Path(path_type=Path))
@with_seed
@as_json
@click.pass_obj
def pack_preview(home: Path | None, file: Path, seed: int | None, as_json: bool) -> None:
    """Show one variant of each question of a pack."""
    from quiz import documents
    from quiz.bank.reader import read_pack
    from quiz.problem.drawing import draw

    with _library(home) as library:
        models = library.models()
    found = read_pack(file).pack
    chosen = _seed(seed)
    variants = [draw(found, question, chosen, models) for question in found.questions]
    if as_json:
        _print_json([documents.asked(variant) for variant in variants])
        return
    for variant in variants:
        _show_variant(variant, hide_answer=False)
        _say("")


@pack.command("schema")
@click.option("--json", is_flag=True, expose_value=False, help="The schema is JSON either way.")
def pack_schema() -> None:
    """Print the JSON Schema of packs, for editors."""
    from quiz.bank.reader import json_schema

    _print_json(json_schema(), indent=2)


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

    with _library(home) as library:
        report = check_packs([file], library.models())
        if report.errors:
            if as_json:
                _print_json(report.to_json())
            else:
                for line in report_lines(report):
                    _say(line)
            return 1
        entry = add_pack(library, data_dir(home), file)
    if as_json:
        _print_json({"pack": entry.id, "version": entry.version, "file": entry.file})
    else:
        _say(f"added {entry.id} {entry.version}: {entry.title}")
    return 0


@pack.command("remove")
@click.argument("name", metavar="PACK")
@as_json
@click.pass_obj
def pack_remove(home: Path | None, name: str, as_json: bool) -> None:
    """Take an installed pack away; its history stays."""
    from quiz.bank.shelf import remove_pack

    with _library(home) as library:
        entry = remove_pack(library, name)
    if as_json:
        _print_json({"pack": entry.id, "file": entry.file})
        return
    _say(f"removed {entry.id}; its history is kept")


@pack.command("list")
@as_json
@click.pass_obj
def pack_list(home: Path | None, as_json: bool) -> None:
    """List shipped and installed packs."""
    with _library(home) as library:
        _warn_of_faults(library)
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
        _print_json(rows)
        return
    for row in rows:
        _say(f"{row['pack']:<16} {row['version']:<8} {row['questions']:>4} questions  {row['title']}")


@quiz.group()
def data() -> None:
    """Where your progress lives."""


@data.command("where")
@as_json
@click.pass_obj
def data_where(home: Path | None, as_json: bool) -> None:
    """Print the data folder."""
    from quiz import paths

    folder = paths.data_dir(home)
    if as_json:
        _print_json({"folder": str(folder), "database": str(paths.database(folder))})
        return
    _say(str(folder))


def run(arguments: Sequence[str]) -> int:
    """Run the command line on these arguments and give the exit code; what can be mended never shows a traceback."""
    try:
        with quiz.make_context("quiz", list(arguments)) as context:
            result = quiz.invoke(context)
            sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.ClickException as error:
        error.show()
        return 2
    except QuizError as error:
        click.echo(f"quiz: {_safe(str(error))}", err=True)
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("", err=True)
        return 130
    except BrokenPipeError:
        # The reader went away; keep Python from complaining about it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _desk(home: Path | None) -> "Desk":
    from quiz.desk import open_desk

    return open_desk(home)


def _library(home: Path | None) -> "Library":
    from quiz.bank.library import open_library
    from quiz.paths import data_dir

    return open_library(data_dir(home))


def _seed(given: int | None) -> int:
    return secrets.randbelow(LARGEST_SEED + 1) if given is None else given


def _warn_of_faults(library: "Library") -> None:
    for fault in library.faults:
        click.echo(f"quiz: left out: {_safe(str(fault))}", err=True)


def _show_variant(variant: "Variant", hide_answer: bool) -> None:
    from quiz.plain import body_lines

    _say(f"{variant.key} · seed {variant.seed} · {variant.kind} · {variant.depth}")
    for line in body_lines(variant):
        _say(line)
    if not hide_answer:
        _say(f"Answer: {variant.answer.display}")
        for step in variant.steps:
            _say(f"  {step}")


def _given(text: str) -> tuple[str, "int | Fraction | str"]:
    """``name=value``, the value in arithmetic (``memory=80*2**30``) or a word (``dtype=fp8``)."""
    from quiz.bank.expression import ExpressionError, parse

    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise UsageError(f"givens are written name=value, such as num_heads=32, not {text!r}")
    try:
        return name, parse(value, ()).number({})
    except ExpressionError as error:
        if value.replace("_", "").isalnum() and value[0].isalpha():
            return name, value
        raise UsageError(f"{name}: {error}") from None


def _print_json(document: Any, indent: int | None = None) -> None:
    click.echo(json.dumps(document, ensure_ascii=False, indent=indent))


def _say(text: str) -> None:
    click.echo(_safe(text))


def _safe(text: str) -> str:
    from quiz.render.printable import printable

    return printable(text)
