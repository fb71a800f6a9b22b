"""A sitting's memory in the learner's log."""

from quiz.memory.acts import Deed, Entry
from quiz.memory.cards import Card
from quiz.memory.days import Moment
from quiz.memory.queue import brought_forward
from quiz.memory.review import Review, new_id
from quiz.memory.reviews import ReviewLog
from quiz.memory.schedule import Parameters, preview, review
from quiz.study.memory import Answered


class LoggedMemory:
    """One sitting's memory: what it is to know comes from the log, what it learns is kept there."""

    def __init__(self, log: ReviewLog, parameters: Parameters) -> None:
        self._log = log
        self._parameters = parameters
        self._sitting = new_id()
        self._device = log.device_id

    def preview(self, card: Card, moment: Moment) -> tuple[Card, ...]:
        """What the card would become under each rating, as the learner meets it again."""
        outcomes = preview(card, moment, self._parameters)
        return tuple(brought_forward(after, moment, self._parameters) for after in outcomes)

    def record(self, answered: Answered, moment: Moment) -> Card:
        """Put the review on disk; return the card as the learner meets it again."""
        variant, mark, rating = answered.variant, answered.mark, int(answered.rating)
        stored = self._log.record(
            Review(
                id=new_id(),
                key=variant.key,
                seed=variant.seed,
                pack=variant.key.partition("/")[0],
                pack_version=variant.pack_version,
                givens=variant.givens,
                moment=moment,
                typed=answered.typed,
                verdict="judged" if mark is None else "right" if mark.verdict == "right" else "wrong",
                credit=mark.credit if mark else answered.credit,
                misconception=mark.misconception if mark else None,
                proposed=int(answered.proposed),
                rating=rating,
                thinking_ms=round(answered.seconds * 1000),
                hints=answered.hints,
                disputed=answered.disputed,
                sitting=self._sitting,
                device=self._device,
                before=answered.before,
                after=review(answered.before, rating, moment, self._parameters),
            )
        )
        return brought_forward(stored.after, moment, self._parameters)

    def card(self, key: str) -> Card:
        """The card as it stands."""
        return self._log.card(key)

    def act(self, key: str, deed: Deed, moment: Moment) -> Card:
        """Put the deed on disk; return the card."""
        return self._log.act(key, deed, moment, self._sitting)

    def undo(self, moment: Moment) -> Entry | None:
        """Take back the newest answer or deed: of this sitting first, then of any."""
        # This sitting's own answers first: another window may have one that is newer.
        return self._log.undo_last(moment, self._sitting) or self._log.undo_last(moment)

    def last(self, key: str) -> Review | None:
        """The newest review of the question that still counts."""
        return self._log.last_review(key)
