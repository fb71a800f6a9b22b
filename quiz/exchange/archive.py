"""Everything a learner did, as one JSON document: to keep, to move to another machine, to merge into another log.

``archive`` is the version of the format and comes first. Then there are ``device`` (who wrote it), ``entries`` (see
`quiz.exchange.entries`; one a line, so that differences show), ``made`` and ``settings``. Cards are not in it: they
follow from the entries.
"""

import io
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from quiz.errors import StorageError, UsageError
from quiz.exchange.entries import EntryError, document_of, entry_from
from quiz.exchange.intake import Intake, Problem, Problems
from quiz.exchange.stream import MalformedError, Stream
from quiz.memory.days import Moment
from quiz.memory.review import new_id
from quiz.memory.reviews import ReviewLog

FORMAT = 1
_BEGINNING = '{"archive": '


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did: of ``entries`` in the archive, ``new`` ones were taken in. ``held_back`` and ``waiting`` are
    as in a sync. ``problems`` are the first of ``left_out`` places that could not be read. ``settings`` are as they
    stood in the archive, not looked at."""

    entries: int
    new: int
    held_back: int
    waiting: int
    left_out: int
    problems: tuple[Problem, ...]
    settings: Mapping[str, Any]


def write_archive(log: ReviewLog, settings: Mapping[str, Any], now: datetime, file: TextIO) -> int:
    """Write the archive of a log; the number of its entries."""
    union = log.union()
    file.write(f'{_BEGINNING}{FORMAT}, "device": {json.dumps(union.device)}, "entries": [')
    count = 0
    for entry in union.entries():
        file.write(f"{',' if count else ''}\n{json.dumps(document_of(entry))}")
        count += 1
    file.write(f'\n], "made": {json.dumps(now.astimezone(UTC).isoformat())}, "settings": {json.dumps(settings)}}}\n')
    return count


def save_archive(
    log: ReviewLog, settings: Mapping[str, Any], now: datetime, path: Path, *, replace: bool = False
) -> int:
    """Write the archive to a file, whole or not at all. An archive that is there already may hold what this log does
    not; it goes only if the caller says to ``replace`` it.

    Raises:
        UsageError: the file is there and is something else, or is not to be replaced.
        StorageError: it cannot be written.
    """
    scratch = path.with_name(f".quiz-{new_id()}.tmp")
    try:
        if path.exists() and not _is_archive(path):
            raise UsageError(f"{path} is there already and is no archive of quiz; choose another name")
        if path.exists() and not replace:
            raise UsageError(f"{path} is there already; choose another name, or replace it with --force")
        with scratch.open("x", encoding="ascii") as file:
            count = write_archive(log, settings, now, file)
            file.flush()
            os.fsync(file.fileno())
        scratch.replace(path)
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {error.strerror or error}") from None
    finally:
        with suppress(OSError):
            scratch.unlink(missing_ok=True)
    return count


def import_archive(log: ReviewLog, file: BinaryIO, name: str, moment: Moment) -> Imported:
    """Take in what an archive holds and the log lacks, after a backup of the log. What cannot be read is left out.

    Raises:
        UsageError: it is no archive, or of a newer version. Nothing was taken in.
        StorageError: the log cannot be written.
    """
    union = log.union()
    back_up: Callable[[], object] | None = (lambda: log.back_up(moment.instant)) if len(union) else None
    intake, problems = Intake(union, moment, back_up), Problems()
    count, head = 0, dict[str, Any]()
    with _text(file) as text:
        stream = Stream(text)
        _check_format(stream, name)
        for field in _fields(stream, problems):
            if field != "entries":
                head[field] = _value(stream, problems)
                continue
            for line, document in _elements(stream, problems):
                try:
                    if not intake.knows(document):
                        intake.add(entry_from(document))
                    count += 1
                except EntryError as error:
                    problems.add(line, str(error))
    intake.finish()
    settings = head.get("settings")
    return Imported(
        entries=count,
        new=intake.new,
        held_back=intake.held_back,
        waiting=len(union.waiting),
        left_out=problems.count,
        problems=tuple(problems.told),
        settings=settings if isinstance(settings, dict) else {},
    )


@contextmanager
def _text(file: BinaryIO) -> Iterator[TextIO]:
    # Bytes that are not UTF-8 are some entry's own trouble.
    text = io.TextIOWrapper(file, encoding="utf-8-sig", errors="surrogateescape", newline="")
    try:
        yield text
    finally:
        text.detach()


def _check_format(stream: Stream, name: str) -> None:
    try:
        known = stream.skip("{") and stream.value() == "archive" and stream.skip(":")
        version = stream.value() if known else None
    except MalformedError:
        version = None
    if type(version) is not int or version < 1:
        raise UsageError(f"{name} is no archive of quiz: it does not begin with {_BEGINNING}{FORMAT}")
    if version > FORMAT:
        raise UsageError(
            f"{name} is of a newer version of quiz (format {version}, this one knows {FORMAT}); update quiz"
        )


def _fields(stream: Stream, problems: Problems) -> Iterator[str]:
    """The names in the document after the first; the caller reads the value of each."""
    while stream.skip(","):
        name = _value(stream, problems)
        if not isinstance(name, str) or not stream.skip(":"):
            break
        yield name
    if not stream.skip("}") or stream.peek():
        problems.add(stream.line, "it ends too early, or goes on after its end")


def _value(stream: Stream, problems: Problems) -> Any:
    try:
        return stream.value()
    except MalformedError:
        problems.add(stream.line, "it is not JSON")
        stream.skip_line()
        return None


def _elements(stream: Stream, problems: Problems) -> Iterator[tuple[int, Any]]:
    """The elements of a list, each with the line on which it begins; past what is no JSON, from the next line."""
    if not stream.skip("["):
        problems.add(stream.line, "entries are no list")
        stream.skip_line()
        return
    while not stream.skip("]"):
        if not stream.peek():
            return
        line = stream.line
        try:
            yield line, stream.value()
        except MalformedError:
            problems.add(line, "it is not JSON")
            stream.skip_line()
        stream.skip(",")


def _is_archive(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_BEGINNING)) == _BEGINNING.encode()
