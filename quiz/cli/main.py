"""The command line. Thin: each command imports its room when it is called, prints for people, or JSON with --json.

Exit codes: 0 fine, 1 the content or the answer was found wanting, 2 the call or the input is wrong, 130 interrupted.
"""

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path

import click

from quiz.cli.givens import named_numbers
from quiz.cli.inspect import inspect
from quiz.cli.packs import pack
from quiz.cli.printing import (
    LARGEST_SEED,
    as_json,
    packs_of,
    print_json,
    say,
    seed_or_fresh,
    show_variant,
    warn_of_faults,
    with_seed,
)
from quiz.cli.trace import trace
from quiz.errors import QuizError, SolveError, UsageError
from quiz.render.printable import printable


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
def quiz(context: click.Context, home: Path | None) -> int | None:
    """Get ready for the attention part of an LLM interview.

    Alone, it opens the screens at what is due; `quiz gqa` studies one topic.
    """
    context.obj = home
    if context.invoked_subcommand is None:
        code: int = context.invoke(study)
        return code
    return None


@quiz.command()
@click.argument("topics", nargs=-1, metavar="[TOPIC]...")
@click.option("--new", type=click.IntRange(0), help="How many new questions, instead of what is left of today's.")
@click.option("--limit", type=click.IntRange(1), help="End after so many answers.")
@click.option("--plain", is_flag=True, help="Line by line, without a screen.")
@click.pass_obj
def study(home: Path | None, topics: tuple[str, ...], new: int | None, limit: int | None, plain: bool) -> int:
    """Study what is due in some topics (pack or pack/lesson), or in all."""
    from quiz.desk import open_desk

    with open_desk(home) as desk:
        desk.library.entries(topics)  # a wrong topic is said before any screen opens
        if plain:
            from quiz import plain as lines

            warn_of_faults(desk.library)
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
    from quiz.cli import documents
    from quiz.desk import open_desk

    with open_desk(home) as desk:
        warn_of_faults(desk.library)
        rows = documents.listed(desk.library.entries(), desk.log.cards(), desk.due)
    if as_json:
        print_json(rows)
        return
    for row in rows:
        due = row["due"][:16].replace("T", " ") if row["due"] else "-"
        say(f"{row['key']:<44} {row['kind']:<8} {row['depth']:<9} {row['state']:<10} {due}")


@quiz.command()
@click.argument("key")
@with_seed
@click.option("--hide-answer", is_flag=True, help="Leave out answer, steps and mistakes.")
@as_json
@click.pass_obj
def ask(home: Path | None, key: str, seed: int | None, hide_answer: bool, as_json: bool) -> None:
    """Show one variant of a question."""
    from quiz.cli import documents
    from quiz.problem.drawing import draw_from

    with packs_of(home) as library:
        variant = draw_from(library, key, seed_or_fresh(seed))
    if as_json:
        print_json(documents.asked(variant, hide_answer))
        return
    show_variant(variant, hide_answer)


@quiz.command()
@click.argument("key")
@click.option("--seed", type=click.IntRange(0, LARGEST_SEED), required=True, help="The seed that `quiz ask` printed.")
@click.argument("answer", nargs=-1, required=True)
@as_json
@click.pass_obj
def mark(home: Path | None, key: str, seed: int, answer: tuple[str, ...], as_json: bool) -> int:
    """Mark an answer to a variant; nothing is recorded. Put -- before the answer."""
    from quiz.cli import documents
    from quiz.problem.drawing import draw_from
    from quiz.problem.marking import mark as judge

    with packs_of(home) as library:
        judged = judge(draw_from(library, key, seed), " ".join(answer))
    if as_json:
        print_json(documents.marked(judged))
    else:
        reading = f" (read as {judged.reading})" if judged.reading else ""
        say(f"{judged.verdict}{reading}\n{judged.feedback}".rstrip())
    return {"right": 0, "wrong": 1, "unreadable": 2}[judged.verdict]


@quiz.command()
@click.argument("quantity")
@click.argument("givens", nargs=-1, metavar="[NAME=VALUE]...")
@as_json
def solve(quantity: str, givens: tuple[str, ...], as_json: bool) -> int:
    """Measure a quantity on arrays of these sizes, such as `quiz solve head_dim hidden_size=4096 num_heads=32`."""
    from quiz.attention.quantities import QUANTITIES
    from quiz.attention.solver import solve as measure
    from quiz.cli import documents
    from quiz.render.numbers import show_quantity, show_shape

    values = named_numbers(givens)
    if quantity in QUANTITIES:
        known = [given.name for given in QUANTITIES[quantity].givens]
        for name in values.keys() - known:
            raise UsageError(f"{quantity} does not take {name!r}; it takes {', '.join(known)}")
    try:
        solution = measure(quantity, values)
    except SolveError as error:
        if not as_json:
            raise
        print_json(documents.unsolvable(QUANTITIES[quantity], error))
        return error.exit_code
    if as_json:
        print_json(documents.solved(solution))
        return 0
    value = solution.value
    say(show_shape(value) if isinstance(value, tuple) else show_quantity(value, solution.unit))
    for step in solution.steps:
        say(f"  {step}")
    say(f"  formula: {solution.formula}")
    return 0


@quiz.command()
@as_json
def quantities(as_json: bool) -> None:
    """List every quantity the solver can measure."""
    from quiz.attention.quantities import QUANTITIES
    from quiz.cli import documents

    if as_json:
        print_json(documents.measurable(QUANTITIES.values()))
        return
    for one in QUANTITIES.values():
        say(f"{one.name} [{one.unit}]  {one.summary}")
        say(f"    {' '.join(given.name + ('' if given.needed else '?') for given in one.givens)}")


@quiz.command()
@as_json
@click.pass_obj
def progress(home: Path | None, as_json: bool) -> None:
    """Show how far you are."""
    from quiz.desk import open_desk

    with open_desk(home) as desk:
        figures = desk.progress()
    if as_json:
        print_json(figures)
        return
    from quiz.render.charts import meter

    cards = figures["cards"]
    say(f"{figures['reviews']} reviews on {figures['studied_days']} days, {figures['due_now']} due now")
    say(f"{cards['new']} new, {cards['learning']} learning, {cards['review']} in review; streak {figures['streak']}")
    for name, topic in figures["topics"].items():
        share = topic["strength"]
        say(f"{name:<16} {meter(share, 20)} {share:4.0%} known, {topic['due']} due, {topic['new']} new")
    say("due on the days ahead:")
    for day in figures["forecast"]:
        say(f"  {day['day']}  {day['due']}")
    for title, rows, shown in (
        ("last sittings:", figures["sittings"], "{began:.16}  {answered} answered, {right} right"),
        ("slips:", figures["misconceptions"], "{count} × {id}, last on {last}"),
    ):
        if rows:
            say(title)
        for row in rows:
            say(f"  {shown.format_map(row)}")


quiz.add_command(pack)
quiz.add_command(trace)
quiz.add_command(inspect)


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
        print_json({"folder": str(folder), "database": str(paths.database(folder))})
        return
    say(str(folder))


def _open_closed_streams() -> None:
    """A stream that was closed before the start reads as empty and swallows what is written."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - open to the end


def run(arguments: Sequence[str]) -> int:
    """Run the command line on these arguments and give the exit code; what can be mended never shows a traceback."""
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A terminal that cannot show √ still gets the rest of the line.
            stream.reconfigure(errors="backslashreplace")
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
        click.echo(f"quiz: {printable(str(error))}", err=True)
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("", err=True)
        return 130
    except BrokenPipeError:
        # The reader went away; keep Python from complaining about it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        click.echo(f"quiz: {error.strerror or error}", err=True)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
