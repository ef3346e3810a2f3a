"""The operations on flat layouts: one tuple of modes in, one out (Categorical Foundations, section 2.2)."""

from __future__ import annotations

from ..base.errors import refuse
from ..base.words import word
from ..operations.composition import composition
from ..values.coalesce import Modes, merged
from ..values.htuple import flatten
from ..values.layout import Layout, make
from .quotient import complement_layout
from .realise import cosize
from .tractable import nullify, plain_modes, sorted_modes

__all__ = [
    "coalesce_layout_flat",
    "complement_layout_flat",
    "compose_layouts_flat",
    "concat_layouts_flat",
    "divide_layouts_flat",
    "product_layouts_flat",
    "sort_layout",
    "squeeze_layout",
]


def _flat(modes: Modes) -> Layout:
    return make(tuple(s for s, _ in modes), tuple(d for _, d in modes))


def concat_layouts_flat(*layouts: Layout) -> Layout:
    """A * B: the leaves one after the other.

    >>> concat_layouts_flat(Layout((2, (3, 4))), Layout(5, 24))
    Layout('(2,3,4,5):(1,2,6,24)')
    """
    shape: tuple[int, ...] = ()
    stride: tuple[int, ...] = ()
    for layout in layouts:
        s, d = layout.flat()
        shape, stride = shape + s, stride + d
    return Layout(shape, stride)


@word("""
    categories: squeeze_layout(L: layout)
    without modes of extent 1
    squeeze_layout((4,1,8):(1,0,4))
""")
def squeeze_layout(layout: Layout) -> Layout:
    """The flat layout without its size-1 modes.

    >>> squeeze_layout(Layout((2, 1, 3), (1, 9, 2)))
    Layout('(2,3):(1,2)')
    """
    return _flat([(s, d) for s, d in zip(*layout.flat(), strict=True) if s != 1])


@word("""
    categories: sort_layout(L: layout)
    modes in order of stride
    sort_layout((4,8):(8,1))
""")
def sort_layout(layout: Layout) -> Layout:
    """The flat modes in order of stride, then of extent.

    >>> sort_layout(Layout((4, 8, 2), (8, 1, 0)))
    Layout('(2,8,4):(0,1,8)')
    """
    return _flat([(s, d) for d, s, _ in sorted_modes(*plain_modes(layout, "sort_layout"))])


def coalesce_layout_flat(layout: Layout) -> Layout:
    """coal of the flat layout: always a tuple of modes, also for one mode or none.

    >>> coalesce_layout_flat(Layout((2, 4), (1, 2)))
    Layout('(8):(1)')
    """
    return _flat(merged(*layout.flat()))


def complement_layout_flat(layout: Layout, N: int) -> Layout:
    """comp(A, N) as a tuple of modes; errors as `complement_layout`.

    >>> complement_layout_flat(Layout((2,), (1,)), 8)
    Layout('(4):(2)')
    """
    free = complement_layout(layout, N)
    return coalesce_layout_flat(free)


def compose_layouts_flat(outer: Layout, inner: Layout) -> Layout:
    """The flat layout C of the shape of A with ``C(c) = B(A(c))`` and no stride on size-1 modes, if there is one.

    It may fail although the nested composition exists: then a mode of A would have to be split (LC302). Other errors
    as `composition`. Source: Categorical Foundations §2.2.

    >>> compose_layouts_flat(Layout((8, 8), (8, 1)), Layout((4, 2), (1, 8)))
    Layout('(4,2):(8,1)')
    """
    flat = make(*inner.flat())
    result = nullify(composition(outer, flat))
    for i, (mode, s) in enumerate(zip(result.modes(), flat.shape, strict=True)):
        if isinstance(mode.shape, tuple):
            raise refuse(
                "LC302",
                "mode {extent}:{stride} of the inner layout would be split into {mode}; there is no flat composition",
                op="compose_layouts_flat",
                kind="would_split",
                extent=s,
                stride=flat.stride[i],
                mode=str(mode),
                right_path=(i,),
            )
    return result


def divide_layouts_flat(A: Layout, B: Layout) -> Layout:
    """A / B, flat: A o (B * comp(B, size A)).

    >>> divide_layouts_flat(Layout((4, 8), (1, 4)), Layout((4,), (1,)))
    Layout('(4,8):(1,4)')
    """
    return compose_layouts_flat(A, concat_layouts_flat(B, complement_layout_flat(B, A.size)))


def product_layouts_flat(A: Layout, B: Layout) -> Layout:
    """A * B, flat: A followed by comp(A, N) o B with ``N = size(A)*cosize(B)``, rounded up to what A divides.

    >>> product_layouts_flat(Layout((2, 2), (5, 10)), Layout((3, 5), (5, 1)))
    Layout('(2,2,3,5):(5,10,20,1)')
    """
    shape, stride = A.flat()
    extent = max([1, *(s * d for s, d in zip(shape, stride, strict=True) if s != 1)])
    N = extent * -(-A.size * cosize(B) // extent)
    return concat_layouts_flat(make(flatten(shape), stride), compose_layouts_flat(complement_layout_flat(A, N), B))
