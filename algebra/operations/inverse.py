"""Right and left inverses over the three semimodules (CuTe paper, sections 4.1 to 4.3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..base.decide import ascending, exact_quotient, known_same, less, same
from ..base.derivations import recorder
from ..base.errors import LayoutError, refuse
from ..values.coalesce import Modes, extend, merged, unwrap
from ..values.htuple import HTuple, nth_leaf_path
from ..values.layout import Layout, codomain_profile, concat, make
from ..values.semimodule import Coordinate
from .complement import collides
from .xor_inverse import xor_left_inverse, xor_right_inverse

Weighted = list[tuple[Any, Any, Any]]
"""Flat modes as (extent, stride, index weight); the weight is the product of the earlier extents."""


def right_inverse(layout: Layout) -> Layout:
    """R with L(R(k)) = k for 0 <= k < |R|, R injective.

    For coordinates k runs over the codomain profile, for XOR strides over the integers of the values. The modes that
    continue the chain 1, s_0, s_0*s_1, ... are taken; it is the largest right inverse for every layout with strides
    >= 0 that is injective apart from stride 0. On ties, overlaps or negative strides a larger one may exist:
    (2,4):(3,1) has one of size 6, this finds 4:2. Source: paper 4.1, equation 13.

    >>> right_inverse(Layout((3, 7, 5), (5, 15, 1)))
    Layout('(5,21):(21,1)')
    """
    shape, stride = layout.flat()
    for d in stride:
        if type(d) is not int:
            if layout.semimodule == "F2":
                return xor_right_inverse(layout)
            if layout.semimodule == "Z^P":
                return _by_axis(layout, "right_inverse", _right_chain)
            break
    return unwrap(_right_chain(layout, _weighted(merged(shape, stride))))


def left_inverse(layout: Layout) -> Layout:
    """R with L(R(L(k))) = L(k), and R(L(k)) = k where L is injective.

    A padded mode gets the extent of the gap, so that every value of L is in R's domain: (4,8):(1,5) gives (5,8):(1,4).
    LC307 if the strides are no chain (each dividing the next), LC306 if L is not injective. Source: paper 4.2.

    >>> left_inverse(Layout((4, 8), (1, 5)))
    Layout('(5,8):(1,4)')
    """
    shape, stride = layout.flat()
    for d in stride:
        if type(d) is not int:
            if layout.semimodule == "F2":
                return xor_left_inverse(layout)
            if layout.semimodule == "Z^P":
                return _by_axis(layout, "left_inverse", _left_chain)
            break
    chain = _left_chain(layout, _weighted(merged(shape, stride)))
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


def _weighted(modes: Modes) -> Weighted:
    weight: Any = 1
    out: Weighted = []
    for s, d in modes:
        out.append((s, d, weight))
        weight = weight * s
    return out


def _by_stride(modes: Weighted) -> Weighted:
    """The modes that move, ascending by stride."""
    live = [mode for mode in modes if not (same(mode[0], 1) or same(mode[1], 0))]
    return [live[i] for i in ascending([d for _, d, _ in live])]


def _right_chain(layout: Layout, modes: Weighted) -> Modes:
    trace = recorder.get()
    current: Any = 1
    result: Modes = []
    for s, d, weight in _by_stride(modes):
        taken = same(d, current)
        if trace is not None:
            trace.step("chain", extent=s, stride=d, weight=weight, current=current, taken=taken)
        if taken:
            extend(result, s, weight)
            current = s * d
    return result


def _left_chain(layout: Layout, modes: Weighted) -> Modes:
    trace = recorder.get()
    current: Any = 1
    result: Modes = []
    s0: Any = 1
    w0: Any = 0
    for s, d, weight in _by_stride(modes):
        if type(d) is int and d < 0:
            raise _fault(
                "LC306",
                "a layout with the negative stride {stride} has no left inverse on 0, 1, ...",
                layout,
                weight,
                stride=d,
            )
        gap = exact_quotient(d, current)
        if gap is None:
            raise _fault(
                "LC307",
                "strides do not form a chain: {first} does not divide {second}",
                layout,
                weight,
                first=current,
                second=d,
            )
        if less(gap, s0):
            raise _fault(
                "LC306",
                ("layout is not injective" if collides(layout) else "the modes of {layout} interleave")
                + ": stride {stride} is smaller than the extent {extent} below it",
                layout,
                weight,
                stride=d,
                extent=s0 * current,
            )
        if trace is not None:
            trace.step("gap", extent=s, stride=d, weight=weight, current=current, gap=gap)
        # The mode before gets the extent of the gap, so that its padding is in the domain too.
        if not known_same(gap, 1):
            extend(result, gap, w0)
        s0, w0, current = s, weight, d
    if not known_same(s0, 1):
        extend(result, s0, w0)
    return result


def _fault(code: str, template: str, layout: Layout, weight: Any, **facts: Any) -> LayoutError:
    """A refusal that points at the first leaf of the mode with an index weight."""
    found = 0
    product: Any = 1
    for i, s in enumerate(layout.flat()[0]):
        if known_same(product, weight) and not known_same(s, 1):
            found = i
            break
        product = product * s
    return refuse(
        code,
        template,
        op="left_inverse",
        layout=str(layout),
        left_path=nth_leaf_path(layout.shape, found),
        **facts,
    )


def _by_axis(layout: Layout, op: str, chain: Callable[[Layout, Weighted], Modes]) -> Layout:
    """Coordinate codomains: each axis on its own, with index weights over the whole layout."""
    axes: dict[tuple[int, ...], Weighted] = {}
    shape, stride = layout.flat()
    for i, (s, d, weight) in enumerate(_weighted(list(zip(shape, stride, strict=True)))):
        if not isinstance(d, Coordinate):
            continue
        if d.basis is None:
            raise refuse(
                "LC304",
                "{op} needs strides along one axis each; {stride} of {layout} has several",
                op=op,
                stride=str(d),
                layout=str(layout),
                left_path=nth_leaf_path(layout.shape, i),
            )
        axis, c = d.basis
        axes.setdefault(axis, []).append((s, c, weight))

    def build(profile: HTuple, path: tuple[int, ...]) -> Layout:
        if isinstance(profile, tuple) and path not in axes:
            return concat(*(build(mode, (*path, i)) for i, mode in enumerate(profile)))
        return unwrap(chain(layout, axes.get(path, [])))

    return build(codomain_profile(layout), ())
