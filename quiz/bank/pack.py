"""The pack format, version 1, as Pydantic models: what an author may write. Everything is frozen once read."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, Self, TypeAlias, overload

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    GetCoreSchemaHandler,
    StringConstraints,
    Tag,
    TypeAdapter,
    ValidatorFunctionWrapHandler,
)
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

Depth: TypeAlias = Literal["screen", "onsite", "research"]
Stage: TypeAlias = Literal["config", "build", "load", "forward", "kernel", "never-but-wrong", "never"]
STAGES: tuple[Stage, ...] = ("config", "build", "load", "forward", "kernel", "never-but-wrong", "never")
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


def _text(value: Any) -> Any:
    """A whole number is welcome where text is meant (``text: 64``); other non-text is a slip that quotes would mend."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise PydanticCustomError("text", "must be text: put it in quotes", {})
    return value


def _quoted(value: Any) -> Any:
    if not isinstance(value, str):
        raise PydanticCustomError("quoted", 'must be in quotes, such as "1.10": YAML drops the zero of a bare 1.10', {})
    return value


def _expression(value: Any) -> Any:
    if isinstance(value, float) and (abs(value) >= 2**53 or len(repr(value)) > 16):
        raise PydanticCustomError("expression", "is too long for a bare number: put it in quotes", {})
    if isinstance(value, int | float) and not isinstance(value, bool):
        return repr(value)
    if not isinstance(value, str):
        raise PydanticCustomError("expression", "must be arithmetic over the named numbers, or a plain number", {})
    return value


def _name(value: str) -> str:
    if not NAME.match(value):
        raise PydanticCustomError("name", "a name is a letter or _, then letters, digits and _", {})
    return value


Text = Annotated[str, BeforeValidator(_text), StringConstraints(min_length=1, max_length=20_000)]
Quoted = Annotated[str, BeforeValidator(_quoted), StringConstraints(min_length=1, max_length=64)]
Expression = Annotated[str, BeforeValidator(_expression)]
Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$")]
Name = Annotated[str, BeforeValidator(_name)]
Number: TypeAlias = int | float
# Of what may be listed at all, nobody lists more; and what is shown or compared one by one stays quick.
_SOME = Field(max_length=100)
Texts = Annotated[tuple[Text, ...], _SOME]
Ids = Annotated[tuple[Id, ...], _SOME]
Sizes = Annotated[tuple[Expression, ...], Field(min_length=1, max_length=8)]


class Model(BaseModel):
    """Frozen, strict and closed: an unknown key is a slip, never an extension."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class Source(Model):
    """Where a fact can be read."""

    title: Text
    url: Text | None = None

    @property
    def cited(self) -> str:
        """On one line."""
        return f"{self.title} — {self.url}" if self.url else self.title


class Misconception(Model):
    """A named wrong idea: what it says, and what is so."""

    says: Text
    truth: Text


class Worked(Model):
    """An example from a real model, checked against the solver."""

    model: Id
    quantity: Name
    value: Expression | Sizes
    note: Text | None = None


class Caveat(Model):
    """Where the lesson's rule stops being true, and why."""

    when: Text
    because: Text


class RedFlag(Model):
    """What not to say, and what to say instead."""

    says: Text
    instead: Text


class Lesson(Model):
    """What to read before being asked. ``body`` is Markdown."""

    id: Id
    title: Text
    tldr: Text
    analogy: Text | None = None
    body: Text
    worked: Annotated[tuple[Worked, ...], _SOME] = ()
    exceptions: Annotated[tuple[Caveat, ...], _SOME] = ()
    talk_track: Texts = ()
    red_flags: Annotated[tuple[RedFlag, ...], _SOME] = ()
    sources: Ids = ()


class Range(Model):
    """``{from: 1, to: 9, step: 2}``: whole numbers, both ends included."""

    first: int = Field(alias="from")
    last: int = Field(alias="to")
    step: int = Field(default=1, ge=1)


class PowersOfTwo(Model):
    """``{powers_of_two: [8, 64]}``: both ends included."""

    powers_of_two: tuple[int, int]


class DivisorsOf(Model):
    """``{divisors_of: NAME}``: the divisors of another given."""

    divisors_of: Name


class FromModel(Model):
    """``{model: models, where: EXPRESSION}``: a real model, whose numbers become givens."""

    model: Literal["models"]
    where: Expression | None = None


def _draw_form(value: Any) -> str:
    """The form of a draw, as written or already read."""
    if isinstance(value, list | tuple):
        return "list"
    for form in ("powers_of_two", "divisors_of", "model"):
        if form in value if isinstance(value, dict) else hasattr(value, form):
            return form
    return "range"


Draw: TypeAlias = Annotated[
    Annotated[tuple[Number, ...], Field(min_length=1), Tag("list")]
    | Annotated[Range, Tag("range")]
    | Annotated[PowersOfTwo, Tag("powers_of_two")]
    | Annotated[DivisorsOf, Tag("divisors_of")]
    | Annotated[FromModel, Tag("model")],
    Discriminator(_draw_form),
]


class Absolute(Model):
    """``{absolute: 0.2}``: the answer may be off by this much, in the question's unit."""

    absolute: Number = Field(ge=0)


class AsOf(Model):
    """When, and with which releases, an answer that can age was true."""

    date: Text
    transformers: Quoted | None = None
    torch: Quoted | None = None
    numpy: Quoted | None = None


class Golden(Model):
    """A variant that must come out so for ever: its drawn givens, its prompt, and its answer as it is shown (choices
    and items by their texts)."""

    givens: dict[Name, Number | str] = Field(default_factory=dict, max_length=32)
    prompt: Text
    answer: Text | Texts


class Question(Model):
    """What every kind has. ``was`` lists former ids, so that renaming keeps the history."""

    id: Id
    depth: Depth = "screen"
    lesson: Id | None = None
    as_of: AsOf | None = None
    draw: dict[Name, Draw] = Field(default_factory=dict, max_length=32)
    let: dict[Name, Expression] = Field(default_factory=dict, max_length=64)
    require: Annotated[tuple[Expression, ...], Field(max_length=32)] = ()
    prompt: Text
    hints: Texts = ()
    steps: Texts = ()
    sources: Ids = ()
    tags: Ids = ()
    was: Ids = ()
    golden: Annotated[tuple[Golden, ...], Field(max_length=32)] = ()


class Card(Question):
    """A flashcard: the learner judges it."""

    kind: Literal["card"]
    back: Text


class Option(Model):
    """One choice, right or wrong, and why. ``when`` decides by the givens; ``last`` keeps it at the end."""

    text: Text
    why: Text
    right: bool = False
    when: Expression | None = None
    misconception: Id | None = None
    last: bool = False


class ChoiceQuestion(Question):
    """One or several right answers among some."""

    kind: Literal["choice"]
    choices: tuple[Option, ...] = Field(min_length=2, max_length=9)


class Mistake(Model):
    """A wrong formula people use, and the misconception behind it."""

    formula: Expression | Sizes
    misconception: Id
    why: Text | None = None


class Numeric(Question):
    """A number. ``solve`` names the quantity that judges; ``formula`` explains, and judges alone where it must."""

    kind: Literal["numeric"]
    formula: Expression | None = None
    solve: Name | None = None
    unit: Text | None = None
    tolerance: Annotated[Number, Field(ge=0)] | Absolute | None = None
    mistakes: Annotated[tuple[Mistake, ...], Field(max_length=32)] = ()


class Shape(Question):
    """An ordered tuple of sizes."""

    kind: Literal["shape"]
    formula: Sizes | None = None
    solve: Name | None = None
    mistakes: Annotated[tuple[Mistake, ...], Field(max_length=32)] = ()


class StageQuestion(Question):
    """Does it raise, and where? ``why`` gives a reason per stage."""

    kind: Literal["stage"]
    answer: Stage
    library: Text | None = None
    snippet: Text | None = None
    why: dict[Stage, Text] = Field(default_factory=dict)


class TextQuestion(Question):
    """A short term; any accepted spelling."""

    kind: Literal["text"]
    accept: tuple[Text, ...] = Field(min_length=1, max_length=100)


class Order(Question):
    """Items to put in order; written in the right order."""

    kind: Literal["order"]
    items: tuple[Text, ...] = Field(min_length=3, max_length=9)


class RubricPoint(Model):
    """One thing a good answer says, and what it is worth."""

    point: Text
    weight: int = Field(default=1, ge=1, le=10)


class Open(Question):
    """An interviewer's follow-up: the approach stays hidden until asked for, the learner ticks the rubric."""

    kind: Literal["open"]
    approach: Text
    rubric: tuple[RubricPoint, ...] = Field(min_length=1, max_length=100)
    red_flags: Texts = ()


AnyQuestion: TypeAlias = Annotated[
    Card | ChoiceQuestion | Numeric | Shape | StageQuestion | TextQuestion | Order | Open,
    Discriminator("kind"),
]


@cache
def question_adapter() -> TypeAdapter[AnyQuestion]:
    """Makes questions of data and of JSON; making one takes longer than all else about a question."""
    return TypeAdapter(AnyQuestion)


def as_json(question: AnyQuestion) -> bytes:
    """A question as short JSON, of which `question_adapter` makes an equal one."""
    return question.model_dump_json(by_alias=True, exclude_defaults=True).encode()


@dataclass(frozen=True, slots=True)
class Questions(Sequence[AnyQuestion]):
    """The questions of a pack, each made when it is asked for, of JSON: a hundred thousand made at once would take
    hundreds of megabytes."""

    bodies: tuple[bytes, ...]

    def __len__(self) -> int:
        return len(self.bodies)

    @overload
    def __getitem__(self, index: int) -> AnyQuestion: ...
    @overload
    def __getitem__(self, index: slice) -> Self: ...
    def __getitem__(self, index: int | slice) -> AnyQuestion | Self:
        if isinstance(index, slice):
            return type(self)(self.bodies[index])
        return question_adapter().validate_json(self.bodies[index])

    def __iter__(self) -> Iterator[AnyQuestion]:
        return map(question_adapter().validate_json, self.bodies)

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        listed = handler.generate_schema(Annotated[tuple[AnyQuestion, ...], Field(min_length=1)])
        return core_schema.no_info_wrap_validator_function(cls._validated, listed)

    @classmethod
    def _validated(cls, value: Any, validate: ValidatorFunctionWrapHandler) -> Self:
        if isinstance(value, cls):
            return value if value.bodies else validate(())
        return cls(tuple(map(as_json, validate(value))))


class PackHead(Model):
    """A pack without its questions: what a single question needs around it."""

    format: Literal[1]
    pack: Id
    title: Text
    version: Quoted
    license: Text | None = None
    sources: dict[Id, Source] = Field(default_factory=dict)
    misconceptions: dict[Id, Misconception] = Field(default_factory=dict)
    lessons: tuple[Lesson, ...] = ()


class Pack(PackHead):
    """One YAML file of lessons and questions."""

    questions: Questions
