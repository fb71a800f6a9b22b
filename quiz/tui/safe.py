"""The one door for text that we did not write: packs, file names, typed answers, error messages.

What comes out is Textual's `Content`, which knows no markup, of text that `quiz.render.printable` made harmless.
"""

from textual.content import Content

from quiz.render.printable import one_line, printable

__all__ = ["content", "one_line", "printable"]


def content(text: str, style: str = "") -> Content:
    """The text as content in one style; nothing in it is markup."""
    return Content.styled(printable(text), style) if style else Content(printable(text))
