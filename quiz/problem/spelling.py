"""What a learner typed, as plain characters: the first step of reading any answer.

Nothing is normalised wholesale: Unicode's NFKC turns ``10³`` into ``103``. Every change here keeps the meaning, and
what has no plain form is left for the reader to refuse.
"""

import re
import unicodedata

from quiz.errors import QuizError

# Room for any whole number of 512 bits with its thousands commas and a unit, and little more.
LONGEST = 240
_ZERO_WIDTH = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad\u061c"))
_SAME = {
    "−": "-",
    "‐": "-",
    "‑": "-",
    "﹣": "-",
    "－": "-",
    "‒": "–",
    "—": "–",
    "―": "–",
    "✕": "×",
    "✖": "×",
    "⨯": "×",
    "·": "*",
    "⋅": "*",
    "∙": "*",
    "∗": "*",
    "⁄": "/",
    "∕": "/",
    "÷": "/",
    "’": "'",
    "ʼ": "'",
    "٫": ".",
    "٬": ",",
    "、": ",",
    "\t": " ",
}
_NAME = re.compile(r"(?:(?![KMGTP]i?[Bb]\b|[Bb]\b|bytes?\b|bits?\b)[^\W\d][\w.]*\s*)?=(?!=)\s*")
_REFUSED = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


class Unreadable(QuizError):  # noqa: N818 - it is no fault: the learner is asked again
    """An answer that cannot be read, so it is not marked. ``why`` names the reason; the message is for the learner."""

    def __init__(self, why: str, message: str) -> None:
        self.why = why
        super().__init__(message)


def cleaned(text: str) -> str:
    """The text without outer blanks and zero-width characters.

    Raises:
        Unreadable: it is empty, too long, or holds a control character.
    """
    if len(text) > LONGEST:
        raise Unreadable("too long", f"That is {len(text):,} characters long; type at most {LONGEST}.")
    visible = text.translate(_ZERO_WIDTH).strip(" \t\r\n\u00a0\u202f\u3000")
    for character in visible:
        if character != "\t" and unicodedata.category(character) in _REFUSED:
            message = f"There is a control character (U+{ord(character):04X}) in it; type the answer again without it."
            raise Unreadable("control character", message)
    if not visible:
        raise Unreadable("empty", "There is no answer yet.")
    return visible


def plain(text: str) -> str:
    """Cleaned text with plain digits, signs, brackets and blanks, and without one leading ``name =``.

    Superscripts, vulgar fractions and ``×`` stay; a dash that may mean a range becomes ``–``.

    Raises:
        Unreadable: as `cleaned`, or nothing follows the ``=``.
    """
    typed = "".join(map(_plain_character, cleaned(text))).strip()
    answer = typed[name.end() :] if (name := _NAME.match(typed)) else typed
    if not answer:
        raise Unreadable("no number", "There is nothing after the =; type the answer there.")
    return answer


def quoted(text: str) -> str:
    """The text between backquotes, cut short, with anything unprintable spelled out."""
    short = text if len(text) <= 40 else f"{text[:39]}…"
    return "`" + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in short) + "`"


def vulgar_fraction(character: str) -> tuple[int, int] | None:
    """``½`` -> (1, 2); None for anything else."""
    decomposition = unicodedata.decomposition(character).split()
    if not decomposition or decomposition[0] != "<fraction>":
        return None
    above, _, below = "".join(chr(int(code, 16)) for code in decomposition[1:]).partition("⁄")
    return (int(above), int(below)) if above and below and int(below) else None


def superscript(character: str) -> str | None:
    """``³`` -> "3", ``⁻`` -> "-"; None for what is not a raised digit or sign."""
    decomposition = unicodedata.decomposition(character).split()
    if len(decomposition) != 2 or decomposition[0] != "<super>":
        return None
    base = chr(int(decomposition[1], 16)).replace("−", "-")
    return base if base in "0123456789+-" else None


def _plain_character(character: str) -> str:
    if character.isascii():
        return _SAME.get(character, character)
    if character in _SAME:
        return _SAME[character]
    category = unicodedata.category(character)
    if category == "Nd":
        return str(unicodedata.decimal(character))
    if category == "Zs":
        return " "
    decomposition = unicodedata.decomposition(character).split()
    if len(decomposition) == 2 and decomposition[0] in ("<wide>", "<small>"):
        return chr(int(decomposition[1], 16))
    return character
