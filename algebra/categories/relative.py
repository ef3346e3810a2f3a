"""Relative coalesce of layouts: coalesce each mode over a coarser shape (Categorical Foundations, section 2.3)."""

from __future__ import annotations

from itertools import pairwise

from ..base.words import word
from ..values.coalesce import merged, unwrap
from ..values.htuple import HTuple, unflatten
from ..values.layout import Layout, nested
from .nested import offsets, relative_modes


@word("""
    categories: coalesce_relative(L: layout, S: shape)
    coal(L, S)
    coalesce_relative(((2,2),3):((1,2),4), (4,3))
""")
def coalesce_relative(layout: Layout, coarse: HTuple) -> Layout:
    """coal(L, S): each relative mode of L over S coalesced, in the profile of S.

    Law: the function stays and the shape refines S; ``coal(L, shape L) = L`` iff L is non-degenerate. LC310 (kind
    not_a_refinement). Source: Categorical Foundations §2.3.

    >>> print(coalesce_relative(Layout(((2, 2), (3, 3), (5, 5)), ((1, 2), (4, 12), (36, 180))), ((2, 2), 9, 25)))
    ((2,2),9,25):((1,2),4,36)
    """
    modes = relative_modes(layout.shape, coarse, op="coalesce_relative")
    shape, stride = layout.flat()
    cuts = offsets(modes)
    parts = [unwrap(merged(shape[a:b], stride[a:b])) for a, b in pairwise(cuts)]
    return nested(unflatten(parts, coarse))
