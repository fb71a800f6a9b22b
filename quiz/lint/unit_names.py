"""A pack's units that look like a slip. One that is like none of the table, such as ms, is taken as the pack's own."""

from quiz.problem.units import is_known
from quiz.render.nearest import nearest

_USUAL = (
    *("B", "kB", "MB", "GB", "TB", "PB", "KiB", "MiB", "GiB", "TiB", "PiB", "bit", "kbit", "Mbit", "Gbit"),
    *("FLOP", "GFLOP", "TFLOP", "PFLOP", "bytes", "gigabytes", "tokens", "heads", "elements", "parameters", "percent"),
)
_BY_CASE = {unit.casefold(): unit for unit in _USUAL}
_ALL = 'known are B, kB to PB, KiB to PiB, bit, FLOP to PFLOP, their ratios such as FLOP/B, % and "1"'


def unit_slip(unit: str) -> tuple[str, str] | None:
    """What is odd about a unit, and what to do; None where it is known, or unlike all that are."""
    if is_known(unit) or "/" in unit:
        return None
    close = _BY_CASE.get(unit.casefold()) or nearest(unit, _USUAL)
    if close is None:
        return None
    return f"the unit {unit!r} is not known, so no other is converted to it", f"did you mean {close!r}? {_ALL}"
