"""The app: it holds the desk, the theme and the sitting, and sees to a good end whatever ends it."""

import asyncio
import errno
import gc
import signal
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import App, SystemCommand
from textual.binding import BindingType
from textual.geometry import Size
from textual.screen import Screen

from quiz.errors import QuizError
from quiz.tui.commands import app_bindings, commands_at
from quiz.tui.screens.home import HomeScreen
from quiz.tui.screens.screen import QuizScreen
from quiz.tui.themes import THEMES, theme_name

if TYPE_CHECKING:
    from quiz.desk import Desk
    from quiz.study.session import Session

# Imported in the background once home is painted, so that the first question comes at once.
SOON_NEEDED = ("quiz.tui.screens.study", "quiz.attention.solver", "quiz.problem.drawing")
# So many objects more bring a look for garbage among the young, the middle-aged and the old; the old are imports.
COLLECTING = (5_000, 10, 100)
TWICE_WITHIN = 2.0
# Smaller windows have no room for a question and its keys.
LEAST_WIDTH, LEAST_HEIGHT = 60, 18
# How often it is seen whether the terminal is still there, in seconds.
TERMINAL_CHECK = 2.0


class QuizApp(App[None]):
    """The quiz in a terminal.

    Args:
        desk: the learner's library, log, clock and settings.
        topics: study these at once instead of showing home first.
        new: the most new questions of a sitting; None leaves it to the settings.
        limit: the most answers of a sitting; None means as many as there are.
    """

    # A default screen's own style sheet is not loaded by Textual, so home's stands here.
    CSS_PATH: ClassVar[list[str | PurePath]] = ["app.tcss", "screens/home.tcss"]
    TITLE = "quiz"
    BINDINGS: ClassVar[list[BindingType]] = [*app_bindings()]

    def __init__(
        self, desk: "Desk", topics: Sequence[str] = (), new: int | None = None, limit: int | None = None
    ) -> None:
        theme = theme_name(desk.settings.theme)
        super().__init__(ansi_color=theme.startswith("ansi"))
        self.desk = desk
        self.sitting: Session | None = None
        self._topics = tuple(topics)
        self._new = new
        self._limit = limit
        self._ctrl_c_at = -TWICE_WITHIN
        # Whether the window is large enough; not asked before the first screens stand.
        self._fits: bool | None = None
        for one in THEMES:
            self.register_theme(one)
        # Nothing stands in other colours yet: setting the theme as usual would read the style sheets twice.
        self.set_reactive(App.theme, theme)
        self.stylesheet.set_variables(self.get_css_variables())

    def get_default_screen(self) -> Screen[None]:
        """Home is always at the bottom."""
        return HomeScreen()

    def on_mount(self) -> None:
        """See to signals and to the return from the shell; start the sitting that was asked for."""
        self.app_resume_signal.subscribe(self, lambda _: self.refresh(layout=True))
        if sys.platform != "win32":
            loop = asyncio.get_running_loop()
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                loop.add_signal_handler(number, self._end, 128 + number)
            self.set_interval(TERMINAL_CHECK, self._end_without_terminal)
        self.call_after_refresh(self._back_up)
        if self._topics or self._new is not None or self._limit is not None:
            if self.desk.log.notice:
                # Home, which keeps it in sight, is not what shows.
                self.warn(self.desk.log.notice)
            self.call_after_refresh(self.study, self._topics)
        else:
            self.call_after_refresh(self._import_what_is_soon_needed)
        # From here on: a sitting that was asked for is below it, not above.
        self.call_after_refresh(self._begin_to_fit)

    def on_unmount(self) -> None:
        """Give the signals back."""
        if sys.platform != "win32":
            loop = asyncio.get_running_loop()
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                loop.remove_signal_handler(number)

    def study(self, topics: Sequence[str] = ()) -> None:
        """Begin a sitting over the topics; none means all."""
        from quiz.tui.screens.study import StudyScreen

        try:
            self.sitting = self.desk.session(topics, self._new, self._limit)
            view = self.sitting.start(self.desk.now())
        except QuizError as error:
            self.warn(str(error))
            return
        self.push_screen(StudyScreen(self.sitting, view))
        # The start put garbage off; what each question leaves behind would pile up to megabytes.
        gc.set_threshold(*COLLECTING)

    def read(self, pack: str, lesson: str | None = None, aside: bool = False) -> None:
        """Open a pack's lessons, or one of them; ``aside``: from a question, to which the learner goes back."""
        from quiz.tui.screens.lesson import LessonScreen

        self.push_screen(LessonScreen(pack, lesson, aside))

    def leave_sitting(self) -> None:
        """End the sitting, if there is one; an answer that was marked is saved.

        Raises:
            StorageError: it could not be written.
        """
        if self.sitting is not None:
            self.sitting.leave(self.desk.now())
            self.sitting = None

    def warn(self, message: str) -> None:
        """Show a problem that no line on the screen is kept for."""
        from quiz.tui.safe import printable

        self.notify(printable(message), severity="error", timeout=8, markup=False)

    def check_action(self, action: str, _: tuple[object, ...]) -> bool | None:
        """Whether the command applies at the screen's place."""
        return self.screen.check_action(action, ())

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The palette: the commands that apply at the place."""
        if isinstance(screen, QuizScreen):
            for command in commands_at(screen.place):
                if not command.each:
                    run = screen.action_press
                    yield SystemCommand(command.label, command.help, lambda run=run, name=command.id: run(name))

    def action_command_palette(self) -> None:
        """Open the palette."""
        from quiz.tui.palette import Palette

        if not isinstance(self.screen, Palette):
            self.push_screen(Palette(id="--command-palette"))

    async def action_quit(self) -> None:
        """Leave the quiz."""
        self._end(0)

    def action_help_quit(self) -> None:
        """Ctrl+C twice leaves: once may have been meant to copy."""
        now = time.monotonic()
        if now - self._ctrl_c_at < TWICE_WITHIN:
            self._end(0)
            return
        self._ctrl_c_at = now
        self.notify("Press Ctrl+C again to leave the quiz.", timeout=TWICE_WITHIN, markup=False)

    def action_theme(self) -> None:
        """Change between dark and light, and remember it."""
        settings = self.desk.settings._replace(theme="light" if self.desk.settings.theme == "dark" else "dark")
        self.theme = theme_name(settings.theme)
        try:
            self.desk.save(settings)
        except QuizError as error:
            self.warn(str(error))

    def action_help(self) -> None:
        """Show the keys of this screen and of the others."""
        from quiz.tui.screens.help import HelpScreen

        if isinstance(self.screen, QuizScreen):
            self.push_screen(HelpScreen(self.screen.place))

    def on_resize(self, event: events.Resize) -> None:
        """Say so while the window is too small, and go on once it is large enough."""
        if self._fits is not None:
            self._fit(event.size)

    def _begin_to_fit(self) -> None:
        self._fits = True
        self._fit(self.size)

    def _fit(self, size: Size) -> None:
        fits = size.width >= LEAST_WIDTH and size.height >= LEAST_HEIGHT
        if fits == self._fits:
            return
        self._fits = fits
        if fits:
            self.pop_screen()
        else:
            from quiz.tui.screens.small import SmallScreen

            self.push_screen(SmallScreen(LEAST_WIDTH, LEAST_HEIGHT))

    def _import_what_is_soon_needed(self) -> None:
        self.run_worker(_import_all, thread=True, exit_on_error=False)

    def _back_up(self) -> None:
        self.run_worker(self._roll_backups, thread=True, exit_on_error=False)

    def _roll_backups(self) -> None:
        try:
            self.desk.roll_backups()
        except QuizError as error:
            self.call_from_thread(self.warn, str(error))

    def _end_without_terminal(self) -> None:
        """A terminal may close without the signal that says so; reading from it would then go round for ever."""
        if _is_hung_up():
            self._end(128 + signal.SIGHUP)

    def _end(self, code: int) -> None:
        message = None
        try:
            self.leave_sitting()
        except QuizError as error:
            message, code = str(error), code or error.exit_code
        self.exit(None, code, message)


def run(desk: "Desk", topics: Sequence[str] = (), new: int | None = None, limit: int | None = None) -> int:
    """Run the app on this terminal; returns the exit code."""
    app = QuizApp(desk, topics, new, limit)
    # What was imported stays: no key press is to wait until it was looked through for garbage.
    gc.freeze()
    app.run()
    return app.return_code or 0


def _is_hung_up() -> bool:
    import termios

    try:
        termios.tcgetattr(0)
    except termios.error as error:
        return bool(error.args[0] == errno.EIO)
    return False


def _import_all() -> None:
    from importlib import import_module

    for name in SOON_NEEDED:
        import_module(name)
