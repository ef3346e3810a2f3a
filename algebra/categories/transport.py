"""Pull-back and push-forward of a morphism along a refinement (Categorical Foundations, section 4.2)."""

from __future__ import annotations

from ..base.words import word
from ..values.htuple import HTuple, flatten, unflatten
from .morphism import Morphism, arrow
from .nested import offsets, relative_modes


@word("""
    categories: pullback(f: morphism, S: shape)
    f over a refinement of its codomain
    pullback(make_morphism((8,3),(1,0),8), 8)
""")
def pullback(f: Morphism, fine: HTuple) -> Morphism:
    """The morphism over a refinement T' of the codomain: each leaf of the domain is split as its target is.

    Law: the function stays, and the new domain refines the old one. LC310 (kind not_a_refinement).
    Source: Categorical Foundations §4.2.

    >>> print(pullback(Morphism((64, 32), (4, 64, 4, 32), (2, 4)), ((2, 2), (16, 4), (2, 2), (16, 2))))
    ((16,4),(16,2)) --(3,4,7,8)--> ((2,2),(16,4),(2,2),(16,2))
    """
    modes = relative_modes(fine, f.codomain, op="pullback")
    starts = offsets(modes)
    leaves: list[HTuple] = []
    map_: list[int] = []
    for s, j in zip(f.sources, f.map, strict=True):
        if j:
            leaves.append(modes[j - 1])
            map_.extend(range(starts[j - 1] + 1, starts[j] + 1))
        else:
            leaves.append(s)
            map_.append(0)
    return arrow(unflatten(leaves, f.domain), fine, tuple(map_))


@word("""
    categories: pushforward(f: morphism, S: shape)
    f over a refinement of its domain
    pushforward(make_morphism((4,3),(0,4),(6,16,3,3)), ((2,2),3))
""")
def pushforward(g: Morphism, fine: HTuple) -> Morphism:
    """The morphism over a refinement U' of the domain: each leaf of the codomain is split as its source is.

    Law: the function stays, and the new codomain refines the old one. LC310 (kind not_a_refinement).
    Source: Categorical Foundations §4.2.

    >>> print(pushforward(Morphism((64, 32), (4, 64, 4, 32), (2, 4)), ((16, 4), (16, 2))))
    ((16,4),(16,2)) --(2,3,5,6)--> (4,(16,4),4,(16,2))
    """
    modes = relative_modes(fine, g.domain, op="pushforward")
    leaves: list[HTuple] = list(g.targets)
    for mode, j in zip(modes, g.map, strict=True):
        if j:
            leaves[j - 1] = mode
    starts = offsets(tuple(leaves))
    map_: list[int] = []
    for mode, j in zip(modes, g.map, strict=True):
        map_.extend(range(starts[j - 1] + 1, starts[j] + 1) if j else [0] * len(flatten(mode)))
    return arrow(fine, unflatten(leaves, g.codomain), tuple(map_))
