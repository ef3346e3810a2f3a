"""From values to a layout: the smallest layout with given values, or None."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..values.coalesce import merged, pair, unwrap
from ..values.elements import elements
from ..values.htuple import HTuple, flatten, unflatten
from ..values.layout import Layout, make
from ..values.semimodule import Xor


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


def xor_layout(shape: HTuple, values: Sequence[Any]) -> Layout | None:
    """The layout with XOR strides that has these values in order of the index, None if there is none.

    Each bit of a coordinate moves the value by what it is at that bit alone; a leaf whose extent is no power of two
    has one stride.

    >>> xor_layout((4, 2), [0, 1, 2, 3, 5, 4, 7, 6])
    Layout('(4,2):(f1,f5)')
    """
    if not all(type(v) is int and v >= 0 for v in values):
        return None
    modes, weight = [], 1
    for s in flatten(shape):
        bits = range((s - 1).bit_length()) if s & (s - 1) == 0 else range(1)
        images = tuple(Xor.of(values[weight << b]) for b in bits)
        modes.append(pair(merged((2,) * len(images), images)) if s & (s - 1) == 0 else (s, images[0]))
        weight *= s
    found = make(*(unflatten(part, shape) for part in zip(*modes, strict=True)))
    return found if found.values() == list(values) else None
