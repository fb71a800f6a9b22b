"""Text we did not write, made safe to print: nothing in it can move a cursor, change a colour, turn or hide."""

import unicodedata

TAB = "    "
# Variation selectors change a glyph's width in some terminals and not in others.
_DROPPED = {0xFE0E, 0xFE0F}
_PICTURES = 0x2400
_DELETE, _DELETE_PICTURE = 0x7F, "␡"
_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def printable(text: str) -> str:
    """The text as it may reach a terminal: line ends and tabs made plain, other control characters made visible."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", TAB)
    if lines.isascii() and lines.replace("\n", "").isprintable():
        return lines
    return "".join(map(_visible, lines))


def one_line(text: str) -> str:
    """The same, on one line."""
    return " ".join(printable(text).split())


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
