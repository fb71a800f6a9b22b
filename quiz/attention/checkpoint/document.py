"""A config.json as an object: read with bounds, and refused in one sentence where it is broken or hostile."""

import json
import os
from pathlib import Path
from typing import NoReturn

from quiz.errors import UsageError

LARGEST_FILE = 16 * 2**20
_LONGEST_NUMBER = 40

Config = dict[str, object]


def read_config(path: Path) -> Config:
    """The object in a config.json, or in the config.json of a folder.

    Raises:
        UsageError: it cannot be read, is larger than 16 MiB, or is not one JSON object.
    """
    file = path / "config.json" if path.is_dir() else path
    try:
        with open(file, "rb", opener=_opened) as stream:
            data = stream.read(LARGEST_FILE + 1)
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror or error}") from error
    if len(data) > LARGEST_FILE:
        raise UsageError(f"{file}: larger than 16 MiB; that is no config.json")
    return parse_config(data, str(file))


def _opened(file: str, flags: int) -> int:
    """Open without waiting: a pipe that nobody writes to is empty; what a shell pipes in is waited for."""
    if not hasattr(os, "O_NONBLOCK"):
        return os.open(file, flags)
    descriptor = os.open(file, flags | os.O_NONBLOCK)
    os.set_blocking(descriptor, True)
    return descriptor


def parse_config(data: bytes, name: str) -> Config:
    """The object that these bytes of JSON (UTF-8, UTF-16 or UTF-32) hold; ``name`` is what errors call it.

    Raises:
        UsageError: it is not one JSON object, repeats a key, or holds NaN, Infinity or an absurdly long number.
    """
    try:
        text = data.decode(json.detect_encoding(data))
        found = json.loads(
            text, object_pairs_hook=_without_repeats, parse_constant=_no_number, parse_int=_int, parse_float=_float
        )
    except UnicodeDecodeError as error:
        raise UsageError(f"{name}: not text: {error.reason} at byte {error.start}") from error
    except json.JSONDecodeError as error:
        raise UsageError(f"{name}:{error.lineno}:{error.colno}: not JSON: {error.msg}") from error
    except RecursionError as error:
        raise UsageError(f"{name}: nested too deeply") from error
    except ValueError as error:
        raise UsageError(f"{name}: {error}") from error
    if not isinstance(found, dict):
        raise UsageError(f"{name}: holds {_kind(found)}, not an object of settings")
    return found


def _without_repeats(pairs: list[tuple[str, object]]) -> Config:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise ValueError(f"the key {key[:80]!r} stands twice")
            seen.add(key)
    return found


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a number in JSON")


def _int(digits: str) -> int:
    if len(digits) > _LONGEST_NUMBER:
        raise ValueError(f"a number of {len(digits)} digits is no size")
    return int(digits)


def _float(digits: str) -> float:
    value = float(digits) if len(digits) <= _LONGEST_NUMBER * 10 else float("inf")
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"the number {digits[:20]} is too large")
    return value


def _kind(found: object) -> str:
    kinds = {list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return kinds.get(type(found), "a number")
