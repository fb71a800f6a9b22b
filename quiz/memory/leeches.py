"""Leeches: questions that are missed again and again. To ask them once more is no help; something has to be reread."""

from quiz.memory.cards import Card

# As in Anki: told at the eighth lapse, and again at every fourth after it.
LAPSES = 8
AGAIN_AFTER = LAPSES // 2
# Days of stability from which a question has been learned after all.
LEARNED = 21.0
# As SQLite asks of a card: it was lost that often and has not been learned since.
IS_LEECH = f"lapses >= {LAPSES} AND coalesce(stability, 0) < {LEARNED}"


def becomes_leech(before: Card, after: Card) -> bool:
    """Whether this review is one at which the learner should be told."""
    return after.lapses > before.lapses and after.lapses >= LAPSES and (after.lapses - LAPSES) % AGAIN_AFTER == 0
