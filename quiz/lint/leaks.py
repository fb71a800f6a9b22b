"""Does the prompt give the answer away?"""

import re
import unicodedata
from collections.abc import Iterator

from quiz.bank.pack import Numeric, TextQuestion
from quiz.bank.template import parse_template
from quiz.errors import Fault
from quiz.lint.placed import Placed, spread
from quiz.problem.judge import Judge
from quiz.problem.space import Givens, Space

_MOST_LOOKED_AT = 200
_NUMBER = re.compile(r"(?<![\w.,])\d[\d,_]*(?:\.\d+)?(?![\w]|\.\d)")


def leak_advice(placed: Placed, judge: Judge, space: Space) -> Iterator[Fault]:
    """A term in its own prompt; or a number that is the answer in half of the variants, and is not itself drawn."""
    question = placed.question
    if isinstance(question, TextQuestion):
        said = [text for text in question.accept if _holds_word(question.prompt, text)]
        if said:
            message = f"the prompt contains the answer {said[0]!r}"
            yield placed.fault("answer-in-prompt", message, "ask for it in other words", "prompt")
    if not isinstance(question, Numeric) or not space.sound:
        return
    prompt = parse_template(question.prompt, space.sound[0].keys())
    rows = spread(space.sound, _MOST_LOOKED_AT)
    leaking = [givens for givens in rows if _is_given_away(judge, givens, prompt.fill(givens))]
    if 2 * len(leaking) >= len(rows):
        message = f"the answer {judge.expected(leaking[0])} stands in the prompt"
        yield placed.fault("answer-in-prompt", message, "leave the number out, or draw it", "prompt")


def _is_given_away(judge: Judge, givens: Givens, prompt: str) -> bool:
    answer = judge.expected(givens)
    if any(givens[name] == answer for name in judge.question.draw if name in givens):
        return False
    return str(answer) in {_plain_digits(found[0]) for found in _NUMBER.finditer(prompt)}


def _holds_word(prompt: str, word: str) -> bool:
    """Whether the word stands in the prompt by itself, or begins one there: "latents" gives "latent" away."""
    return re.search(rf"(?<!\w){re.escape(_folded(word))}", _folded(prompt)) is not None


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _plain_digits(text: str) -> str:
    return text.replace(",", "").replace("_", "")
