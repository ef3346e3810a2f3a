"""The bank conflicts of an access as a number of the language, so that a kernel can assert them."""

from __future__ import annotations

from laycalc.algebra.base.words import word
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed

from ..instructions.refusal import argument
from ..memory.cost import wavefronts
from ..memory.pattern import Engine
from ..memory.placed import Placed
from .access_words import read_pattern

__all__ = ["conflicts"]


@word("""
    atoms: conflicts(L: any-layout, bits: integer, access: string, fragment: layout?)
    wavefronts of an access to shared memory beyond one for each pass: 0 if no bank conflicts
    conflicts(Sw<3,3,3> o 0 o (64,64):(64,1), 16, "read: ldmatrix.x4")
""")
def conflicts(layout: Layout | Composed, bits: int, access: str, fragment: Layout | None = None) -> int:
    """How many wavefronts the conflicts of an access cost; ``fragment`` is the thread-value layout of ``tv``.

    The words of an access are those of `read_pattern`. LC103 for an engine, which has no wavefronts, and what
    `accesses` refuses.

    >>> conflicts(Layout((64, 64), (64, 1)), 16, "read: ldmatrix.x4")
    448
    """
    found = read_pattern(access, bits)
    if isinstance(found, Engine):
        raise argument("conflicts", "{access} has no wavefronts", access=access)
    if fragment is not None:
        found = found.replace(fragment=fragment)
    cost, ideal = wavefronts(Placed(layout), found)
    return cost - ideal
