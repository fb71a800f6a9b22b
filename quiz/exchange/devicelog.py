"""One device's file in a folder that several share: a line that says whose it is, then one entry a line.

It is made whole under another name and then renamed, so nobody ever reads half of ours. Other programs carry it, cut it
off, mix in the marks of a merge, or copy it under names of their own; so each line is read by itself.
"""

import json
import os
import re
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO
from uuid import UUID

from quiz.errors import StorageError
from quiz.exchange.entries import EntryError, document_of, entry_from
from quiz.exchange.intake import Problems
from quiz.memory.review import new_id
from quiz.memory.union import Shared, Union

FORMAT = 1
LONGEST_LINE = 2**20
LARGEST_FILE = 2**31
# As we write it. It is known without being parsed, since almost all lines of a folder are known.
_ID = re.compile(rb'\{"id": "([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"')
_GIT = (b"<<<<<<<", b"=======", b">>>>>>>", b"|||||||")


@dataclass(slots=True)
class Reading:
    """What was found in a file. ``entries`` counts the legible ones, ``held`` are their UUIDs. ``newer`` if only a
    newer version can read it; ``cut`` if it ends in a half-written line; ``plain`` if every line of it is as we write
    it, so that more may follow the first ``size`` bytes."""

    name: str
    device: str | None = None
    entries: int = 0
    held: set[bytes] = field(default_factory=set)
    newer: bool = False
    cut: bool = False
    plain: bool = True
    size: int = 0
    problems: Problems = field(default_factory=Problems)

    def hold(self, uuid: UUID) -> None:
        """Note a legible entry."""
        self.entries += 1
        self.held.add(uuid.bytes)

    def note(self, line: int, what: str) -> None:
        """Note what could not be read."""
        self.plain = False
        self.problems.add(line, what)


def name_of(device: str) -> str:
    """The name of a device's file."""
    return f"quiz-{UUID(device)}.jsonl"


def may_be_log(name: str) -> bool:
    """Whether a file of this name is one of ours or a copy that a carrier made of one."""
    return name.startswith("quiz-") and name.casefold().endswith(".jsonl")


def read_log(path: Path, union: Union, reading: Reading) -> Iterator[Shared]:
    """The entries of a file that the log lacks; ``reading`` tells the rest once all are read."""
    try:
        with _opened(path) as file:
            reading.size = os.fstat(file.fileno()).st_size
            if reading.size > LARGEST_FILE:
                reading.note(0, f"it is larger than {LARGEST_FILE // 2**30} GB and was left unread")
                return
            if not _begins_well(file, reading):
                return
            number = 1
            while line := file.readline(LONGEST_LINE):
                number += 1
                entry = _entry(line, number, union, reading)
                if entry is not None:
                    yield entry
                while len(line) == LONGEST_LINE and not line.endswith(b"\n"):
                    line = file.readline(LONGEST_LINE)
    except OSError as error:
        reading.note(0, f"it cannot be read: {error.strerror or error}")


def write_log(folder: Path, union: Union, files: Sequence[Reading]) -> int:
    """Write this device's file, after what the ``files`` hold was taken in; how many entries were added to it.

    In it go this device's entries, and those of others that no other file holds: they came here by an archive or from
    another folder, or their own file is gone. Where the file is still good, it is only continued.

    Raises:
        StorageError: it cannot be written; what was there is still there.
    """
    target = folder / name_of(union.device)
    scratch = folder / f".quiz-{new_id()}.tmp"
    own = next((one for one in files if one.name == target.name), None)
    kept = own if own is not None and own.plain and own.device == union.device else None
    elsewhere = [one.held for one in files if one is not own]

    def is_wanted(uuid: bytes, device: str) -> bool:
        if kept is not None and uuid in kept.held:
            return False
        return device == union.device or not any(uuid in held for held in elsewhere)

    fresh = union.entries(is_wanted)
    first = next(fresh, None)
    if first is None and kept is not None:
        return 0
    count = 0
    try:
        with scratch.open("xb") as file:
            if kept is not None:
                with _opened(target) as known:
                    _copy(known, file, kept.size)
            else:
                file.write(_line({"log": FORMAT, "device": union.device}))
            while first is not None:
                file.write(_line(document_of(first)))
                count += 1
                first = next(fresh, None)
            file.flush()
            os.fsync(file.fileno())
        scratch.replace(target)
        _sync_folder(folder)
    except OSError as error:
        raise StorageError(f"{target} cannot be written, so it stays as it was: {error.strerror or error}") from None
    finally:
        with suppress(OSError):
            scratch.unlink(missing_ok=True)
    return count if kept is not None or own is None else max(0, count - own.entries)


def _opened(path: Path) -> BinaryIO:
    """The file, if it is one: no link to another, no device, no pipe that waits for a writer."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(0, "it is no plain file")
    return os.fdopen(descriptor, "rb")


def _begins_well(file: BinaryIO, reading: Reading) -> bool:
    line = file.readline(LONGEST_LINE)
    try:
        head = json.loads(line.decode("utf-8-sig"))
        version, device = head["log"], str(UUID(head["device"]))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        if line.endswith(b"\n") and len(line) < LONGEST_LINE:
            reading.note(1, "it does not begin as a log of quiz; the file was left unread")
        else:
            # Cut off before it really began.
            reading.cut, reading.plain = True, False
        return False
    if type(version) is not int or version != FORMAT:
        reading.newer = True
        reading.note(1, f"it is of a newer version of quiz (format {version}, this one knows {FORMAT}); update quiz")
        return False
    reading.device = device
    reading.plain = line == _line({"log": FORMAT, "device": device})
    return True


def _entry(line: bytes, number: int, union: Union, reading: Reading) -> Shared | None:
    """The entry of a line if the log lacks it."""
    whole = line.endswith(b"\n")
    if whole and (found := _ID.match(line)) and UUID(found[1].decode()) in union:
        reading.hold(UUID(found[1].decode()))
        return None
    if not line.strip() or line.startswith(_GIT):
        reading.plain = False
        return None
    try:
        document = json.loads(line)
    except (ValueError, RecursionError):
        if len(line) >= LONGEST_LINE:
            reading.note(number, f"it is longer than {LONGEST_LINE:,} bytes")
        elif whole:
            reading.note(number, "it is not JSON")
        else:
            reading.cut, reading.plain = True, False
        return None
    try:
        entry = entry_from(document)
    except EntryError as error:
        reading.note(number, str(error))
        return None
    reading.hold(UUID(entry.id))
    reading.plain = reading.plain and whole
    return None if UUID(entry.id) in union else entry


def _copy(source: BinaryIO, target: BinaryIO, size: int) -> None:
    while size > 0 and (block := source.read(min(size, 2**20))):
        target.write(block)
        size -= len(block)


def _line(document: dict[str, Any]) -> bytes:
    return json.dumps(document).encode() + b"\n"


def _sync_folder(folder: Path) -> None:
    """Have the renaming reach the disk, where a folder can be told to."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
