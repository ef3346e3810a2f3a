"""The complement L*: the layout that counts the places L leaves free (CuTe paper, section 4.4)."""

from __future__ import annotations

from typing import Any

from .coalesce import Modes, unwrap
from .decide import ceil_quotient, divides, floor_quotient, known_same, less, quotient, same
from .errors import refuse, remark
from .htuple import HTuple, at_path, flatten, format_htuple, leaf_paths
from .layout import Layout, codomain_profile, concat
from .semimodule import Coordinate, Xor
from .shape import size
from .trace import recorder

__all__ = ["complement"]


def complement(layout: Layout, codomain: HTuple = None) -> Layout:
    """L*, whose tiles of L fill the codomain; relative to a size n when ``codomain`` is given.

    ``codomain`` is an integer n for an integer layout (a shape counts by its size) and A's shape for coordinates.
    Without it the last mode is 1:d, where d starts the extension; with it that mode has ceil(n/d) elements and a final
    1 is dropped.

    Law: (L, L*) is jointly injective apart from stride-0 modes; if every stride is a multiple of the extent below it,
    (L, L*_n) is a bijection onto an initial segment, otherwise holes stay (LC404). LC306 if L is not injective, LC304
    for an XOR codomain. Source: paper 4.4, equations 15 to 17, by the chain construction.

    >>> complement(Layout((4, 8), (1, 8)))
    Layout('(2,1):(4,64)')
    >>> complement(Layout(4, 1), 8)
    Layout('2:4')
    """
    strides = flatten(layout.stride)
    if any(isinstance(d, Xor) for d in strides):
        raise refuse(
            "LC304",
            "complement is defined for integer and coordinate codomains only, not for {layout}",
            op="complement",
            layout=str(layout),
            left_path=(),
        )
    if any(isinstance(d, Coordinate) for d in strides):
        return _by_axis(layout, codomain)
    limit = None if codomain is None else size(codomain)
    modes = zip(*layout.flat(), leaf_paths(layout.shape), strict=True)
    return unwrap(_chain(layout, [(s, d, p) for s, d, p in modes], limit))


def _chain(layout: Layout, modes: list[tuple[Any, Any, tuple[int, ...]]], limit: Any) -> Modes:
    """The gaps between the modes, in order of stride: the chain construction on one axis."""
    trace = recorder.get()
    live = [m for m in modes if not same(m[1], 0) and not same(m[0], 1)]
    current: Any = 1
    result: Modes = []
    while live:
        s, d, path = live.pop(_least(live))
        if type(d) is int and d < 0:
            raise _not_injective(layout, d, current, path)
        if less(d, current):
            raise _not_injective(layout, d, current, path)
        if divides(current, d):
            gap = quotient(d, current)
        else:
            gap = floor_quotient(d, current)
            remark(
                "LC404",
                "the complement of {layout} leaves holes: stride {stride} is no multiple of the extent {extent} below it",
                op="complement",
                layout=str(layout),
                stride=d,
                extent=current,
                left_path=path,
            )
        if trace is not None:
            trace.step("gap", extent=s, stride=d, current=current, gap=gap, next=s * d)
        _push(result, gap, current)
        current = s * d
    tail = 1 if limit is None else ceil_quotient(limit, current)
    if trace is not None:
        trace.step("tail", current=current, limit=limit, extent=tail)
    if limit is None:
        result.append((1, current))
        return result
    _push(result, tail, current)
    return result


def _push(result: Modes, extent: Any, stride: Any) -> None:
    if known_same(extent, 1):
        return
    if result and known_same(stride, result[-1][0] * result[-1][1]):
        result[-1] = (result[-1][0] * extent, result[-1][1])
    else:
        result.append((extent, stride))


def _least(modes: list[tuple[Any, Any, Any]]) -> int:
    """The index of the mode with the least stride, ties by the lesser extent."""
    best = 0
    for i in range(1, len(modes)):
        s0, d0, _ = modes[best]
        s, d, _ = modes[i]
        # Blocks that end before another begins need no further question; it is the usual case.
        if less(d, d0) or (same(d, d0) and less(s, s0)):
            best = i
    return best


def _not_injective(layout: Layout, d: Any, current: Any, path: tuple[int, ...]) -> Exception:
    return refuse(
        "LC306",
        "layout is not injective: stride {stride} is smaller than the extent {extent} below it",
        op="complement",
        layout=str(layout),
        stride=d,
        extent=current,
        left_path=path,
    )


def _by_axis(layout: Layout, codomain: HTuple) -> Layout:
    """Coordinate codomains: the chain of each axis, put together in the profile of the codomain."""
    axes: dict[tuple[int, ...], list[tuple[Any, Any, tuple[int, ...]]]] = {}
    for s, d, path in zip(*layout.flat(), leaf_paths(layout.shape), strict=True):
        if not isinstance(d, Coordinate):
            continue
        if d.basis is None:
            raise refuse(
                "LC304",
                "complement needs strides along one axis each; {stride} of {layout} has several",
                op="complement",
                stride=str(d),
                layout=str(layout),
                left_path=path,
            )
        axis, c = d.basis
        axes.setdefault(axis, []).append((s, c, path))
    profile = codomain_profile(layout)
    if codomain is None:
        return _assemble(layout, axes, profile, None, ())
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
    return _assemble(layout, axes, codomain, codomain, ())


def _assemble(layout: Layout, axes: dict[tuple[int, ...], Any], profile: HTuple, codomain: HTuple, path: Any) -> Layout:
    if path in axes or not isinstance(profile, tuple):
        limit = None if codomain is None else size(codomain)
        modes = _chain(layout, axes[path], limit) if path in axes else _untouched(limit)
        return unwrap([(s, Coordinate.of([(path, c)])) for s, c in modes])
    return concat(
        *(
            _assemble(layout, axes, mode, None if codomain is None else codomain[i], (*path, i))
            for i, mode in enumerate(profile)
        )
    )


def _untouched(limit: Any) -> Modes:
    """An axis that L does not touch: all of it is free."""
    return [(1 if limit is None else limit, 1)]
