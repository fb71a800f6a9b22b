"""One decimal number as typed, with its thousands separators: commas, blanks, _ or ' and nothing half done."""

import re

from quiz.problem.spelling import Unreadable, quoted

# A comma where others write a point: behind it stand no three digits, or no thousands before it, or points do.
_COMMA = re.compile(r"\d+,\d{1,2}\.?|0+,\d+\.?|\d+(?:\.\d+)+,\d+")


def digits_of(written: str, before: str = "", behind: str = "") -> str:
    """A decimal number without its thousands separators: ``1,024.5`` -> ``1024.5``. What stands ``before`` and
    ``behind`` it is said again with what was probably meant.

    Raises:
        Unreadable: "decimal comma", "separator", "mixed separators", "stray blank", "two numbers" or "malformed".
    """
    if " " in written:
        return _blank_groups(written)
    whole, point, decimals = written.partition(".")
    separators = sorted(set(whole) & set(",_'"))
    if _COMMA.fullmatch(written):
        meant = written.replace(".", "").replace(",", ".")
        if "," not in before + behind:
            meant = f"{before}{meant}{behind}"
        raise Unreadable("decimal comma", f"Use a point: did you mean {meant}?")
    if point and not decimals.isdigit() and decimals:
        raise _odd_decimals(written, decimals)
    if not whole and not decimals:
        raise Unreadable("malformed", f"{quoted(written)} is not a number.")
    if len(separators) > 1:
        raise Unreadable(
            "mixed separators", f"{quoted(written)} mixes {' and '.join(separators)}: use one of them, or none."
        )
    if separators:
        whole = _grouped(written, whole, separators[0])
    digits = whole.lstrip("0") or "0"
    return f"{digits}.{decimals}" if decimals else digits


def _grouped(written: str, whole: str, separator: str) -> str:
    first, *groups = whole.split(separator)
    if 1 <= len(first) <= 3 and first[0] != "0" and all(len(group) == 3 for group in groups):
        return first + "".join(groups)
    if not first or not all(groups):
        raise Unreadable("malformed", f"{quoted(written)}: a {separator} stands between digits, three after each.")
    raise Unreadable("separator", f"{quoted(written)}: after each {separator} come exactly three digits; or use none.")


def _odd_decimals(written: str, decimals: str) -> Unreadable:
    if re.fullmatch(r"\d{1,3}(?:\.\d{3})+", written):
        return Unreadable(
            "separator", f"{quoted(written)}: for thousands use commas, {written.replace('.', ',')}, or nothing."
        )
    if "." in decimals:
        return Unreadable("malformed", f"{quoted(written)} has more than one point.")
    return Unreadable("separator", f"{quoted(written)}: after the point come digits only.")


def _blank_groups(written: str) -> str:
    groups = written.split(" ")
    last, point, decimals = groups[-1].partition(".")
    if any(group.endswith(",") for group in groups[:-1]):
        raise Unreadable("two numbers", f"{quoted(written)} looks like more than one number: type one.")
    whole = [*groups[:-1], last]
    if all(group.isdigit() for group in whole) and (decimals.isdigit() or not decimals):
        if 1 <= len(whole[0]) <= 3 and whole[0][0] != "0" and all(len(group) == 3 for group in whole[1:]):
            return "".join(whole) + (f".{decimals}" if decimals else "")
    elif not point and re.fullmatch(r"\d{1,3}(?:[ ,_']\d{3})+", written):
        raise Unreadable(
            "mixed separators", f"{quoted(written)} mixes blanks and other marks: use one of them, or none."
        )
    raise Unreadable("stray blank", f"There is a blank inside the number {quoted(written)}: type it without.")
