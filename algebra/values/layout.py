"""Layouts: a shape with congruent strides, the function ``L(c) = <natural(c), D>`` (CuTe paper, section 3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, SupportsIndex, overload

from ..base.above import Operators, above
from ..base.decide import less
from ..base.effort import check_held, spend
from ..base.errors import LayoutError, refuse
from ..base.words import word
from .codomain import as_coordinate, profile_of, value_of
from .elements import coordinate_values, elements, xor_values
from .htuple import (
    HTuple,
    Nested,
    ShapeLike,
    at_path,
    congruent,
    depth,
    entries,
    flatten,
    format_htuple,
    is_sliced,
    is_special,
    path_of,
    rank,
    told,
)
from .semimodule import Coordinate, StrideLike, Strides, Xor, semimodule_of
from .shape import at_index, inner_product, prefix_products, size


class Layout(Operators["Layout"]):
    """``shape : stride``, an immutable value.

    ``shape`` is a nested tuple of extents >= 1; ``stride`` is congruent with it, its leaves integers, `Coordinate` or
    `Xor` elements of one semimodule (zeros apart). Without a stride the layout is compact and column-major. Lists and
    integers of any type are taken, and the text of a layout. LC201, LC202 or LC203 if the parts do not make a layout.

    >>> Layout(((2, 2), (4, 2)), ((1, 8), (2, 16)))(22)
    26
    >>> Layout((4, 8)), Layout("(4,8):(8,1)")
    (Layout('(4,8):(1,4)'), Layout('(4,8):(8,1)'))
    """

    __slots__ = ("shape", "stride")
    __match_args__ = ("shape", "stride")
    shape: HTuple
    stride: Strides

    def __init__(self, shape: ShapeLike, stride: StrideLike | None = None) -> None:
        extents: Nested = shape
        steps: Nested = shape if stride is None else stride
        if not _fits(extents, steps):
            extents, steps = _checked(shape, stride)
        elif stride is None:
            steps = prefix_products(extents)
        _set_shape(self, extents)
        _set_stride(self, steps)

    def __reduce__(self) -> tuple[Any, ...]:
        return make, (self.shape, self.stride)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Layout) and self.shape == other.shape and self.stride == other.stride

    def __hash__(self) -> int:
        return hash((self.shape, self.stride))

    def __str__(self) -> str:
        text = f"{self.shape}:{self.stride}"
        if text.upper() == text.lower() and "?" not in text:
            # Without letters and unknowns these are integers, whose tuples Python writes faster.
            return text.replace(" ", "").replace(",)", ")")
        return f"{format_top(self.shape)}:{format_top(self.stride)}"

    @property
    def rank(self) -> int:
        """The number of modes."""
        return rank(self.shape)

    @property
    def depth(self) -> int:
        """The depth of the shape."""
        return depth(self.shape)

    @property
    def size(self) -> int:
        """The number of coordinates, the product of the shape."""
        return size(self.shape)

    @property
    def semimodule(self) -> str:
        """``"Z"``, ``"Z^P"`` or ``"F2"``."""
        for d in flatten(self.stride):
            if type(d) is not int:
                if isinstance(d, Coordinate):
                    return "Z^P"
                if isinstance(d, Xor):
                    return "F2"
        return "Z"

    def __len__(self) -> int:
        return rank(self.shape)

    def __iter__(self) -> Iterator[Layout]:
        return iter(self.modes())

    @overload
    def __getitem__(self, index: SupportsIndex | tuple[SupportsIndex, ...]) -> Layout: ...
    @overload
    def __getitem__(self, index: Any) -> Any: ...

    def __getitem__(self, index: Any) -> Any:
        """The mode at an index or a path of indices; with None or ``:`` among them the slice, as ``A(..)`` has it.

        LC103 where there is no such mode.
        """
        if is_sliced(index):
            return above("at")(self, index)
        path = path_of(index, self.shape)
        return make(at_path(self.shape, path), at_path(self.stride, path))

    def modes(self) -> tuple[Layout, ...]:
        """The modes as layouts; a leaf is its own only mode."""
        if not isinstance(self.shape, tuple):
            return (self,)
        return tuple(map(make, self.shape, entries(self.stride)))

    def flat(self) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """The leaves: (extents, strides), left to right."""
        return flatten(self.shape), flatten(self.stride)

    @overload
    def __call__(self, *coordinate: SupportsIndex | tuple[Any, ...]) -> HTuple: ...
    @overload
    def __call__(self, *coordinate: Any) -> Any: ...

    def __call__(self, *coordinate: Any) -> Any:
        """L(c) for a coordinate weakly congruent with the shape; several arguments are one tuple.

        With None for free modes the slice, a `Tensor`; with arrays of numpy the array of values.

        Law: ``L(c) = sum c_i * d_i`` over the natural coordinate. Integers beyond the size are legal and land in
        the last mode. A coordinate of codomain Z^P comes as a tuple, an XOR value as an integer. LC205 for a coordinate
        that does not fit.
        """
        c = coordinate[0] if len(coordinate) == 1 else coordinate
        try:
            value = self.element(c)
        except LayoutError:
            if is_special(c):
                return above("at")(self, c)
            raise
        if type(value) is int and value:
            return value
        return value_of(value, codomain_profile(self))

    def element(self, coordinate: Any) -> Any:
        """L(c) as a semimodule element: an integer, `Coordinate` or `Xor`."""
        if isinstance(coordinate, (Coordinate, Xor)):
            coordinate = as_coordinate(coordinate, self.shape)
        if type(coordinate) is int:
            return at_index(coordinate, *self.flat())
        return inner_product(coordinate, self.shape, self.stride)

    def elements(self) -> list[Any]:
        """All values in order of the index 0..size-1, as semimodule elements (integers for Z); LC104 beyond 2^26."""
        check_held(self.size)
        found = elements(*self.flat())
        spend(len(found))
        return found

    def values(self) -> list[Any]:
        """All values in order of the index: integers (Z and F2) or coordinate tuples (Z^P)."""
        kind = self.semimodule
        if kind == "Z":
            return self.elements()
        check_held(self.size)
        shape, stride = self.flat()
        if kind == "F2":
            found = xor_values(list(zip(shape, stride, strict=True)))
        else:
            found = coordinate_values(shape, stride, codomain_profile(self))
        spend(len(found))
        return found


_set_shape = Layout.__dict__["shape"].__set__
_set_stride = Layout.__dict__["stride"].__set__
_new = object.__new__


def make(shape: Nested, stride: Nested) -> Layout:
    """A layout from parts that are known to fit: no checks. For the algebra itself; callers outside use `Layout`."""
    layout = _new(Layout)
    _set_shape(layout, shape)
    _set_stride(layout, stride)
    return layout


@word("""
    modes: concat(L: layout...) alias concatenate
    the layout with the given modes
    concat(4:1, 8:4)
""")
def concat(*layouts: Layout) -> Layout:
    """The layout whose modes are the given ones (paper 5.1); LC203 if their semimodules differ.

    >>> concat(Layout(4, 1), Layout(8, 4))
    Layout('(4,8):(1,4)')
    """
    return uniform(make(tuple([x.shape for x in layouts]), tuple([x.stride for x in layouts])))


def uniform(layout: Layout) -> Layout:
    """The layout itself; LC203 if its strides are of several semimodules, which the parts of a layout may be."""
    for d in flatten(layout.stride):
        if type(d) is not int:
            return Layout(layout.shape, layout.stride)
    return layout


def nested(layouts: Any) -> Layout:
    """One layout of a tuple of layouts, nested or not: each stands for a mode. No checks, as in `make`.

    >>> nested((Layout(2, 1), (Layout(3, 2), Layout(4, 6))))
    Layout('(2,(3,4)):(1,(2,6))')
    """
    if isinstance(layouts, Layout):
        return layouts
    modes = [mode if isinstance(mode, Layout) else nested(mode) for mode in layouts]
    return make(tuple([x.shape for x in modes]), tuple([x.stride for x in modes]))


def reach(shape: Iterable[Any], stride: Iterable[Any]) -> int:
    """The sum of (s - 1)*|d| over flat integer modes: the greatest value where no stride is negative.

    >>> reach((4, 8), (1, 5))
    38
    """
    total = 0
    for s, d in zip(shape, stride, strict=True):
        total = total + (s - 1) * (abs(d) if type(d) is int else -d if less(d, 0) else d)
    return total


def codomain_profile(layout: Layout) -> HTuple:
    """The profile of the codomain: a leaf for Z and F2, else the smallest nested tuple that holds every axis."""
    paths = {p for d in flatten(layout.stride) if isinstance(d, Coordinate) for p, _ in d.terms}
    return profile_of(paths) if paths else 0


def _fits(shape: Nested, stride: Nested) -> bool:
    """Are these, as they stand, positive integers and integer strides of one profile? The common case, in one walk."""
    if type(shape) is tuple is type(stride) and len(shape) == len(stride):
        for s, d in zip(shape, stride):  # noqa: B905 - strict costs more than all the rest
            if type(s) is int is type(d):
                if s < 1:
                    return False
            elif type(s) is not tuple or not _fits(s, d):
                return False
        return True
    return type(shape) is int is type(stride) and shape >= 1


def _checked(shape: Nested, stride: Nested | None) -> tuple[Nested, Nested]:
    """Shape and stride as tuples, if they make a layout; what is wrong with them otherwise."""
    shape, stride = told(shape), told(stride)
    if isinstance(shape, Layout) and stride is None:
        return shape.shape, shape.stride
    check_shape(shape)
    stride = prefix_products(shape) if stride is None else stride
    if not congruent(shape, stride):
        raise refuse(
            "LC201",
            "shape {shape} and stride {stride} are not congruent",
            op="layout",
            shape=format_htuple(shape),
            stride=format_htuple(stride),
        )
    strides = flatten(stride)
    check_strides(strides)
    if semimodule_of(strides) == "Z^P":
        # A sum over all axes names two axes that no coordinate can have together.
        Coordinate.of(chain.from_iterable(d.terms for d in strides if isinstance(d, Coordinate)))
    return shape, stride


def check_shape(shape: Nested) -> None:
    """LC202 unless every leaf is a positive integer (or an unknown)."""
    for extent in flatten(shape):
        # Unknown extents are positive by assumption; bool is an int only to Python.
        if type(extent) is int:
            if extent >= 1:
                continue
        elif hasattr(extent, "symbols"):
            continue
        raise refuse(
            "LC202",
            "shape entry {entry} is not a positive integer",
            op="layout",
            entry=format_htuple(extent),
            shape=format_htuple(shape),
        )


def check_strides(strides: Iterable[Any]) -> None:
    """LC103 unless every leaf is an integer, a coordinate, an XOR stride, or an unknown."""
    for d in strides:
        if not (type(d) is int or isinstance(d, (Coordinate, Xor)) or hasattr(d, "symbols")):
            raise refuse("LC103", "stride entry {entry} is not an integer", op="layout", entry=format_htuple(d))


def format_top(x: Nested) -> str:
    """The text of a shape or stride at the top of a layout: an expression is bracketed, ``:`` binds tighter."""
    text = format_htuple(x)
    if type(x) is tuple or isinstance(x, (int, Coordinate, Xor)):
        return text
    return text if text.replace("_", "").removeprefix("?").isalnum() else f"({text})"
