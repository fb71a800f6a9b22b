"""Lists in brackets where a comma has probably parted one sentence in two, which YAML does without complaint."""

import re
from collections.abc import Iterator
from itertools import pairwise

from quiz.bank.pack import Lesson, Question
from quiz.bank.reader import Located
from quiz.errors import Fault

# The lists that an author writes as sentences, and those that are mostly terms.
_SENTENCES = ("hints", "steps", "talk_track", "red_flags")
_TERMS = ("items", "accept")
_GOES_ON = re.compile(
    r"(?:and|as|because|but|each|for|hence|if|not|nor|or|since|so|than|that|then|therefore|though|thus|unless|when|"
    r"where|whereas|which|while|who|with|without|yet)\s",
)
_STOP = re.compile(r"[.?!:;…][)\"'”’]*$")
_CAPITAL = re.compile(r"[A-Z][a-z]*(?:\s|$)")
_SMALL = re.compile(r"[a-z]+(?:\s|$)")
_DIGITS = re.compile(r"\d{3}(?!\d)")
_PAIRS = ("()", "[]", "{}")
_BRIEF = 30


def comma_advice(located: Located, part: Question | Lesson, *path: str | int) -> Iterator[Fault]:
    """Where a list of a question or lesson goes on in the middle of a sentence."""
    for key in (*_SENTENCES, *_TERMS):
        texts = [text for text in getattr(part, key, ()) if isinstance(text, str)]
        parted = [index for index, pair in enumerate(pairwise(texts), start=1) if _is_parted(*pair, key)]
        if not parted or (place := located.places.of((*path, key))).style != "flow":
            continue
        bare = [place.below((index,)).style == "plain" for index in range(len(texts))]
        parted = [index for index in parted if bare[index - 1] and bare[index]]
        # Of a sentence in three pieces the first comma is enough.
        for index in (index for index in parted if index - 1 not in parted):
            brief = texts[index] if len(texts[index]) <= _BRIEF else f"{texts[index][: _BRIEF - 1]}…"
            message = f"{part.id}: a comma ends a text of `{key}`, and {brief!r} is another"
            fix = "if it is one text, put it in quotes, or write the list below its key, each text after a dash"
            yield Fault(located.file, *place.below((index,))[:2], "yaml-comma", message, fix)


def _is_parted(before: str, after: str, key: str) -> bool:
    """Whether two neighbours read like one text."""
    if any(before.count(pair[0]) > before.count(pair[1]) and pair[1] in after for pair in _PAIRS):
        return True
    if (before.count("`") % 2 and after.count("`") % 2) or (
        before[-1:].isdigit() and " " in before and _DIGITS.match(after)
    ):
        return True
    if _STOP.search(before):
        return False
    if _GOES_ON.match(after):
        return True
    begins, ends = _CAPITAL.match(before) and _SMALL.match(after), _STOP.search(after)
    if key in _TERMS:
        return bool(begins and ends)
    return bool(begins) or bool(ends and " " in before and not after[:1].isupper())
