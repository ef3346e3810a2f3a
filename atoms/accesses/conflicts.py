"""The bank conflicts of an access as a number of the language, so that a kernel can assert them."""

from __future__ import annotations

from laycalc.algebra.base.words import word
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed

from ..instructions.refusal import argument
from ..memory.cost import wavefronts
from ..memory.pattern import Engine, Pattern
from ..memory.placed import Placed
from ..tiling.copy_tiling import TiledCopy
from .access_words import read_pattern
from .derived import note_access
from .tiled_access import tiled_access

__all__ = ["conflicts"]


@word("""
    atoms: conflicts(L: any-layout, bits: integer, access: string, through: any?)
    wavefronts of an access to shared memory beyond one for each pass: 0 if no bank conflicts
    conflicts(Sw<3,3,3> o 0 o (64,64):(64,1), 16, "read: ldmatrix.x4")
""")
def conflicts(layout: Layout | Composed, bits: int, access: str, through: Layout | TiledCopy | None = None) -> int:
    """How many wavefronts the conflicts of an access cost.

    The words of an access are those of `read_pattern`; ``through`` is the thread-value layout of ``tv``, or a tiled
    copy, whose access is "read" or "write". LC103 for an engine, which has no wavefronts, and what `accesses` refuses.

    >>> conflicts(Layout((64, 64), (64, 1)), 16, "read: ldmatrix.x4")
    448
    """
    placed, pattern = Placed(layout), _pattern(bits, access, through)
    cost, ideal = wavefronts(placed, pattern)
    note_access(placed, pattern)
    return cost - ideal


def _pattern(bits: int, access: str, through: Layout | TiledCopy | None) -> Pattern:
    if isinstance(through, TiledCopy):
        if access not in ("read", "write"):
            template = 'the access of a tiled copy is "read" or "write", not {access!r}'
            raise argument("conflicts", template, access=access)
        return tiled_access(through, bits, access == "write")
    found = read_pattern(access, bits)
    if isinstance(found, Engine):
        raise argument("conflicts", "{access} has no wavefronts", access=access)
    if through is None:
        return found
    if not isinstance(through, Layout):
        raise argument("conflicts", "{through} is no thread-value layout and no tiled copy", through=str(through))
    return found.replace(fragment=through)
