"""The end of a sitting: what was done, and what comes next."""

from textual.content import Content

from quiz.render.durations import show_span
from quiz.study.view import View
from quiz.tui.safe import content
from quiz.tui.widgets.shapes import coloured_meter


def summary(view: View, due_tomorrow: int | None) -> Content:
    """Answered and right, what comes back soon, and what tomorrow holds (None: not known)."""
    tally = view.tally
    lines: list[Content] = []
    if tally.answered:
        share = tally.right / tally.answered
        lines += [
            Content.styled("Done for now", "bold $text-primary"),
            Content(""),
            Content.assemble(
                (f"{tally.right} of {tally.answered} right  ", "bold"),
                coloured_meter(share, 20),
                (f"  {round(100 * share)} %", "$text-muted"),
            ),
        ]
    else:
        lines += [Content.styled("Nothing to ask now", "bold $text-primary")]
    if view.resumes_in is not None:
        count = f"{tally.returning} question{'s' if tally.returning != 1 else ''}"
        lines += [
            Content(""),
            Content.assemble(
                f"{count} still being learned: back in {show_span(view.resumes_in)}.  ",
                ("c", "bold $text-primary"),
                " asks now.",
            ),
        ]
    if due_tomorrow is not None:
        lines += [Content(""), Content(f"Tomorrow: {due_tomorrow} due, and the day's new questions.")]
    lines += [Content(""), Content.assemble(("m", "bold $text-primary"), " goes on: new questions, or ahead of time.")]
    if view.notice:
        lines += [Content(""), content(view.notice, "$text-warning")]
    return Content("\n").join(lines)
