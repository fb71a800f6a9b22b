"""Spans of time in a few characters, as flashcard programs show them."""

MINUTE, HOUR, DAY = 60, 3600, 86_400


def show_interval(seconds: float) -> str:
    """How long until a card comes back: "<1 min", "10 min", "3 h", "4 d", "2.5 mo", "1.2 y"."""
    if seconds < MINUTE:
        return "<1 min"
    if seconds < HOUR:
        return f"{round(seconds / MINUTE)} min"
    if seconds < DAY:
        return f"{round(seconds / HOUR)} h"
    days = seconds / DAY
    if days < 30:
        return f"{round(days)} d"
    if days < 365:
        return f"{days / 30.4375:.1f} mo"
    return f"{days / 365.25:.1f} y"


def show_span(seconds: float) -> str:
    """How long something took: "8 s", "3 min", "1 h 05 min"."""
    if seconds < MINUTE:
        return f"{round(seconds)} s"
    minutes = round(seconds / MINUTE)
    if minutes < 60:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60:02} min"
