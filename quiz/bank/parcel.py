"""What somebody hands over for installing (a pack, a folder of packs, a zip of packs) as names and bytes.

A zip may come from a stranger: everything in its directory is judged before anything is unpacked, nothing is written
here, and no name in it is ever used as a path.
"""

import re
import stat
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path, PurePosixPath
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from quiz.bank.cache import LARGEST
from quiz.bank.library import MODELS, pack_files
from quiz.errors import UsageError

MIB = 2**20
LARGEST_ARCHIVE = 64 * MIB
LARGEST_TOTAL = 256 * MIB
MOST_MEMBERS = 1000
# Repetitive YAML shrinks fifty times, seldom more; deflate reaches a thousand. Small members may do as they like.
HIGHEST_RATIO = 200
SMALL = MIB

_ENDINGS = (".yaml", ".yml")
_ZIP_BEGINS = (b"PK\x03\x04", b"PK\x05\x06")
_DIRECTORY_ENTRY = b"PK\x01\x02"
_FLAG_ENCRYPTED = 0x1
_DRIVE = re.compile(r"[A-Za-z]:")
_NO_NAME = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Item:
    """One pack's file: what to call it in front of people, and what is in it."""

    name: str
    content: bytes = field(repr=False)


def open_parcel(path: Path) -> list[Item]:
    """The packs that a path stands for, unread as yet.

    Raises:
        UsageError: there is nothing there, or something that is refused; says what.
    """
    try:
        if path.is_dir():
            return _from_folder(path)
        if not path.exists():
            raise UsageError(f"there is no file {path}")
        if not path.is_file():
            raise UsageError(f"{path} is neither a file nor a folder")
        with path.open("rb") as file:
            is_zip = file.read(4) in _ZIP_BEGINS or path.suffix.lower() == ".zip"
        content = _read(path, LARGEST_ARCHIVE if is_zip else LARGEST)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}") from None
    return _from_zip(path, content) if is_zip else [Item(str(path), content)]


def _from_folder(folder: Path) -> list[Item]:
    files = pack_files(folder)
    if not files:
        raise UsageError(f"there is no pack in {folder}; packs end in .yaml")
    inside = folder.resolve()
    for file in files:
        if not file.resolve().is_relative_to(inside):
            raise UsageError(f"{file} is a link that leads out of the folder; add the file it leads to by itself")
    _check_total(str(folder), [file.stat().st_size for file in files])
    return [Item(str(file), _read(file, LARGEST)) for file in files]


def _read(path: Path, most: int) -> bytes:
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise UsageError(f"{path} has over {most // MIB} MB and was not read; a large pack is split into several")
    return content


def _from_zip(path: Path, content: bytes) -> list[Item]:
    # Counted in the bytes: the directory of a zip of a million empty files would fill the memory.
    if content.count(_DIRECTORY_ENTRY) > MOST_MEMBERS:
        raise UsageError(f"{path} holds more than {MOST_MEMBERS:,} files; nothing was unpacked")
    try:
        with ZipFile(BytesIO(content)) as archive:
            members = archive.infolist()
            for member in members:
                _check_member(path, member)
            packs = [member for member in members if _is_pack(member)]
            _check_packs(path, packs)
            return [Item(f"{path}/{member.filename}", archive.read(member)) for member in packs]
    except (BadZipFile, RuntimeError, zlib.error, EOFError, struct.error, ValueError, OverflowError, OSError):
        raise UsageError(f"{path} is no zip file, or it is damaged; nothing was unpacked") from None


def _check_member(path: Path, member: ZipInfo) -> None:
    """Refuse what no honest zip of packs holds, whether it would be unpacked or not."""
    name = member.orig_filename  # as written: `filename` ends at the first NUL
    form = stat.S_IFMT(member.external_attr >> 16)
    if _NO_NAME.search(name):
        problem = "has a name with control characters"
    elif name.startswith("/") or "\\" in name or _DRIVE.match(name):
        problem = "has an absolute name, or one with backslashes"
    elif ".." in name.split("/"):
        problem = "has a name that leads out of the folder"
    elif stat.S_ISLNK(form):
        problem = "is a link"
    elif form not in (0, stat.S_IFREG, stat.S_IFDIR):
        problem = "is neither a file nor a folder"
    elif member.flag_bits & _FLAG_ENCRYPTED:
        problem = "is encrypted"
    else:
        return
    raise UsageError(f"{path}: {name!r} {problem}; nothing was unpacked")


def _is_pack(member: ZipInfo) -> bool:
    """Whether a member is meant to be a pack: not one of the notes that systems leave in zips (`._a.yaml`)."""
    name = PurePosixPath(member.filename)
    is_hidden = any(part.startswith((".", "__MACOSX")) for part in name.parts)
    return not member.is_dir() and not is_hidden and name.suffix in _ENDINGS and name.stem != MODELS


def _check_packs(path: Path, members: Sequence[ZipInfo]) -> None:
    if not members:
        raise UsageError(f"there is no pack in {path}; packs end in .yaml")
    names: set[str] = set()
    for member in members:
        name, size = member.filename, member.file_size
        if name in names:
            raise UsageError(f"{path}: {name!r} is there twice; nothing was unpacked")
        names.add(name)
        if size > LARGEST:
            raise UsageError(f"{path}: {name!r} has over {LARGEST // MIB} MB; nothing was unpacked")
        if size > SMALL and size > HIGHEST_RATIO * member.compress_size:
            raise UsageError(f"{path}: {name!r} would unpack to over {HIGHEST_RATIO} times its size; refused")
        if member.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise UsageError(f"{path}: {name!r} is packed in an unusual way; make the zip with plain deflate")
    _check_total(str(path), [member.file_size for member in members])


def _check_total(name: str, sizes: Sequence[int]) -> None:
    if sum(sizes) > LARGEST_TOTAL:
        raise UsageError(f"the packs in {name} have over {LARGEST_TOTAL // MIB} MB together; add fewer at a time")
