"""Typed arithmetic, split into an expression that `quiz.bank.expression` can work out and the unit behind it.

Every way of writing a number that can mean two things is refused rather than guessed at.
"""

import re
from dataclasses import dataclass

from quiz.bank.expression import ExpressionError, parse
from quiz.problem.digits import digits_of
from quiz.problem.spelling import Unreadable, quoted, superscript, vulgar_fraction
from quiz.problem.units import is_unit
from quiz.problem.variant import Number

_NUMBER = re.compile(r"[\d.][\d.,_']*(?: +[\d.][\d.,_']*)*")
_ARGUMENT = re.compile(r"[\d.][\d._']*")
_GROUPED_ARGUMENT = re.compile(r",\d{3}(?!\d)")
_EXPONENT = re.compile(r"[eE][-+]?\d+")
_TORN_EXPONENT = re.compile(r" +[eE][-+]? *\d|[eE](?: +[-+]?|[-+] +)\d")
_MIXED = re.compile(r"(\d{1,3}(?:[,_']\d{3})+|\d+) (\d+)/(\d+)(?![\d.,_'])(?![eE][-+]?\d)")
_BASED = re.compile(r"0[xXbBoO][0-9a-fA-F]")
_ROOT = re.compile(r"√\s*(\(|\d[\d.,_']*)")
_WORD = re.compile(r"[^\W\d]\w*")
_OPERATOR = re.compile(r"\*\*|//|[-+*/^×–]")
_BETWEEN = re.compile(r"\b(?:or|and|to)\b|[,;+&|]")
_ONE_ARGUMENT = {"sqrt", "log2", "ln", "ceil", "floor", "abs"}
_MORE_ARGUMENTS = {"min", "max", "round", "gcd", "lcm"}
_NUMBER_WORDS = set(
    """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion trillion
    half quarter dozen inf infinity nan none yes no""".split()  # noqa: SIM905 - a list of words reads better
)
_PHRASE = re.compile(r"[^\W\d_]+(?:[-' ]+[^\W\d_]+)+\W?")


@dataclass(frozen=True, slots=True)
class Typed:
    """An expression over plain numbers, the unit text that followed it (or ""), and whether it adds or subtracts."""

    expression: str
    unit: str
    is_sum: bool

    def value(self) -> Number:
        """What the expression comes to.

        Raises:
            Unreadable: it has no value, or one too large.
        """
        try:
            return parse(self.expression, ()).number({})
        except ExpressionError as error:
            raise Unreadable(error.kind, f"That cannot be worked out: {error.message}.") from None


def read_arithmetic(text: str) -> Typed:
    """Split plain text (see `quiz.problem.spelling.plain`) into expression and unit.

    Raises:
        Unreadable: with the reason in one or two words; see the cases of typed answers.
    """
    return _Scanner(text).scan()


class _Scanner:
    """One pass over the text. ``after_value`` tells what may come next; ``brackets`` holds, for each open one, whether
    commas in it part the arguments of a function."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self.parts: list[str] = []
        self.after_value = False
        self.after_sign = False
        self.brackets: list[bool] = []
        self.is_sum = False

    def scan(self) -> Typed:
        unit = ""
        while self._skip_blanks():
            if self.after_value and self._starts_unit():
                unit = self._unit()
                break
            self._part()
        if self.brackets:
            raise self._malformed("a bracket is not closed")
        if not self.after_value:
            raise self._malformed("something is missing at the end")
        return Typed(" ".join(self.parts), unit, self.is_sum)

    def _skip_blanks(self) -> bool:
        while self.place < len(self.text) and self.text[self.place] == " ":
            self.place += 1
        return self.place < len(self.text)

    def _part(self) -> None:
        here = self.text[self.place]
        if (here.isdigit() and here.isascii()) or here == ".":
            self._number()
        elif vulgar_fraction(here):
            self._fraction()
        elif superscript(here) is not None:
            self._superscript()
        elif here in "(√":
            self._open(here)
        elif here == ")":
            self._close()
        elif here == "," and self.brackets and self.brackets[-1] and self.after_value:
            self._operate(",", here)
        elif found := _OPERATOR.match(self.text, self.place):
            self._operator(found[0])
        elif here in "xX" and self.after_value:
            self._operate("*", here)
        elif (here.isalpha() or here == "_") and (found := _WORD.match(self.text, self.place)):
            self._word(found[0])
        elif here in ",;" and self.after_value and re.search(r"\d", self.text[self.place :]):
            raise self._two_numbers()
        else:
            raise self._malformed(f"{quoted(here)} has no place there")

    def _value(self, expression: str) -> None:
        if self.after_value:
            raise self._malformed("write * between the parts of a product")
        self.parts.append(expression)
        self.after_value, self.after_sign = True, False

    def _number(self) -> None:
        if _BASED.match(self.text, self.place):
            raise Unreadable("notation", f"{quoted(self.text)}: type the number in decimal, without 0x or 0b.")
        if mixed := _MIXED.match(self.text, self.place):
            whole, above, below = mixed[1], int(mixed[2]), int(mixed[3])
            if len(mixed[2]) == 3 and above < below:
                raise self._stray_blank()
            if len(mixed[2]) != 3 and 0 < above < below:
                self._mixed(digits_of(whole), above, below, mixed.end())
                return
        pattern = _ARGUMENT if self.brackets and self.brackets[-1] else _NUMBER
        found = pattern.match(self.text, self.place)
        assert found
        if pattern is _ARGUMENT and _GROUPED_ARGUMENT.match(self.text, found.end()):
            message = (
                "inside a function's brackets a comma parts the numbers: put a blank after it, or none in a number."
            )
            raise Unreadable("separator", message)
        end = found.end()
        number = digits_of(found[0], self.text[: found.start()], self.text[end:])
        if _TORN_EXPONENT.match(self.text, end):
            raise self._stray_blank()
        if exponent := _EXPONENT.match(self.text, end):
            end = exponent.end()
            if len(exponent[0]) > 6:
                raise Unreadable("too large", f"The power of ten in {quoted(self.text)} is too large to be worked out.")
            number += exponent[0]
            if end < len(self.text) and self.text[end] in ".,_'0123456789":
                raise self._malformed("a power of ten is a whole number")
        if end < len(self.text) and (fraction := vulgar_fraction(self.text[end])):
            if not number.isdigit():
                raise self._malformed("a fraction follows only a whole number")
            self._mixed(number, *fraction, end + 1)
            return
        self._value(number)
        self.place = end
        self._vulgar_after_blank(number)

    def _vulgar_after_blank(self, number: str) -> None:
        """``1 ½`` is one and a half."""
        place = self.place + 1
        if self.text[self.place : place] == " " and (fraction := vulgar_fraction(self.text[place : place + 1] or " ")):
            if not number.isdigit():
                raise self._malformed("a fraction follows only a whole number")
            self.parts.pop()
            self.after_value = False
            self._mixed(number, *fraction, place + 1)

    def _mixed(self, whole: str, above: int, below: int, end: int) -> None:
        rest = self.text[end:].lstrip()
        if rest.startswith(("^", "**", "/")) or (rest and superscript(rest[0]) is not None):
            raise self._malformed("put brackets around the mixed number")
        self._value(f"({whole} + {above} / {below})")
        self.place = end

    def _fraction(self) -> None:
        fraction = vulgar_fraction(self.text[self.place])
        assert fraction
        self._value(f"({fraction[0]} / {fraction[1]})")
        self.place += 1

    def _superscript(self) -> None:
        raised = ""
        while self.place < len(self.text) and (sign := superscript(self.text[self.place])) is not None:
            raised += sign
            self.place += 1
        if not self.after_value or not re.fullmatch(r"[-+]?\d+", raised):
            raise self._malformed("a raised number stands behind the number that it raises")
        self.parts.append(f"** ({raised[0].strip('0123456789')}{raised.lstrip('-+').lstrip('0') or '0'})")

    def _open(self, here: str) -> None:
        if here == "√":
            root = _ROOT.match(self.text, self.place)
            if not root:
                raise self._malformed("√ stands before a number or a bracket")
            if root[1] == "(":
                self._value("sqrt")
                self.place += 1
                self._skip_blanks()
            else:
                self._value(f"sqrt({digits_of(root[1])})")
                self.place = root.end()
                return
        elif self.after_value:
            raise self._malformed("write * before a bracket")
        self._bracket(arguments=False)

    def _bracket(self, arguments: bool) -> None:
        self.parts.append("(")
        self.brackets.append(arguments)
        self.after_value = self.after_sign = False
        self.place += 1

    def _close(self) -> None:
        if not self.brackets or not self.after_value:
            raise self._malformed("a bracket closes nothing")
        self.brackets.pop()
        self.parts.append(")")
        self.place += 1

    def _operator(self, found: str) -> None:
        if found == "–":
            if self.after_value:
                raise Unreadable(
                    "two numbers", "A dash between numbers may mean a range: type - for minus, or one number."
                )
            found = "-"
        if found in "+-" and not self.after_value:
            if self.after_sign:
                raise self._malformed("there are two signs in a row")
            self.after_sign = True
            self.parts.append(found)
            self.place += 1
            return
        if found in "+-" and not self.brackets:
            self.is_sum = True
        self._operate({"^": "**", "×": "*"}.get(found, found), found)

    def _operate(self, meaning: str, found: str) -> None:
        if not self.after_value:
            raise self._malformed(f"a number is missing before {quoted(found)}")
        self.parts.append(meaning)
        self.after_value = self.after_sign = False
        self.place += len(found)

    def _word(self, word: str) -> None:
        name = word.casefold()
        after = self.place + len(word)
        is_call = self.text[after:].lstrip().startswith("(")
        if is_call and name in _ONE_ARGUMENT | _MORE_ARGUMENTS:
            self._value(name)
            self.place = self.text.index("(", after)
            self._bracket(arguments=name in _MORE_ARGUMENTS)
            return
        if is_call:
            raise Unreadable(
                "not arithmetic", f"{quoted(self.text)} is not arithmetic: type a number such as 4096 or 2^12."
            )
        words = re.findall(r"[^\W\d_]+", self.text.casefold())
        if not self.parts and is_unit(self.text):
            raise Unreadable(
                "no number", f"There is a unit, {quoted(self.text)}, but no number: type the number before it."
            )
        if _NUMBER_WORDS & set(words) or (len(words) > 1 and _PHRASE.fullmatch(self.text)):
            raise Unreadable("words", f"{quoted(self.text)} is in words: type the number in digits, such as 64.")
        raise Unreadable("name", f"{quoted(word)} is a name: type the number it stands for.")

    def _starts_unit(self) -> bool:
        here = self.text[self.place]
        if here in "xX×":
            follows = self.text[self.place + 1 :].lstrip()[:1]
            if not follows:
                return True
            return here != "×" and follows not in "0123456789.(√" and not vulgar_fraction(follows)
        return here.isalpha() or (here in "%/" and not re.match(r"[/%]*\s*[\d.(√/]", self.text[self.place :]))

    def _unit(self) -> str:
        unit = self.text[self.place :]
        if self.brackets:
            raise self._malformed("a word stands inside the brackets; put the unit behind them")
        if re.search(r"\d", unit):
            raise self._two_numbers() if _BETWEEN.search(unit) else self._malformed("a number follows the unit")
        return unit

    def _malformed(self, what: str) -> Unreadable:
        read = self.text[: self.place].rstrip()
        so_far = f" (read so far: {quoted(read)})" if read and self.place < len(self.text) else ""
        return Unreadable("malformed", f"{quoted(self.text)} cannot be read: {what}{so_far}.")

    def _two_numbers(self) -> Unreadable:
        return Unreadable("two numbers", f"{quoted(self.text)} looks like more than one number: type one.")

    def _stray_blank(self) -> Unreadable:
        return Unreadable("stray blank", f"There is a blank inside the number in {quoted(self.text)}: type it without.")
