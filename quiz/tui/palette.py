"""The command palette, without the keys that page through it."""

from textual.command import CommandPalette


class Palette(CommandPalette):
    """Textual's palette. Paging is left out: before the list is laid out it raises, and our list is one page anyway."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key of the palette does something."""
        return not (action == "command_list" and {"page_down", "page_up"} & set(parameters))
