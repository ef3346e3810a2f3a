"""What a terminal shows below a value: its kind and measures, and the table when it is small."""

from __future__ import annotations

from typing import Any

from laycalc.algebra.layout import Layout
from laycalc.algebra.swizzle import Composed
from laycalc.algebra.tensor import Tensor
from laycalc.grammar.values import kind_of

__all__ = ["summary"]

SMALL = 256


def summary(value: Any) -> list[str]:
    """A line of measures, and for a layout of rank 2 with at most 256 values its table."""
    if not isinstance(value, (Layout, Composed, Tensor)):
        return []
    words = [kind_of(value), f"rank {value.rank}", f"size {value.size}"]
    if type(value.size) is int and value.size <= 1 << 16:
        values = value.values()
        if all(type(v) is int for v in values):
            words.append(f"cosize {max(values) + 1}" if min(values) >= 0 else f"offsets {min(values)}..{max(values)}")
    return ["  " + ", ".join(words)]
