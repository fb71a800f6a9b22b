"""What the learner may set, kept as one small JSON file in the data folder."""

import json
from datetime import date
from pathlib import Path
from typing import NamedTuple

from quiz.errors import StorageError, UsageError

FILE = "settings.json"
THEMES = ("dark", "light")
NO_DATE = "none"
# What each setting is for, and which values it takes.
MEANINGS = {
    "rollover": ("hour at which a study day begins", "0 to 23"),
    "new_per_day": ("new questions a day may bring", "0 to 9999"),
    "retention": ("share still to be known when due", "0.7 to 0.99"),
    "interview": ("day that all study works toward", f"a date, or {NO_DATE}"),
    "theme": ("colours of the screens", " or ".join(THEMES)),
}


class Settings(NamedTuple):
    """``rollover``: the local hour at which a study day begins. ``new_per_day``: how many unseen questions a day may
    bring. ``retention``: the share of due questions FSRS aims to have still known. ``interview``: the local date of the
    interview, toward which the queue then works; None if there is none. ``theme``: dark or light."""

    rollover: int = 4
    new_per_day: int = 12
    retention: float = 0.9
    interview: date | None = None
    theme: str = "dark"


def load_settings(data: Path) -> Settings:
    """The learner's settings; what the file leaves out stands at its default.

    Raises:
        StorageError: the file is not JSON, or holds a name or value that cannot be.
    """
    path = data / FILE
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Settings()
    except (OSError, ValueError, RecursionError) as error:
        raise StorageError(f"{path} cannot be read ({error}); mend it or delete it") from None
    if not isinstance(kept, dict):
        raise StorageError(f"{path} must hold a JSON object; mend it or delete it")
    settings = Settings()
    try:
        for name, value in kept.items():
            settings = changed(settings, name, str(value))
    except UsageError as error:
        raise StorageError(f"{path}: {error}") from None
    return settings


def save_settings(data: Path, settings: Settings) -> None:
    """Write the settings whole, so that a crash leaves the old file or the new one."""
    path = data / FILE
    scratch = path.with_suffix(".tmp")
    try:
        data.mkdir(parents=True, exist_ok=True)
        scratch.write_text(json.dumps(shown(settings), indent=2) + "\n", encoding="utf-8")
        scratch.replace(path)
    except OSError as error:
        raise StorageError(f"the settings could not be written to {path}: {error.strerror}") from None


def shown(settings: Settings) -> dict[str, int | float | str]:
    """The settings as plain values, each as `changed` takes it."""
    return settings._asdict() | {"interview": settings.interview.isoformat() if settings.interview else NO_DATE}


def changed(settings: Settings, name: str, text: str) -> Settings:
    """The settings with one of them set from its text.

    Raises:
        UsageError: no such setting, or a value it cannot have.
    """
    match name:
        case "rollover":
            return settings._replace(rollover=_whole(name, text, 0, 23))
        case "new_per_day":
            return settings._replace(new_per_day=_whole(name, text, 0, 9999))
        case "retention":
            return settings._replace(retention=_share(name, text, 0.7, 0.99))
        case "interview":
            return settings._replace(interview=_date(name, text))
        case "theme" if text in THEMES:
            return settings._replace(theme=text)
        case "theme":
            raise UsageError(f"theme is one of {', '.join(THEMES)}, not {text!r}")
    known = ", ".join(settings._fields)
    raise UsageError(f"no setting {name!r}; there are {known}")


def _whole(name: str, text: str, low: int, high: int) -> int:
    if text.isascii() and text.isdigit() and len(text) < 6 and low <= int(text) <= high:
        return int(text)
    raise UsageError(f"{name} is a whole number from {low} to {high}, not {text!r}")


def _share(name: str, text: str, low: float, high: float) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if low <= value <= high:
        return value
    raise UsageError(f"{name} is a number from {low} to {high}, not {text!r}")


def _date(name: str, text: str) -> date | None:
    if text == NO_DATE:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"{name} is a date such as 2026-12-18, or {NO_DATE}, not {text!r}") from None
