"""Dropping what does not move: modes of stride 0 and size 1 (CUTLASS layout.hpp)."""

from __future__ import annotations

from ..base.decide import same
from ..base.errors import refuse
from ..base.words import word
from ..values.coalesce import coalesce
from ..values.htuple import Pattern, flatten, map_leaves
from ..values.layout import Layout, concat, make
from ..values.shape import prefix_products


@word("""
    modes: filter_zeros(L: layout, profile: profile?)
    stride-0 modes get extent 1
    filter_zeros((4,8):(0,1))
    over: inside
""")
def filter_zeros(layout: Layout, profile: Pattern = None) -> Layout:
    """The layout with the extent of every stride-0 mode set to 1.

    With a profile, only where it has a leaf other than None.

    Law: the image stays the same.

    >>> filter_zeros(Layout((4, (2, 8)), (0, (1, 2))))
    Layout('(1,(2,8)):(0,(1,2))')
    """
    if isinstance(profile, tuple):
        modes = layout.modes()
        _check_profile("filter_zeros", layout, profile)
        done = [filter_zeros(m, p) if p is not None else m for m, p in zip(modes, profile, strict=False)]
        return concat(*done, *modes[len(profile) :])
    return make(map_leaves(lambda s, d: 1 if same(d, 0) else s, layout.shape, layout.stride), layout.stride)


@word("""
    modes: filter(L: layout, profile: profile?)
    without size-1 and stride-0 modes, coalesced
    filter((2,(2,1),4):(10,(0,5),4))
    over: inside
""")
def filter_layout(layout: Layout, profile: Pattern = None) -> Layout:
    """``coalesce(filter_zeros(L), profile)``: the least layout with the image of L, each value once more seldom.

    >>> filter_layout(Layout((4, 10, 1), (1, 0, 1)))
    Layout('4:1')
    """
    return coalesce(filter_zeros(layout), profile)


@word("""
    values: nullspace(L: layout)
    the layout of the indices that L sends to 0 by stride 0
    nullspace((4,8):(0,1))
    over: inside
""")
def nullspace(layout: Layout) -> Layout:
    """The stride-0 modes as a layout into the indices of L, not coalesced.

    Law: ``L(R(i)) = 0``. These are all indices with value 0 when no combination of the other modes cancels.

    >>> nullspace(Layout((7, 5, 9), (2, 0, 0)))
    Layout('(5,9):(7,35)')
    """
    shape, stride = layout.flat()
    weights = flatten(prefix_products(shape))
    still = [(s, w) for s, d, w in zip(shape, stride, weights, strict=True) if same(d, 0)]
    if not still:
        return make(1, 0)
    extents = tuple(s for s, _ in still)
    strides = tuple(0 if same(s, 1) else w for s, w in still)
    return make(extents[0], strides[0]) if len(still) == 1 else make(extents, strides)


def _check_profile(op: str, layout: Layout, profile: tuple[object, ...]) -> None:
    if len(profile) > layout.rank:
        raise refuse(
            "LC305",
            "profile of rank {left} for a layout of rank {right}",
            op=op,
            left=len(profile),
            right=layout.rank,
            right_path=(),
        )
