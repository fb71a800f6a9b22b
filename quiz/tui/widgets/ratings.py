"""The foot of a question: a notice, and the four ratings with what is proposed and when each would bring it back."""

from collections.abc import Sequence

from textual.content import Content
from textual.style import Style

from quiz.render.durations import show_interval
from quiz.study.rating import Rating
from quiz.study.view import Offer, View
from quiz.tui.widgets.shapes import grounded

NAMES = {Rating.AGAIN: "Again", Rating.HARD: "Hard", Rating.GOOD: "Good", Rating.EASY: "Easy"}
_CHOSEN = Style(bold=True, reverse=True)
_CLICKS = {rating: Style.from_meta({"@click": f"screen.rate('{int(rating)}')"}) for rating in Rating}
_GAP = "  "
_MOST_NOTICE = 4


def foot(view: View, notice: Content, width: int) -> list[Content]:
    """The lines that stay in sight below a question: the notice, and once there is an answer the ratings."""
    lines = [line.pad_left(2) for line in notice.wrap(width - 4)[:_MOST_NOTICE]] if notice else []
    if view.offers:
        lines += [grounded(line, width) for line in rating_lines(view.offers, view.proposed, width - 2).split("\n")]
    return lines


def rating_lines(offers: Sequence[Offer], proposed: Rating | None, width: int) -> Content:
    """The ratings beside each other with their waits: on one line if they fit, else the waits below."""
    heads = [_head(offer, offer.rating == proposed) for offer in offers]
    waits = [show_interval(offer.seconds) for offer in offers]
    joined = [f"{head} {wait} " for head, wait in zip(heads, waits, strict=True)]
    for gap in (_GAP, ""):
        if sum(map(len, joined)) + len(gap) * (len(joined) - 1) <= width:
            return Content(gap).join([_styled(text, one, proposed) for text, one in zip(joined, offers, strict=True)])
    cells = [max(len(head), len(wait) + 4) + 1 for head, wait in zip(heads, waits, strict=True)]
    lines = (heads, [f"   {wait}" for wait in waits])
    return Content("\n").join(
        [
            Content(_GAP).join(
                [
                    _styled(f"{text:<{cell}}", offer, proposed)
                    for text, cell, offer in zip(line, cells, offers, strict=True)
                ]
            )
            for line in lines
        ]
    )


def _head(offer: Offer, chosen: bool) -> str:
    return f"{'›' if chosen else ' '}{int(offer.rating)} {NAMES[offer.rating]}"


def _styled(text: str, offer: Offer, proposed: Rating | None) -> Content:
    click = _CLICKS[offer.rating]
    return Content.styled(text, click + _CHOSEN if offer.rating == proposed else click)
