"""Tiles of tensors: tile_to_shape, local_tile, local_partition (CUTLASS layout.hpp, tensor_impl.hpp)."""

from __future__ import annotations

from typing import Any

from ..base.decide import divides, quotient
from ..base.errors import refuse
from ..base.words import word
from ..values.htuple import HTuple, Pattern, entries, format_htuple
from ..values.layout import Layout, concat, make
from ..values.lifting import Lifted, lift
from ..values.tensor import Tensor, slice_layout
from ..values.tiler import Operand, Tiler, as_operand
from .build import LAYOUT_LEFT, make_ordered_layout, tile_sizes
from .divide import zipped_divide
from .product import blocked_product


@word("""
    modes: tile_to_shape(block: any-layout, shape: shape, order: any?)
    the block repeated to fill a shape
    tile_to_shape((2,2):(1,2), (8,8))
    over: inside
""")
def tile_to_shape(block: Layout, shape: HTuple, order: HTuple | str = LAYOUT_LEFT) -> Layout:
    """The block repeated until it fills ``shape``, the repetitions in ``order``.

    Law: ``blocked_product(block, make_ordered_layout(shape / block, order))``, with the size of ``shape``. LC314 if the
    block does not divide the shape or has more modes.

    >>> tile_to_shape(Layout((2, 2), (1, 2)), (8, 8))
    Layout('((2,4),(2,4)):((1,4),(2,16))')
    """
    modes = block.modes()
    target = tile_sizes(shape)
    if len(modes) > len(target):
        raise _no_tiling("a block of rank {left} does not tile a shape of rank {right}", block, shape, len(modes))
    modes = modes + (make(1, 0),) * (len(target) - len(modes))
    repeat = []
    for index, (mode, extent) in enumerate(zip(modes, target, strict=True)):
        if not divides(mode.size, extent):
            template = "block {block} does not tile the shape {shape}"
            where = f": {extent} of mode {index} is no multiple of {mode.size}"
            raise _no_tiling(template + where, block, shape, len(modes))
        repeat.append(quotient(extent, mode.size))
    return blocked_product(concat(*modes), make_ordered_layout(tuple(repeat), order))


def _no_tiling(template: str, block: Layout, shape: HTuple, rank: int) -> Exception:
    return refuse(
        "LC314",
        template,
        op="tile_to_shape",
        block=str(block),
        shape=format_htuple(shape),
        left=rank,
        right=len(shape) if isinstance(shape, tuple) else 1,
        left_path=(),
        right_path=(),
    )


@word("""
    modes: local_tile(L: any-layout, tiler: operand, c: coordinate, proj: coordinate?)
    the tile at a coordinate
    local_tile((8,16):(20,1), (4,8), (1,0))
""")
def local_tile(tensor: Lifted, tiler: Operand, coordinate: Any, projection: Pattern = None) -> Tensor:
    """The tile at a coordinate among the tiles; None in the coordinate keeps all tiles along that mode.

    Law: ``slice(zipped_divide(T, tiler), ((_, ..), coordinate))``. ``projection`` keeps the modes where it is not None,
    of tiler and coordinate, as in CuTe's ``Step<_1, X, _1>``.

    >>> local_tile(Layout((8, 16), (20, 1)), (4, 8), (1, 0))
    Tensor('{80} o (4,8):(20,1)')
    """
    tiler, coordinate = _projected(tiler, coordinate, projection)
    divided = lift(zipped_divide)(tensor, tiler)
    tile = slice_layout(divided, (_open(divided.shape[0]), _padded(coordinate, divided.shape[1])))
    if isinstance(divided.shape[0], tuple) and _is_free(coordinate):
        return Tensor(tile.offset, lift(_side_by_side)(tile.layout))
    return tile


@word("""
    modes: local_partition(L: any-layout, thr: integer-layout, i: integer, proj: coordinate?)
    what one thread of a thread layout gets
    local_partition((8,16):(1,8), (2,4):(1,2), 3)
""")
def local_partition(tensor: Lifted, tile: Layout, index: Any, projection: Pattern = None) -> Tensor:
    """The elements that participant ``index`` of a thread layout has in every tile of its shape.

    Law: ``slice(zipped_divide(T, shape(tile)), (c, (_, ..)))`` with c the coordinate whose value under ``tile`` is
    ``index``.

    >>> local_partition(Layout((8, 8), (1, 8)), Layout((2, 4), (4, 1)), 5)
    Tensor('{9} o (4,2):(2,32)')
    """
    coordinate: Any = tuple(_position(mode, index) for mode in tile.modes())
    sizes, coordinate = _projected(tile_sizes(tile.shape), coordinate, projection)
    divided = lift(zipped_divide)(tensor, sizes)
    return slice_layout(divided, (_padded(coordinate, divided.shape[0]), _open(divided.shape[1])))


def _projected(tiler: Any, coordinate: Any, projection: Pattern) -> tuple[Any, Any]:
    if projection is None:
        return tiler, coordinate
    operand = as_operand(tiler)
    modes = operand.modes if isinstance(operand, Tiler) else (operand,)
    kept = [i for i, p in enumerate(entries(projection)) if p is not None]
    for given, count in ((coordinate, len(entries(coordinate))), (tiler, len(modes))):
        if kept and kept[-1] >= count:
            raise refuse(
                "LC205", "the projection {projection} keeps mode {mode} of {given}, which has {count}",
                op="local_tile", projection=format_htuple(projection), mode=kept[-1], given=_text(given), count=count,
            )  # fmt: skip
    coordinate = entries(coordinate)
    return Tiler(modes[i] for i in kept), tuple(coordinate[i] for i in kept)


def _text(value: Any) -> str:
    return str(value) if isinstance(value, (Layout, Tiler)) else format_htuple(value)


def _is_free(coordinate: Any) -> bool:
    """Does a coordinate keep tiles along some mode?"""
    return coordinate is None or (isinstance(coordinate, tuple) and any(map(_is_free, coordinate)))


def _side_by_side(kept: Layout) -> Layout:
    """The modes of a tile and then the modes of the tiles, at one level as in CUTLASS."""
    tile, tiles = kept.modes()
    return concat(*tile.modes(), *(tiles.modes() if tiles.rank > 1 else (tiles,)))


def _open(shape: HTuple) -> Pattern:
    return (None,) * len(shape) if isinstance(shape, tuple) else None


def _padded(coordinate: Any, shape: HTuple) -> Any:
    """A coordinate of the leading modes, the others left open."""
    if not isinstance(coordinate, tuple) or not isinstance(shape, tuple):
        return coordinate
    return (*coordinate, *(None for _ in range(len(shape) - len(coordinate))))


def _position(mode: Layout, index: Any) -> Any:
    """The index in a mode of a thread layout that goes into ``index``: (index / stride) mod extent, leaf by leaf."""
    total: Any = 0
    weight: Any = 1
    for s, d in zip(*mode.flat(), strict=True):
        if d:
            total = total + (index // d) % s * weight
        weight = weight * s
    return total
