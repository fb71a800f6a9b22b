"""Pack files to validated packs, with file, line and column for everything wrong with them."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from quiz.bank.checks import check
from quiz.bank.complaints import capped
from quiz.bank.document import read_document
from quiz.bank.offsets import Source
from quiz.bank.pack import Pack, Questions
from quiz.bank.parts import Parts
from quiz.bank.places import Places
from quiz.bank.schema import json_schema
from quiz.errors import Fault, PackError

__all__ = ["Located", "Reading", "json_schema", "read_models", "read_pack", "read_pack_bytes", "read_pack_text"]
__all__ += ["read_partly", "read_partly_bytes"]

MAX_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Located:
    """A pack and where each of its parts is written. One that is not whole lacks what is faulty in its file."""

    pack: Pack
    file: str
    places: Places = field(repr=False, compare=False)
    source: Source = field(repr=False, compare=False)
    is_whole: bool = True

    def where(self, *loc: str | int) -> tuple[int, int]:
        """Line and column of a part, given as a path such as ``"questions", 3, "mistakes", 0, "formula"``. Steps that
        are not in the file are passed over, so a key that is missing is placed at its parent."""
        place = self.places.of(loc)
        return place.line, place.column


class Reading(NamedTuple):
    """What is sound of a pack, and everything that is wrong with it."""

    located: Located
    faults: list[Fault]


def read_pack(path: Path) -> Located:
    """The pack in a file.

    Raises:
        PackError: the file cannot be read or is no sound pack; with every fault found.
    """
    return read_pack_bytes(_read(path), str(path))


def read_pack_bytes(content: bytes, file: str) -> Located:
    """The pack in the bytes of a file; ``file`` is what faults call it.

    Raises:
        PackError: it is no text, or no sound pack; with every fault found.
    """
    return read_pack_text(_decoded(content, file), file)


def read_pack_text(text: str, file: str) -> Located:
    """The pack in a text; ``file`` is what faults call it.

    Raises:
        PackError: the text is no sound pack; with every fault found, in the order of the lines.
    """
    return _whole(_read_partly(text, file))


def read_partly(path: Path) -> Reading:
    """What is sound of the pack in a file, and everything wrong with it.

    Raises:
        PackError: the file cannot be read, or is not even YAML.
    """
    return read_partly_bytes(_read(path), str(path))


def read_partly_bytes(content: bytes, file: str) -> Reading:
    """What is sound of the pack in the bytes of a file, and everything wrong with it; ``file`` is what faults call it.

    Raises:
        PackError: it is no text, or not even YAML.
    """
    return _read_partly(_decoded(content, file), file)


def _whole(reading: Reading) -> Located:
    if reading.faults:
        raise PackError(reading.faults)
    return reading.located


def _read_partly(text: str, file: str) -> Reading:
    parts = Parts(file)
    data, places = read_document(text, file, parts.sections, parts.take)
    if not isinstance(data, dict):
        message, (line, column) = "a pack is a mapping of keys to values", places.root[:2]
        raise PackError([Fault(file, line, column, "wrong-type", message, "begin with `format: 1`")])
    pack, broken = parts.whole(data, places)
    source = Source(text.removeprefix("\ufeff"))
    faults, faulty = check(pack, places, source, file, parts.broken)
    if faulty:
        bodies = enumerate(pack.questions.bodies)
        sound = Questions(tuple(body for index, body in bodies if index not in faulty))
        pack = pack.model_copy(update={"questions": sound})
        places.sections["questions"].leave_out(faulty)
    return Reading(Located(pack, file, places, source, is_whole=not (broken or faults)), capped(broken + faults))


def read_models(path: Path) -> dict[str, dict[str, int | str]]:
    """The real models' numbers: a mapping from a model's id to its title and whole numbers; empty without the file.

    Raises:
        PackError: the file is something else.
    """
    if not path.exists():
        return {}
    data, places = read_document(_decoded(_read(path), str(path)), str(path))
    faults: list[Fault] = []
    models: dict[str, dict[str, int | str]] = {}
    for name, fields in data.items() if isinstance(data, dict) else [("", data)]:
        if not isinstance(fields, dict) or not isinstance(fields.get("title"), str):
            place = places.of((name,))
            message = "a model is a mapping with a title and whole numbers"
            faults.append(Fault(str(path), place.line, place.column, "wrong-type", message))
            continue
        for key, value in fields.items():
            if isinstance(value, bool) or not isinstance(value, int | str):
                place = places.of((name, key))
                message = f"`{key}` of a model must be a whole number or text"
                faults.append(Fault(str(path), place.line, place.column, "wrong-type", message))
        models[name] = fields
    if faults:
        raise PackError(faults)
    return models


def _read(path: Path) -> bytes:
    file = str(path)
    try:
        if path.exists() and not path.is_file():
            raise PackError([Fault(file, 0, 0, "unreadable", "this is not a file")])
        if path.stat().st_size > MAX_BYTES:
            message = f"the file has over {MAX_BYTES // 1024**2} MB and was not read"
            raise PackError([Fault(file, 0, 0, "too-large", message, "split the pack into several files")])
        return path.read_bytes()
    except OSError as error:
        raise PackError([Fault(file, 0, 0, "unreadable", f"the file cannot be read: {error.strerror}")]) from None


def _decoded(content: bytes, file: str) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        message = f"the byte 0x{content[error.start]:02X} is not UTF-8"
        raise PackError([Fault(file, line, column, "not-utf8", message, "save the file as UTF-8")]) from None
