"""Right and left inverses over the three semimodules (CuTe paper, sections 4.1 to 4.3)."""

from __future__ import annotations

from typing import Any

from .coalesce import Modes, coalesce, merged, unwrap
from .decide import divides, known_same, less, quotient, same
from .errors import refuse
from .htuple import HTuple, flatten, leaf_paths
from .layout import Layout, codomain_profile, concat, make
from .semimodule import Coordinate, Xor
from .trace import recorder
from .xor_inverse import xor_left_inverse, xor_right_inverse

__all__ = ["inverse", "left_inverse", "right_inverse"]

Weighted = list[tuple[Any, Any, Any, tuple[int, ...]]]
"""Flat modes as (extent, stride, index weight, path); the weight is the product of the earlier extents."""


def right_inverse(layout: Layout) -> Layout:
    """R with L(R(k)) = k for 0 <= k < |R|, R injective.

    For coordinates k runs over the codomain profile, for XOR strides over the integers of the values. The modes that
    continue the chain 1, s_0, s_0*s_1, ... are taken; it is the largest right inverse for every layout that is
    injective apart from stride 0. On ties or overlaps a larger one may exist: (2,4):(3,1) has one of size 6, this finds
    4:2. Source: paper 4.1, equation 13.

    >>> right_inverse(Layout((3, 7, 5), (5, 15, 1)))
    Layout('(5,21):(21,1)')
    """
    kind = layout.semimodule
    if kind == "F2":
        return xor_right_inverse(layout)
    if kind == "Z^P":
        return _by_axis(layout, "right_inverse", _right_chain)
    return unwrap(_right_chain(layout, _weighted(merged_with_paths(layout))))


def left_inverse(layout: Layout) -> Layout:
    """R with L(R(L(k))) = L(k), and R(L(k)) = k where L is injective.

    A padded mode gets the extent of the gap, so that every value of L is in R's domain: (4,8):(1,5) gives
    (5,8):(1,4). LC307 if the strides are no chain (each dividing the next), LC306 if L is not injective. Source: paper
    4.2.

    >>> left_inverse(Layout((4, 8), (1, 5)))
    Layout('(5,8):(1,4)')
    """
    kind = layout.semimodule
    if kind == "F2":
        return xor_left_inverse(layout)
    if kind == "Z^P":
        return _by_axis(layout, "left_inverse", _left_chain)
    chain = _left_chain(layout, _weighted(merged_with_paths(layout)))
    # A layout that is 0 everywhere: any domain will do; its own size is the customary one.
    return unwrap(chain) if chain else make(layout.size, 0)


def inverse(layout: Layout) -> Layout:
    """The two-sided inverse of a compact layout; LC306 unless L is a bijection onto 0..|L|-1.

    >>> inverse(Layout((4, 8), (8, 1)))
    Layout('(8,4):(4,1)')
    """
    result = right_inverse(layout)
    if not same(result.size, layout.size):
        raise refuse(
            "LC306",
            "{layout} has no inverse: its right inverse {right} covers {covered} of {size} values",
            op="inverse",
            layout=str(layout),
            right=str(result),
            covered=result.size,
            size=layout.size,
            left_path=(),
        )
    return result


def merged_with_paths(layout: Layout) -> list[tuple[Any, Any, tuple[int, ...]]]:
    """The coalesced modes, each with the path of its first leaf."""
    shape, stride = layout.flat()
    modes = merged(shape, stride)
    paths = leaf_paths(layout.shape)
    found = []
    leaves = iter(zip(shape, paths, strict=True))
    for s, d in modes:
        # Size-1 leaves vanish; a merged mode spans leaves until their product is its extent.
        product: Any = 1
        first: tuple[int, ...] | None = None
        for extent, path in leaves:
            if known_same(extent, 1):
                continue
            first = path if first is None else first
            product = product * extent
            if known_same(product, s):
                break
        found.append((s, d, first or ()))
    return found


def _weighted(modes: list[tuple[Any, Any, tuple[int, ...]]]) -> Weighted:
    weight: Any = 1
    out: Weighted = []
    for s, d, path in modes:
        out.append((s, d, weight, path))
        weight = weight * s
    return out


def _by_stride(modes: Weighted) -> Weighted:
    """Ascending by stride; the order is asked of the decider one pair at a time."""
    ordered: Weighted = []
    for mode in modes:
        at = len(ordered)
        while at and less(mode[1], ordered[at - 1][1]):
            at -= 1
        ordered.insert(at, mode)
    return ordered


def _live(modes: Weighted) -> Weighted:
    return [m for m in modes if not same(m[0], 1) and not same(m[1], 0)]


def _append(modes: Modes, s: Any, d: Any) -> None:
    if modes and known_same(d, modes[-1][0] * modes[-1][1]):
        modes[-1] = (modes[-1][0] * s, modes[-1][1])
    else:
        modes.append((s, d))


def _right_chain(layout: Layout, modes: Weighted) -> Modes:
    trace = recorder.get()
    current: Any = 1
    result: Modes = []
    for s, d, weight, _ in _by_stride(_live(modes)):
        taken = same(d, current)
        if trace is not None:
            trace.step("chain", extent=s, stride=d, weight=weight, current=current, taken=taken)
        if taken:
            _append(result, s, weight)
            current = s * d
    return result


def _left_chain(layout: Layout, modes: Weighted) -> Modes:
    trace = recorder.get()
    current: Any = 1
    result: Modes = []
    s0: Any = 1
    w0: Any = 0
    for s, d, weight, path in _by_stride(_live(modes)):
        if type(d) is int and d < 0:
            raise refuse(
                "LC306", "a layout with the negative stride {stride} has no left inverse on 0, 1, ...",
                op="left_inverse", layout=str(layout), stride=d, left_path=path,
            )  # fmt: skip
        if not divides(current, d):
            raise refuse(
                "LC307", "strides do not form a chain: {first} does not divide {second}",
                op="left_inverse", layout=str(layout), first=current, second=d, left_path=path,
            )  # fmt: skip
        gap = quotient(d, current)
        if less(gap, s0):
            raise refuse(
                "LC306", "layout is not injective: stride {stride} is smaller than the extent {extent} below it",
                op="left_inverse", layout=str(layout), stride=d, extent=s0 * current, left_path=path,
            )  # fmt: skip
        if trace is not None:
            trace.step("gap", extent=s, stride=d, weight=weight, current=current, gap=gap)
        # The mode before gets the extent of the gap, so that its padding is in the domain too.
        if not known_same(gap, 1):
            _append(result, gap, w0)
        s0, w0, current = s, weight, d
    if not known_same(s0, 1):
        _append(result, s0, w0)
    return result


def _by_axis(layout: Layout, op: str, chain: Any) -> Layout:
    """Coordinate codomains: each axis on its own, with index weights over the whole layout."""
    flat = zip(*layout.flat(), leaf_paths(layout.shape), strict=True)
    axes: dict[tuple[int, ...], Weighted] = {}
    for s, d, weight, path in _weighted(list(flat)):
        if not isinstance(d, Coordinate):
            continue
        if d.basis is None:
            raise refuse(
                "LC304", "{op} needs strides along one axis each; {stride} of {layout} has several",
                op=op, stride=str(d), layout=str(layout), left_path=path,
            )  # fmt: skip
        axis, c = d.basis
        axes.setdefault(axis, []).append((s, c, weight, path))

    def build(profile: HTuple, path: tuple[int, ...]) -> Layout:
        if isinstance(profile, tuple) and path not in axes:
            return concat(*(build(mode, (*path, i)) for i, mode in enumerate(profile)))
        return unwrap(chain(layout, axes.get(path, [])))

    return build(codomain_profile(layout), ())


def is_compact(layout: Layout) -> bool:
    """Is L a bijection onto 0..|L|-1? Decided from the modes, without a table."""
    if any(isinstance(d, (Coordinate, Xor)) for d in flatten(layout.stride)):
        return same(right_inverse(layout).size, layout.size)
    return same(right_inverse(coalesce(layout)).size, layout.size)
