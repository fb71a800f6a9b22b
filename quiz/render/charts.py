"""Bars made of characters, each one cell wide, so that they read the same in any terminal and without colour."""

from collections.abc import Sequence

FULL, REST = "━", "─"
BLOCK = "█"
_EIGHTHS = " ▁▂▃▄▅▆▇"


def meter(share: float, width: int) -> str:
    """A line of ``width`` cells of which ``share`` (0 to 1) is heavy: "━━━━━━────".

    Only 0 shows no heavy cell and only 1 shows no light one, as far as the width allows.
    """
    share = min(max(share, 0.0), 1.0)
    filled = round(share * width)
    if width > 1:
        if share > 0:
            filled = max(filled, 1)
        if share < 1:
            filled = min(filled, width - 1)
    return FULL * filled + REST * (width - filled)


def columns(values: Sequence[float], height: int, width: int) -> tuple[str, ...]:
    """Upright bars, ``height`` lines from the top down; each bar is ``width`` cells and one blank wide.

    The tallest bar fills the height; any value above 0 shows at least an eighth of a cell.
    """
    top = max(values, default=0)
    eighths = [_eighths(value, top, height) for value in values]
    return tuple(" ".join(_cell(bar - 8 * below) * width for bar in eighths) for below in range(height - 1, -1, -1))


def _eighths(value: float, top: float, height: int) -> int:
    if value <= 0 or top <= 0:
        return 0
    return max(round(8 * height * value / top), 1)


def _cell(eighths: int) -> str:
    return BLOCK if eighths >= 8 else _EIGHTHS[max(eighths, 0)]
