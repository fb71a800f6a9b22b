"""What asking a question today is worth on the day of the interview.

For the same minutes the most is known on the day if each day's time goes to the questions whose chance on the day it
raises most. That favours what would be forgotten by then, lets well-known questions wait until they have something to
gain, and takes each once more shortly before the day; ``tests/simulations/interview.py`` compares it with plain FSRS.
"""

from quiz.memory.cards import Card
from quiz.memory.model import Model

# Days before the interview in which questions are asked again although they are not due, if that is worthwhile.
SWEEP_DAYS = 7
# The smallest rise of the chance on the day for which such a question is asked.
WORTHWHILE = 0.01
# How often a question met for the first time is known, until the learner's own share can be told.
KNOWN_AT_FIRST = 0.7
# How often a question is shown on the day it is answered. A new one passes two steps, after Again from the beginning; a
# lapse is followed by one. Counted with steps of which one in twenty fails and one in nine was Hard and stays.
NEW_KNOWN, NEW_MISSED, HELD, LAPSED = 2.5, 3.5, 1.0, 2.2


def gain(model: Model, card: Card, day: int, interview_day: int) -> float:
    """How much likelier the question is known on the interview day if asked on ``day`` than if never again.

    0 for a card without a memory, and for one already reviewed that day: another success would change nothing.
    """
    if card.stability is None or card.difficulty is None or card.last_day is None or card.last_day >= day:
        return 0.0
    return gain_of(model, card.stability, card.difficulty, card.last_day, day, interview_day)[0]


def gain_of(
    model: Model, stability: float, difficulty: float, last_day: int, day: int, interview_day: int
) -> tuple[float, float]:
    """The gain as of `gain`, and the chance of knowing it on ``day``, from the numbers of a card."""
    now = model.recall(day - last_day, stability)
    left = interview_day - day
    if_known = model.recall(left, model.after_success(difficulty, stability, now))
    if_missed = model.recall(left, model.after_lapse(difficulty, stability, now))
    return now * if_known + (1 - now) * if_missed - model.recall(interview_day - last_day, stability), now


def showings(recall: float) -> float:
    """How often a question known with this chance is shown on the day it is asked."""
    return recall * HELD + (1 - recall) * LAPSED


def worth(model: Model, card: Card, day: int, interview_day: int) -> float:
    """The gain per showing: showings take about the same time each, so this is the gain per minute."""
    if card.stability is None or card.last_day is None:
        return 0.0
    return gain(model, card, day, interview_day) / showings(model.recall(max(0, day - card.last_day), card.stability))


def worth_of_new(model: Model, day: int, interview_day: int, known_at_first: float = KNOWN_AT_FIRST) -> float:
    """The gain per showing of a question that was never asked."""
    left = interview_day - day
    known, missed = (model.recall(left, model.after_first(at_first)[0]) for at_first in (True, False))
    gained = known_at_first * known + (1 - known_at_first) * missed
    return gained / (known_at_first * NEW_KNOWN + (1 - known_at_first) * NEW_MISSED)
