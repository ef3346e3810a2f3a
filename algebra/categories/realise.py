"""From morphisms to layouts: the encoded layout and its function (Categorical Foundations, section 3.3)."""

from __future__ import annotations

from typing import Any

from ..base.record import Record
from ..base.words import word
from ..values.htuple import unflatten
from ..values.layout import Layout, make
from ..values.shape import size
from .morphism import Morphism

__all__ = ["Realisation", "apply", "cosize", "realise", "to_layout"]


@word("""
    categories: layout(f: morphism)
    the layout of a morphism as a value
    layout(to_morphism((4,8):(8,1)))
""")
def to_layout(f: Morphism) -> Layout:
    """L_f: the shape is the domain; the stride of leaf i is the product of the codomain below its target.

    Law: ``d_i = t_1 * ... * t_(a_i - 1)``, 0 for the base point. Composition with an expansion leaves L_f unchanged,
    and so does the nesting of the codomain. Source: Categorical Foundations §3.3.

    >>> to_layout(Morphism(((4, 2), (3, 7)), (3, (4, 5), 2), (2, 4, 1, 0)))
    Layout('((4,2),(3,7)):((3,60),(1,0))')
    """
    weights = [0]
    weight = 1
    for t in f.targets:
        weights.append(weight)
        weight *= t
    strides = [weights[j] for j in f.map]
    domain = f.domain
    if not isinstance(domain, tuple):
        return make(domain, strides[0])
    return make(domain, unflatten(strides, domain))


def apply(f: Morphism, index: int) -> int:
    """|f|(x), the function of the realisation: [0, size S) to [0, size T).

    Law: ``|g o f| = |g| o |f|`` and ``|f|`` is the function of L_f. Source: Categorical Foundations §3.3.

    >>> [apply(Morphism((2, 2), (2, 2), (2, 1)), x) for x in range(4)]
    [0, 2, 1, 3]
    """
    value: int = to_layout(f)(index)
    return value


def cosize(layout: Layout) -> int:
    """1 + the greatest value of a layout with strides >= 0; 1 for the empty layout.

    >>> cosize(Layout((2, 3), (1, 10)))
    22
    """
    shape, stride = layout.flat()
    total: int = 1 + sum((s - 1) * d for s, d in zip(shape, stride, strict=True))
    return total


class Realisation(Record):
    """The encoded layout of a morphism with its sizes: ``cosize <= codomain_size``."""

    layout: Layout
    size: int
    cosize: int
    codomain_size: int

    def __str__(self) -> str:
        return f"{self.layout}  size {self.size}, cosize {self.cosize}, codomain {self.codomain_size}"

    def as_json(self) -> dict[str, Any]:
        """The layout as text, the sizes as numbers."""
        return {
            "layout": str(self.layout),
            "size": self.size,
            "cosize": self.cosize,
            "codomain_size": self.codomain_size,
        }


@word("""
    categories: realize(f: morphism) alias realise
    the layout of a morphism
    realize(to_morphism((4,8):(8,1)))
""")
def realise(f: Morphism) -> Realisation:
    """The encoded layout with size(S), cosize(L_f) and size(T).

    >>> print(realise(Morphism((3, 128, 128), (3, 2, 128, 2, 128), (1, 3, 5))))
    (3,128,128):(1,6,1536)  size 49152, cosize 195837, codomain 196608
    """
    layout = to_layout(f)
    return Realisation(layout, layout.size, cosize(layout), size(f.codomain))
