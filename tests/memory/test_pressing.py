"""What a queue begins with, found without reading every card."""

from datetime import UTC, datetime, timedelta

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quiz.memory.cards import STATES, Card, State
from quiz.memory.days import moment
from quiz.memory.queue import queue
from quiz.memory.reviews import ReviewLog
from quiz.memory.rows import card_values
from tests.memory.catalogue import Question

NOW = moment(datetime(2026, 5, 1, 12, tzinfo=UTC), UTC)


@st.composite
def cards(draw: st.DrawFn) -> Card:
    state: State = draw(st.sampled_from(STATES))
    card = Card(
        "",
        suspended=draw(st.booleans()) and draw(st.booleans()),
        buried_day=draw(st.sampled_from([None, None, NOW.day, NOW.day - 1])),
        flagged=draw(st.booleans()),
    )
    if state == "new":
        return card
    last_day = NOW.day - draw(st.integers(0, 60))
    card = card._replace(state=state, stability=draw(st.floats(0.1, 400.0)), difficulty=5.0, last_day=last_day, reps=1)
    if state == "review":
        return card._replace(due_day=NOW.day + draw(st.integers(-50, 50)))
    return card._replace(step=0, due_at=NOW.instant + timedelta(minutes=draw(st.integers(-60, 60))))


def put(log: ReviewLog, held: list[Card]) -> None:
    """Cards as a log would keep them, without what led to them."""
    marks = ", ".join("?" * (len(card_values(held[0])) + 2))
    for number, card in enumerate(held, start=1):
        log._connection.execute("INSERT INTO question (id, key) VALUES (?, ?)", (number, card.key))
        log._connection.execute("PRAGMA foreign_keys = OFF")
        log._connection.execute(f"INSERT INTO card VALUES ({marks})", (number, number, *card_values(card)))


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(cards(), min_size=1, max_size=40))
def test_a_queue_from_what_is_pressing_is_a_queue_from_all_cards(log: ReviewLog, found: list[Card]) -> None:
    held = [card._replace(key=f"p/{number:02}") for number, card in enumerate(found)]
    log._connection.execute("DELETE FROM card")
    log._connection.execute("DELETE FROM question")
    put(log, held)
    places = [Question(card.key) for card in held]
    expected = queue(places, {card.key: card for card in held}, NOW, new_per_day=0, introduced=0)
    assert queue(places, log.pressing(NOW, 100), NOW, new_per_day=0, introduced=0) == expected
    reviews = [key for key in expected if key in {card.key for card in held if card.state == "review"}]
    few = queue(places, log.pressing(NOW, 3), NOW, new_per_day=0, introduced=0)
    assert [key for key in few if key in reviews] == reviews[:3]
