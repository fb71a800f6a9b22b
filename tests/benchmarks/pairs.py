"""Ours against something bare, in interleaved pairs: on a busy machine only the ratio says anything."""

import argparse
import json
import os
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import median, quantiles
from typing import Literal

Timed = Callable[[], float]
Unit = Literal["s", "B"]
# What programs are started with: compiled modules are kept, as where the product is installed.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a benchmark measured. ``ratio`` is the median over the rounds, ``low`` and ``high`` hold the middle half of
    them; ``noise`` does the same for the bare work against itself. ``ours`` and ``bare`` are medians, in the unit."""

    work: str
    against: str
    budget: float
    rounds: int
    ratio: float
    low: float
    high: float
    noise: tuple[float, float, float]
    ours: float
    bare: float
    unit: Unit = "s"


def measure(work: str, against: str, budget: float, ours: Timed, bare: Timed, rounds: int, unit: Unit = "s") -> Outcome:
    """Time bare, ours, bare in every round, after one that does not count."""
    ours(), bare()
    timed = [(bare(), ours(), bare()) for _ in range(rounds)]
    ratios = [2 * own / (before + after) for before, own, after in timed]
    low, middle, high = quantiles(ratios, n=4)
    return Outcome(
        work=work,
        against=against,
        budget=budget,
        rounds=rounds,
        ratio=middle,
        low=low,
        high=high,
        noise=_middle_half([after / before for before, _, after in timed]),
        ours=median(own for _, own, _ in timed),
        bare=median((before + after) / 2 for before, _, after in timed),
        unit=unit,
    )


def _middle_half(ratios: list[float]) -> tuple[float, float, float]:
    low, middle, high = quantiles(ratios, n=4)
    return low, middle, high


def main(description: str | None, benchmarks: Callable[[int], list[Outcome]], rounds: int) -> None:
    """Run a module's benchmarks from the command line."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--rounds", type=int, default=rounds, help="pairs to measure (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="print JSON lines")
    arguments = parser.parse_args()
    for outcome in benchmarks(max(2, arguments.rounds)):
        sys.stdout.write(f"{json.dumps(asdict(outcome)) if arguments.json else _said(outcome)}\n")
        sys.stdout.flush()


def _said(outcome: Outcome) -> str:
    verdict = "within" if outcome.ratio <= outcome.budget else "OVER"
    low, middle, high = outcome.noise
    ours, bare = _shown(outcome.ours, outcome.unit), _shown(outcome.bare, outcome.unit)
    return (
        f"{outcome.work}, against {outcome.against}: {outcome.ratio:.2f}× ({outcome.low:.2f} to {outcome.high:.2f}), "
        f"{verdict} {outcome.budget:g}×\n"
        f"    {ours} against {bare}; {outcome.rounds} rounds; "
        f"bare against itself {middle:.2f}× ({low:.2f} to {high:.2f})"
    )


def _shown(figure: float, unit: Unit) -> str:
    return f"{figure / 1e6:.1f} MB" if unit == "B" else _time(figure)


def _time(seconds: float) -> str:
    return (
        f"{seconds * 1e6:.1f} µs"
        if seconds < 1e-3
        else f"{seconds * 1e3:.1f} ms"
        if seconds < 1
        else f"{seconds:.2f} s"
    )
