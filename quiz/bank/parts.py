"""A pack put together from its parts, each validated as soon as it is read.

Pydantic gathers every error of what it is given, and a file can hold a million; part by part, reading stops when more
is wrong than anybody reads.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import TypeAdapter, ValidationError

from quiz.bank.complaints import MAX_COMPLAINTS, capped, complaints
from quiz.bank.pack import Id, Lesson, Misconception, Pack, Questions, Source, as_json, question_adapter
from quiz.bank.places import Path, Places
from quiz.errors import Fault, PackError

_LISTED: dict[str, TypeAdapter[Any]] = {"lessons": TypeAdapter(Lesson), "questions": question_adapter()}
_NAMED: dict[str, TypeAdapter[Any]] = {
    "misconceptions": TypeAdapter(dict[Id, Misconception]),
    "sources": TypeAdapter(dict[Id, Source]),
}
_BROKEN = object()


class Parts:
    """Takes the items of one file's sections, and at the end the file around them."""

    # How many items each may have. All but the questions are held as long as the pack is.
    sections: ClassVar[Mapping[str, int]] = {"questions": 200_000, **dict.fromkeys(("lessons", *_NAMED), 10_000)}

    def __init__(self, file: str) -> None:
        self._file = file
        self._faults: list[Fault] = []

    def take(self, section: str, key: str | int, value: Any, places: Places) -> Any:
        """The model of an item, of a question its JSON, or a mark that it is broken.

        Raises:
            PackError: with this one, more is wrong than anybody reads.
        """
        is_listed = isinstance(key, int)
        adapter = (_LISTED if is_listed else _NAMED).get(section)
        if adapter is None:
            # A list where a mapping belongs, or the other way round: one fault, said at the end.
            return None
        try:
            model = adapter.validate_python(value) if is_listed else adapter.validate_python({key: value})[key]
            return as_json(model) if section == "questions" else model
        except ValidationError as error:
            # Only this item, under the path that it has in the file.
            within: Path = (section, key) if is_listed else (section,)
            self._faults += complaints(error, {section: {key: value}}, places, self._file, within)
            if len(self._faults) > MAX_COMPLAINTS:
                raise PackError(capped(self._faults)) from None
            return _BROKEN

    def whole(self, data: dict[str, Any], places: Places) -> Pack:
        """The pack.

        Raises:
            PackError: something is wrong with the file or any of its parts; with every fault found.
        """
        sound = {key: _without_broken(value) if key in self.sections else value for key, value in data.items()}
        if isinstance(questions := sound.get("questions"), tuple):
            sound["questions"] = Questions(questions)
        try:
            pack = Pack.model_validate(sound)
        except ValidationError as error:
            said = complaints(error, sound, places, self._file)
            # That none is left is no fault of its own where some are broken.
            self._faults += [fault for fault in said if not (self._faults and fault.rule == "too-few")]
        if self._faults:
            raise PackError(capped(self._faults))
        return pack


def _without_broken(section: Any) -> Any:
    if isinstance(section, tuple):
        return tuple(item for item in section if item is not _BROKEN)
    if isinstance(section, dict):
        return {key: item for key, item in section.items() if item is not _BROKEN}
    return section
