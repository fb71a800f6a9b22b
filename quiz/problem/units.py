"""The units of answers: what they measure, how large they are, and how a learner may write them.

A unit has a dimension: "1" for counts, "B" for bytes and bits, "FLOP" for work, or a ratio of these such as "FLOP/B". A
unit of a pack that is not in the table is a dimension of its own.
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from quiz.errors import QuizError
from quiz.problem.spelling import Unreadable, quoted
from quiz.problem.variant import Number

PREFIXES = {"": 1} | {prefix: 1000**power for power, prefix in enumerate("kmgtp", start=1)}
BINARY_PREFIXES = {f"{prefix}i": 1024**power for power, prefix in enumerate("kmgtp", start=1)}
_LONG_PREFIXES = dict(
    zip(
        ["kilo", "mega", "giga", "tera", "peta", "kibi", "mebi", "gibi", "tebi", "pebi"],
        [*list(PREFIXES.values())[1:], *BINARY_PREFIXES.values()],
        strict=True,
    )
)
_SCALES = PREFIXES | BINARY_PREFIXES | _LONG_PREFIXES
_PREFIX = "|".join(sorted(filter(None, _SCALES), key=len, reverse=True))
_BYTES = re.compile(rf"(?P<prefix>{_PREFIX})?(?P<base>bytes?|bits?|b)", re.IGNORECASE)
_FLOP = re.compile(rf"(?P<prefix>{_PREFIX})?flops?", re.IGNORECASE)
_COUNTED = """channel column device dim dimension elem element entry feature group gpu head integer layer number pair
    param parameter position query rank request row sequence size step time token value vector weight""".split()  # noqa: SIM905 - a list of words reads better
_COUNTS = {
    *_COUNTED,
    *(f"{word}s" for word in _COUNTED),
    *("entries", "queries", "x", "×", "fold", "key", "kv", "attention", "hidden", "in", "total", "each", "1"),
}


class UnitError(QuizError):
    """A value cannot be turned into another unit, because the two measure different things."""

    exit_code = 1


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit by what it measures and its size. ``prefixed``: bytes (or bits) with a prefix, so usually rounded."""

    dimension: str
    scale: Fraction = Fraction(1)
    prefixed: bool = False


COUNT = Unit("1")


@lru_cache(maxsize=256)
def unit_of(text: str | None) -> Unit:
    """The unit that a pack or a quantity names; None is a count. One that is not in the table measures itself."""
    if text is None:
        return COUNT
    return _known(text) or Unit(" ".join(text.split()).casefold())


def is_known(text: str) -> bool:
    """Whether a unit is in the table, so that others are converted to it."""
    return _known(text) is not None


def convert(value: Number, from_unit: str | None, to_unit: str | None) -> Number:
    """The value in another unit of the same dimension.

    Raises:
        UnitError: the two measure different things.
    """
    given, wanted = unit_of(from_unit), unit_of(to_unit)
    if given.dimension != wanted.dimension:
        raise UnitError(f"{from_unit or 'a count'} cannot be turned into {to_unit or 'a count'}")
    if given.scale == wanted.scale:
        return value
    return whole(value * given.scale / wanted.scale)


def whole(value: Number) -> Number:
    """The value, as an int where it is whole."""
    return value.numerator if value.denominator == 1 else value


def typed_unit(text: str, asked: str | None) -> Unit:
    """The unit a learner wrote after a number, where the question asks for ``asked``.

    Raises:
        Unreadable: "bits or bytes", "incomplete unit", "unknown unit" or "wrong dimension".
    """
    wanted = unit_of(asked)
    bare = re.sub(r"\s*(?:/|\bper\b).*", "", text, flags=re.DOTALL).strip()
    if not bare:
        per = _known(f"1 {text}")
        return wanted if per and per.dimension == "1" else _refuse(text, asked)
    if bare == "B" and wanted.dimension == "1":
        raise Unreadable("wrong dimension", "B means bytes, and a count was asked; for billions type 7e9, say.")
    if _is_ambiguous(bare) and text != asked:
        prefix = bare[0].upper().replace("K", "k") + bare[1:-1] if len(bare) > 1 else ""
        message = f"{quoted(bare)} may mean bits or bytes: type {prefix}B for bytes or {prefix}bit for bits."
        raise Unreadable("bits or bytes", message)
    if _same(text, asked):
        return wanted
    if bare.casefold() in _SCALES:
        raise Unreadable("incomplete unit", _completion(bare, wanted))
    given = _known(text)
    if given is None:
        return _refuse(text, asked)
    if given.dimension != wanted.dimension:
        said = f"{quoted(text)} is another kind of thing than was asked"
        raise Unreadable("wrong dimension", f"{said}: type {_name(asked)}.")
    return given


def is_unit(text: str) -> bool:
    """Whether the text is a unit, or begins one, with no number before it."""
    return text.casefold() in _SCALES or _is_ambiguous(text) or _known(text) is not None


def _refuse(text: str, asked: str | None) -> Unit:
    hint = "count a multiply-add as 2 FLOP" if re.fullmatch(r"\w?macs?", text, re.I) else f"type {_name(asked)}"
    raise Unreadable("unknown unit", f"The unit {quoted(text)} is not known here: {hint}.")


def _name(asked: str | None) -> str:
    wanted = unit_of(asked)
    if wanted.dimension == "1" and wanted.scale == 1:
        return "a plain number"
    return f"a number in {asked}" + (", KiB, GB and so on, or a bare number" if wanted.dimension == "B" else "")


def _completion(prefix: str, wanted: Unit) -> str:
    power = 1 + "kmgtp".index(prefix[0].lower())
    letter = prefix[0].upper()
    raised = f"^{power}" if power > 1 else ""
    if wanted.dimension == "B":
        return (
            f"{quoted(prefix)} is half a unit: type {letter}B (1000{raised} bytes) or {letter}iB (1024{raised} bytes)."
        )
    if wanted.dimension == "FLOP":
        return f"{quoted(prefix)} is half a unit: type {letter}FLOP, or the number with e{3 * power} instead."
    return (
        f"{quoted(prefix)} may mean 1000{raised} or 1024{raised}: type it with e{3 * power} or *2^{10 * power} instead."
    )


def _is_ambiguous(text: str) -> bool:
    """Whether a small b stands where bits and bytes are told apart by its size: ``Gb``, ``kb``, ``Kib``, ``b``."""
    if not text.endswith("b") or text[:-1].casefold() not in PREFIXES.keys() | BINARY_PREFIXES.keys():
        return False
    # Nobody who writes all of "gib" small means to say bits by it.
    return not (text.islower() and text[:-1] in BINARY_PREFIXES)


def _same(text: str, asked: str | None) -> bool:
    return asked is not None and "".join(text.split()).casefold() == "".join(asked.split()).casefold()


def _known(text: str) -> Unit | None:
    """The unit of the table, a ratio such as ``FLOPs per byte`` included; None if there is none."""
    first, *others = (_simple(part.strip()) for part in re.split(r"/|\bper\b", text))
    if first is None:
        return None
    scale, below = first.scale, []
    for unit in others:
        if unit is None:
            return None
        scale /= unit.scale
        if unit.dimension != "1":
            below.append(unit.dimension)
    if not below:
        return Unit(first.dimension, scale, first.prefixed)
    return Unit("/".join([first.dimension, *below]), scale) if below != [first.dimension] else Unit("1", scale)


def _simple(text: str) -> Unit | None:
    if text in ("%", "percent", "per cent"):
        return Unit("1", Fraction(1, 100))
    if (found := _BYTES.fullmatch(text)) and not _is_ambiguous(text):
        prefix, base = (found["prefix"] or "").casefold(), found["base"].casefold()
        return Unit("B", Fraction(_SCALES[prefix], 8 if base.startswith("bit") else 1), bool(prefix))
    if found := _FLOP.fullmatch(text):
        return Unit("FLOP", Fraction(_SCALES[(found["prefix"] or "").casefold()]))
    words = text.casefold().split()
    return COUNT if words and all(word in _COUNTS for word in words) else None
