"""Tensors ``{offset} o L`` and slices (CuTe paper, section 3.4)."""

from __future__ import annotations

from typing import Any

from ..base.above import Operators, above
from ..base.errors import LayoutError, refuse
from ..base.words import word
from .codomain import value_of
from .htuple import HTuple, Nested, Pattern, format_htuple, is_sliced, is_special, told
from .layout import Layout, codomain_profile, make, nested
from .semimodule import Coordinate, Xor
from .shape import check_coordinate
from .swizzle import Composed
from .swizzle_slice import swizzled_offset


class Tensor(Operators["Tensor"]):
    """``{offset} o L``: the function c -> offset + L(c); without a layout the single value ``{offset}``.

    >>> str(Tensor(8, Layout((3, 2), (15, 100))))
    '{8} o (3,2):(15,100)'
    """

    __slots__ = ("layout", "offset")
    __match_args__ = ("offset", "layout")
    offset: Any
    layout: Layout | Composed | None

    def __init__(self, offset: Any, layout: Layout | Composed | None = None) -> None:
        if type(offset) is not int or not (layout is None or isinstance(layout, (Layout, Composed))):
            offset, layout = _parts(offset, layout)
        object.__setattr__(self, "offset", offset)
        object.__setattr__(self, "layout", layout)

    def __str__(self) -> str:
        offset = "{" + self.offset_text() + "}"
        return offset if self.layout is None else f"{offset} o {self.layout}"

    def offset_text(self) -> str:
        """The offset in the form of the codomain: an integer, or a coordinate tuple."""
        if isinstance(self.layout, Layout) and (profile := codomain_profile(self.layout)):
            if isinstance(self.offset, Coordinate) and not _covers(profile, self.offset):
                return str(self.offset)
            return format_htuple(value_of(self.offset, profile))
        return format_htuple(self.offset)

    @property
    def shape(self) -> HTuple:
        """The shape of the layout, () when nothing is free."""
        return () if self.layout is None else self.layout.shape

    @property
    def size(self) -> int:
        """The number of coordinates."""
        return 1 if self.layout is None else self.layout.size

    @property
    def rank(self) -> int:
        """The rank of the layout, 0 when nothing is free."""
        return 0 if self.layout is None else self.layout.rank

    def element(self, coordinate: Any) -> Any:
        """offset + L(c) as a semimodule element."""
        return self.offset if self.layout is None else self.offset + self.layout.element(coordinate)

    def __getitem__(self, index: Any) -> Any:
        """The mode at an index or a path of indices, with the same offset; with None or ``:`` the slice."""
        if is_sliced(index):
            return above("at")(self, index)
        return Tensor(self.offset, (Layout(()) if self.layout is None else self.layout)[index])

    def __call__(self, *coordinate: Any) -> Any:
        """The value at a coordinate; slices and arrays as a `Layout` has them."""
        c = coordinate[0] if len(coordinate) == 1 else coordinate
        try:
            return self._value(self.element(c))
        except LayoutError:
            if is_special(c):
                return above("at")(self, c)
            raise

    def _value(self, element: Any) -> Any:
        profile = codomain_profile(self.layout) if isinstance(self.layout, Layout) else 0
        if isinstance(element, Coordinate) and not _covers(profile, element):
            return element
        return value_of(element, profile)

    def elements(self) -> list[Any]:
        """All values in order of the index, as semimodule elements."""
        return [self.offset] if self.layout is None else [self.offset + v for v in self.layout.elements()]

    def values(self) -> list[Any]:
        """All values in order of the index."""
        return [self._value(v) for v in self.elements()]


def _parts(offset: Any, layout: Any) -> tuple[Any, Any]:
    """Offset and layout, or those of a text; LC103 for anything else."""
    read, inner = told(offset), told(layout)
    if isinstance(read, Tensor) and inner is None:
        return read.offset, read.layout
    if inner is not None and not isinstance(inner, (Layout, Composed)):
        raise refuse("LC103", "{value} is no layout behind an offset", op="tensor", value=format_htuple(inner))
    if type(read) is not int and not isinstance(read, (Coordinate, Xor)) and not hasattr(read, "symbols"):
        raise refuse("LC103", "{value} is no offset", op="tensor", value=format_htuple(read))
    return read, inner


def _covers(profile: HTuple, element: Coordinate) -> bool:
    """Has the profile a leaf at every path of the element?"""
    for path, _ in element.terms:
        at: Any = profile
        for i in path:
            if not isinstance(at, tuple) or i >= len(at):
                return False
            at = at[i]
        if isinstance(at, tuple):
            return False
    return True


def free_and_fixed(coordinate: Pattern, shape: Nested, stride: Nested) -> tuple[list[Layout], Any]:
    """The free modes (None in the coordinate) and the offset of the fixed ones."""
    if coordinate is None:
        return [make(shape, stride)], 0
    if not isinstance(coordinate, tuple):
        return [], make(shape, stride).element(coordinate)
    if not isinstance(shape, tuple) or len(shape) != len(coordinate):
        check_coordinate(coordinate, shape)
    free: list[Layout] = []
    offset: Any = 0
    for c, s, d in zip(coordinate, shape, stride, strict=True):
        below, at = free_and_fixed(c, s, d)
        offset = offset + at
        if not below:
            continue
        # A tuple with one survivor is unwrapped; several keep their hierarchy.
        free.append(below[0] if len(below) == 1 or not isinstance(c, tuple) else nested(below))
    return free, offset


@word("""
    algebra: slice(L: any-layout, c: coordinate) alias slice_and_offset
    fix the given entries, keep the free (_) modes
    law: slice(L,c)(free) = L(c)
    slice((4,8):(1,4), (2,_))
""")
def slice_layout(layout: Layout | Composed | Tensor, coordinate: Pattern) -> Tensor:
    """``{offset} o rest``: None marks a free mode, everything else is evaluated into the offset.

    The coordinate is weakly congruent with the shape (LC205); integers may stand for hierarchical modes. Free modes
    keep their hierarchy, a tuple with one survivor is unwrapped. Law: ``slice(L, c)(free) = L(c filled with free)``.
    Source: paper 3.4, Figure 5.

    >>> L = Layout(((3, 2), ((2, 3), 2)), ((4, 1), ((2, 15), 100)))
    >>> slice_layout(L, (2, ((0, None), None)))
    Tensor('{8} o (3,2):(15,100)')
    """
    if isinstance(layout, Tensor):
        inner = slice_layout(layout.layout, coordinate) if layout.layout is not None else Tensor(0)
        return Tensor(layout.offset + inner.offset, inner.layout)
    if isinstance(layout, Composed):
        return _slice_composed(layout, coordinate)
    free, offset = free_and_fixed(coordinate, layout.shape, layout.stride)
    if not free:
        return Tensor(offset)
    return Tensor(offset, free[0] if len(free) == 1 else nested(free))


def _slice_composed(composed: Composed, coordinate: Pattern) -> Tensor:
    free, offset = free_and_fixed(coordinate, composed.layout.shape, composed.layout.stride)
    if not free:
        return Tensor(composed.swizzle(composed.offset + offset))
    rest = free[0] if len(free) == 1 else nested(free)
    outside, inner = swizzled_offset(composed.swizzle, composed.offset + offset, rest)
    return Tensor(outside, inner)
