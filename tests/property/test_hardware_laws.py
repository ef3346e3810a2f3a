"""What descriptors read and where boxes land, held against the layouts that they were found for."""

from __future__ import annotations

from itertools import product
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.operations.tiling import tile_to_shape
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.lifting import lift
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor
from laycalc.atoms.memory.descriptor import descriptor
from laycalc.atoms.memory.descriptor_bits import layout_read
from laycalc.atoms.memory.smem_atoms import smem_atom
from laycalc.atoms.memory.tensor_boxes import filling
from laycalc.atoms.memory.tensor_global import dimensions, tensor_map


@st.composite
def tiles(draw: st.DrawFn) -> tuple[Any, int, str]:
    """An atom of shared memory laid over a tile, its bits and its major mode."""
    major = draw(st.sampled_from(("K", "MN")))
    bits = 16 if major == "MN" else draw(st.sampled_from((8, 16, 32)))
    kind = draw(st.sampled_from(("INTER", "SW32", "SW64", "SW128")))
    shape = draw(st.sampled_from((64, 128, 192))), draw(st.sampled_from((32, 64, 128)))
    try:
        tile = lift(tile_to_shape)(smem_atom(f"{major}_{kind}", bits), shape, draw(st.permutations((0, 1))))
    except LayoutError:
        assume(False)
    return tile, bits, major.lower()


@given(tiles(), st.sampled_from("AB"), st.sampled_from((0, 128, 640, 1024)))
def test_every_instruction_reads_its_part_of_the_tile(tile: tuple[Any, int, str], letter: str, at: int) -> None:
    """Law: R_(i,j)(mn,k) = L(mn0 + mn, k0 + k) for each start."""
    layout, bits, major = tile
    if at and isinstance(layout, Composed):
        layout = Tensor(at * 8 // bits, layout)
    found = descriptor(layout, bits, major, letter)
    assert found.written is not None
    for mn0, k0, start in found.starts[::3]:
        read = layout_read(found.written.replace(start=start), found.operand, found.rows)
        for mn, k in product(range(0, found.rows, 7), range(0, found.operand.k, 3)):
            assert read(mn, k) == layout(mn0 + mn, k0 + k)


@given(tiles())
def test_boxes_fill_the_tile(tile: tuple[Any, int, str]) -> None:
    """Law: the box at an origin puts x where the tile has origin + x; together they have all its elements."""
    smem, bits, major = tile
    source = Layout((512, 512), (512, 1) if major == "k" else (1, 512))
    found = filling(source, smem, bits)
    m = tensor_map(source, found.box, bits, found.swizzle)
    for origin, place in zip(found.origins, found.places, strict=True):
        landed = m.layout(place)
        for x in product(*(range(0, n, max(1, n // 3)) for n in found.box)):
            at = {d.mode: a + b for d, a, b in zip(dimensions(source), origin, x, strict=True)}
            assert landed(*x) == smem(at[0], at[1])
    assert found.count * found.box[0] * found.box[1] == smem.size
