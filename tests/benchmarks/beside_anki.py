"""1,000 answers at 10,000 cards, and the first queue at 100,000 cards that are all due: against the anki package.

Needs that package besides: pip install anki

    python -m tests.benchmarks.beside_anki [--rounds 7] [--json]
"""

import os
import shutil
import tempfile
from datetime import UTC, timedelta
from functools import partial
from pathlib import Path
from time import perf_counter
from uuid import uuid4

from anki.collection import AddNoteRequest, Collection
from anki.scheduler.v3 import CardAnswer

from quiz.desk import Desk, open_desk
from quiz.memory import schedule
from quiz.memory.cards import Card
from quiz.memory.days import Moment, moment
from quiz.memory.kept import KEEP
from quiz.memory.rows import APPEND, NO_ANSWER, card_values, ticks
from quiz.study.rating import Rating
from tests.benchmarks.packs import terse_pack
from tests.benchmarks.pairs import Outcome, main, measure

ANSWERS, FEW, MANY = 1_000, 10_000, 100_000
AGO = timedelta(days=60)


def our_home(folder: Path, cards: int) -> Path:
    """A learner's folder with so many cards, all known two months ago and due since."""
    packs = folder / "packs"
    packs.mkdir(parents=True)
    (packs / "many.yaml").write_text(terse_pack(cards), encoding="utf-8")
    # Not just written, so that later starts need not read it again.
    os.utime(packs / "many.yaml", (1_000_000_000, 1_000_000_000))
    with open_desk(folder) as desk:
        then = moment(desk.now().instant - AGO, UTC)
        connection = desk.log._connection
        connection.execute("BEGIN")
        sitting = connection.execute("INSERT INTO sitting (uuid) VALUES (?)", (str(uuid4()),)).lastrowid or 0
        for entry in desk.library.entries(["many"]):
            _known(desk, entry.key, then, sitting)
        connection.execute("COMMIT")
    return folder


def _known(desk: Desk, key: str, then: Moment, sitting: int) -> None:
    """Append that the learner knew this, as `ReviewLog.act` would, without a sync of its own."""
    connection = desk.log._connection
    question = connection.execute("INSERT INTO question (key) VALUES (?)", (key,)).lastrowid
    before, after = Card(key), schedule.review(Card(key), schedule.EASY, then)
    circumstances = (1, sitting, ticks(then.instant), then.offset_minutes, then.day)
    row = connection.execute(
        APPEND,
        (
            *(uuid4().bytes, None, "known", None, question),
            *circumstances,
            *card_values(before),
            *card_values(after),
            *(None, *NO_ANSWER),
        ),
    ).lastrowid
    connection.execute(KEEP, (question, row, *card_values(after)))


def our_answers(home: Path) -> float:
    """The time of so many answers, each through a sitting into the log, on a copy."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(shutil.copytree(home, Path(scratch) / "home"))
        with open_desk(copy) as desk:
            start, left = perf_counter(), ANSWERS
            while left:
                session = desk.session(["many"], new=0)
                view = session.start(desk.now())
                while view.variant is not None and left:
                    session.answer("", desk.now())
                    view = session.rate(Rating.GOOD, desk.now())
                    left -= 1
            return perf_counter() - start


def our_queue(home: Path) -> float:
    """The time from the open log to the first question."""
    with open_desk(home) as desk:
        start = perf_counter()
        session = desk.session(["many"])
        assert session.start(desk.now()).variant is not None
        return perf_counter() - start


def anki_home(folder: Path, cards: int) -> Path:
    """A collection with so many cards in review, all due, and no limit on a day."""
    folder.mkdir()
    collection = Collection(str(folder / "collection.anki2"))
    notetype, deck = collection.models.by_name("Basic"), collection.decks.id("Default")
    assert notetype is not None
    assert deck is not None
    requests = []
    for index in range(cards):
        note = collection.new_note(notetype)
        note["Front"], note["Back"] = f"What does model {index} cache?", f"{index} layers of K and V."
        requests.append(AddNoteRequest(note, deck))
    collection.add_notes(requests)
    limits = collection.decks.config_dict_for_deck_id(deck)
    limits["rev"]["perDay"] = 9999
    collection.decks.update_config(limits)
    due = collection.sched.today - 10
    collection.db.execute("UPDATE cards SET type = 2, queue = 2, due = ?, ivl = 10, factor = 2500, reps = 3", due)
    collection.close()
    return folder


def anki_answers(home: Path) -> float:
    """The time of so many answers, each into the collection, on a copy."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(shutil.copytree(home, Path(scratch) / "home"))
        collection = Collection(str(copy / "collection.anki2"))
        start = perf_counter()
        for _ in range(ANSWERS):
            queued = collection.sched.get_queued_cards(fetch_limit=1).cards[0]
            card = collection.get_card(queued.card.id)
            card.start_timer()
            answer = collection.sched.build_answer(card=card, states=queued.states, rating=CardAnswer.GOOD)
            collection.sched.answer_card(answer)
        spent = perf_counter() - start
        collection.close()
        return spent


def anki_queue(home: Path) -> float:
    """The time from the open collection to the first card."""
    collection = Collection(str(home / "collection.anki2"))
    start = perf_counter()
    assert collection.sched.get_queued_cards(fetch_limit=1).cards
    spent = perf_counter() - start
    collection.close()
    return spent


def benchmarks(rounds: int) -> list[Outcome]:
    outcomes = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for cards in (FEW, MANY):
            ours, theirs = our_home(folder / f"quiz{cards}", cards), anki_home(folder / f"anki{cards}", cards)
            our_queue(ours)
            outcomes.append(
                measure(
                    f"the first queue at {cards:,} cards",
                    "anki",
                    0.25 if cards == MANY else 1,
                    partial(our_queue, ours),
                    partial(anki_queue, theirs),
                    rounds,
                )
            )
            if cards == FEW:
                outcomes.append(
                    measure(
                        f"{ANSWERS:,} answers at {cards:,} cards",
                        "anki",
                        1,
                        partial(our_answers, ours),
                        partial(anki_answers, theirs),
                        rounds,
                    )
                )
    return outcomes


if __name__ == "__main__":
    main(__doc__, benchmarks, rounds=7)
