"""Styled text on screen: never markup, and what can be clicked keeps its own colours."""

from textual.content import Content
from textual.widgets import Static


class Lines(Static):
    """Shows `Content`, and nothing else: a plain ``str`` would be read as markup."""

    auto_links = False

    def __init__(self, text: Content | None = None, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(text if text is not None else Content(""), id=id, markup=False)

    def put(self, text: Content) -> None:
        """Show this text instead; the same again costs neither layout nor paint."""
        shown = self.content
        if not (isinstance(shown, Content) and shown.is_same(text)):
            self.update(text)
