"""Installing packs into the learner's folder, and taking them away."""

import os
import shutil
import tempfile
from pathlib import Path

from quiz import paths
from quiz.bank.library import Library, PackEntry, open_library, pack_files
from quiz.bank.reader import read_pack
from quiz.errors import StorageError, UsageError


def add_pack(library: Library, data: Path, file: Path) -> PackEntry:
    """Copy a pack into the data folder under its id, replacing an earlier version of the same installed pack.

    Raises:
        PackError: it cannot be read.
        UsageError: a shipped pack, or an installed one from another file, has its id.
        StorageError: it cannot be written.
    """
    pack = read_pack(file).pack
    folder = paths.installed_packs_dir(data)
    target = folder / f"{pack.pack}.yaml"
    taken = next((one for one in library.packs() if one.id == pack.pack), None)
    if taken is not None:
        raise UsageError(
            f"the id {pack.pack!r} is taken by {taken.file}; "
            + ("give your pack another id" if taken.shipped else f"`quiz pack remove {pack.pack}` first: history stays")
        )
    if target.exists():
        raise UsageError(f"{target} is in the way, and it is not a readable pack of this id; move it away first")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle, scratch = tempfile.mkstemp(dir=folder, suffix=".tmp")
        os.close(handle)
        shutil.copyfile(file, scratch)
        Path(scratch).replace(target)
    except OSError as error:
        raise StorageError(f"the pack could not be written to {target}: {error.strerror or error}") from None
    refreshed = open_library(data)
    try:
        return next(one for one in refreshed.packs() if one.id == pack.pack)
    finally:
        refreshed.close()


def remove_pack(library: Library, data: Path, pack: str) -> Path:
    """Delete an installed pack's file, readable or not. Reviews of its questions stay in the log, for its return.

    Raises:
        UsageError: no such pack, or it is a shipped one.
        StorageError: the file cannot be deleted.
    """
    entry = next((one for one in library.packs() if one.id == pack), None)
    if entry is not None and entry.shipped:
        raise UsageError(f"{pack!r} is shipped with quiz and stays; only packs you added can be removed")
    broken = {file.stem: file for file in pack_files(paths.installed_packs_dir(data))}
    file = Path(entry.file) if entry else broken.get(pack)
    if file is None:
        raise UsageError(f"no pack {pack!r}; `quiz pack list` shows them")
    try:
        file.unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(f"{file} could not be deleted: {error.strerror}") from None
    return file
