"""The table of cards: kept beside the log so that it need not be replayed, made anew from it where it is wrong."""

import sqlite3

from quiz.memory.cards import Card
from quiz.memory.rows import AFTER, CARD, IllegibleError, Row, Value, card_of, card_values

KEEP = f"INSERT OR REPLACE INTO card (question, latest, {', '.join(CARD)}) VALUES ({', '.join('?' * (len(CARD) + 2))})"


def cards_are_kept(connection: sqlite3.Connection) -> bool:
    """Whether, at a glance, the table of cards is whole: every question has one, that of the newest row is its own."""
    newest = connection.execute(
        f"SELECT question, id, {', '.join(AFTER)} FROM review ORDER BY id DESC LIMIT 1"
    ).fetchone()
    if newest is None:
        return True
    kept = connection.execute(
        f"SELECT question, latest, {', '.join(CARD)} FROM card WHERE question = ?", newest[:1]
    ).fetchone()
    cards, questions = connection.execute(
        "SELECT (SELECT count(*) FROM card), (SELECT count(*) FROM question)"
    ).fetchone()
    return bool(newest == kept and cards == questions)


def rebuild_cards(connection: sqlite3.Connection) -> int:
    """Make all cards anew from the newest legible row of each question, within a transaction of the caller's; the
    number of those that were wrong or missing."""
    right, wrong = cards_of(connection)
    if wrong:
        connection.execute("DELETE FROM frontier")
        connection.execute("DELETE FROM card")
        connection.executemany(KEEP, right)
    # A question without a row is of no use, and would count as one that has lost its card.
    connection.execute("DELETE FROM question WHERE id NOT IN (SELECT question FROM card)")
    return len(wrong)


def cards_of(connection: sqlite3.Connection) -> tuple[list[Row], set[int]]:
    """The cards as the log has them, and the questions of those that are kept otherwise or not at all."""
    newest = connection.execute(
        f"SELECT question, id, {', '.join(AFTER)} FROM review"
        " WHERE id IN (SELECT max(id) FROM review GROUP BY question)"
    ).fetchall()
    right = [row if _is_card(row[2:]) else (*row[:2], *_earlier(connection, row[0])) for row in newest]
    kept = connection.execute(f"SELECT question, latest, {', '.join(CARD)} FROM card").fetchall()
    return right, {row[0] for row in set(right) ^ set(kept)}


def _earlier(connection: sqlite3.Connection, question: int) -> tuple[Value, ...]:
    """The card after the newest row of the question in which it is legible, else a new one."""
    for row in connection.execute(
        f"SELECT {', '.join(AFTER)} FROM review WHERE question = ? ORDER BY id DESC", (question,)
    ):
        if _is_card(row):
            return tuple(row)
    return card_values(Card(""))


def _is_card(values: Row) -> bool:
    try:
        card_of("", values)
    except IllegibleError:
        return False
    return True
