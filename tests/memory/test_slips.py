from datetime import date

from quiz.memory.cards import Card
from quiz.memory.rollups import SlipTotal
from quiz.memory.slips import slips

DAY = 9_617


def known(key: str, last_day: int, state: str = "review") -> Card:
    if state == "review":
        return Card(key, "review", None, 9.0, 5.0, due_day=last_day + 9, last_day=last_day, reps=3)
    return Card(key, "relearning", 0, 1.0, 5.0, last_day=last_day, reps=3)


def test_a_slip_is_repaired_once_its_question_is_known_on_a_later_day() -> None:
    total = SlipTotal("m", "p/a", 2, DAY)
    for card, repaired in (
        (known("p/a", DAY), None),
        (known("p/a", DAY + 3), date(2026, 5, 4)),
        (known("p/a", DAY + 3, "relearning"), None),
        (None, None),
    ):
        (slip,) = slips([total], {card.key: card} if card else {})
        assert (slip.repaired, slip.questions[0].repaired) == (repaired is not None, repaired)


def test_all_questions_must_be_known_and_those_that_are_get_named() -> None:
    totals = [SlipTotal("m", "p/a", 1, DAY), SlipTotal("m", "p/b", 3, DAY + 1), SlipTotal("n", "p/a", 5, DAY)]
    worst, slip = slips(totals, {"p/b": known("p/b", DAY + 5)})
    assert (worst.id, worst.count, worst.repaired) == ("n", 5, False)
    assert (slip.id, slip.count, slip.last, slip.repaired, slip.repaired_by) == (
        "m",
        4,
        date(2026, 5, 2),
        False,
        ("p/b",),
    )
    assert (slip.seen, slip.open) == (2, 1)
    assert [one.key for one in slip.questions] == ["p/a", "p/b"]
