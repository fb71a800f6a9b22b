"""The four ratings, when each would bring the question back, and which one is proposed."""

from collections.abc import Sequence

from textual.content import Content
from textual.style import Style

from quiz.render.durations import show_interval
from quiz.study.rating import Rating
from quiz.study.view import Offer
from quiz.tui.widgets.lines import Lines

NAMES = {Rating.AGAIN: "Again", Rating.HARD: "Hard", Rating.GOOD: "Good", Rating.EASY: "Easy"}
_CHOSEN, _OTHER = "bold reverse", "$foreground"
_GAP = "  "


class RatingRow(Lines):
    """One line where it fits, else two."""

    def __init__(self) -> None:
        super().__init__(id="ratings")
        self._offers: Sequence[Offer] = ()
        self._proposed: Rating | None = None

    def show_offers(self, offers: Sequence[Offer], proposed: Rating | None) -> None:
        """Show these ratings."""
        self._offers, self._proposed = offers, proposed
        self._lay_out()

    def on_resize(self) -> None:
        """Fit the new width."""
        self._lay_out()

    def _lay_out(self) -> None:
        self.put(rating_lines(self._offers, self._proposed, self.app.size.width - 2))


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
    style = _CHOSEN if offer.rating == proposed else _OTHER
    return Content.styled(text, style).stylize(Style.from_meta({"@click": f"screen.rate('{int(offer.rating)}')"}))
