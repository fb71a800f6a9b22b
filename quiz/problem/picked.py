"""Marking what is picked or named: choices, orders, stages and short terms."""

import re
import unicodedata
from bisect import bisect_left
from fractions import Fraction

from quiz.bank.pack import STAGES
from quiz.problem.mark import Mark, idea_lines, right, wrong
from quiz.problem.spelling import Unreadable, cleaned, plain, quoted
from quiz.problem.variant import Variant
from quiz.render.printable import one_line

_BETWEEN = re.compile(r"[\s,;>→]+")


def mark_choice(variant: Variant, typed: str) -> Mark:
    """Right if exactly the right choices are picked, in any order; several right ones give partial credit.

    Credit is (right ones picked - wrong ones picked) / right ones, and not below 0.

    Raises:
        Unreadable: a pick is not the number of a choice.
    """
    picks = sorted(set(_indexes(typed, len(variant.choices))))
    reading = ", ".join(map(str, picks))
    keys = {index for index, choice in enumerate(variant.choices, start=1) if choice.right}
    reasons = choice_reasons(variant)
    if set(picks) == keys:
        return right(variant, reading, f"Right: {reading}.", *reasons)
    hits = len(keys & set(picks))
    slips = [named for index in picks if (named := variant.choices[index - 1].misconception) and index not in keys]
    credit = max(Fraction(0), Fraction(2 * hits - len(picks), len(keys))) if keys else Fraction(0)
    partly = f"Partly right: you picked {reading}" if credit else f"Not right: you picked {reading}"
    ideas = [line for slip in dict.fromkeys(slips) for line in idea_lines(variant, slip)]
    told = f"{partly}; right {'is' if len(keys) == 1 else 'are'} {variant.answer.display}."
    return wrong(variant, reading, told, *ideas, *reasons, credit=credit, misconception=slips[0] if slips else None)


def mark_order(variant: Variant, typed: str) -> Mark:
    """Right if every item is in its place. Credit is (longest run of items in the right order, gaps allowed, - 1) /
    (items - 1): moving one item costs one step, the reverse order earns nothing.

    Raises:
        Unreadable: the text does not name every item once.
    """
    count = len(variant.choices)
    picks = _indexes(typed, count)
    missing = sorted(set(range(1, count + 1)) - set(picks))
    if missing or len(picks) != count:
        what = f"{_listed(missing)} {'is' if len(missing) == 1 else 'are'} missing" if missing else "one is there twice"
        raise Unreadable("incomplete order", f"Type each number from 1 to {count} once: {what}.")
    answer = variant.answer.value
    assert isinstance(answer, tuple)
    reading = ", ".join(map(str, picks))
    if tuple(picks) == answer:
        return right(variant, reading, f"Right: {reading}.")
    longest = _longest_ascending([answer.index(index) for index in picks])
    credit = Fraction(longest - 1, count - 1)
    partly = f"Partly right: {longest} of {count} are in order." if credit else "Not right."
    told = f"{partly} You typed {reading}; the answer is {variant.answer.display}:"
    return wrong(variant, reading, told, *in_right_order(variant), credit=credit)


def mark_stage(variant: Variant, typed: str) -> Mark:
    """Right if it is the place, by name or by its number from 1 to 7.

    Raises:
        Unreadable: it is none of the seven places.
    """
    stage, answer = _stage(typed), str(variant.answer.value)
    reasons = [f"{place}: {variant.why[place]}" for place in dict.fromkeys((stage, answer)) if place in variant.why]
    if stage == answer:
        return right(variant, stage, f"Right: {stage}.", *reasons)
    return wrong(variant, stage, f"Not right: you said {stage}; it is {answer}.", *reasons)


def mark_text(variant: Variant, typed: str) -> Mark:
    """Right if it is an accepted spelling; case, Unicode form and outer blanks do not matter, every letter does.

    Raises:
        Unreadable: it is empty, too long or holds a control character.
    """
    said = cleaned(typed)
    reading = one_line(said)
    accepted = variant.accept or (variant.answer.display,)
    if folded(said) in map(folded, accepted):
        return right(variant, reading, f"Right: {reading}.")
    others = f" Also accepted: {', '.join(accepted[1:])}." if len(accepted) > 1 else ""
    return wrong(variant, reading, f"Not right: you said {quoted(said)}; the answer is {accepted[0]}.{others}")


def choice_reasons(variant: Variant) -> list[str]:
    """Why each choice is right or wrong."""
    return [
        f"{index}. {choice.text}\n  {'Right' if choice.right else 'Wrong'}: {choice.why}"
        for index, choice in enumerate(variant.choices, start=1)
        if choice.why
    ]


def in_right_order(variant: Variant) -> list[str]:
    """The items, each in its place."""
    answer = variant.answer.value
    assert isinstance(answer, tuple)
    return [f"  {place}. {variant.choices[index - 1].text}" for place, index in enumerate(answer, start=1)]


def folded(text: str) -> str:
    """The text without case, compatibility forms, zero-width characters and outer blanks."""
    # Folding can undo a composed form and composing a folded one, so it takes both twice.
    once = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    visible = "".join(character for character in once if unicodedata.category(character) != "Cf")
    return unicodedata.normalize("NFKC", visible.casefold()).strip()


def _indexes(typed: str, count: int) -> list[int]:
    listed = plain(typed).strip("()[]{} ")
    picks = [pick for pick in _BETWEEN.split(re.sub(r"\band\b|&", ",", listed)) if pick]
    for pick in picks:
        if not re.fullmatch(r"[0-9]+", pick):
            raise Unreadable("not a choice", f"{quoted(pick)} is not a number: type the numbers, such as 2 or 2, 4.")
        if len(pick) > 3 or not 1 <= int(pick) <= count:
            digits = all("1" <= digit <= str(min(count, 9)) for digit in pick)
            hint = f" Did you mean {', '.join(pick)}?" if len(pick) > 1 and digits else ""
            raise Unreadable("not a choice", f"There is no {quoted(pick)}: the numbers go from 1 to {count}.{hint}")
    if not picks:
        raise Unreadable("no number", "Type the number of a choice, or several with commas between them.")
    return [int(pick) for pick in picks]


def _stage(typed: str) -> str:
    said = plain(typed).casefold()
    if said in map(str, range(1, len(STAGES) + 1)):
        return STAGES[int(said) - 1]
    joined = re.sub(r"[\s,_–-]+", "-", said).strip("-")
    if joined not in STAGES:
        raise Unreadable("not a stage", f"{quoted(said)} is none of the places: type one of {', '.join(STAGES)}.")
    return joined


def _longest_ascending(places: list[int]) -> int:
    """The length of the longest ascending subsequence, by patience sorting."""
    tails: list[int] = []
    for place in places:
        at = bisect_left(tails, place)
        tails[at : at + 1] = [place]
    return len(tails)


def _listed(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers))
