"""Texts between braces that a comma parted: what stands behind it is then read as a key."""

import re
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

_MOST_SHOWN = 60
_THOUSANDS = re.compile(r"\d{3}(?!\d)")


class Parted(NamedTuple):
    """The key of such a text, the text as it was meant, and whether a stray key is its first."""

    key: str
    text: str
    is_first: bool

    def fix(self) -> str:
        """What to do about it."""
        quote = "'" if '"' in self.text else '"'
        shown = f", as in {self.key}: {quote}{self.text}{quote}" if len(self.text) <= _MOST_SHOWN else ""
        return f"a comma in {{ }} ends a text: put that of `{self.key}` in quotes{shown}"


def parted_text(mapping: Mapping[str, Any], key: str, known: Collection[str]) -> Parted | None:
    """The text from which a comma parted this key of a mapping in braces; None where the key is another slip."""

    def is_piece(name: str) -> bool:
        return name not in known and (mapping[name] is None or " " in name)

    names = list(mapping)
    first = names.index(key)
    while first and is_piece(names[first]):
        first -= 1
    owner = names[first]
    if owner == key or is_piece(owner) or not isinstance(mapping[owner], str):
        return None
    text = mapping[owner]
    for name in names[first + 1 :]:
        if not is_piece(name):
            break
        text += f"{',' if _THOUSANDS.match(name) else ', '}{name}"
        text += "" if mapping[name] is None else f": {mapping[name]}"
    return Parted(owner, text, names[first + 1] == key)
