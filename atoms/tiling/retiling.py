"""The registers of one operation seen as another one has them (CUTLASS 4.7, ``retile_S`` and ``retile_D``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.words import word
from laycalc.algebra.operations.composition import composition
from laycalc.algebra.operations.divide import zipped_divide
from laycalc.algebra.operations.inverse import right_inverse
from laycalc.algebra.operations.product import logical_product
from laycalc.algebra.operations.recast import upcast
from laycalc.algebra.values.layout import Layout, concat
from laycalc.algebra.values.tensor import Tensor
from laycalc.algebra.values.tiler import Tiler

from ..instructions.refusal import argument
from .copy_atom import CopyAtom
from .copy_tiling import TiledCopy
from .slices import ThreadSlice

if TYPE_CHECKING:
    from .mma_tiling import TiledMMA

__all__ = ["retile"]


@word("""
    atoms: retile(tiled: tiled, operand: string, tensor: tensor)
    a fragment in the modes of another copy
    retile(tiled_copy("UniversalCopy_16b", (32,1), (1,8), 16), "D", (8,2,3):(1,8,16))
""")
def retile(tiled: TiledMMA | TiledCopy | ThreadSlice, operand: str, tensor: Any) -> Layout | Tensor:
    """The registers of a thread, (values, rest, rest'), with the modes that ``partition`` of the copy has.

    No element moves: the first V values of the tile are found in the thread-value layout, in groups of V over its
    modes, and what one instruction moves is gathered from them. LC103 if ``tiled`` is no copy.
    """
    copy = tiled.tiled if isinstance(tiled, ThreadSlice) else tiled
    if not isinstance(copy, TiledCopy):
        raise argument("retile", "{tiled} is no tiled copy", tiled=str(copy))
    copy.layout(operand)
    if isinstance(tensor, Tensor) and isinstance(tensor.layout, Layout):
        return Tensor(tensor.offset, _retiled(copy, tensor.layout))
    if not isinstance(tensor, Layout) or not isinstance(tensor.shape, tuple):
        raise argument("retile", "{tensor} is no fragment with modes", tensor=str(tensor))
    return _retiled(copy, tensor)


def _retiled(copy: TiledCopy, fragment: Layout) -> Layout:
    values = fragment[0].size
    moved = CopyAtom(copy.atom, copy.bits).ref[1].size
    tile = Layout(copy.extents)
    # (m, n) -> which group of V values, and from there ((one instruction, rest) -> (v, group)).
    groups = upcast(composition(right_inverse(copy.layout_tv), tile), copy.threads * values)
    order = zipped_divide(logical_product(Layout(values), right_inverse(groups)), Layout(moved))
    extents = [mode.size for mode in groups.modes()]
    tiles = zipped_divide(fragment, Tiler([values, *extents]))
    rests = tiles[1].modes()
    return concat(composition(tiles[0], order), *rests[1:])
