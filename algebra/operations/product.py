"""Logical product A * B = (A, A* o B) and its regroupings (CuTe paper, section 5.1)."""

from __future__ import annotations

from ..base.decide import ceil_quotient, known_same
from ..base.derivations import derived, recorder
from ..base.errors import AdmissibilityError, refuse, remark
from ..base.words import word
from ..values.coalesce import coalesce, unwrap
from ..values.layout import Layout, concat, make, nested, reach, uniform
from ..values.tiler import Operand, Tiler, as_operand, by_mode
from .coincidence import unknown
from .complement import complement
from .composition import composition
from .divide import one_is_still, regrouped


@word("""
    algebra: logical_product(A: any-layout, B: operand) alias product
    A repeated in the pattern of B
    law: R(a,b) = A(a) + A*(B(b))
    logical_product((3,4):(4,1), (2,5):(1,2))
    over: inside
""")
def logical_product(layout: Layout, tiler: Operand) -> Layout:
    """A * B = (A, A* o B): mode 0 is A unchanged, mode 1 repeats it in the pattern of B.

    A tiler or a bare shape multiplies mode by mode and keeps surplus modes. Law: ``R(a, b) = A(a) + A*(B(b))``.
    Raises what complement and composition raise. Source: paper 5.1.

    >>> logical_product(Layout((3, 4), (4, 1)), Layout((2, 5), (1, 2)))
    Layout('((3,4),(2,5)):((4,1),(12,24))')
    """
    operand = as_operand(one_is_still(tiler))
    if operand is None:
        return layout
    if isinstance(operand, Tiler):
        return uniform(by_mode("logical_product", layout, operand, logical_product, keep_surplus=True))
    return derived("product", _product, layout, operand)


def _product(layout: Layout, pattern: Layout) -> Layout:
    free = complement(layout)
    if (trace := recorder.get()) is not None:
        trace.step("free", layout=str(layout), free=str(free))
    if pattern.semimodule == "Z^P" and free.rank > 1 and unknown(free):
        # How many modes are free, and so what a coordinate stride names, differs from number to number.
        raise refuse(
            "LC106", "a product with coordinate strides needs the values of the unknowns in {layout}",
            op="logical_product", layout=str(layout), left_path=(),
        )  # fmt: skip
    try:
        repeated = composition(free, pattern)
        if layout.semimodule == "Z" == pattern.semimodule:
            repeated = _spelled(layout, free, pattern, repeated)
    except AdmissibilityError as error:
        error.facts |= {"op": "logical_product", "left_path": (), "free": free, "A": layout}
        raise
    return concat(layout, repeated)


def _spelled(layout: Layout, free: Layout, pattern: Layout, repeated: Layout) -> Layout:
    """A* o B in the words of C++, which cuts A* at size(A)*cosize(B).

    The cut shows only where nothing is left behind the last block: then A* ends a mode earlier. The function stays
    that of the whole A*.
    """
    shape, stride = free.flat()
    behind = ceil_quotient(layout.size * (1 + reach(*pattern.flat())), stride[-1])
    if not known_same(behind, 1):
        return repeated
    spelled = composition(unwrap(list(zip(shape[:-1], stride, strict=False))), pattern)
    return spelled if coalesce(spelled) == coalesce(repeated) else repeated


@word("""
    algebra: zipped_product(A: any-layout, B: operand)
    the by-mode product as (blocks, rests)
    zipped_product((2,5):(5,1), (3,4):(1,3))
    over: inside
""")
def zipped_product(layout: Layout, tiler: Operand) -> Layout:
    """``((A_0, A_1, ...), (rest_0, rest_1, ...))`` of a by-mode product; the plain product for a layout.

    >>> zipped_product(Layout((2, 5), (5, 1)), Layout((3, 4), (1, 3)))
    Layout('((2,5),(3,4)):((5,1),(10,30))')
    """
    return regrouped("zipped_product", logical_product, layout, tiler)


@word("""
    algebra: tiled_product(A: any-layout, B: operand)
    the by-mode product as (blocks, rest, rest, ...)
    tiled_product((2,5):(5,1), (3,4):(1,3))
    over: inside
""")
def tiled_product(layout: Layout, tiler: Operand) -> Layout:
    """``((A_0, A_1, ...), rest_0, rest_1, ...)``.

    >>> tiled_product(Layout((2, 5), (5, 1)), Layout((3, 4), (1, 3)))
    Layout('((2,5),3,4):((5,1),10,30)')
    """
    return regrouped("tiled_product", logical_product, layout, tiler)


@word("""
    algebra: flat_product(A: any-layout, B: operand)
    the by-mode product as (block, ..., rest, ...)
    flat_product((2,5):(5,1), (3,4):(1,3))
    over: inside
""")
def flat_product(layout: Layout, tiler: Operand) -> Layout:
    """``(A_0, A_1, ..., rest_0, rest_1, ...)``.

    >>> flat_product(Layout((2, 5), (5, 1)), Layout((3, 4), (1, 3)))
    Layout('(2,5,3,4):(5,1,10,30)')
    """
    return regrouped("flat_product", logical_product, layout, tiler)


def _paired(op: str, block: Layout, pattern: Operand, strict: bool) -> list[tuple[Layout, Layout]]:
    """The modes of block and pattern side by side, those of the shorter one padded with 1:0 (LC408)."""
    operand = as_operand(one_is_still(pattern))
    if not isinstance(operand, Layout):
        raise refuse("LC103", "{op} takes a layout as its pattern, not {pattern}", op=op, pattern=str(operand))
    rank, repeats = block.rank, operand.rank
    if rank == repeats == 1 and not isinstance(block.shape, tuple):
        one, other = logical_product(block, operand).modes()
        return [(one, other)]
    if rank != repeats:
        if strict:
            raise refuse(
                "LC305",
                "{op} needs equal ranks: {left} and {right}",
                op=op,
                left=rank,
                right=repeats,
                left_path=(),
                right_path=(),
            )
        remark(
            "LC408",
            "{op} wants equal ranks, {left} and {right}: the shorter operand is padded with 1:0",
            op=op,
            left=rank,
            right=repeats,
            left_path=(),
            right_path=(),
        )
    blocks, rests = logical_product(_padded(block, repeats), _padded(operand, rank)).modes()
    return list(zip(blocks.modes(), rests.modes(), strict=True))


def _padded(layout: Layout, rank: int) -> Layout:
    """The layout as a tuple of at least ``rank`` modes."""
    if isinstance(layout.shape, tuple) and len(layout.shape) >= rank:
        return layout
    return concat(*layout.modes(), *[make(1, 0)] * (rank - layout.rank))


@word("""
    algebra: blocked_product(A: layout, B: operand)
    the product with modes (A_i, B_i): blocks side by side
    blocked_product((3,4):(4,1), (2,5):(1,2))
    over: inside
""")
def blocked_product(block: Layout, pattern: Operand, *, strict: bool = False) -> Layout:
    """The product with modes paired ``(A_i, B_i)``: whole blocks, side by side. Source: paper 5.1, Figure 10.

    >>> blocked_product(Layout((3, 4), (4, 1)), Layout((2, 5), (1, 2)))
    Layout('((3,2),(4,5)):((4,12),(1,24))')
    """
    return nested(_paired("blocked_product", block, pattern, strict))


@word("""
    algebra: raked_product(A: layout, B: operand)
    the product with modes (B_i, A_i): blocks interleaved
    raked_product((3,4):(4,1), (2,5):(1,2))
    over: inside
""")
def raked_product(block: Layout, pattern: Operand, *, strict: bool = False) -> Layout:
    """The product with modes paired ``(B_i, A_i)``: the blocks interleaved like the teeth of rakes.

    Source: paper 5.1, Figure 11.

    >>> raked_product(Layout((3, 4), (4, 1)), Layout((2, 5), (1, 2)))
    Layout('((2,3),(5,4)):((12,4),(24,1))')
    """
    return nested([(b, a) for a, b in _paired("raked_product", block, pattern, strict)])
