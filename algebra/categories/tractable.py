"""Tractable layouts and the standard form: from layouts to morphisms (Categorical Foundations, Theorem A)."""

from __future__ import annotations

from typing import Any

from ..base.errors import LayoutError, refuse
from ..base.words import word
from ..values.coalesce import Modes
from ..values.htuple import flatten, leaf_paths, unflatten
from ..values.layout import Layout, make
from .morphism import Morphism, arrow, to_layout


def plain_modes(layout: Layout, op: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The flat extents and strides, which must be integers >= 0: LC106 for an unknown, LC103 for any other stride."""
    shape, stride = layout.flat()
    for d in stride:
        if type(d) is not int or d < 0:
            break
    else:
        for s in shape:
            if type(s) is not int:
                raise _unknown(layout, s, op)
        return shape, stride
    if hasattr(d, "symbols"):
        raise _unknown(layout, d, op)
    raise refuse(
        "LC103",
        "{op} needs strides that are integers >= 0; {layout} has {stride}",
        op=op,
        layout=str(layout),
        stride=str(d),
        left_path=(),
    )


def _unknown(layout: Layout, value: Any, op: str) -> LayoutError:
    return refuse("LC106", "{op} needs the value of {value} in {layout}", op=op, value=str(value), layout=str(layout))


def sorted_modes(shape: tuple[int, ...], stride: tuple[int, ...]) -> list[tuple[int, int, int]]:
    """The flat modes as (stride, extent, index), in the order in which they stack: by stride, then by extent."""
    return sorted(zip(stride, shape, range(len(shape)), strict=True))


@word("""
    categories: is_tractable(L: layout) alias tractable
    has the layout a diagram?
    is_tractable((4,8):(8,1))
""")
def is_tractable(layout: Layout) -> bool:
    """Do the modes with non-zero stride stack into a chain? ``d_i = 0 or s_i*d_i | d_(i+1)`` in order of stride.

    The literal layout is judged: a size-1 mode with a stride counts; `nullify` removes such strides.
    Source: Categorical Foundations §2.3.

    >>> is_tractable(Layout((4, 8), (8, 1))), is_tractable(Layout((2, 2), (1, 3)))
    (True, False)
    """
    current = 1
    for d, s, _ in sorted_modes(*plain_modes(layout, "is_tractable")):
        if d:
            if d % current:
                return False
            current = s * d
    return True


def nullify(layout: Layout) -> Layout:
    """The non-degenerate twin: strides of size-1 modes become 0, the function stays.

    >>> nullify(Layout((4, 1), (1, 7)))
    Layout('(4,1):(1,0)')
    """
    shape, stride = layout.flat()
    if all(s != 1 or d == 0 for s, d in zip(shape, stride, strict=True)):
        return layout
    strides = [0 if s == 1 else d for s, d in zip(shape, stride, strict=True)]
    return make(layout.shape, unflatten(strides, layout.shape))


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


def _flat(modes: Modes) -> Layout:
    """A tuple of modes, also of one or none."""
    return make(tuple(s for s, _ in modes), tuple(d for _, d in modes))


@word("""
    categories: to_morphism(L: layout) alias morphism
    the standard form of a tractable layout
    law: layout(f) = L
    to_morphism((4,8):(8,1))
""")
def to_morphism(layout: Layout, *, op: str = "to_morphism") -> Morphism:
    """f_L, the morphism of standard form that encodes a tractable layout.

    The modes are stacked in order of stride; a gap g between one and the next becomes an entry g of the codomain that
    no arrow hits.

    Law: ``to_layout(f_L) = L``; for non-degenerate layouts f_L is the only one of standard form. LC309 if L is not
    tractable (kind not_tractable). Source: Categorical Foundations §3.4, Theorem A.

    >>> print(to_morphism(Layout((2, 2, 2, 2), (24, 0, 3, 480))))
    (2,2,2,2) --(4,*,2,6)--> (3,2,4,2,10,2)
    """
    shape, stride = plain_modes(layout, op)
    codomain: list[int] = []
    map_ = [0] * len(shape)
    current = 1
    below = -1
    for d, s, i in sorted_modes(shape, stride):
        if d == 0:
            continue
        if d != current:
            gap, rest = divmod(d, current)
            if rest:
                raise _not_tractable(layout, below, i, op)
            codomain.append(gap)
        codomain.append(s)
        map_[i] = len(codomain)
        current = s * d
        below = i
    return arrow(layout.shape, tuple(codomain), tuple(map_))


def _not_tractable(layout: Layout, i: int, j: int, op: str) -> LayoutError:
    shape, stride = layout.flat()
    extent = shape[i] * stride[i]
    paths = list(leaf_paths(layout.shape))
    overlap = stride[j] < extent
    twin = nullify(layout)
    return refuse(
        "LC309",
        "{layout} is not tractable: mode {mode} needs {size}*{stride} = {extent} to divide the next stride"
        " {next_stride} (remainder {remainder})" + (", the two modes overlap" if overlap else "")
        + ("; it is tractable once the strides of size-1 modes are 0" if twin != layout and is_tractable(twin) else ""),
        op=op,
        kind="not_tractable",
        layout=str(layout),
        mode=f"{shape[i]}:{stride[i]}",
        next=f"{shape[j]}:{stride[j]}",
        size=shape[i],
        stride=stride[i],
        next_stride=stride[j],
        extent=extent,
        remainder=stride[j] % extent,
        overlap=overlap,
        left_path=paths[i],
        next_path=paths[j],
    )  # fmt: skip


def is_standard(f: Morphism) -> bool:
    """Has f standard form: a flat codomain that ends with a hit entry, unhit entries above 1 and never adjacent?

    Source: Categorical Foundations §3.4 (with n >= 1 in the second condition).

    >>> is_standard(Morphism((2, 2), (3, 2, 5, 2), (2, 4))), is_standard(Morphism(2, (2, 5), (1,)))
    (True, False)
    """
    codomain = f.codomain
    if not isinstance(codomain, tuple) or codomain != flatten(codomain):
        return False
    image = f.image
    n = len(codomain)
    if n and n not in image:
        return False
    return all(j in image or (codomain[j - 1] != 1 and j + 1 in image) for j in range(1, n))


@word("""
    categories: standardise(f: morphism) alias standard
    the standard form of the layout of a morphism
    standardise(to_morphism((4,8):(8,1)))
""")
def standardise(f: Morphism) -> Morphism:
    """The morphism of standard form with the same layout: ``to_morphism(to_layout(f))``.

    >>> print(standardise(Morphism((2, 2), (2, 3, 5, 2, 7), (1, 4))))
    (2,2) --(1,3)--> (2,15,2)
    """
    return to_morphism(to_layout(f), op="standard")
