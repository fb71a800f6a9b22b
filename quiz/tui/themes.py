"""Our two themes. Surfaces are pure greys, which survive terminals of 256 colours; text keeps a contrast of at least
4.5 on every surface (a test measures it)."""

import os
from collections.abc import Mapping

from textual.theme import Theme

DARK = Theme(
    name="quiz-dark",
    dark=True,
    primary="#7db4f0",
    secondary="#9fb8cf",
    accent="#e3b866",
    warning="#e3b866",
    error="#f28b82",
    success="#7fd18b",
    foreground="#e4e4e4",
    background="#121212",
    surface="#1c1c1c",
    panel="#262626",
    variables={
        "text": "#e4e4e4",
        "text-muted": "#a8a8a8",
        "text-primary": "#8fc1f7",
        "text-secondary": "#9fb8cf",
        "text-accent": "#e8c078",
        "text-warning": "#e8c078",
        "text-error": "#f5978e",
        "text-success": "#86d993",
        "input-cursor-background": "#e4e4e4",
        "input-cursor-foreground": "#121212",
        "link-color": "#8fc1f7",
        "scrollbar": "#444444",
        "scrollbar-background": "#121212",
        "scrollbar-corner-color": "#121212",
        "scrollbar-hover": "#5f5f5f",
        "scrollbar-active": "#8fc1f7",
        "scrollbar-background-hover": "#121212",
        "scrollbar-background-active": "#121212",
    },
)
LIGHT = Theme(
    name="quiz-light",
    dark=False,
    primary="#1a5fb4",
    secondary="#3d5a75",
    accent="#7a4a00",
    warning="#7a4a00",
    error="#b3261e",
    success="#1b6e2b",
    foreground="#1c1c1c",
    background="#fafafa",
    surface="#f0f0f0",
    panel="#e4e4e4",
    variables={
        "text": "#1c1c1c",
        "text-muted": "#545454",
        "text-primary": "#15509a",
        "text-secondary": "#3d5a75",
        "text-accent": "#754600",
        "text-warning": "#754600",
        "text-error": "#a8201a",
        "text-success": "#17632a",
        "input-cursor-background": "#1c1c1c",
        "input-cursor-foreground": "#fafafa",
        "link-color": "#15509a",
        "scrollbar": "#bcbcbc",
        "scrollbar-background": "#fafafa",
        "scrollbar-corner-color": "#fafafa",
        "scrollbar-hover": "#949494",
        "scrollbar-active": "#15509a",
        "scrollbar-background-hover": "#fafafa",
        "scrollbar-background-active": "#fafafa",
    },
)
THEMES = (DARK, LIGHT)
_SIXTEEN_COLOURS = frozenset({"linux", "xterm", "xterm-color", "ansi", "cons25", "vt100", "vt220", "screen"})


def theme_name(setting: str, environ: Mapping[str, str] | None = None) -> str:
    """The theme for the setting ``dark`` or ``light`` in this terminal.

    Where there are only sixteen colours, the terminal's own palette is the readable one. Under ``NO_COLOR`` Textual
    turns ours to greys; the terminal's own would become black on black.
    """
    environ = os.environ if environ is None else environ
    few = environ.get("TERM", "") in _SIXTEEN_COLOURS and not environ.get("COLORTERM")
    family = "ansi" if few and "NO_COLOR" not in environ else "quiz"
    return f"{family}-{'light' if setting == 'light' else 'dark'}"
