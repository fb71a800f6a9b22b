"""The command that fits the schedule to the learner."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from quiz.cli.load import load_ahead, say_load
from quiz.cli.printing import as_json, print_json, say
from quiz.errors import UsageError

if TYPE_CHECKING:
    from quiz.desk import Desk


@click.command()
@click.option("--apply", is_flag=True, help="Use the fitted weights from now on, if they are better.")
@click.option("--revert", is_flag=True, help="Go back to the weights before the last time they were applied.")
@as_json
@click.pass_obj
def optimize(home: Path | None, apply: bool, revert: bool, as_json: bool) -> int:
    """Fit the schedule's weights to your own reviews.

    Without an option it only shows what would change. Weights are applied only if there are reviews enough, and if they
    foretell the newest fifth of them, on which they were not fitted, better than those in use. Nothing that is already
    scheduled moves; --revert takes them back. The exit code of --apply is 1 if nothing was applied.
    """
    from quiz.cli.desk import open_desk

    if apply and revert:
        raise UsageError("--apply and --revert exclude each other")
    with open_desk(home) as desk:
        found = _reverted(desk) if revert else _fitted(desk, apply)
    if as_json:
        print_json(found)
    else:
        _show(found)
    return 1 if apply and not found["applied"] else 0


def _reverted(desk: "Desk") -> dict[str, Any]:
    from quiz.memory.personal import Personal

    before = desk.personal
    if before.weights is None and before.previous is None:
        return {"reverted": False, "weights": None, "why": "the weights in use are FSRS-6's own"}
    desk.personalise(Personal(before.previous))
    which = "FSRS-6's own" if before.previous is None else "those before the last fit"
    return {"reverted": True, "weights": before.previous, "why": f"the weights in use are again {which}"}


def _fitted(desk: "Desk", apply: bool) -> dict[str, Any]:
    from quiz.memory.fitting import ENOUGH, fit
    from quiz.memory.personal import Personal

    in_use = desk.personal.weights
    found = fit(desk.log.reviews(), in_use)
    applied = apply and found.improves
    load = [] if found.weights is None else load_ahead(desk, replace(desk.parameters, weights=found.weights))
    if applied:
        desk.personalise(Personal(found.weights, previous=in_use))
    return {
        "reviews": found.reviews,
        "needed": ENOUGH,
        "held_out": found.held_out,
        "log_loss": {
            "before": _short(found.loss_before),
            "after": _short(found.loss_after),
            "error": _short(found.error),
        },
        "improves": found.improves,
        "applied": applied,
        "weights": {"before": in_use, "after": found.weights},
        "load": load,
    }


def _short(value: float | None) -> float | None:
    return None if value is None else round(value, 5)


def _show(found: dict[str, Any]) -> None:
    if "reverted" in found:
        say(f"{'Reverted' if found['reverted'] else 'Nothing to revert'}: {found['why']}.")
        return
    if found["weights"]["after"] is None:
        if found["reviews"] < found["needed"]:
            say(f"Too few reviews: {found['reviews']} of {found['needed']} that test the memory model,")
            say("those of a later day than the one before. Nothing changes.")
        else:
            say("The fitted weights cannot be used. Nothing changes.")
        return
    loss = found["log_loss"]
    say(f"{found['reviews']} reviews, the newest {found['held_out']} held out")
    say(f"log-loss on those: {loss['before']:.4f} before, {loss['after']:.4f} after (±{loss['error']:.4f})")
    say_load(found["load"])
    say("      before     after")
    before = found["weights"]["before"]
    for index, after in enumerate(found["weights"]["after"]):
        was = _default(index) if before is None else before[index]
        say(f"w{index:<3} {was:8.4f}  {after:8.4f}")
    if found["applied"]:
        say("Applied. What is scheduled stays; to go back: quiz data optimize --revert")
    elif found["improves"]:
        say("Better: quiz data optimize --apply")
    else:
        say("Not better by more than chance: nothing to apply.")


def _default(index: int) -> float:
    from quiz.memory.model import DEFAULT_WEIGHTS

    return DEFAULT_WEIGHTS[index]
