"""The themes can be read: measured, not judged."""

import pytest
from rich.color import ColorType
from textual.app import App
from textual.color import Color
from textual.theme import Theme

from quiz.tui.app import QuizApp
from quiz.tui.themes import THEMES, theme_name
from tests.tui.conftest import CARD, MakeDesk, Play

ROLES = (
    "text",
    "text-muted",
    "text-primary",
    "text-accent",
    "text-warning",
    "text-error",
    "text-success",
    "foreground",
)
SURFACES = ("background", "surface", "panel")


def luminance(colour: Color) -> float:
    """Relative luminance by WCAG 2.1."""
    parts = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in colour.normalized]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: Color, other: Color) -> float:
    """The contrast ratio by WCAG 2.1."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_measured_as_wcag_does() -> None:
    assert contrast(Color.parse("#000000"), Color.parse("#ffffff")) == pytest.approx(21)
    assert contrast(Color.parse("#777777"), Color.parse("#ffffff")) == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("role", ROLES)
def test_every_text_has_contrast_on_every_surface(theme: Theme, surface: str, role: str) -> None:
    colours = theme.to_color_system().generate()
    assert contrast(Color.parse(colours[role]), Color.parse(colours[surface])) >= 4.5


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_surfaces_are_pure_greys(theme: Theme) -> None:
    for colour in (theme.background, theme.surface, theme.panel):
        red, green, blue = Color.parse(colour or "").rgb
        assert red == green == blue


def test_the_setting_names_the_theme() -> None:
    assert theme_name("dark", {"TERM": "xterm-256color"}) == "quiz-dark"
    assert theme_name("light", {"TERM": "tmux-256color"}) == "quiz-light"


def test_with_sixteen_colours_the_terminals_own_palette_is_used() -> None:
    assert theme_name("light", {"TERM": "linux"}) == "ansi-light"
    assert theme_name("dark", {"TERM": "xterm", "COLORTERM": "truecolor"}) == "quiz-dark"


def test_without_colour_our_greys_are_used() -> None:
    assert theme_name("dark", {"TERM": "xterm-256color", "NO_COLOR": "1"}) == "quiz-dark"
    assert theme_name("light", {"TERM": "linux", "NO_COLOR": "1"}) == "quiz-light"


@pytest.mark.parametrize(("setting", "background"), [("dark", "#121212"), ("light", "#FAFAFA")])
def test_home_opens_in_its_theme_and_is_not_styled_anew(
    make_desk: MakeDesk, play: Play, monkeypatch: pytest.MonkeyPatch, setting: str, background: str
) -> None:
    styled: list[bool] = []
    monkeypatch.setattr(App, "refresh_css", lambda _, animate=True: styled.append(animate))
    desk = make_desk(CARD)
    desk.save(desk.settings._replace(theme=setting))
    seen: list[str] = []

    def look(app: QuizApp) -> None:
        seen.append(app.screen.styles.background.hex)

    play(desk, look=look)
    assert (seen, styled) == ([background], [])


@pytest.mark.parametrize("setting", ["dark", "light"])
def test_with_sixteen_colours_nothing_is_painted_in_others(
    make_desk: MakeDesk, play: Play, monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    desk = make_desk(CARD)
    desk.save(desk.settings._replace(theme=setting))
    monkeypatch.setenv("TERM", "linux")
    monkeypatch.delenv("COLORTERM", raising=False)
    kinds: set[ColorType] = set()

    def look(app: QuizApp) -> None:
        for strip in app.screen._compositor.render_strips():
            kinds.update(one.style.color.type for one in strip if one.style and one.style.color)

    play(desk, look=look)
    assert kinds <= {ColorType.DEFAULT, ColorType.STANDARD}
