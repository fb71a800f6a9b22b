"""What a quantity is: a name in the field's terms, the givens it needs, how it is measured, and the formula for it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from quiz.attention.givens import GIVENS, Given, named_with_domains
from quiz.attention.phantom import phantom
from quiz.attention.reshape import repeat_kv
from quiz.attention.sizes import Number
from quiz.errors import UsageError

Value: TypeAlias = Number | tuple[int, ...]
# The value, and one line on what was measured.
Measured: TypeAlias = tuple[Value, str]
Measure: TypeAlias = Callable[..., Measured]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A named thing the solver can measure.

    ``formula`` is arithmetic over the givens' names in the language of packs (a shape: such expressions in brackets);
    ``dtype`` is written ``bytes_per_element`` in it. ``measure`` takes the numbers by name, as `numbers` returns them.
    """

    name: str
    summary: str
    unit: str
    givens: tuple[Given, ...]
    formula: str
    source: str
    measure: Measure

    def numbers(self, givens: Mapping[str, object]) -> dict[str, Number]:
        """The legal numbers of the needed givens, defaults filled in; others are ignored.

        Raises:
            UsageError: a given is missing, or a dtype is unknown.
            SolveError: a number is illegal, or the KV heads do not divide the query heads.
        """
        numbers: dict[str, Number] = {}
        for given in self.givens:
            value = givens.get(given.name, given.default)
            if value is None:
                if given.same_as is None:
                    raise self._missing(givens)
                value = numbers[given.same_as]
            numbers[given.symbol] = given.read(given.name, value)
        if "num_kv_heads" in numbers and "num_heads" in numbers and numbers["num_heads"] % numbers["num_kv_heads"]:
            repeat_kv(phantom(1, int(numbers["num_kv_heads"]), 1, 1), int(numbers["num_heads"]))
        return numbers

    def _missing(self, givens: Mapping[str, object]) -> UsageError:
        absent = [given for given in self.givens if given.needed and given.name not in givens]
        return UsageError(f"{self.name} {'also needs' if givens else 'needs'} {named_with_domains(absent)}")


def quantity(
    *, unit: str = "1", formula: str, source: str, optional: tuple[str, ...] = ()
) -> Callable[[Measure], Quantity]:
    """Make a quantity of the function that measures it: its name, first line and parameters are the quantity's.

    ``optional`` names the parameters whose given may be left out; the table of givens says what they then are.
    """

    def build(measure: Measure) -> Quantity:
        code = measure.__code__
        names: tuple[str, ...] = code.co_varnames[: code.co_argcount]
        givens = tuple(GIVENS[name] if name in optional else GIVENS[name].required() for name in names)
        summary = (measure.__doc__ or "").strip().split("\n")[0].rstrip(".")
        return Quantity(code.co_name, summary, unit, givens, formula, source, measure)

    return build
