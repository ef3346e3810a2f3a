"""The complement L*: the layout that counts the places L leaves free (CuTe paper, section 4.4)."""

from __future__ import annotations

from typing import Any

from ..base.decide import ascending, at_most, ceil_quotient, exact_quotient, floor_quotient, known_same, less, same
from ..base.derivations import recorder
from ..base.errors import LayoutError, listening, refuse, remark
from ..values.coalesce import Modes, extend, unwrap
from ..values.htuple import HTuple, at_path, entries, format_htuple, nth_leaf_path
from ..values.layout import Layout, codomain_profile, concat
from ..values.semimodule import Coordinate
from ..values.shape import size

SMALL = 1 << 12
"""Values that are looked at to say whether modes collide or only interleave."""

Numbered = list[tuple[Any, Any, int]]
"""Flat modes as (extent, stride, number of the leaf)."""


def complement(layout: Layout, codomain: HTuple | None = None) -> Layout:
    """L*, whose tiles of L fill the codomain; relative to a size n when ``codomain`` is given.

    ``codomain`` is an integer n for an integer layout (a shape counts by its size) and A's shape for coordinates.
    Without it the last mode is 1:d, where d starts the extension; with it that mode has ceil(n/d) elements and a final
    1 is dropped; where d does not divide n, L and L* cover more than n places (LC401).

    Law: (L, L*) is jointly injective apart from stride-0 modes; if every stride is a multiple of the extent below it,
    (L, L*_n) is a bijection onto an initial segment, otherwise holes stay (LC404). LC306 if L is not injective, LC304
    for an XOR codomain. Source: paper 4.4, equations 15 to 17, by the chain construction.

    >>> complement(Layout((4, 8), (1, 8)))
    Layout('(2,1):(4,64)')
    >>> complement(Layout(4, 1), 8)
    Layout('2:4')
    """
    return _complement(layout, codomain, listening())


def complement_of_tile(tile: Layout, codomain: HTuple) -> Layout:
    """The complement without a word about places beyond the codomain: the caller speaks of what tiles cover."""
    return _complement(tile, codomain, False)


def _complement(layout: Layout, codomain: HTuple | None, says: bool) -> Layout:
    shape, stride = layout.flat()
    for d in stride:
        if type(d) is not int:
            if layout.semimodule == "F2":
                raise refuse(
                    "LC304",
                    "complement is defined for integer and coordinate codomains only, not for {layout}",
                    op="complement",
                    layout=str(layout),
                    left_path=(),
                )
            if layout.semimodule == "Z^P":
                return _by_axis(layout, codomain, says)
            break
    limit = None if codomain is None else size(codomain)
    return unwrap(_chain(layout, list(zip(shape, stride, range(len(shape)), strict=True)), limit, says))


def _chain(layout: Layout, modes: Numbered, limit: Any, says: bool) -> Modes:
    """The gaps between the modes, in order of stride: the chain construction on one axis."""
    trace = recorder.get()
    live = [mode for mode in modes if not (same(mode[1], 0) or same(mode[0], 1))]
    current: Any = 1
    result: Modes = []
    for i in ascending([d for _, d, _ in live]):
        s, d, leaf = live[i]
        gap, rest = divmod(d, current) if type(d) is type(current) is int and d >= current else (0, 1)
        if rest:
            gap = _gap(layout, d, current, leaf)
        if trace is not None:
            trace.step("gap", extent=s, stride=d, current=current, gap=gap, next=s * d)
        if not known_same(gap, 1):
            extend(result, gap, current)
        current = s * d
    return _closed(layout, result, current, limit, says)


def _closed(layout: Layout, result: Modes, current: Any, limit: Any, says: bool) -> Modes:
    """The last mode: up to the limit, or 1:current where the codomain has no end. LC401 if the two do not fill it."""
    tail = 1 if limit is None else ceil_quotient(limit, current)
    if says and limit is not None and not at_most(current * tail, limit):
        remark(
            "LC401",
            "ragged: {layout} and its complement span {together} places, the codomain has {places}",
            op="complement",
            layout=str(layout),
            together=current * tail,
            places=limit,
            left_path=(),
            right_path=(),
        )
    if (trace := recorder.get()) is not None:
        trace.step("tail", current=current, limit=limit, extent=tail)
    if limit is None:
        result.append((1, current))
    elif not known_same(tail, 1):
        extend(result, tail, current)
    return result


def _gap(layout: Layout, d: Any, current: Any, leaf: int) -> Any:
    """How often the block below fits under a stride; LC306 if it does not, a remark (LC404) if holes stay."""
    if (type(d) is int and d < 0) or less(d, current):
        raise _not_injective(layout, d, current, leaf)
    gap = exact_quotient(d, current)
    if gap is None:
        gap = floor_quotient(d, current)
        remark(
            "LC404",
            "the complement of {layout} leaves holes: stride {stride} is no multiple of the extent {extent} below it",
            op="complement",
            layout=str(layout),
            stride=d,
            extent=current,
            left_path=nth_leaf_path(layout.shape, leaf),
        )
    return gap


def _not_injective(layout: Layout, d: Any, current: Any, leaf: int) -> LayoutError:
    return refuse(
        "LC306",
        ("layout is not injective" if collides(layout) else "the modes of {layout} interleave")
        + ": stride {stride} is smaller than the extent {extent} below it",
        op="complement",
        layout=str(layout),
        stride=d,
        extent=current,
        left_path=nth_leaf_path(layout.shape, leaf),
    )


def collides(layout: Layout) -> bool:
    """Does a small layout reach a place twice? Modes can interleave without it."""
    if not all(type(n) is int for part in layout.flat() for n in part) or layout.size > SMALL:
        return False
    values = layout.elements()
    return len(set(values)) < len(values)


def _by_axis(layout: Layout, codomain: HTuple | None, says: bool) -> Layout:
    """Coordinate codomains: the chain of each axis, put together in the profile of the codomain."""
    axes: dict[tuple[int, ...], Numbered] = {}
    for leaf, (s, d) in enumerate(zip(*layout.flat(), strict=True)):
        if not isinstance(d, Coordinate):
            continue
        if d.basis is None:
            raise refuse(
                "LC304",
                "complement needs strides along one axis each; {stride} of {layout} has several",
                op="complement",
                stride=str(d),
                layout=str(layout),
                left_path=nth_leaf_path(layout.shape, leaf),
            )
        axis, c = d.basis
        axes.setdefault(axis, []).append((s, c, leaf))
    if codomain is None:
        return _assemble(layout, axes, codomain_profile(layout), None, (), says)
    if not isinstance(codomain, tuple):
        raise refuse(
            "LC304",
            "the complement of coordinate strides needs a shape with a size for each axis, not {codomain}",
            op="complement",
            codomain=format_htuple(codomain),
            left_path=(),
        )
    for axis in axes:
        at_path(codomain, axis)
    return _assemble(layout, axes, codomain, codomain, (), says)


def _assemble(
    layout: Layout,
    axes: dict[tuple[int, ...], Numbered],
    profile: HTuple,
    codomain: HTuple | None,
    path: tuple[int, ...],
    says: bool,
) -> Layout:
    if path in axes or not isinstance(profile, tuple):
        limit = None if codomain is None else size(codomain)
        # An axis that L does not touch is free as a whole.
        modes = _chain(layout, axes[path], limit, says) if path in axes else [(1 if limit is None else limit, 1)]
        return unwrap([(s, Coordinate.of([(path, c)])) for s, c in modes])
    return concat(
        *(
            _assemble(layout, axes, mode, None if codomain is None else entries(codomain)[i], (*path, i), says)
            for i, mode in enumerate(profile)
        )
    )
