"""The JSON documents of the command line: public names, tested by others."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from datetime import datetime
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from quiz.attention.quantity import Quantity
    from quiz.attention.solver import Solution
    from quiz.bank.catalogue import Entry
    from quiz.errors import SolveError
    from quiz.memory.cards import Card
    from quiz.problem.mark import Mark
    from quiz.problem.variant import Variant


def number(value: int | Fraction | str) -> int | str:
    """A whole number as it is, a fraction as "a/b", text as it is."""
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
    return value


def value_of(value: Any) -> Any:
    """An answer's value: a number, a list of sizes or indexes, a word, or null."""
    return [number(size) for size in value] if isinstance(value, tuple) else None if value is None else number(value)


def listed(
    entries: Iterable["Entry"], cards: Mapping[str, "Card"], due: Callable[["Card"], datetime | None], today: int
) -> list[dict[str, Any]]:
    """`quiz list --json`. ``due`` gives the instant at which a card comes back; what is suspended does not, but keeps
    it. ``today`` is the study day, until whose end a question may be buried."""
    return [
        {
            "key": entry.key,
            "pack": entry.pack,
            "id": entry.id,
            "kind": entry.kind,
            "depth": entry.depth,
            "lesson": entry.lesson,
            "title": entry.title,
            "drawn": entry.drawn,
            "due": instant.isoformat() if card and (instant := due(card)) else None,
            "state": card.state if card else "new",
            "suspended": card is not None and card.suspended,
            "buried": card is not None and card.buried_day == today,
            "flagged": card is not None and card.flagged,
        }
        for entry in entries
        for card in [cards.get(entry.key)]
    ]


def asked(variant: "Variant", hide_answer: bool = False) -> dict[str, Any]:
    """`quiz ask --json`; ``hide_answer`` leaves out answer, steps and mistakes."""
    document: dict[str, Any] = {
        "key": variant.key,
        "seed": variant.seed,
        "pack_version": variant.pack_version,
        "kind": variant.kind,
        "prompt": variant.prompt,
        "givens": {name: number(value) for name, value in variant.givens.items()},
        "unit": variant.unit,
        "choices": [{"text": choice.text} for choice in variant.choices] or None,
    }
    if variant.snippet is not None:
        document["snippet"] = variant.snippet
    if not hide_answer:
        document["answer"] = {"value": value_of(variant.answer.value), "display": variant.answer.display}
        document["steps"] = list(variant.steps)
        document["mistakes"] = [
            {"value": value_of(mistake.value), "misconception": mistake.misconception} for mistake in variant.mistakes
        ] + [
            {"value": [index], "misconception": choice.misconception}
            for index, choice in enumerate(variant.choices, start=1)
            if choice.misconception and not choice.right
        ]
    return document


def marked(mark: "Mark") -> dict[str, Any]:
    """`quiz mark --json`. Credit is a number from 0 to 1."""
    whole = mark.credit.denominator == 1
    return {
        "verdict": mark.verdict,
        "credit": int(mark.credit) if whole else float(mark.credit),
        "reading": mark.reading,
        "misconception": mark.misconception,
        "feedback": mark.feedback,
        "answer": mark.answer,
    }


def solved(solution: "Solution") -> dict[str, Any]:
    """`quiz solve --json` of a legal case."""
    return asdict(solution) | {"value": value_of(solution.value), "steps": list(solution.steps), "error": None}


def unsolvable(quantity: "Quantity", error: "SolveError") -> dict[str, Any]:
    """`quiz solve --json` of an illegal case."""
    return {
        "quantity": quantity.name,
        "value": None,
        "unit": quantity.unit,
        "formula": quantity.formula,
        "steps": [],
        "error": {"type": error.kind, "message": str(error)},
    }


def measurable(quantities: Iterable["Quantity"]) -> list[dict[str, Any]]:
    """`quiz quantities --json`."""
    return [
        {
            "quantity": quantity.name,
            "unit": quantity.unit,
            "givens": [
                {"name": given.name, "domain": given.domain, "default": given.same_as or given.default}
                for given in quantity.givens
            ],
            "formula": quantity.formula,
            "source": quantity.source,
            "summary": quantity.summary,
        }
        for quantity in quantities
    ]
