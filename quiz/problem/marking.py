"""Marking: a variant and what was typed -> right, wrong (perhaps in a known way) or unreadable, with feedback."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from quiz.errors import UsageError
from quiz.problem.mark import Mark, Verdict
from quiz.problem.measured import mark_number, mark_shape
from quiz.problem.picked import mark_choice, mark_order, mark_stage, mark_text
from quiz.problem.spelling import Unreadable
from quiz.problem.variant import Variant

__all__ = ["Mark", "Verdict", "mark"]

_KINDS: Mapping[str, Callable[[Variant, str], Mark]] = {
    "numeric": mark_number,
    "shape": mark_shape,
    "choice": mark_choice,
    "order": mark_order,
    "stage": mark_stage,
    "text": mark_text,
}


def mark(variant: Variant, typed: str) -> Mark:
    """Judge what was typed.

    Credit is 1 for right; 1/2 for a near miss (rounded too far, or only the unit or its prefix is wrong); a share for
    choices with several right ones and for orders; else 0.

    Raises:
        UsageError: the learner judges this kind (card, open).
    """
    judge = _KINDS.get(variant.kind)
    if judge is None:
        raise UsageError(
            f"{variant.key} is of kind {variant.kind}: you judge your answer yourself, it cannot be marked"
        )
    try:
        return judge(variant, typed)
    except Unreadable as unreadable:
        return Mark("unreadable", Fraction(0), "", None, str(unreadable), variant.answer.display)
