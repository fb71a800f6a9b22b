"""Reading the sums over the log; see `quiz.memory.rollups` for how they are kept."""

import sqlite3
from typing import NamedTuple

from quiz.memory.rollups import DAY, PACE, RATIOS, SITTING

LAST_SITTINGS = 10
LAST_ANSWERS = 100


class Day(NamedTuple):
    """A study day; of ``tested`` reviews of what was reviewed on an earlier day, ``kept`` were known."""

    day: int
    answered: int
    right: int
    spent_ms: int
    tested: int
    kept: int


class Counted(NamedTuple):
    """The answers to the questions of a pack."""

    answered: int
    right: int
    spent_ms: int


class SittingTotal(NamedTuple):
    """A sitting; ``began`` in microseconds since 1970."""

    began: int
    answered: int
    right: int
    spent_ms: int


class RatioTotal(NamedTuple):
    """Reviews after about the same share of the stability; ``ratios`` is the sum of those shares, in millionths."""

    tested: int
    kept: int
    ratios: int


class Totals(NamedTuple):
    """The sums over all answers; those of each question are left to whoever needs some of them. ``sittings`` are the
    newest, newest first; ``paces`` counts, by pack, the answers in each bin of seconds (see `seconds_of`);
    ``recent_ms`` are the times of the newest answers."""

    days: tuple[Day, ...]
    packs: dict[str, Counted]
    sittings: tuple[SittingTotal, ...]
    ratios: tuple[RatioTotal, ...]
    paces: dict[str, dict[int, int]]
    recent_ms: tuple[int, ...]


def kept_totals(connection: sqlite3.Connection) -> Totals:
    """The sums, which are to be complete."""

    def ask(columns: str, figure: int, rest: str = "") -> sqlite3.Cursor:
        return connection.execute(f"SELECT {columns} FROM rolled {rest.format(figure=f'figure = {figure}')}")

    of_edition = "JOIN edition ON edition.id = {key} WHERE {{figure}} GROUP BY {group}"
    by_pack = of_edition.format(key="second", group="pack")
    by_step = of_edition.format(key="first", group="pack, second")
    # Among those that came last are most of the newest, so all that began before these can be passed over.
    last = f"SELECT c FROM rolled WHERE {{figure}} ORDER BY first DESC LIMIT {LAST_SITTINGS}"
    by_began = (
        "CROSS JOIN sitting ON sitting.id = +rolled.first"
        f" WHERE {{figure}} AND c >= (SELECT min(c) FROM ({last})) ORDER BY c DESC, uuid LIMIT {LAST_SITTINGS}"
    )
    newest = """SELECT thinking_ms FROM review WHERE act IS NULL AND undoes IS NULL AND NOT EXISTS
        (SELECT 1 FROM review AS undo WHERE undo.undoes = review.id) ORDER BY id DESC LIMIT ?"""
    paces: dict[str, dict[int, int]] = {}
    for pack, step, count in ask("pack, second, sum(n)", PACE, by_step):
        paces.setdefault(pack, {})[step] = count
    return Totals(
        days=tuple(
            map(Day._make, ask("first, sum(n), sum(a), sum(b), sum(c), sum(d)", DAY, "WHERE {figure} GROUP BY first"))
        ),
        packs={row[0]: Counted._make(row[1:]) for row in ask("pack, sum(n), sum(a), sum(b)", DAY, by_pack)},
        sittings=tuple(map(SittingTotal._make, ask("c, n, a, b", SITTING, by_began))),
        ratios=tuple(map(RatioTotal._make, ask("n, a, b", RATIOS, "WHERE {figure} ORDER BY first"))),
        paces=paces,
        recent_ms=tuple(row[0] for row in connection.execute(newest, (LAST_ANSWERS,))),
    )


def seconds_of(step: int) -> tuple[float, float]:
    """From how many seconds to how many a bin of pace reaches."""
    if step < 20:
        return step, step + 1
    if step < 28:
        return 20 + 5 * (step - 20), 25 + 5 * (step - 20)
    return 60 + 15 * (step - 28), 75 + 15 * (step - 28)
