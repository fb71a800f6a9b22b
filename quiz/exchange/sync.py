"""Several machines: a folder that something else carries, in which each device writes a file and reads them all."""

import os
from dataclasses import dataclass
from pathlib import Path

from quiz.errors import StorageError, UsageError
from quiz.exchange.devicelog import Reading, may_be_log, name_of, read_log, write_log
from quiz.exchange.intake import Intake
from quiz.memory.days import Moment
from quiz.memory.reviews import ReviewLog

MOST_FILES = 1000


@dataclass(frozen=True, slots=True)
class Synced:
    """What a sync did. ``new`` entries came from other files, ``sent`` were added to this device's file, ``held_back``
    are dated in the future (see `Intake`), ``waiting`` are undos of what no file holds yet. ``files`` are those that
    were read, copies included; ``unread`` counts those beyond the most that are read."""

    device: str
    file: Path
    new: int
    sent: int
    held_back: int
    waiting: int
    files: tuple[Reading, ...]
    unread: int

    @property
    def sound(self) -> bool:
        """Whether everything that was found could be read; a line that is still being written does not count."""
        return not self.unread and not any(one.problems.count for one in self.files)


def sync(log: ReviewLog, folder: Path, moment: Moment) -> Synced:
    """Take in what other devices wrote to the folder, and write there what was done on this one.

    How often, and in which order devices do so, makes no difference to where they end.

    Raises:
        UsageError: there is no such folder.
        StorageError: the log or this device's file cannot be written, or the file is of a newer version of quiz.
    """
    names = _names(folder)
    union = log.union()
    own = name_of(union.device)
    intake = Intake(union, moment)
    files = []
    for name in names[:MOST_FILES]:
        reading = Reading(name)
        for entry in read_log(folder / name, union, reading):
            intake.add(entry)
        files.append(reading)
    intake.finish()
    found = next((one for one in files if one.name == own), None)
    if found is not None and found.newer:
        raise StorageError(f"{folder / own} is of a newer version of quiz and was left as it is; update quiz")
    sent = write_log(folder, union, files)
    return Synced(
        union.device,
        folder / own,
        intake.new,
        sent,
        intake.held_back,
        len(union.waiting),
        tuple(files),
        len(names[MOST_FILES:]),
    )


def _names(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as found:
            return sorted(one.name for one in found if may_be_log(one.name))
    except FileNotFoundError:
        raise UsageError(f"there is no folder {folder}; make it first, or name the one that is carried") from None
    except NotADirectoryError:
        raise UsageError(f"{folder} is no folder") from None
    except OSError as error:
        raise StorageError(f"the folder {folder} cannot be read: {error.strerror}") from None
