import re
from datetime import date
from pathlib import Path

import quiz.memory.advice
from quiz.cli.commands import COMMANDS
from quiz.memory.advice import Advice, advice
from quiz.memory.calibration import Calibration
from quiz.memory.misconceptions import Misconception, Where
from quiz.memory.pace import Pace
from quiz.memory.topics import Stand
from quiz.memory.weakest import Weak

NOTHING = Calibration(0, None, None, ())
QUIET = Pace(None, None, {}, None)
WEAK = Weak("gqa/size", "gqa/kv-cache", 9, 6, 0.3333, 8, 0.4)


def said(
    due: int = 0,
    new: int = 0,
    early: int = 0,
    weakest: tuple[Weak, ...] = (),
    leeches: tuple[Weak, ...] = (),
    misconceptions: tuple[Misconception, ...] = (),
    found: Calibration = NOTHING,
    speed: Pace = QUIET,
) -> list[Advice]:
    lessons = {"mla/latent": Stand(3, 0, 0, 9, 0.9, 0.8), "gqa/kv-cache": Stand(3, 0, 0, 9, 0.9, 0.6)}
    topic_of = {"gqa/size": "gqa/kv-cache"}
    return list(advice(due, early, new, 62, lessons, weakest, leeches, misconceptions, topic_of, found, speed))


def misconception(key: str, repaired: bool) -> Misconception:
    day = date(2026, 5, 1)
    return Misconception(
        "m",
        "Counts query heads",
        "Only KV heads are kept",
        3,
        day,
        1,
        int(not repaired),
        (Where(key, 3, day, day if repaired else None),),
        repaired,
        (key,) if repaired else (),
    )


def test_what_is_due_comes_first() -> None:
    assert said(due=3, new=2, weakest=(WEAK,))[0] == Advice("3 questions are due", "quiz study")


def test_what_comes_early_for_an_interview_is_told_apart() -> None:
    assert said(due=5, early=3)[0].say == "5 questions are due, 3 of them early, for the interview"


def test_new_questions_come_before_weak_ones_and_say_of_how_many() -> None:
    first, second = said(new=12, weakest=(WEAK,))
    assert first == Advice("12 questions are new today, of 62 not seen yet", "quiz study")
    assert "weakest" in second.say


def test_a_slip_is_told_in_the_words_of_its_pack() -> None:
    [one] = said(misconceptions=(misconception("gqa/size", False),))
    assert one.say == "a slip you made 3 times, not repaired yet: Counts query heads"


def test_where_all_is_well_the_least_known_lesson_is_named() -> None:
    assert [one.do for one in said()] == ["quiz study gqa/kv-cache"]


def test_each_weakness_names_its_remedy() -> None:
    assert said(weakest=(WEAK,))[0].do == "quiz study gqa/kv-cache"
    assert said(leeches=(WEAK,))[0].do == "quiz learn gqa/kv-cache"
    assert said(misconceptions=(misconception("gqa/size", False),))[0].do == "quiz learn gqa/kv-cache"
    assert said(speed=Pace(20.0, None, {"mla": 40.0}, "mla"))[0].do == "quiz study mla"
    assert said(found=Calibration(500, 0.9, 0.8, ()))[0].do == "quiz data optimize"


def test_what_is_repaired_or_gone_asks_for_nothing() -> None:
    for one in (misconception("gqa/size", True), misconception("gone/x", False)):
        assert "slip" not in said(misconceptions=(one,))[0].say
    assert said(found=Calibration(100, 0.9, 0.8, ()))[0].do == "quiz study gqa/kv-cache"


def test_every_command_that_is_advised_exists() -> None:
    source = Path(quiz.memory.advice.__file__).read_text(encoding="utf-8")
    assert set(re.findall(r'"quiz ([a-z]+)', source)) <= set(COMMANDS)
