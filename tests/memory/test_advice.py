import re
from datetime import date
from pathlib import Path

import quiz.memory.advice
from quiz.cli.commands import COMMANDS
from quiz.memory.advice import Advice, advice
from quiz.memory.calibration import Calibration
from quiz.memory.pace import Pace
from quiz.memory.slips import Slip, Where
from quiz.memory.topics import Stand
from quiz.memory.weakest import Weak

NOTHING = Calibration(0, None, None, ())
QUIET = Pace(None, None, {}, None)
WEAK = Weak("gqa/size", "gqa/kv-cache", 9, 6, 0.3333, 8, 0.4)


def said(
    due: int = 0,
    new: int = 0,
    weakest: tuple[Weak, ...] = (),
    leeches: tuple[Weak, ...] = (),
    misconceptions: tuple[Slip, ...] = (),
    found: Calibration = NOTHING,
    speed: Pace = QUIET,
) -> list[Advice]:
    lessons = {"mla/latent": Stand(3, 0, 0, 9, 0.9, 0.8), "gqa/kv-cache": Stand(3, 0, 0, 9, 0.9, 0.6)}
    topic_of = {"gqa/size": "gqa/kv-cache"}
    return list(advice(due, new, lessons, weakest, leeches, misconceptions, topic_of, found, speed))


def slip(key: str, repaired: bool) -> Slip:
    day = date(2026, 5, 1)
    return Slip(
        "m",
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


def test_where_all_is_well_the_least_known_lesson_is_named() -> None:
    assert [one.do for one in said()] == ["quiz study gqa/kv-cache"]


def test_each_weakness_names_its_remedy() -> None:
    assert said(weakest=(WEAK,))[0].do == "quiz study gqa/kv-cache"
    assert said(leeches=(WEAK,))[0].do == "quiz learn gqa/kv-cache"
    assert said(misconceptions=(slip("gqa/size", False),))[0].do == "quiz learn gqa/kv-cache"
    assert said(speed=Pace(20.0, None, {"mla": 40.0}, "mla"))[0].do == "quiz study mla"
    assert said(found=Calibration(500, 0.9, 0.8, ()))[0].do == "quiz data optimize"


def test_what_is_repaired_or_gone_asks_for_nothing() -> None:
    for one in (slip("gqa/size", True), slip("gone/x", False)):
        assert "m " not in said(misconceptions=(one,))[0].say
    assert said(found=Calibration(100, 0.9, 0.8, ()))[0].do == "quiz study gqa/kv-cache"


def test_every_command_that_is_advised_exists() -> None:
    source = Path(quiz.memory.advice.__file__).read_text(encoding="utf-8")
    assert set(re.findall(r'"quiz ([a-z]+)', source)) <= set(COMMANDS)
