"""The settings file: what may stand in it, and what is said of what may not."""

from datetime import date
from pathlib import Path

import pytest

from quiz.errors import StorageError, UsageError
from quiz.settings import FILE, Settings, changed, load_settings, save_settings, shown


def test_without_a_file_everything_stands_at_its_default(tmp_path: Path) -> None:
    assert load_settings(tmp_path) == Settings()


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    settings = Settings(rollover=6, new_per_day=0, retention=0.85, interview=date(2026, 12, 18), theme="light")
    save_settings(tmp_path, settings)
    assert load_settings(tmp_path) == settings


def test_a_setting_shown_can_be_set_again() -> None:
    for settings in (Settings(), Settings(interview=date(2026, 12, 18))):
        for name, value in shown(settings).items():
            assert changed(settings, name, str(value)) == settings


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("rollover", "24", "whole number from 0 to 23"),
        ("rollover", "4.0", "whole number"),
        ("new_per_day", "-1", "whole number"),
        ("new_per_day", "٣", "whole number"),
        ("retention", "1", "0.7 to 0.99"),
        ("retention", "nan", "0.7 to 0.99"),
        ("interview", "tomorrow", "a date such as"),
        ("interview", "2026-13-01", "a date such as"),
        ("theme", "blue", "dark, light"),
        ("volume", "11", "no setting 'volume'"),
    ],
)
def test_what_cannot_be_is_refused_with_what_can(name: str, value: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        changed(Settings(), name, value)


@pytest.mark.parametrize("text", ["", "[]", "{", "\x00", '{"rollover": 99}', '{"volume": 11}', "[" * 100_000])
def test_a_broken_file_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(StorageError, match=FILE):
        load_settings(tmp_path)
