"""All quantities the solver can measure, by name."""

from collections.abc import Mapping
from types import MappingProxyType

from quiz.attention.measured import absorbed, cache, grouping, mla, parallel, params, shapes, widths, work
from quiz.attention.quantity import Quantity

_THEMES = (widths, shapes, params, grouping, cache, parallel, work, mla, absorbed)

QUANTITIES: Mapping[str, Quantity] = MappingProxyType(
    {quantity.name: quantity for theme in _THEMES for quantity in theme.QUANTITIES}
)
"""In the order in which they are taught."""
