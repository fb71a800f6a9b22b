"""The parts of a lesson around its body, as styled text."""

from typing import TYPE_CHECKING

from textual.content import Content

from quiz.tui.safe import content

if TYPE_CHECKING:
    from collections.abc import Sequence

    from quiz.bank.pack import Lesson, Source, Worked

_HEAD, _MUTED = "bold $text-primary", "$text-muted"


def before_body(lesson: "Lesson") -> Content:
    """The lesson in one breath, and its everyday picture."""
    parts = [_head("In one breath"), content(lesson.tldr.strip(), "bold")]
    if lesson.analogy:
        parts += [Content(""), _head("A picture"), content(lesson.analogy.strip())]
    return Content("\n").join(parts)


def after_body(lesson: "Lesson", sources: "Sequence[Source]") -> Content:
    """Worked examples, exceptions, what to say, what not to say, and where it can be read."""
    parts: list[Content] = []
    if lesson.worked:
        parts += [_head("From real models"), *(_worked(worked) for worked in lesson.worked), Content("")]
    if lesson.exceptions:
        parts.append(_head("Where it stops being true"))
        for caveat in lesson.exceptions:
            parts += [Content.assemble("· ", content(caveat.when, "bold")), content(f"  {caveat.because}"), Content("")]
    if lesson.talk_track:
        parts += [_head("Say it in sixty seconds"), *_numbered(lesson.talk_track), Content("")]
    if lesson.red_flags:
        parts.append(_head("Red flags"))
        for flag in lesson.red_flags:
            parts += [
                Content.assemble(("✗ ", "bold $text-error"), content(flag.says)),
                Content.assemble(("✓ ", "bold $text-success"), content(flag.instead)),
                Content(""),
            ]
    if sources:
        parts.append(_head("Sources"))
        parts += [content(f"· {source.cited}", _MUTED) for source in sources]
    return Content("\n").join(parts)


def _head(title: str) -> Content:
    return Content.styled(title, _HEAD)


def _numbered(lines: tuple[str, ...]) -> list[Content]:
    return [
        Content.assemble((f"{number}. ", "$text-primary"), content(line)) for number, line in enumerate(lines, start=1)
    ]


def _worked(worked: "Worked") -> Content:
    value = worked.value if isinstance(worked.value, str) else f"({', '.join(worked.value)})"
    line = Content.assemble(
        "· ", content(worked.model, "bold"), content(f"  {worked.quantity} = "), content(value, "bold $text-success")
    )
    return Content.assemble(line, content(f"\n  {worked.note}", _MUTED)) if worked.note else line
