"""What the figures of progress ask for: each piece of advice is a command."""

from collections.abc import Mapping
from dataclasses import dataclass

from quiz.memory.calibration import Calibration
from quiz.memory.misconceptions import Misconception
from quiz.memory.pace import Pace
from quiz.memory.topics import Stand
from quiz.memory.weakest import Weak

# How far the share kept may be off the share predicted before the model should be fitted to the learner.
GAP = 0.05
# With fewer reviews than this `quiz data optimize` would apply nothing.
WORTH_FITTING = 400


@dataclass(frozen=True, slots=True)
class Advice:
    """What the figures show, and the command to do about it."""

    say: str
    do: str


def advice(
    due: int,
    early: int,
    new: int,
    unseen: int,
    lessons: Mapping[str, Stand],
    weakest: tuple[Weak, ...],
    leeches: tuple[Weak, ...],
    misconceptions: tuple[Misconception, ...],
    topic_of: Mapping[str, str],
    found: Calibration,
    speed: Pace,
) -> tuple[Advice, ...]:
    """What to do next, the most urgent first; never nothing. ``early`` of what is ``due`` come ahead of time, and
    ``new`` of the ``unseen`` come today. ``topic_of`` names a question's topic."""
    said: list[Advice] = []
    if due:
        ahead = f", {early} of them early, for the interview" if early else ""
        said.append(Advice(f"{_questions(due)} due{ahead}", "quiz study"))
    elif new:
        said.append(Advice(f"{_questions(new)} new today, of {unseen} not seen yet", "quiz study"))
    if leeches:
        worst = leeches[0]
        said.append(
            Advice(f"{worst.key} was forgotten {times(worst.lapses)}: reread its lesson", _reading(worst.topic))
        )
    not_repaired = [(one, topic) for one in misconceptions if (topic := _open_topic(one, topic_of))]
    if not_repaired:
        first, topic = not_repaired[0]
        said.append(Advice(f"a slip you made {times(first.count)}, not repaired yet: {first.says}", _reading(topic)))
    others = [weak for weak in weakest if weak not in leeches]
    if others:
        weak = others[0]
        said.append(
            Advice(f"your weakest is {weak.key}: missed {weak.missed} of {weak.answered}", f"quiz study {weak.topic}")
        )
    if speed.slowest is not None:
        said.append(
            Advice(
                f"{speed.slowest} takes you {speed.topics[speed.slowest]:.0f} s, your median is {speed.median:.0f} s",
                f"quiz study {speed.slowest}",
            )
        )
    if abs(found.gap) >= GAP and found.tested >= WORTH_FITTING:
        more = "more" if found.gap > 0 else "less"
        said.append(Advice(f"you remember {more} than predicted: fit the schedule to you", "quiz data optimize"))
    if not said:
        known = [(stand.strength, name) for name, stand in lessons.items()]
        said.append(Advice("nothing is due: practise what you know least", f"quiz study {min(known)[1]}".rstrip())
                    if known else Advice("there are no questions", "quiz pack list"))  # fmt: skip
    return tuple(said)


def _open_topic(misconception: Misconception, topic_of: Mapping[str, str]) -> str | None:
    """The topic of the question in which it showed most often of those that are not repaired."""
    return next(
        (topic_of[one.key] for one in misconception.questions if one.repaired is None and one.key in topic_of), None
    )


def _reading(topic: str) -> str:
    return f"quiz learn {topic}" if "/" in topic else f"quiz study {topic}"


def _questions(count: int) -> str:
    return f"{count} question{' is' if count == 1 else 's are'}"


def times(count: int) -> str:
    """How often, in words."""
    return "once" if count == 1 else f"{count} times"
