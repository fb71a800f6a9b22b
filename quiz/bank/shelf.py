"""Installing packs into the learner's folder, all of them or none, and taking them away."""

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from quiz import paths
from quiz.bank.catalogue import PackEntry
from quiz.bank.changes import Changes, changes, is_downgrade
from quiz.bank.library import Library, pack_files
from quiz.bank.pack import Pack
from quiz.bank.reader import read_pack
from quiz.errors import StorageError, UsageError


@dataclass(frozen=True, slots=True)
class Placement:
    """A pack, the file it goes to, what stands there now (``before`` is None for a pack that is new here), and what
    happens to its questions and lessons."""

    pack: Pack
    content: bytes = field(repr=False)
    target: Path
    before: Pack | None
    questions: Changes
    lessons: Changes
    is_same: bool = False

    @property
    def is_downgrade(self) -> bool:
        """Whether a lower version would replace a higher one."""
        return self.before is not None and is_downgrade(self.before, self.pack)


def plan(library: Library, data: Path, arrivals: Sequence[tuple[Pack, bytes]]) -> list[Placement]:
    """Where packs go: each to its id's file, or to that of the installed pack it replaces.

    Raises:
        PackError: the installed pack cannot be read any more.
        UsageError: a shipped pack has the id, or a file that is no such pack is in the way.
    """
    present = {one.id: one for one in library.packs()}
    placements = [_place(pack, content, present.get(pack.pack), data) for pack, content in arrivals]
    names: dict[str, str] = {}
    for placement in placements:
        # Some disks cannot tell Mine.yaml from mine.yaml: the second would overwrite the first.
        other = names.setdefault(placement.target.name.casefold(), placement.pack.pack)
        if other != placement.pack.pack:
            raise UsageError(f"the ids {other!r} and {placement.pack.pack!r} are too alike; add one of the two")
    return placements


def _place(pack: Pack, content: bytes, taken: PackEntry | None, data: Path) -> Placement:
    if taken is not None and taken.shipped:
        raise UsageError(f"the id {pack.pack!r} is taken by a pack that comes with quiz; give your pack another id")
    if taken is not None:
        target = Path(taken.file)
        try:
            is_same = target.read_bytes() == content
        except OSError as error:
            raise StorageError(f"{target} cannot be read: {error.strerror or error}") from None
        if is_same:
            return Placement(pack, content, target, pack, Changes(), Changes(), is_same)
        before = read_pack(target).pack
        questions, lessons = changes(before.questions, pack.questions), changes(before.lessons, pack.lessons)
        return Placement(pack, content, target, before, questions, lessons)
    target = paths.installed_packs_dir(data) / f"{pack.pack}.yaml"
    if target.exists() or target.is_symlink():
        raise UsageError(
            f"{target} is in the way, and it is not a readable pack of this id; "
            f"move it away, or `quiz pack remove {pack.pack}` first: history stays"
        )
    return Placement(pack, content, target, None, changes((), pack.questions), changes((), pack.lessons))


def install(placements: Sequence[Placement], data: Path) -> None:
    """Write the packs. If one cannot be written, those already written are taken back.

    Raises:
        StorageError: one could not be written; the folder is as it was.
    """
    folder = paths.installed_packs_dir(data)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # On the same disk as the targets, so that each file appears whole or not at all.
        with tempfile.TemporaryDirectory(prefix=".adding-", dir=folder) as scratch:
            _swap(placements, Path(scratch))
    except OSError as error:
        raise StorageError(f"nothing was added, {folder} cannot be written: {error.strerror or error}") from None


def _swap(placements: Sequence[Placement], scratch: Path) -> None:
    for index, placement in enumerate(placements):
        (scratch / f"{index}.new").write_bytes(placement.content)
        if placement.before:
            shutil.copyfile(placement.target, scratch / f"{index}.old")
    done = 0
    try:
        for index, placement in enumerate(placements):
            (scratch / f"{index}.new").replace(placement.target)
            done += 1
    except OSError:
        for index, placement in enumerate(placements[:done]):
            if placement.before:
                (scratch / f"{index}.old").replace(placement.target)
            else:
                placement.target.unlink()
        raise


def remove_pack(library: Library, data: Path, pack: str) -> Path:
    """Delete an installed pack's file, readable or not. Reviews of its questions stay in the log, for its return.

    Raises:
        UsageError: no such pack, or it is a shipped one.
        StorageError: the file cannot be deleted.
    """
    entry = next((one for one in library.packs() if one.id == pack), None)
    # By name: broken ones, and one whose id a shipped pack has taken since.
    named = {file.stem: file for file in pack_files(paths.installed_packs_dir(data))}
    file = Path(entry.file) if entry and not entry.shipped else named.get(pack)
    if file is None and entry is not None:
        raise UsageError(f"{pack!r} is shipped with quiz and stays; only packs you added can be removed")
    if file is None:
        raise UsageError(f"no pack {pack!r}; `quiz pack list` shows them")
    try:
        file.unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(f"{file} could not be deleted: {error.strerror}") from None
    return file
