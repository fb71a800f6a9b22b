from datetime import UTC, datetime, timedelta
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from quiz.memory.cards import Card
from quiz.memory.rows import card_of, card_values, givens_of, givens_text, instant_of, ticks

INSTANTS = st.datetimes(datetime(1900, 1, 1), datetime(9000, 1, 1), timezones=st.just(UTC))
DAYS = st.integers(-40_000, 2_800_000)
MARKS = {"suspended": st.booleans(), "buried_day": st.none() | DAYS, "flagged": st.booleans()}
KNOWN = {
    "key": st.just("p/q"),
    "stability": st.floats(1e-9, 36_500),
    "difficulty": st.floats(1, 10),
    "last_day": DAYS,
    "reps": st.integers(0, 10_000),
    "lapses": st.integers(0, 10_000),
    **MARKS,
}
CARDS = st.one_of(
    st.fixed_dictionaries({"key": st.just("p/q"), **MARKS}),
    st.fixed_dictionaries({"state": st.just("review"), "due_day": DAYS, **KNOWN}),
    st.fixed_dictionaries(
        {
            "state": st.sampled_from(["learning", "relearning"]),
            "step": st.integers(0, 3),
            "due_at": INSTANTS,
            **KNOWN,
        }
    ),
).map(lambda values: Card(**values))
GIVENS = st.dictionaries(
    st.text(), st.integers() | st.fractions() | st.sampled_from(["bf16", "llama-3-8b", "ü\0\ud800"])
)


def test_instants_are_kept_to_the_microsecond() -> None:
    assert ticks(datetime(1970, 1, 1, 0, 0, 1, 5, tzinfo=UTC)) == 1_000_005
    before = datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC)
    assert instant_of(ticks(before) + 1) == before + timedelta(microseconds=1)


def test_givens_stay_readable() -> None:
    assert givens_text({"heads": 2**70, "share": Fraction(1, 2), "dtype": "bf16"}) == (
        '{"heads":1180591620717411303424,"share":"1/2","dtype":"bf16"}'
    )


@given(CARDS)
def test_cards_come_back_as_they_went(card: Card) -> None:
    assert card_of("p/q", card_values(card)) == card


@given(GIVENS)
def test_givens_come_back_as_they_went(givens: dict[str, int | Fraction | str]) -> None:
    back = givens_of(givens_text(givens))
    assert back == givens
    assert {name: type(value) for name, value in back.items()} == {name: type(value) for name, value in givens.items()}
