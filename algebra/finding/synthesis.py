"""From values to a layout: the smallest layout with given values, or None."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..values.coalesce import merged, unwrap
from ..values.layout import Layout, elements
from ..values.semimodule import Xor

__all__ = ["layout_of"]


def layout_of(values: Sequence[Any]) -> Layout | None:
    """The layout of least rank with ``L(i) = values[i]``, or None if there is none.

    Values are semimodule elements. A layout maps 0 to 0, and its first mode is the longest prefix that steps evenly;
    what follows repeats it, shifted.

    >>> layout_of([0, 15, 30, 100, 115, 130])
    Layout('(3,2):(15,100)')
    >>> layout_of([0, 8, 5]) is None
    True
    """
    if not values or values[0] != 0:
        return None
    found = _fit(list(values))
    if found is None:
        return None
    layout = unwrap(merged(tuple(s for s, _ in found), tuple(d for _, d in found)))
    return layout if elements(*layout.flat()) == list(values) else None


def _fit(values: list[Any]) -> list[tuple[int, Any]] | None:
    total = len(values)
    if total == 1:
        return []
    step = values[1]
    run = 1
    while run < total and values[run] == run * step:
        run += 1
    # Over Z and Z^P a coalesced first mode ends exactly where the even steps end; XOR modes may step on by chance.
    for s in range(run, 1, -1) if isinstance(step, Xor) else (run,):
        if total % s:
            continue
        outer = values[::s]
        if all(values[base * s + k] == outer[base] + k * step for base in range(1, total // s) for k in range(1, s)):
            rest = _fit(outer)
            if rest is not None:
                return [(s, step), *rest]
    return None
