"""The two lines above a question: where we are, and how the sitting goes."""

from collections.abc import Mapping

from textual.content import Content

from quiz.study.view import View
from quiz.tui.safe import one_line
from quiz.tui.widgets.ratings import NAMES
from quiz.tui.widgets.shapes import grounded


def head(view: View, titles: Mapping[str, str], width: int) -> list[Content]:
    """Both lines; ``titles`` are those of packs and, by ``pack/lesson``, of lessons."""
    room = width - 2
    lines = (_where(view, titles).truncate(room, ellipsis=True), _tally(view, room))
    return [grounded(line, width) for line in lines]


def _where(view: View, titles: Mapping[str, str]) -> Content:
    if view.variant is None:
        return Content.styled("Study", "bold")
    pack = view.variant.key.partition("/")[0]
    lesson = titles.get(f"{pack}/{view.variant.lesson}", "")
    after = f" · {one_line(lesson)}" if lesson else ""
    return Content.assemble((one_line(titles.get(pack, pack)), "bold"), (after, "$text-muted"))


def _tally(view: View, width: int) -> Content:
    tally, left = view.tally, ""
    if view.variant is not None:
        left = f"{view.variant.kind} · {view.variant.depth}" + (" · again" if view.again else "")
        left += " · ⚑" if view.flagged else ""
    elif view.phase == "finished":
        left = "the sitting is over"
    to_come = f"{tally.left + (view.phase == 'asking')} left"
    to_come += f", {tally.returning} again" if tally.returning else ""
    right = f"{tally.answered} answered, {tally.right} right, {to_come}"
    if len(left) + len(right) > width - 2:
        right = f"{tally.right}/{tally.answered} right, {to_come}"
    saved = f"✓ saved as {NAMES[view.saved.rating]} · " if view.saved else ""
    room = width - len(left) - len(right)
    if len(saved) + 2 > room:
        saved = "✓ saved · " if saved and room > 12 else ""
    gap = " " * max(room - len(saved), 1)
    return Content.assemble((left + gap, "$text-muted"), (saved, "$text-success"), (right, "$text-muted"))
