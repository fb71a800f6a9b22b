"""What a learner is told of a sitting: what a deed did, what was taken back, and when asking more will not help."""

from collections.abc import Mapping

from quiz.memory.acts import ActName, Entry
from quiz.memory.days import Moment, calendar_date
from quiz.memory.review import Review

# What is said of a deed when it is done, and again when it is taken back.
_DONE: Mapping[ActName, str] = {
    "suspend": "suspended",
    "resume": "resumed",
    "bury": "put aside until tomorrow",
    "flag": "flagged",
    "unflag": "no longer flagged",
    "reset": "made new again",
    "known": "taken as known",
    "merge": "brought together from several devices",
}
# So many misses of one question in a sitting, and its learner is told what else to do.
MANY_MISSES = 4
EARLY = "Nothing else is left, so what you missed comes back at once."


def done(key: str, deed: ActName) -> str:
    """What was done to the question."""
    more = f", and not asked again until you resume it: `quiz card {key} resume`" if deed == "suspend" else ""
    return f"{key}: {_DONE[deed]}{more}."


def taken_back(taken: Entry, now: Moment, of_this_sitting: bool) -> str:
    """What was taken back, and from when if it was not of this sitting."""
    when = "" if of_this_sitting else _day(taken.moment, now)
    if isinstance(taken, Review):
        return f"Took back {taken.key}{f', answered {when}' if when else ''}."
    return f"Took back {taken.key}: {_DONE[taken.act]}{f', {when}' if when else ''}."


def many_misses(misses: int, lesson: str, read: str, bury: str, suspend: str) -> str:
    """What to do about a question that is missed again and again; ``lesson`` is empty if it has none, the others are
    the keys or words that do it."""
    told = f"Missed {misses} times in this sitting; being asked again will not help."
    reread = f" {read} reads its lesson: {lesson}." if lesson else ""
    return f"{told} {bury} puts it aside until tomorrow, {suspend} for good.{reread}"


def _day(then: Moment, now: Moment) -> str:
    if then.day == now.day:
        return "earlier today"
    date, today = calendar_date(then.day), calendar_date(now.day)
    return f"on {date.day} {date:%B}" + (f" {date.year}" if date.year != today.year else "")
