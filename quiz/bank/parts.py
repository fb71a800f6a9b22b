"""A pack put together from its parts, each validated as soon as it is read.

Pydantic gathers every error of what it is given, and a file can hold a million; part by part, reading stops when more
is wrong than anybody reads.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from pydantic import TypeAdapter, ValidationError

from quiz.bank.complaints import MAX_COMPLAINTS, capped, complaints
from quiz.bank.pack import Id, Lesson, Misconception, Pack, PackHead, Questions, Source, as_json, question_adapter
from quiz.bank.places import Path, Places
from quiz.errors import Fault, PackError

_LISTED: dict[str, TypeAdapter[Any]] = {"lessons": TypeAdapter(Lesson), "questions": question_adapter()}
_NAMED: dict[str, TypeAdapter[Any]] = {
    "misconceptions": TypeAdapter(dict[Id, Misconception]),
    "sources": TypeAdapter(dict[Id, Source]),
}
_BROKEN = object()
# The id of a pack that has none, whose questions can be checked all the same; and what must be said of a pack.
UNKNOWN = "?"
_HEAD = {"format": 1, **dict.fromkeys(("pack", "title", "version"), "unknown")}


@dataclass(frozen=True, slots=True)
class Broken:
    """What stands in a file and is not in the pack, since something is wrong with it: ids of items with their lines,
    and sections of which nobody knows what they hold."""

    ids: Mapping[str, dict[str, int]] = field(default_factory=lambda: {name: {} for name in Parts.sections})
    sections: set[str] = field(default_factory=set)

    def may_hold(self, section: str, name: str) -> bool:
        """Whether a name that the pack does not have may be that of a broken item."""
        return section in self.sections or name in self.ids[section]


class Parts:
    """Takes the items of one file's sections, and at the end the file around them."""

    # How many items each may have. All but the questions are held as long as the pack is.
    sections: ClassVar[Mapping[str, int]] = {"questions": 200_000, **dict.fromkeys(("lessons", *_NAMED), 10_000)}

    def __init__(self, file: str) -> None:
        self.broken = Broken()
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
            self._note(section, value.get("id") if is_listed and isinstance(value, dict) else key, places, key)
            return _BROKEN

    def _note(self, section: str, name: Any, places: Places, key: str | int) -> None:
        """Keep the id of a broken item."""
        if isinstance(name, str):
            self.broken.ids[section].setdefault(name, places.of((section, key, "id")).line)
        else:
            self.broken.sections.add(section)

    def whole(self, data: dict[str, Any], places: Places) -> tuple[Pack, list[Fault]]:
        """The pack, and everything wrong with it: what is broken is not in it, and what follows has moved up, in
        ``places`` too."""
        for name, section in places.sections.items():
            left_out = {number for number, item in enumerate(data[name]) if item is _BROKEN} if section.is_list else ()
            section.leave_out(left_out)
        sound = {key: _without_broken(value) if key in self.sections else value for key, value in data.items()}
        if isinstance(questions := sound.get("questions"), tuple):
            sound["questions"] = Questions(questions)
        try:
            return Pack.model_validate(sound), capped(self._faults)
        except ValidationError as error:
            said = complaints(error, sound, places, self._file)
            # That none is left is no fault of its own where some are broken.
            said = [fault for fault in said if not (self._faults and fault.rule == "too-few")]
            return self._rest(sound, error), capped(self._faults + said)

    def _rest(self, sound: dict[str, Any], error: ValidationError) -> Pack:
        """What is left of a pack, of which something outside of its items is wrong."""
        wrong = {str(one["loc"][0]) for one in error.errors(include_url=False, include_input=False) if one["loc"]}
        self.broken.sections.update(wrong & self.sections.keys())
        head = PackHead.model_validate(_HEAD | {key: sound[key] for key in sound.keys() - wrong - {"questions"}})
        pack = UNKNOWN if "pack" in wrong else head.pack
        questions = sound.get("questions")
        kept = questions if isinstance(questions, Questions) and "questions" not in wrong else Questions(())
        return Pack.model_construct(**dict(head) | {"pack": pack, "questions": kept})


def _without_broken(section: Any) -> Any:
    if isinstance(section, tuple):
        return tuple(item for item in section if item is not _BROKEN)
    if isinstance(section, dict):
        return {key: item for key, item in section.items() if item is not _BROKEN}
    return section
