"""The layout of a morphism with its sizes, and its function (Categorical Foundations, section 3.3)."""

from __future__ import annotations

from typing import Any

from ..base.record import Record
from ..base.words import word
from ..operations.image import cosize
from ..values.layout import Layout
from ..values.shape import size
from .morphism import Morphism, to_layout


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
