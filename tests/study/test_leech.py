from dataclasses import replace

from quiz.memory.cards import Card
from quiz.problem.variant import Answer, Idea, Variant
from quiz.study.leech import leech_notice
from tests.study.test_session import Notebook, answer_right, at, sitting

LOST = Card("p/a", "review", None, 1.0, 9.0, due_day=1, last_day=1, reps=30, lapses=7)
VARIANT = Variant("p/a", 7, "1.0", "numeric", "screen", "widths", "?", Answer(1, "1"))


def test_it_says_why_and_what_to_reread() -> None:
    said = leech_notice(LOST, LOST._replace(lapses=8), VARIANT, None)
    assert "8 times" in said
    assert "quiz learn p/widths" in said
    assert leech_notice(LOST, LOST._replace(lapses=7), VARIANT, None) == ""


def test_it_names_the_misconception_behind_it() -> None:
    from quiz.problem.marking import mark
    from quiz.problem.variant import KnownMistake

    variant = replace(
        VARIANT, mistakes=(KnownMistake(5, "m"),), ideas={"m": Idea("Heads are summed.", "They are joined.")}
    )
    said = leech_notice(LOST, LOST._replace(lapses=8), variant, mark(variant, "5"))
    assert "Heads are summed. In truth: They are joined." in said


def test_the_sitting_says_it_and_asks_on() -> None:
    memory = Notebook()
    memory.cards["p/a"] = LOST._replace(due_day=at().day, last_day=at().day - 2)
    session, _ = sitting("p/a", "p/b", memory=memory)
    session.start(at())
    session.answer("999", at(5))
    view = session.rate(None, at(6))
    assert "p/a is a leech" in view.notice
    assert view.variant is not None
    assert view.variant.key == "p/b"
    answer_right(session, 10)
    assert "leech" not in session.rate(None, at(11)).notice
    assert not memory.card("p/a").suspended
