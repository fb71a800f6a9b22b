"""The command line: which commands there are, and one way out of all of them.

Exit codes: 0 fine, 1 the content or the answer was found wanting, 2 the call or the input is wrong, 130 interrupted.
"""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path

import click

from quiz.errors import QuizError
from quiz.render.printable import printable

# Where each command stands. Only the one that is called is imported: `quiz solve` is to start like NumPy alone.
COMMANDS = {
    "study": "quiz.cli.study:study",
    "list": "quiz.cli.questions:list_questions",
    "ask": "quiz.cli.questions:ask",
    "card": "quiz.cli.card:card",
    "mark": "quiz.cli.questions:mark",
    "solve": "quiz.cli.solve:solve",
    "quantities": "quiz.cli.solve:quantities",
    "inspect": "quiz.cli.inspect:inspect",
    "trace": "quiz.cli.trace:trace",
    "progress": "quiz.cli.progress:progress",
    "pack": "quiz.cli.packs:pack",
    "settings": "quiz.cli.settings:settings",
    "data": "quiz.cli.data:data",
}


class Commands(click.Group):
    """The commands, imported when called; ``quiz gqa`` means ``quiz study gqa``."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Every name, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as above
        """The command of this name."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Take a first word that is no command as a topic to study."""
        if args and args[0] not in COMMANDS:
            args = ["study", *args]
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take options of ``study`` right after ``quiz`` as well."""
        own = {"--home", "--version", "--help", "-h"}
        if args and args[0].startswith("-") and args[0].partition("=")[0] not in own:
            args = ["study", *args]
        return super().parse_args(ctx, args)


@click.group(cls=Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--home", type=click.Path(path_type=Path, file_okay=False), help="The data folder; also QUIZ_HOME.")
@click.version_option(None, "--version", package_name="attention-quiz", prog_name="quiz")
@click.pass_context
def quiz(context: click.Context, home: Path | None) -> int | None:
    """Get ready for the attention part of an LLM interview.

    Alone, it opens the screens at what is due; `quiz gqa` studies one topic.
    """
    context.obj = home
    if context.invoked_subcommand is None:
        from quiz.cli.study import study

        code: int = context.invoke(study)
        return code
    return None


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
