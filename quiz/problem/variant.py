"""The drawn question, ready to show: every word and number fixed, the answer beside it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import TypeAlias

Number: TypeAlias = int | Fraction
Sizes: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice as shown. For ``order`` questions: one item, with neither right nor why."""

    text: str
    right: bool = False
    why: str = ""
    misconception: str | None = None


@dataclass(frozen=True, slots=True)
class KnownMistake:
    """A wrong answer people give, worked out for this variant."""

    value: Number | Sizes
    misconception: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """The right answer. ``value`` by kind: numeric a number; shape its sizes; choice and order indexes from 1;
    stage and text the word; card and open None. ``display``, typed back, is marked right (card and open apart)."""

    value: Number | Sizes | str | None
    display: str


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far off still counts as right; the edge is inside. ``relative`` is a share of the answer, ``absolute``
    is in the question's unit. Both zero: exact."""

    relative: Fraction = Fraction(0)
    absolute: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class Idea:
    """A misconception spelled out: what it says and what is so."""

    says: str
    truth: str


@dataclass(frozen=True, slots=True)
class RubricPoint:
    """One thing a good answer says, and what it is worth."""

    point: str
    weight: int


@dataclass(frozen=True, slots=True)
class Variant:
    """One showing of a question. Same pack version, key and seed: the same variant everywhere."""

    key: str
    seed: int
    pack_version: str
    kind: str
    depth: str
    lesson: str | None
    prompt: str
    answer: Answer
    givens: Mapping[str, Number | str] = field(default_factory=lambda: MappingProxyType({}))
    unit: str | None = None
    choices: tuple[Choice, ...] = ()
    accept: tuple[str, ...] = ()
    mistakes: tuple[KnownMistake, ...] = ()
    tolerance: Tolerance = Tolerance()
    steps: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    why: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    ideas: Mapping[str, Idea] = field(default_factory=lambda: MappingProxyType({}))
    rubric: tuple[RubricPoint, ...] = ()
    red_flags: tuple[str, ...] = ()
    snippet: str | None = None
    sources: tuple[str, ...] = ()
    as_of: str | None = None
