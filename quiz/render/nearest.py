"""The known words that somebody probably meant."""

from collections.abc import Collection

# Comparing words is slow: without these a hostile pack could spend minutes on its own misspellings.
_MOST_WORDS = 200
_LONGEST_WORD = 64


def nearest(word: str, known: Collection[str]) -> str | None:
    """The known word closest to this one, or None where none is close (or there are too many to compare)."""
    close = _near(word, known, 1)
    return close[0] if close else None


def did_you_mean(word: str, known: Collection[str]) -> str:
    """A question after the known words that are close to this one; empty where none is."""
    close = _near(word, known, 3)
    return f"did you mean {' or '.join(close)}?" if close else ""


def _near(word: str, known: Collection[str], most: int) -> list[str]:
    from difflib import get_close_matches  # costs a start some milliseconds, and only a slip needs it

    if len(word) > _LONGEST_WORD or len(known) > _MOST_WORDS:
        return []
    candidates = sorted(one for one in known if len(one) <= _LONGEST_WORD)
    close = get_close_matches(word, candidates, most) or get_close_matches(word.lower(), candidates, most)
    return close or [one for one in candidates if one.lower() == word.lower()]
