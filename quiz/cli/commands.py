"""Which commands there are, each imported only when it is called."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import click

from quiz.errors import NoTopicError, UsageError

# Where each command stands. Only the one that is called is imported: `quiz solve` is to start like NumPy alone.
COMMANDS = {
    "study": "quiz.cli.study:study",
    "learn": "quiz.cli.learn:learn",
    "list": "quiz.cli.questions:list_questions",
    "ask": "quiz.cli.questions:ask",
    "card": "quiz.cli.card:card",
    "mark": "quiz.cli.questions:mark",
    "solve": "quiz.cli.solve:solve",
    "quantities": "quiz.cli.solve:quantities",
    "inspect": "quiz.cli.inspect:inspect",
    "trace": "quiz.cli.trace:trace",
    "progress": "quiz.cli.progress:progress",
    "ready": "quiz.cli.ready:ready",
    "pack": "quiz.cli.packs:pack",
    "export": "quiz.cli.exchange:export",
    "import": "quiz.cli.exchange:import_",
    "settings": "quiz.cli.settings:settings",
    "data": "quiz.cli.data:data",
}

# Under this name a call keeps its first word where that is no command.
_FIRST_WORD = "quiz.first word"
# A group without its command: click 8.2 and later raise its help, before they only printed it.
_HELPED = getattr(click.exceptions, "NoArgsIsHelpError", ())


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
            ctx.meta[_FIRST_WORD] = args[0]
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


def call(arguments: Sequence[str]) -> int:
    """Run the command that the arguments ask for, and give the exit code.

    Raises:
        QuizError: what the command raises.
    """
    try:
        with quiz.make_context("quiz", list(arguments)) as context:
            try:
                result = quiz.invoke(context)
            except NoTopicError as error:
                _see_what_was_meant(error, context)
                raise
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except _HELPED as error:
        error.show()
        return 2
    except click.ClickException as error:
        called = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "quiz"
        said = " ".join(error.format_message().split()).rstrip(".")
        raise UsageError(f"{said}{'' if said.endswith('?') else ';'} `{called} --help` says what it takes") from None
    except click.Abort:
        raise KeyboardInterrupt from None


def _see_what_was_meant(error: NoTopicError, context: click.Context) -> None:
    """Raises a UsageError if it was a command, or the question of that key."""
    from quiz.cli.printing import packs_of
    from quiz.render.nearest import nearest

    topic, command = error.topic, nearest(error.topic, COMMANDS)
    is_first = topic == context.meta.get(_FIRST_WORD)
    if is_first and command and nearest(topic, [command, error.near or command]) == command:
        meant = f"did you mean `quiz {command}`? `quiz --help` lists the commands"
        raise UsageError(f"no command and no topic {topic!r}; {meant}") from None
    with packs_of(context.obj) as library:
        for entry in library.of([topic]):
            whole = f"{entry.pack}/{entry.lesson}" if entry.lesson else entry.pack
            shown = f"`quiz ask {topic}` shows it, `quiz study {whole}` asks it with its likes"
            raise UsageError(f"{topic} is a question, not a topic; {shown}") from None
