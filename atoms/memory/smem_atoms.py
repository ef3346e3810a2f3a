"""The shared-memory layouts that wgmma and tcgen05 read: ``GMMA::Layout_K_SW128_Atom<T>`` and its kin (CUTLASS 4.7).

With B = 0, 1, 2, 3 for INTER, SW32, SW64, SW128 a row is 128 << B bits wide and swizzled in units of 16 bytes,
Sw<B,4,3> in bytes; eight rows make an atom. MN_SW128_32B swizzles units of 32 bytes, Sw<2,5,2>, in four rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.words import word
from laycalc.algebra.operations.build import LAYOUT_LEFT
from laycalc.algebra.operations.divide import tiled_divide
from laycalc.algebra.operations.tiling import tile_to_shape
from laycalc.algebra.values.htuple import HTuple
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.lifting import lift
from laycalc.algebra.values.shape import size
from laycalc.algebra.values.swizzle import Composed, Swizzle

from ..instructions.refusal import argument
from ..tiling.partitioning import fragment

if TYPE_CHECKING:
    from ..tiling.mma_tiling import TiledMMA

__all__ = ["kinds_of", "smem_atom", "smem_atom_for", "smem_layout", "smem_layout_of", "tile_to_mma_shape"]

SWIZZLES = ("INTER", "SW32", "SW64", "SW128")


@word("""
    atoms: smem_atom(kind: string, bits: integer)
    the shared-memory layout of a kind, in elements of so many bits
    smem_atom("K_SW128", 16)
""")
def smem_atom(kind: str, bits: int) -> Layout | Composed:
    """The atom ``K_SW128``, ``MN_INTER``, ... for elements of ``bits`` bits.

    >>> str(smem_atom("K_SW128", 16)), str(smem_atom("MN_INTER", 32))
    ('Sw<3,3,3> o 0 o (8,64):(64,1)', '(4,8):(1,4)')
    """
    major, _, swizzle = kind.partition("_")
    wide = kind == "MN_SW128_32B"
    if major not in ("K", "MN") or not (wide or swizzle in SWIZZLES):
        kinds = ", ".join(f"{m}_{s}" for m in ("K", "MN") for s in SWIZZLES)
        raise argument(
            "smem_atom", "no shared-memory layout is of kind {kind!r}; there are {kinds}", kind=kind, kinds=kinds
        )
    if bits not in (4, 8, 16, 32):
        raise argument("smem_atom", "a shared-memory layout has elements of 4, 8, 16 or 32 bits, not {bits}", bits=bits)
    count = 3 if wide else SWIZZLES.index(swizzle)
    row, rows = (128 << count) // bits, 4 if wide else 8
    plain = Layout((rows, row), (row, 1)) if major == "K" else Layout((row, rows), (1, row))
    if count == 0:
        return plain
    unit = (256 if wide else 128) // bits
    bits_of_unit = unit.bit_length() - 1
    return Composed(Swizzle(2, bits_of_unit, 2) if wide else Swizzle(count, bits_of_unit, 3), 0, plain)


def kinds_of(layout: Any) -> tuple[tuple[str, int], ...]:
    """The swizzled atoms that a layout equals, each as its kind and the bits of an element.

    >>> kinds_of(smem_atom("K_SW128", 16))
    (('K_SW128', 16),)
    """
    if not isinstance(layout, Composed):
        return ()
    kinds = [(f"{major}_{swizzle}", bits) for major in ("K", "MN") for swizzle in SWIZZLES[1:] for bits in (8, 16, 32)]
    return tuple(known for known in kinds if smem_atom(*known) == layout)


@word("""
    atoms: tile_to_mma_shape(block: any-layout, shape: shape, order: any?)
    an atom repeated to fill the operand of a matrix instruction: ((MmaM,MmaK),RestM,RestK,..)
    tile_to_mma_shape(smem_atom("K_SW128", 16), ((128,16),1,4))
""")
def tile_to_mma_shape(block: Layout | Composed, shape: HTuple, order: Any = LAYOUT_LEFT) -> Layout | Composed:
    """`tile_to_shape` to (MmaM*RestM, MmaK*RestK, ..), then divided by (MmaM, MmaK).

    >>> str(tile_to_mma_shape(Layout((8, 8), (8, 1)), ((16, 8), 1, 2)))
    '((16,8),1,2):((8,1),0,128)'
    """
    atom = shape[0] if isinstance(shape, tuple) and len(shape) >= 3 else None
    if not isinstance(shape, tuple) or not isinstance(atom, tuple) or len(atom) != 2:
        raise argument("tile_to_mma_shape", "((MmaM,MmaK),RestM,RestK,..) is expected, not {shape}", shape=str(shape))
    (m, k), (_, rest_m, rest_k, *stages) = atom, shape
    whole = lift(tile_to_shape)(block, (size(m) * size(rest_m), size(k) * size(rest_k), *stages), order)
    divided: Layout | Composed = lift(tiled_divide)(whole, (size(m), size(k)))
    return divided


@word("""
    atoms: smem_atom_for(major: string, bits: integer, extent: integer)
    the widest shared-memory atom whose row divides an extent
    smem_atom_for("K", 16, 96)
""")
def smem_atom_for(major: str, bits: int, extent: int) -> Layout | Composed:
    """The first of SW128, SW64, SW32, INTER whose row divides the contiguous extent of a tile.

    LC314 if not even a row of 128 bits does.

    >>> str(smem_atom_for("K", 16, 96))
    'Sw<2,3,3> o 0 o (8,32):(32,1)'
    """
    return smem_atom(kind_for(major, bits, extent), bits)


def kind_for(major: str, bits: int, extent: int) -> str:
    """The kind of `smem_atom_for`."""
    for count in (3, 2, 1, 0):
        if extent * bits % (128 << count) == 0:
            return f"{major}_{SWIZZLES[count]}"
    row = 128 // bits
    raise argument(
        "smem_atom_for",
        "extent {extent} is no multiple of {row}, the elements of {bits} bits in a row of 128 bits",
        extent=extent, row=row, bits=bits,
    )  # fmt: skip


@word("""
    atoms: smem_layout(major: string, bits: integer, shape: shape)
    a tile of shared memory of the widest atom that fits, with its stages as the last mode
    smem_layout("K", 16, (128,64,4))
""")
def smem_layout(major: str, bits: int, shape: HTuple) -> Layout | Composed:
    """`smem_atom_for` the contiguous mode, repeated to fill (M, K, ..), along the contiguous mode last if that is K.

    >>> str(smem_layout("K", 16, (128, 64, 4)))
    'Sw<3,3,3> o 0 o ((8,16),(64,1),(1,4)):((64,512),(1,0),(0,8192))'
    """
    extents = shape if isinstance(shape, tuple) else (shape,)
    if len(extents) < 2:
        raise argument("smem_layout", "a tile has two modes and stages, not {shape}", shape=str(shape))
    order = (0, 1) if major == "K" else (1, 0)
    atom = smem_atom_for(major, bits, size(extents[major == "K"]))
    filled: Layout | Composed = lift(tile_to_shape)(atom, extents, (*order, *range(2, len(extents))))
    return filled


@word("""
    atoms: smem_layout_of(mma: tiled-mma, operand: string, tile: shape, major: string, bits: integer, stages: integer)
    the shared memory of an operand of a tcgen05 MMA, with its stages
    smem_layout_of(tiled_mma("SM100_MMA_F16BF16_SS_128x256_F32F16F16"), "A", (128,64), "K", 16, 4)
""")
def smem_layout_of(mma: TiledMMA, operand: str, tile: HTuple, major: str, bits: int, stages: int) -> Layout | Composed:
    """The widest atom that fits, repeated to ((MmaM,MmaK),RestM,RestK,stages) as one thread block of the MMA has it.

    >>> from ..tiling.mma_tiling import tiled_mma
    >>> str(smem_layout_of(tiled_mma("SM100_MMA_F16BF16_SS_128x256_F32F16F16"), "A", (128, 64), "K", 16, 4))
    'Sw<3,3,3> o 0 o ((128,16),1,4,(1,4)):((64,1),0,16,(0,8192))'
    """
    extents = fragment(mma, operand, tile).shape
    held, *rests = extents if isinstance(extents, tuple) else (extents,)
    if not isinstance(held, tuple) or len(held) != 2 or len(rests) != 2:
        template = "{mma} has no operand {operand} in shared memory"
        raise argument("smem_layout_of", template, mma=str(mma), operand=operand)
    (m, k), (rest_m, rest_k) = held, rests
    contiguous = size(k) * size(rest_k) if major == "K" else size(m) * size(rest_m)
    atom = smem_atom(kind_for(major, bits, contiguous), bits)
    if major == "MN" and bits == 32 and contiguous % 32 == 0:
        atom = lift(tile_to_shape)(smem_atom("MN_SW128_32B", bits), (32, 8))
    order = (0, 1, 2) if major == "K" else (1, 0, 2)
    return tile_to_mma_shape(atom, (held, *rests, stages), order)
