"""A question and its answer as styled text, from the frozen view of the sitting."""

from collections.abc import Sequence

from textual.content import Content
from textual.style import Style

from quiz.problem.mark import Mark
from quiz.problem.variant import Variant
from quiz.study.view import View
from quiz.tui.safe import content, printable
from quiz.tui.widgets.shapes import boxed, hanging

PLACES = {
    "config": "the configuration is refused",
    "build": "the modules cannot be built",
    "load": "the weights do not fit",
    "forward": "the forward pass raises",
    "kernel": "an attention kernel refuses",
    "never-but-wrong": "nothing raises, but the result is wrong",
    "never": "nothing raises, and the result is right",
}
LETTERS = "abcdefghi"
_HEAD, _MUTED = "bold $text-accent", "$text-muted"
_LABELS = ("The slip:", "In fact:", "Worked:", "Partly right:", "Not right:", "Right:")


def page(view: View, picks: Sequence[int], width: int) -> dict[str, Content]:
    """The question as it stands, block by block: what is asked and picked, and what is told about the answer."""
    variant, marked = view.variant, view.phase == "marked"
    if variant is None:
        return {}
    blocks = {"prompt": content(variant.prompt)}
    if variant.snippet:
        blocks["snippet"] = boxed(content(variant.snippet.rstrip()), width)
    if options(variant):
        blocks["picks"] = picks_list(variant, picks, marked, width)
    if not marked:
        blocks["todo"] = what_to_do(variant)
    if view.hints:
        blocks["hints"] = hints(view.hints, len(variant.hints), width)
    return blocks | _answer(view, variant, width) if marked else blocks


def _answer(view: View, variant: Variant, width: int) -> dict[str, Content]:
    rule = Content.styled("─" * width, "$scrollbar")
    blocks = {
        "told": Content("\n").join([rule, told(view, variant, width)]),
        "worked": worked(view, variant, width),
        "rubric": rubric(variant, view.ticked, width),
        "grounds": grounds(variant, width),
    }
    return {name: block for name, block in blocks.items() if block is not None}


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


def picks_list(variant: Variant, picks: Sequence[int], marked: bool, width: int) -> Content:
    """The numbered options with what was picked; once marked, with which are right."""
    lines = [
        _option(variant, number, text, picks, marked, width) for number, text in enumerate(options(variant), start=1)
    ]
    return Content("\n").join(lines)


def _option(variant: Variant, number: int, text: str, picks: Sequence[int], marked: bool, width: int) -> Content:
    picked = number in picks
    order = variant.kind == "order"
    sign = (f"{picks.index(number) + 1}." if order else "● ") if picked else ("· " if order else "○ ")
    style, note = ("bold" if picked else ""), ""
    if marked and not order:
        if _is_right(variant, number):
            sign, style, note = "✓ ", "bold $text-success", "  ← right" + (", picked" if picked else "")
        elif picked:
            sign, style, note = "✗ ", "bold $text-error", "  ← picked"
    said = content(text, style)
    if variant.kind == "stage":
        said = Content.assemble(content(f"{text:<17}", style), content(PLACES[text], _MUTED))
    head = Content.assemble((f"{number} ", "$text-primary"), content(sign, style), " ")
    line = hanging(head, Content.assemble(said, content(note, style)), width)
    return line if marked else line.stylize(Style.from_meta({"@click": f"screen.pick('{number}')"}))


def _is_right(variant: Variant, number: int) -> bool:
    if variant.kind == "stage":
        return tuple(PLACES)[number - 1] == variant.answer.value
    return variant.choices[number - 1].right


def hints(given: Sequence[str], of: int, width: int) -> Content:
    """The hints asked for so far."""
    lines = [
        hanging(Content.styled(f"Hint {number} of {of}  ", "bold $text-accent"), content(hint), width)
        for number, hint in enumerate(given, start=1)
    ]
    return Content("\n").join(lines)


def verdict(mark: Mark, disputed: bool = False) -> Content:
    """The verdict as a sign, a word and a colour."""
    if mark.verdict == "right":
        return Content.styled("✓ Right", "bold $text-success")
    if disputed:
        return Content.styled("≠ Marked wrong; you disagree", "bold $text-warning")
    if mark.credit:
        return Content.styled("≈ Partly right", "bold $text-warning")
    return Content.styled("✗ Wrong", "bold $text-error")


def told(view: View, variant: Variant, width: int) -> Content:
    """What is said once the answer is in: verdict, reading, right answer and why, or the other side."""
    mark = view.mark
    if mark is None:
        title = "A good answer" if variant.kind == "open" else "Answer"
        return Content("\n").join([content(title, _HEAD), content(variant.answer.display.rstrip())])
    parts, feedback = [verdict(mark, view.disputed)], mark.feedback.split("\n")
    if variant.kind in ("numeric", "shape", "text"):
        if view.passed:
            parts.append(Content.assemble(("You     ", _MUTED), "passed on it"))
        elif mark.verdict != "right" or mark.reading != mark.answer:
            parts.append(hanging(Content.styled("You     ", _MUTED), content(mark.reading, "bold"), width))
        parts.append(hanging(Content.styled("Answer  ", _MUTED), content(mark.answer, "bold"), width))
        if view.passed or _says_no_more(feedback[0], mark):
            feedback = feedback[1:]
    if any(feedback):
        parts += [Content(""), *(_feedback(line, width) for line in feedback)]
    return Content("\n").join(parts)


def worked(view: View, variant: Variant, width: int) -> Content | None:
    """The worked steps, unless the feedback has told them already."""
    if not variant.steps or (view.mark is not None and view.mark.verdict != "right"):
        return None
    steps = [hanging(Content("  "), content(step), width) for step in variant.steps]
    return Content("\n").join([Content.styled("Worked", _HEAD), *steps])


def rubric(variant: Variant, ticked: frozenset[int], width: int) -> Content | None:
    """The points of a good answer, to be ticked, and what not to say."""
    if not variant.rubric:
        return None
    parts = [Content.styled("What did you say? Tick it.", _HEAD)]
    for number, point in enumerate(variant.rubric):
        parts.append(_point(number, point.point, point.weight, number in ticked, width))
    if variant.red_flags:
        parts += [Content(""), Content.styled("Red flags", "bold $text-error")]
        parts += [hanging(Content.styled("✗ ", "$text-error"), content(flag), width) for flag in variant.red_flags]
    return Content("\n").join(parts)


def grounds(variant: Variant, width: int) -> Content | None:
    """Where it can be read, and as of when."""
    lines = [content(f"As of {variant.as_of}.", _MUTED)] if variant.as_of else []
    lines += [hanging(Content("· "), content(source, _MUTED), width) for source in variant.sources]
    return Content("\n").join(lines) if lines else None


def _says_no_more(line: str, mark: Mark) -> bool:
    """Whether the line only repeats the reading and the answer, which stand above it already."""
    return line in (f"Right: {mark.reading}.", f"Not right: read as {mark.reading}; the answer is {mark.answer}.")


def _feedback(line: str, width: int) -> Content:
    """A line of feedback: what it labels stands out, its own indent is kept when it wraps."""
    text = printable(line)
    bare = text.lstrip()
    label = next((label for label in _LABELS if bare.startswith(label)), "")
    body = Content.assemble((label, "bold"), bare.removeprefix(label))
    return hanging(Content(" " * (len(text) - len(bare))), body, width)


def _point(number: int, text: str, weight: int, ticked: bool, width: int) -> Content:
    letter = LETTERS[number] if number < len(LETTERS) else " "
    head = Content.assemble(
        (f"{letter} ", "$text-primary"), ("✓ ", "bold $text-success") if ticked else ("○ ", "$text-muted")
    )
    worth = f"  ×{weight}" if weight > 1 else ""
    line = hanging(head, Content.assemble(content(text, "bold" if ticked else ""), (worth, _MUTED)), width)
    return line.stylize(Style.from_meta({"@click": f"screen.tick({letter!r})"}))
