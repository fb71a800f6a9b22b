"""What to ask next: what is being learned, what is about to be forgotten, then something new."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import zip_longest
from math import ceil
from typing import NamedTuple, Protocol, TypeAlias

from quiz.errors import UsageError
from quiz.memory.cards import Card, is_aside, is_due
from quiz.memory.days import Moment
from quiz.memory.model import model_of
from quiz.memory.schedule import DEFAULTS, Parameters, retrievability
from quiz.memory.worth import SWEEP_DAYS, WORTHWHILE, gain, worth, worth_of_new

Family: TypeAlias = tuple[str, str]
# The likelier an interview is to ask it, the earlier.
DEPTHS = ("screen", "onsite", "research")
# However near the interview is: nobody meets more new questions in a day.
MOST_NEW = 80


class Place(Protocol):
    """Where a question stands: all that memory knows of it. Places come in teaching order of their packs."""

    @property
    def key(self) -> str:
        """``pack/question``."""

    @property
    def pack(self) -> str:
        """The pack's id."""

    @property
    def lesson(self) -> str | None:
        """The lesson's id within the pack."""

    @property
    def depth(self) -> str:
        """How deep an interviewer would have to dig: screen, onsite or research."""

    @property
    def position(self) -> int:
        """Counts through the pack."""


class Counts(NamedTuple):
    """A pack at a glance: ``due`` questions should be asked now, ``learning`` ones come back within minutes, ``new``
    ones are those that today's allowance still brings."""

    due: int = 0
    learning: int = 0
    new: int = 0


def queue(
    places: Iterable[Place],
    cards: Mapping[str, Card],
    moment: Moment,
    *,
    new_per_day: int,
    introduced: int,
    topics: Collection[str] = (),
    after: str | None = None,
    parameters: Parameters = DEFAULTS,
) -> tuple[str, ...]:
    """The keys to ask, in order.

    First the learning cards whose time has come, the longest waiting first. Then the reviews, the likeliest to be
    forgotten first, and spread among them new questions in the order of their lessons, as many as ``new_per_day``
    leaves after the ``introduced`` ones. Packs take turns, and wherever the mix allows no question follows another of
    its lesson, nor the one with the key ``after``.

    Up to the interview day of the ``parameters``, what a minute does most for comes first instead (see
    `quiz.memory.worth`): reviews by their worth, new questions together where theirs puts them, those that a screen
    asks for first. In the last days reviews come although they are not due.

    Raises:
        UsageError: a topic has no question.
    """
    chosen = in_topics(list(places), topics)
    learning: list[tuple[float, Place]] = []
    reviews: list[tuple[float, Place]] = []
    for place in chosen:
        card = cards.get(place.key)
        if card is None or not _is_wanted(card, moment, parameters):
            continue
        if card.due_at is not None:
            learning.append((card.due_at.timestamp(), place))
        else:
            reviews.append((_urgency(card, moment, parameters), place))
    first = [place for _, place in sorted(learning, key=_rank)]
    new = _new(chosen, cards, moment, new_per_day - introduced, parameters)
    day = interview_ahead(moment, parameters)
    if day is None:
        line = first + _mixed(_in_turns([place for _, place in sorted(reviews, key=_rank)]), new)
    else:
        worth_now = worth_of_new(model_of(parameters.weights), moment.day, day)
        ranked = sorted(reviews, key=_rank) + [(-worth_now, place) for place in new]
        line = first + [place for _, place in sorted(ranked, key=lambda one: one[0])]
    before = next((place for place in chosen if place.key == after), None)
    return tuple(place.key for place in _apart(line, before))


def waiting(
    places: Iterable[Place], cards: Mapping[str, Card], moment: Moment, topics: Collection[str] = ()
) -> tuple[Card, ...]:
    """The cards in learning whose time has not come, soonest first: what may be asked ahead of it.

    Raises:
        UsageError: a topic has no question.
    """
    found = [cards[place.key] for place in in_topics(list(places), topics) if place.key in cards]
    early = [(card.due_at, card) for card in found if card.due_at is not None and not is_due(card, moment)]
    early = [(at, card) for at, card in early if not is_aside(card, moment)]
    return tuple(card for _, card in sorted(early, key=lambda pair: pair[0]))


def due_counts(
    places: Iterable[Place],
    cards: Mapping[str, Card],
    moment: Moment,
    *,
    new_per_day: int,
    introduced: int,
    parameters: Parameters = DEFAULTS,
) -> dict[str, Counts]:
    """How each pack stands, in the order in which the packs come: what `queue` would ask with these parameters."""
    held = list(places)
    due, learning = Counter[str](), Counter[str]()
    for place in held:
        card = cards.get(place.key)
        if card is None or is_aside(card, moment):
            continue
        if _is_wanted(card, moment, parameters):
            due[place.pack] += 1
        elif card.due_at is not None:
            learning[place.pack] += 1
    new = Counter(place.pack for place in _new(held, cards, moment, new_per_day - introduced, parameters))
    return {pack: Counts(due[pack], learning[pack], new[pack]) for pack in dict.fromkeys(place.pack for place in held)}


def interview_ahead(moment: Moment, parameters: Parameters) -> int | None:
    """The study day of the interview, today at the earliest; None without one, or once it is past."""
    day = parameters.interview_day
    return None if day is None or day < moment.day else day


def brought_forward(card: Card, moment: Moment, parameters: Parameters) -> Card:
    """The card as the learner meets it again: before an interview, none comes back later than on its day."""
    day = interview_ahead(moment, parameters)
    if day is None or day == moment.day or card.due_day is None or card.due_day <= day:
        return card
    return card._replace(due_day=day)


def depth_rank(depth: str) -> int:
    """How early questions of this depth come before an interview."""
    return DEPTHS.index(depth) if depth in DEPTHS else len(DEPTHS)


def new_allowance(unseen: float, days_left: int, new_per_day: int) -> int:
    """How many new questions a day may bring before an interview: ``new_per_day``, or as many more, up to `MOST_NEW`,
    as it takes to have met all of the ``unseen`` ones by then; on its day none. None stays none: whoever wants nothing
    new gets nothing new.

    Args:
        unseen: questions not met before today.
        days_left: before the interview, today among them; 0 on its day.
        new_per_day: as without an interview.
    """
    if not new_per_day or days_left <= 0:
        return 0
    return max(new_per_day, min(ceil(unseen / days_left), MOST_NEW))


def in_topics(places: Sequence[Place], topics: Collection[str]) -> list[Place]:
    """The questions of the topics: pack ids or ``pack/lesson``; none means all.

    Raises:
        UsageError: a topic has no question.
    """
    known = {place.pack for place in places} | {f"{place.pack}/{place.lesson}" for place in places if place.lesson}
    for topic in topics:
        if topic not in known:
            raise UsageError(f"no questions on {topic!r}")
    return [place for place in places if not topics or place.pack in topics or f"{place.pack}/{place.lesson}" in topics]


def _is_wanted(card: Card, moment: Moment, parameters: Parameters) -> bool:
    """Whether the card is due, or in the last days before the interview worth asking ahead of time."""
    if is_due(card, moment):
        return True
    day = interview_ahead(moment, parameters)
    if day is None or day - moment.day > SWEEP_DAYS or card.state != "review" or is_aside(card, moment):
        return False
    return gain(model_of(parameters.weights), card, moment.day, day) >= WORTHWHILE


def _urgency(card: Card, moment: Moment, parameters: Parameters) -> float:
    """What a review is ranked by, lowest first: the chance of knowing it, or before an interview its worth."""
    day = interview_ahead(moment, parameters)
    if day is None:
        return retrievability(card, moment.day, parameters)
    return -worth(model_of(parameters.weights), card, moment.day, day)


def _rank(ranked: tuple[float, Place]) -> tuple[float, str]:
    return ranked[0], ranked[1].key


def _new(
    places: Sequence[Place], cards: Mapping[str, Card], moment: Moment, limit: int, parameters: Parameters
) -> list[Place]:
    """Up to ``limit`` unseen questions that are not put aside: packs in turn, within a pack by lesson (as they first
    come) and position. Before an interview, those that it is likelier to ask come first."""
    interview = interview_ahead(moment, parameters)
    starts: dict[tuple[str, str | None], int] = {}
    for place in places:
        lesson = (place.pack, place.lesson)
        starts[lesson] = min(place.position, starts.get(lesson, place.position))

    def order(place: Place) -> tuple[int, int]:
        # Questions without a lesson have nothing in common, so each stands where it is.
        return (starts[place.pack, place.lesson] if place.lesson else place.position), place.position

    out = {key for key, card in cards.items() if card.state != "new" or is_aside(card, moment)}
    unseen = [place for place in places if place.key not in out]
    packs = {pack: index for index, pack in enumerate(dict.fromkeys(place.pack for place in places))}
    unseen.sort(key=lambda place: (packs[place.pack], *order(place)))
    line = _in_turns(unseen)
    if interview is not None:
        line.sort(key=lambda place: depth_rank(place.depth))
    return line[: max(limit, 0)]


def _in_turns(places: Sequence[Place]) -> list[Place]:
    """Packs in turn, each in the order given."""
    packs: dict[str, list[Place]] = {}
    for place in places:
        packs.setdefault(place.pack, []).append(place)
    return [place for turn in zip_longest(*packs.values()) for place in turn if place is not None]


def _mixed(many: Sequence[Place], few: Sequence[Place]) -> list[Place]:
    """Both in their own order, spread evenly among each other."""
    spread = [((index + 0.5) / len(many), 0, place) for index, place in enumerate(many)]
    spread += [((index + 0.5) / len(few), 1, place) for index, place in enumerate(few)]
    return [place for _, _, place in sorted(spread, key=lambda one: one[:2])]


def _apart(line: Sequence[Place], before: Place | None) -> list[Place]:
    """The line with siblings kept apart and otherwise changed as little as that takes.

    Always the first that is no sibling of the one before it, except where a family has more than half of what is left:
    then it must go now, or its last members would have to follow each other.
    """
    members: dict[Family, list[int]] = {}
    for index in reversed(range(len(line))):
        members.setdefault(_family(line[index]), []).append(index)
    heads = [(indexes[-1], family) for family, indexes in members.items()]
    sizes = [(-len(indexes), family) for family, indexes in members.items()]
    heapify(heads)
    heapify(sizes)
    last = None if before is None else _family(before)
    placed: list[Place] = []
    for left in range(len(line), 0, -1):
        # Both heaps may hold outdated entries of a family, but never lack the present one.
        while -sizes[0][0] != len(members[sizes[0][1]]):
            heappop(sizes)
        size, family = sizes[0]
        if -size <= left // 2 or family == last:
            family = _first_but(last, heads, members)
        placed.append(line[members[family].pop()])
        if members[family]:
            heappush(heads, (members[family][-1], family))
            heappush(sizes, (-len(members[family]), family))
        last = family
    return placed


def _first_but(last: Family | None, heads: list[tuple[int, Family]], members: Mapping[Family, list[int]]) -> Family:
    """The family whose head stands first in the line, another than ``last`` if there is one."""
    held: tuple[int, Family] | None = None
    while heads:
        index, family = heappop(heads)
        if not members[family] or members[family][-1] != index:
            continue
        if family != last:
            if held is not None:
                heappush(heads, held)
            return family
        held = (index, family)
    if held is None:
        raise ValueError("nothing is left to place")
    return held[1]


def _family(place: Place) -> Family:
    """Questions of one lesson are siblings; one without a lesson has none."""
    return (place.pack, place.lesson) if place.lesson else ("", place.key)
