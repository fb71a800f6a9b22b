"""The days until the interview played through, as the queue would have them, for a learner who remembers as modelled.

Nothing is drawn at random: each question is played several times, and its outcomes follow a sequence that is spread
evenly over 0 to 1, so that the same state always gives the same forecast. Of many questions a sample is played.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from quiz.memory.cards import Card
from quiz.memory.days import Moment
from quiz.memory.habits import Habits, bias, shifted
from quiz.memory.model import Model, model_of
from quiz.memory.queue import Place, new_allowance, queue
from quiz.memory.schedule import AGAIN, GOOD, Parameters
from quiz.memory.worth import (
    HELD,
    LAPSED,
    NEW_KNOWN,
    NEW_MISSED,
    SWEEP_DAYS,
    WORTHWHILE,
    gain_of,
    showings,
    worth_of_new,
)

# How many plays there are, about: more make the forecast smoother and slower.
PLAYS = 400
# No forecast looks further; from a later interview only the last so many days are played.
LONGEST_PLAN = 180
# Steps whose multiples fill 0 to 1 evenly, alone and together (the plastic number's).
_STEP_OF_PLAY, _STEP_OF_REVIEW = 0.7548776662466927, 0.5698402909980532


@dataclass(frozen=True, slots=True)
class Chance:
    """The chance that the question at ``index`` is known on the day, where it stands for so many like it."""

    index: int
    stands_for: float
    known: float


def if_stopped(cards: Sequence[Card], interview_day: int, found: Habits, parameters: Parameters) -> list[Chance]:
    """What is known on the day if nothing is reviewed any more. A question that was never asked, or is still in its
    first steps, counts as unknown."""
    model, (shift, _) = model_of(parameters.weights), bias(found)
    return [
        Chance(
            index, 1.0, shifted(_chance(model, card, interview_day), shift, found.decay) if is_learned(card) else 0.0
        )
        for index, card in enumerate(cards)
    ]


def is_learned(card: Card) -> bool:
    """Whether the card went through its first steps."""
    return card.state in ("review", "relearning")


@dataclass(frozen=True, slots=True)
class Start:
    """Where every play begins: each question's ``index``, how many questions the play stands for, its card; the new
    ones in the order in which they would be asked, last first."""

    index: tuple[int, ...]
    weight: tuple[float, ...]
    cards: tuple[Card, ...]
    new: tuple[int, ...]


def start(places: Sequence[Place], cards: Sequence[Card], moment: Moment, parameters: Parameters) -> Start:
    """The plays of these places and their cards, which are in the same order."""
    order = queue(places, {}, moment, new_per_day=len(places), introduced=0, parameters=parameters)
    ranks = {key: rank for rank, key in enumerate(order)}
    index: list[int] = []
    weight: list[float] = []
    for at, stands_for, times in _sampled(places, cards):
        index += [at] * times
        weight += [stands_for / times] * times
    new = [play for play, at in enumerate(index) if cards[at].state == "new"]
    # Last first, since a list gives up its end cheaply.
    new.sort(key=lambda play: (-ranks.get(places[index[play]].key, 0), play))
    return Start(tuple(index), tuple(weight), tuple(cards[at] for at in index), tuple(new))


def if_kept_to(
    begin: Start,
    today: int,
    interview_day: int,
    minutes: float,
    *,
    done_today: float,
    new_per_day: int,
    introduced: int,
    found: Habits,
    parameters: Parameters,
) -> list[Chance]:
    """What is known on the interview day after so many minutes on each day before it, of which ``done_today`` are
    over."""
    plays = _Plays(begin, today, interview_day, found, parameters)
    debt, done, met = 0.0, done_today, introduced
    for day in range(max(today, interview_day - LONGEST_PLAN), interview_day):
        # What the last question took beyond the minutes is missing on the next day.
        room = max(minutes - done, 0.0) * 60 / found.seconds - debt
        debt = max(-plays.study(day, room, new_per_day, met), 0.0)
        done, met = 0.0, 0
    return plays.chances()


class _Plays:
    """All plays side by side; they share each day's time by how many questions each stands for."""

    def __init__(self, begin: Start, today: int, interview_day: int, found: Habits, parameters: Parameters) -> None:
        self._model = model_of(parameters.weights)
        self._found = found
        self._shift, _ = bias(found)
        self._interview = interview_day
        self._interval = (parameters.desired_retention ** (-1 / self._model.decay) - 1) / self._model.factor
        self._index, self._weight, held = begin.index, begin.weight, begin.cards
        self._stability = [card.stability or 0.0 for card in held]
        self._difficulty = [card.difficulty or 0.0 for card in held]
        self._last = [today if card.last_day is None else card.last_day for card in held]
        self._due = [today if card.due_day is None else card.due_day for card in held]
        self._reviews = [0] * len(held)
        # Urgency and gain of a play, and until which day they are used.
        self._judged = [(0.0, 0.0, today - 1)] * len(held)
        # A step that is open is taken at once.
        self._steps = [play for play, card in enumerate(held) if card.state in ("learning", "relearning")]
        self._seen = [play for play, card in enumerate(held) if card.state == "review"]
        self._new = list(begin.new)

    def study(self, day: int, room: float, new_per_day: int, introduced: int) -> float:
        """Spend the day's showings in the queue's order; gives what is left of them, negative if overdrawn."""
        left = self._interview - day
        while self._steps:
            if room <= 0:
                return room
            room -= self._take_step(self._steps.pop(), day)
        unseen = introduced + sum(self._weight[play] for play in self._new)
        allowed: float = new_allowance(unseen, left, new_per_day) - introduced
        worth_now = worth_of_new(self._model, day, self._interview, self._found.known_at_first)
        for urgency, play in self._line(day, left):
            while self._new and allowed > 0 and room > 0 and -urgency < worth_now:
                allowed -= self._weight[self._new[-1]]
                room -= self._meet(self._new.pop(), day)
            if room <= 0:
                return room
            room -= self._review(play, day)
        while self._new and allowed > 0 and room > 0:
            allowed -= self._weight[self._new[-1]]
            room -= self._meet(self._new.pop(), day)
        return room

    def chances(self) -> list[Chance]:
        """What is known on the day of the interview, by question."""
        stands_for: dict[int, float] = {}
        known: dict[int, float] = {}
        seen = {*self._seen}
        for play, index in enumerate(self._index):
            stands_for[index] = stands_for.get(index, 0.0) + self._weight[play]
            if play in seen:
                chance = self._model.recall(self._interview - self._last[play], self._stability[play])
                known[index] = known.get(index, 0.0) + self._weight[play] * shifted(
                    chance, self._shift, self._found.decay
                )
        return [Chance(index, total, known.get(index, 0.0) / total) for index, total in stands_for.items()]

    def _line(self, day: int, left: int) -> list[tuple[float, int]]:
        """The day's reviews in their order: urgency and play."""
        line = []
        for play in self._seen:
            ahead = self._due[play] > day
            if self._last[play] >= day or (ahead and left > SWEEP_DAYS):
                continue
            urgency, gained, until = self._judged[play]
            if until < day:
                stability, difficulty, last = self._stability[play], self._difficulty[play], self._last[play]
                gained, recall = gain_of(self._model, stability, difficulty, last, day, self._interview)
                urgency = -gained / showings(recall)
                # Far from the day, days change little.
                self._judged[play] = urgency, gained, day + left // 10
            if not ahead or gained >= WORTHWHILE:
                line.append((urgency, play))
        line.sort()
        return line

    def _review(self, play: int, day: int) -> float:
        difficulty, stability = self._difficulty[play], self._stability[play]
        recall = self._model.recall(day - self._last[play], stability)
        known = self._outcome(play) < shifted(recall, self._shift, self._found.decay)
        if known:
            self._stability[play] = self._model.after_success(difficulty, stability, recall)
        else:
            self._stability[play] = self._model.after_lapse(difficulty, stability, recall)
            self._difficulty[play] = self._model.harder(difficulty, AGAIN)
        self._put_off(play, day)
        return self._weight[play] * (HELD if known else LAPSED)

    def _meet(self, play: int, day: int) -> float:
        known = self._outcome(play) < self._found.known_at_first
        self._stability[play], self._difficulty[play] = self._model.after_first(known)
        self._seen.append(play)
        self._put_off(play, day)
        return self._weight[play] * (NEW_KNOWN if known else NEW_MISSED)

    def _take_step(self, play: int, day: int) -> float:
        self._seen.append(play)
        self._stability[play] = self._model.after_repeat(self._stability[play])
        self._difficulty[play] = self._model.harder(self._difficulty[play], GOOD)
        self._put_off(play, day)
        return self._weight[play] * HELD

    def _put_off(self, play: int, day: int) -> None:
        wait = max(1, round(self._stability[play] * self._interval))
        self._due[play] = day + wait
        self._last[play] = day
        self._reviews[play] += 1
        self._judged[play] = (0.0, 0.0, day)

    def _outcome(self, play: int) -> float:
        return (0.5 + play * _STEP_OF_PLAY + self._reviews[play] * _STEP_OF_REVIEW) % 1


def _sampled(places: Sequence[Place], cards: Sequence[Card]) -> list[tuple[int, float, int]]:
    """Which questions are played: index, how many questions it stands for, how often it is played.

    Of many, an even share of each pack and depth, at least one, taken at equal steps through its stabilities.
    """
    if len(places) <= PLAYS:
        times = max(1, PLAYS // max(len(places), 1))
        return [(index, 1.0, times) for index in range(len(places))]
    cells: dict[tuple[str, str], list[int]] = {}
    for index, place in enumerate(places):
        cells.setdefault((place.pack, place.depth), []).append(index)
    chosen = []
    for cell in cells.values():
        cell.sort(key=lambda index: (cards[index].stability or 0.0, index))
        count = max(1, round(PLAYS * len(cell) / len(places)))
        step = len(cell) / count
        chosen += [(cell[int((at + 0.5) * step)], step, 1) for at in range(count)]
    return chosen


def _chance(model: Model, card: Card, day: int) -> float:
    if card.stability is None or card.last_day is None:
        return 0.0
    return model.recall(max(0, day - card.last_day), card.stability)


def by_key(places: Sequence[Place], cards: Mapping[str, Card]) -> list[Card]:
    """The cards of the places; a new one where there is none."""
    return [cards.get(place.key) or Card(place.key) for place in places]
