"""The mark of a learner who says that they do not know."""

from quiz.problem.mark import Mark, wrong
from quiz.problem.picked import choice_reasons, in_right_order
from quiz.problem.variant import Variant


def passed_on(variant: Variant) -> Mark:
    """No credit and no diagnosis: the right answer, why it is right, and the worked steps. Its reading is empty."""
    reasons: list[str] = []
    if variant.kind == "choice":
        reasons = choice_reasons(variant)
    elif variant.kind == "order":
        reasons = in_right_order(variant)
    elif variant.kind == "stage":
        place = str(variant.answer.value)
        reasons = [f"{place}: {variant.why[place]}"] if place in variant.why else []
    end = ":" if variant.kind == "order" else "."
    return wrong(variant, "", f"You passed on it; the answer is {variant.answer.display}{end}", *reasons)
