"""A question and its answer as styled text, from the frozen view of the sitting."""

from collections.abc import Sequence

from textual.content import Content
from textual.style import Style

from quiz.problem.mark import Mark
from quiz.problem.variant import Variant
from quiz.study.session import View
from quiz.tui.safe import content

KINDS = {
    "card": "flashcard",
    "choice": "choice",
    "numeric": "number",
    "shape": "shape",
    "stage": "does it raise, and where?",
    "text": "term",
    "order": "put in order",
    "open": "interviewer's question",
}
PLACES = {
    "config": "the configuration is refused",
    "build": "the modules cannot be built",
    "load": "the weights do not fit",
    "forward": "the forward pass raises",
    "kernel": "an attention kernel refuses",
    "never-but-wrong": "nothing raises, but the result is wrong",
    "never": "nothing raises, and the result is right",
}
_MUTED, _STRONG = "$text-muted", "bold"


def options(variant: Variant) -> tuple[str, ...]:
    """What can be picked by digit: choices, items or the seven places."""
    if variant.kind == "stage":
        return tuple(PLACES)
    return tuple(choice.text for choice in variant.choices)


def takes_several(variant: Variant) -> bool:
    """Whether more than one choice is right."""
    return sum(choice.right for choice in variant.choices) > 1


def what_to_do(variant: Variant) -> Content:
    """One line that says how this kind is answered."""
    several = "Pick all that are right." if takes_several(variant) else "Pick the right one."
    unit = f" in {variant.unit}" if variant.unit not in (None, "1") else ""
    said = {
        "card": "Say your answer, then look.",
        "choice": several,
        "numeric": f"Type a number{unit}.",
        "shape": "Type the shape.",
        "stage": "Pick where it fails, if at all.",
        "text": "Type the term.",
        "order": "Press the digits in the right order.",
        "open": "Answer aloud, as in the interview; then compare.",
    }
    return content(said[variant.kind], _MUTED)


def picks_list(variant: Variant, picks: Sequence[int], marked: bool) -> Content:
    """The numbered options with what was picked; once marked, with which are right."""
    lines = [_option(variant, number, text, picks, marked) for number, text in enumerate(options(variant), start=1)]
    return Content("\n").join(lines)


def _option(variant: Variant, number: int, text: str, picks: Sequence[int], marked: bool) -> Content:
    picked = number in picks
    if variant.kind == "order":
        place = picks.index(number) + 1 if picked else 0
        sign = f"{place}." if place else "· "
    else:
        sign = "● " if picked else "○ "
    style, note = (_STRONG if picked else ""), ""
    if marked and variant.kind != "order":
        if _is_right(variant, number):
            sign, style, note = "✓ ", "bold $text-success", "  right" if not picked else "  right, picked"
        elif picked:
            sign, style, note = "✗ ", "bold $text-error", "  picked"
    said = content(text, style)
    if variant.kind == "stage":
        said = Content.assemble(said, content(f"  {PLACES[text]}", _MUTED))
    line = Content.assemble((f"{number} ", "$text-primary"), content(sign, style), " ", said, content(note, style))
    return line if marked else line.stylize(Style.from_meta({"@click": f"screen.pick('{number}')"}))


def _is_right(variant: Variant, number: int) -> bool:
    if variant.kind == "stage":
        return tuple(PLACES)[number - 1] == variant.answer.value
    return variant.choices[number - 1].right


def hints(shown: Sequence[str], of: int) -> Content:
    """The hints asked for so far."""
    lines = [
        Content.assemble((f"Hint {number} of {of}: ", "bold $text-accent"), content(hint))
        for number, hint in enumerate(shown, start=1)
    ]
    return Content("\n").join(lines)


def verdict(mark: Mark) -> Content:
    """The verdict as a sign, a word and a colour."""
    if mark.verdict == "right":
        return Content.styled("✓ Right", "bold $text-success")
    if mark.credit:
        return Content.styled("≈ Partly right", "bold $text-warning")
    return Content.styled("✗ Wrong", "bold $text-error")


def told(view: View) -> Content:
    """Everything that is said once the answer is in: verdict, reading, right answer, why."""
    variant, mark = view.variant, view.mark
    if variant is None:
        return Content("")
    if mark is None:
        return _other_side(variant, view.ticked)
    parts: list[Content] = [verdict(mark)]
    if variant.kind in ("numeric", "shape", "text"):
        parts.append(_row("You", mark.reading))
        if mark.verdict != "right":
            parts.append(_row("Answer", mark.answer))
    if mark.feedback:
        parts += [Content(""), content(mark.feedback)]
    if variant.steps and mark.verdict == "right":
        parts += [content("Worked:", _MUTED), *(content(f"  {step}") for step in variant.steps)]
    return Content("\n").join([*parts, *_grounds(variant)])


def _other_side(variant: Variant, ticked: frozenset[int]) -> Content:
    parts = [content("A good answer" if variant.kind == "open" else "Answer", "bold $text-accent")]
    parts.append(content(variant.answer.display))
    if variant.rubric:
        parts += [Content(""), content("What did you say? Tick it.", "bold $text-accent")]
        parts += [
            _point(number, point.point, point.weight, number in ticked) for number, point in enumerate(variant.rubric)
        ]
    if variant.red_flags:
        parts += [Content(""), content("Red flags", "bold $text-error")]
        parts += [Content.assemble(("✗ ", "$text-error"), content(flag)) for flag in variant.red_flags]
    if variant.steps:
        parts += [Content(""), *(content(step) for step in variant.steps)]
    return Content("\n").join([*parts, *_grounds(variant)])


def _point(number: int, text: str, weight: int, ticked: bool) -> Content:
    letter = "abcdefghi"[number] if number < 9 else " "
    worth = f"  ×{weight}" if weight > 1 else ""
    line = Content.assemble(
        (f"{letter} ", "$text-primary"),
        ("✓ " if ticked else "○ ", "bold $text-success" if ticked else ""),
        content(text, _STRONG if ticked else ""),
        (worth, _MUTED),
    )
    return line.stylize(Style.from_meta({"@click": f"screen.tick({letter!r})"}))


def _row(label: str, text: str) -> Content:
    return Content.assemble((f"{label:<8}", _MUTED), content(text, _STRONG))


def _grounds(variant: Variant) -> list[Content]:
    """Where it can be read, and as of when."""
    lines = [content(f"As of {variant.as_of}.", _MUTED)] if variant.as_of else []
    lines += [content(f"Source: {source}", _MUTED) for source in variant.sources]
    return [Content(""), *lines] if lines else []
