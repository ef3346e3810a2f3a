"""Logical divide A / B = A o (B, B*) and its regroupings (CuTe paper, section 5.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..base.decide import known_at_most, less, unlisted
from ..base.derivations import derived, recorder
from ..base.errors import AdmissibilityError, listening, refuse, remark
from ..base.words import word
from ..values.htuple import Nested, entries, rank
from ..values.layout import Layout, concat, make, reach, uniform
from ..values.shape import coordinates
from ..values.tiler import Operand, Tiler, as_operand, by_mode
from .coincidence import unknown
from .complement import complement_of_tile
from .composition import composition
from .cutlass import StaticAssert, cutlass_composition

RAGGED_LIMIT = 1 << 18
"""How many places of a ragged divide are compared with the definition before it is given up (LC301, LC302 or LC303)."""


@word("""
    algebra: logical_divide(A: any-layout, B: operand) alias divide
    A o (B, B*): the tile, then the count of tiles
    law: R(c) = A(C(c)), C = (B, B*)
    logical_divide((8,16):(20,1), <4:1,8:2>)
    over: inside
""")
def logical_divide(layout: Layout, tiler: Operand) -> Layout:
    """A / B = A o (B, B*_|A|): mode 0 of the result is the tile, mode 1 counts the tiles.

    A tiler or a bare shape divides mode by mode and keeps surplus modes. Tiles that cover more than A are a warning
    (LC401), and so is a tile that reaches outside by itself (LC402).

    Law: with C = (B, B*_|A|), ``R(c) = A(C(c))`` wherever C(c) < |A|. Raises what composition and complement raise.
    Source: paper 5.2.

    >>> logical_divide(Layout((6, 2, 2), (2, 1, 20)), Layout(8, 3))
    Layout('((2,2,2),3):((6,1,20),2)')
    """
    if (
        type(tiler) is type(layout.shape) is type(layout.stride) is int
        and 1 < tiler < layout.shape
        and not recorder.get()
    ):
        # Tiles of a mode that they divide: nothing is to be searched.
        count, ragged = divmod(layout.shape, tiler)
        if not ragged:
            return make((tiler, count), (layout.stride, tiler * layout.stride))
    operand = as_operand(one_is_still(tiler))
    if operand is None:
        return layout
    if isinstance(operand, Tiler):
        return uniform(by_mode("logical_divide", layout, operand, logical_divide, keep_surplus=True))
    return derived("divide", _divide, layout, operand)


def one_is_still(operand: Any) -> Any:
    """In divide and product the integer 1 stands for 1:0, elsewhere for 1:1."""
    return make(1, 0) if type(operand) is int and operand == 1 else operand


def _divide(layout: Layout, tile: Layout) -> Layout:
    if tile.semimodule == "Z^P":
        return composition(layout, concat(tile, complement_of_tile(tile, layout.shape)))
    extent = layout.size
    rest = complement_of_tile(tile, extent)
    cover = make((tile.shape, rest.shape), (tile.stride, rest.stride))
    if listening():
        _remark_ragged(layout, tile, cover, extent)
    if (trace := recorder.get()) is not None:
        trace.step("cover", tile=str(tile), cover=str(cover), size=extent)
    try:
        return composition(layout, cover)
    except AdmissibilityError as error:
        ragged = _ragged(layout, cover, extent)
        if ragged is None:
            raise _seen_from_divide(error, tile) from None
        return ragged


def _seen_from_divide(error: AdmissibilityError, tile: Layout) -> AdmissibilityError:
    """The right operand of the inner composition was (B, B*): point at B, or at the divide as a whole."""
    path = error.facts.get("right_path", ())
    error.facts["cover"] = error.facts.get("B")
    error.facts["in_rest"] = bool(path) and path[0] == 1
    error.facts["right_path"] = path[1:] if path[:1] == (0,) else ()
    error.facts["B"] = tile
    error.facts["op"] = "logical_divide"
    return error


def _remark_ragged(layout: Layout, tile: Layout, cover: Layout, extent: Any) -> None:
    """LC402 where the tile alone leaves the layout, LC401 where the last of the tiles does."""
    last = reach(*tile.flat())
    if not less(last, extent):
        remark(
            "LC402",
            "tile {tile} reaches past the {size} elements of {layout}: it goes up to {reach},"
            " the result has {covered} elements",
            op="logical_divide",
            layout=str(layout),
            tile=str(tile),
            size=extent,
            reach=last,
            covered=cover.size,
            right_path=(),
            left_path=(),
        )
    elif not less(reach(*cover.flat()), extent):
        remark(
            "LC401",
            "ragged: tiles of {tile} cover {covered} elements, {layout} has {size}; the last tile reads outside",
            op="logical_divide",
            layout=str(layout),
            tile=str(tile),
            size=extent,
            covered=cover.size,
            right_path=(),
            left_path=(),
        )


def _ragged(layout: Layout, cover: Layout, extent: Any) -> Layout | None:
    """The customary result of a ragged divide, if it is right wherever the cover stays inside the layout."""
    if known_at_most(reach(*cover.flat()) + 1, extent):
        return None
    if unknown(layout, cover):
        unlisted("LC401")
        return None
    if cover.size > RAGGED_LIMIT:
        return None
    try:
        result = cutlass_composition(layout, cover)
    except StaticAssert:
        return None
    for at, c in zip(cover.elements(), coordinates(cover.shape), strict=True):
        if at < extent and layout.element(at) != result.element(c):
            return None
    return result


Parts = tuple[Nested, Nested]
"""Shape and stride of a layout that is not made yet."""


def _zipped(op: str, shape: Nested, stride: Nested, tiler: Tiler) -> tuple[Parts, Parts]:
    """The divided modes as (tiles, rests); surplus modes are rests. LC311 for a mode that is no pair."""
    count, tiles, rests = len(tiler.modes), [], []
    for i, (s, d) in enumerate(zip(entries(shape), entries(stride), strict=True)):
        entry = tiler.modes[i] if i < count else None
        if i >= count:
            rests.append((s, d))
        elif isinstance(entry, Tiler):
            tile, rest = _zipped(op, s, d, entry)
            tiles.append(tile)
            rests.append(rest)
        elif entry is None or type(s) is not tuple or len(s) != 2:
            raise refuse(
                "LC311",
                "{op} pairs a tile and a rest in every mode; mode {mode} of {tiler} leaves {rank} part(s)",
                op=op,
                mode=i,
                tiler=str(tiler),
                rank=1 if entry is None else rank(s),
                left_path=(i,),
                right_path=(i,),
            )
        else:
            tiles.append((s[0], d[0]))
            rests.append((s[1], d[1]))
    return _gathered(tiles), _gathered(rests)


def _gathered(modes: Iterable[Parts]) -> Parts:
    """The parts of the layout with these modes."""
    modes = tuple(modes)
    return tuple([s for s, _ in modes]), tuple([d for _, d in modes])


def regrouped(op: str, operation: Callable[[Layout, Operand], Layout], layout: Layout, tiler: Operand) -> Layout:
    """The result of a divide or product with its tiles in front: ``op`` says zipped, tiled or flat."""
    operand = as_operand(one_is_still(tiler))
    result = operation(layout, operand)
    if isinstance(operand, Tiler):
        tiles, rests = _zipped(op, result.shape, result.stride, operand)
    else:
        tiles, rests = ((mode.shape, mode.stride) for mode in (result[0], result[1]))
    if op.startswith("zipped"):
        return make(*_gathered((tiles, rests)))
    front = _spliced(tiles) if op.startswith("flat") else (tiles,)
    return make(*_gathered((*front, *_spliced(rests))))


def _spliced(parts: Parts) -> tuple[Parts, ...]:
    """The modes that a tiled or flat result takes over; a rank-1 tuple stays one mode, ``(4)``, as CuTe prints it."""
    shape, stride = parts
    return tuple(zip(shape, stride, strict=True)) if rank(shape) > 1 else (parts,)


@word("""
    algebra: zipped_divide(A: any-layout, B: operand)
    the divide as (tiles, rests)
    law: mode 0 is A o B
    zipped_divide((8,16):(20,1), (4,8))
    over: inside
""")
def zipped_divide(layout: Layout, tiler: Operand) -> Layout:
    """``((tile, tile, ...), (rest, rest, ...))``: the divide with all tile modes gathered in front.

    LC311 where a mode of the tiler leaves nothing to pair. Law: mode 0 is A o T. Source: paper 5.2.

    >>> zipped_divide(Layout((8, 16), (20, 1)), (4, 8))
    Layout('((4,8),(2,2)):((20,1),(80,8))')
    """
    return regrouped("zipped_divide", logical_divide, layout, tiler)


@word("""
    algebra: tiled_divide(A: any-layout, B: operand)
    the divide as (tiles, rest, rest, ...)
    tiled_divide((8,16):(20,1), (4,8))
    over: inside
""")
def tiled_divide(layout: Layout, tiler: Operand) -> Layout:
    """``((tile, tile, ...), rest, rest, ...)``.

    >>> tiled_divide(Layout((8, 16), (20, 1)), (4, 8))
    Layout('((4,8),2,2):((20,1),80,8)')
    """
    return regrouped("tiled_divide", logical_divide, layout, tiler)


@word("""
    algebra: flat_divide(A: any-layout, B: operand)
    the divide as (tile, tile, ..., rest, rest, ...)
    flat_divide((8,16):(20,1), (4,8))
    over: inside
""")
def flat_divide(layout: Layout, tiler: Operand) -> Layout:
    """``(tile, tile, ..., rest, rest, ...)``.

    >>> flat_divide(Layout((8, 16), (20, 1)), (4, 8))
    Layout('(4,8,2,2):(20,1,80,8)')
    """
    return regrouped("flat_divide", logical_divide, layout, tiler)
