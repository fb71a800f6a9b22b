"""What a learner is told of a question that they lose again and again."""

from quiz.memory.cards import Card
from quiz.memory.leeches import becomes_leech
from quiz.problem.mark import Mark
from quiz.problem.variant import Variant


def leech_notice(before: Card, after: Card, variant: Variant, mark: Mark | None) -> str:
    """Why more repetition will not help, what to reread, and the misconception behind it as far as it is known; empty
    unless this review is one at which it should be told. The question is asked on as before."""
    if not becomes_leech(before, after):
        return ""
    said = [f"{variant.key} is a leech: learned and lost again {after.lapses} times. Asking it more will not help."]
    if variant.lesson:
        said.append(f"Reread its lesson: quiz learn {variant.key.partition('/')[0]}/{variant.lesson}.")
    idea = variant.ideas.get(mark.misconception) if mark and mark.misconception else None
    if idea is not None:
        said.append(f"Behind it this time: {idea.says} In truth: {idea.truth}")
    return " ".join(said)
