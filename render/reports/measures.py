"""The measures of a value on one line: kind, rank, size and the range of its offsets."""

from __future__ import annotations

from typing import Any

from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor
from laycalc.grammar.language.values import kind_of

LISTED = 1 << 16
"""Layouts of at most so many values are listed to find their largest offset."""


def measures(value: Any) -> list[str]:
    """One line: kind, rank, size, and the range of the offsets; none for values that are no layouts."""
    if not isinstance(value, (Layout, Composed, Tensor)):
        return []
    words = [kind_of(value), f"rank {value.rank}", f"size {value.size}"]
    if type(value.size) is int and value.size <= LISTED:
        values = value.values()
        if all(type(v) is int for v in values):
            words.append(f"cosize {max(values) + 1}" if min(values) >= 0 else f"offsets {min(values)}..{max(values)}")
    return ["  " + ", ".join(words)]
