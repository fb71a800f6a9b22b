"""The one door for text that we did not write: packs, file names, typed answers, error messages.

What comes out is Textual's `Content`, which knows no markup, with every character that would move the cursor, turn
the reading direction or hide itself made visible.
"""

import unicodedata

from textual.content import Content

TAB = "    "
# Variation selectors change a glyph's width in some terminals and not in others.
_DROPPED = {0xFE0E, 0xFE0F}
_PICTURES = 0x2400
_DELETE, _DELETE_PICTURE = 0x7F, "␡"
_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def shown(text: str) -> str:
    """The text as it may reach a terminal: line ends and tabs made plain, other control characters made visible."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", TAB)
    if lines.isascii() and lines.replace("\n", "").isprintable():
        return lines
    return "".join(map(_visible, lines))


def one_line(text: str) -> str:
    """The same, on one line."""
    return " ".join(shown(text).split())


def content(text: str, style: str = "") -> Content:
    """The text as content in one style; nothing in it is markup."""
    return Content.styled(shown(text), style) if style else Content(shown(text))


def _visible(character: str) -> str:
    code = ord(character)
    if character in "\n ":
        return character
    if code in _DROPPED:
        return ""
    if code < 0x20:
        return chr(_PICTURES + code)
    if code == _DELETE:
        return _DELETE_PICTURE
    if unicodedata.category(character) in _HIDDEN:
        return f"‹{code:04X}›"
    return character
