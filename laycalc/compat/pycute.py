"""The names of pycute, the package beside CUTLASS, over the algebra of laycalc.

``from laycalc.compat.pycute import *`` runs a program that was written for pycute; `install` lets ``import pycute``
find this module. Conventions are pycute's: `size` and `cosize` are methods of a layout, a slice has no offset, the last
entry of a coordinate is reduced. What is checked is checked by laycalc: an operation without a right answer is a
`LayoutError`, where pycute fails an assertion or returns a layout with other values.
"""

from __future__ import annotations

import builtins
import sys
from abc import ABCMeta
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import laycalc as lc
from laycalc.algebra.base.errors import refuse
from laycalc.algebra.values.htuple import format_htuple
from laycalc.algebra.values.shape import crd2idx as _index
from laycalc.algebra.values.shape import idx2crd_strided, prefix_products
from laycalc.algebra.values.shape import inner_product as _worth

# fmt: off
__all__ = [
    "ComposedLayout", "Integer", "Layout", "LayoutBase", "Swizzle", "coalesce", "complement", "composition", "cosize",
    "crd2crd", "crd2idx", "elem_scale", "filter", "flatten", "has_none", "hier_unzip", "idx2crd", "inner_product",
    "is_int", "is_layout", "is_tuple", "left_inverse", "logical_divide", "logical_product", "make_layout",
    "prefix_product", "product", "right_inverse", "shape_div", "shiftl", "shiftr", "signum", "size", "slice_",
    "slice_and_offset", "tiled_divide", "tiled_product", "tuple_max", "zipped_divide", "zipped_product",
]
# fmt: on

Splitter: TypeAlias = "Callable[[Layout, Any], Layout]"


def install() -> None:
    """Let ``import pycute`` find this module."""
    for name in ("pycute", "pycute.int_tuple", "pycute.layout", "pycute.swizzle", "pycute.typing"):
        sys.modules[name] = sys.modules[__name__]


# -- tuples ------------------------------------------------------------------------------------------------------


class _IntegerType(ABCMeta):
    def __subclasscheck__(cls, kind: type) -> bool:
        return issubclass(kind, int) and kind is not bool

    def __instancecheck__(cls, x: object) -> bool:
        return issubclass(type(x), cls)


class Integer(metaclass=_IntegerType):
    """What is an integer; a boolean is none."""


def is_int(x: object) -> bool:
    return isinstance(x, Integer)


def is_tuple(x: object) -> bool:
    return isinstance(x, tuple)


def has_none(x: Any) -> bool:
    return any(map(has_none, x)) if isinstance(x, tuple) else x is None


def flatten(x: Any) -> tuple[Any, ...]:
    return tuple(leaf for entry in x for leaf in flatten(entry)) if isinstance(x, tuple) else (x,)


def signum(a: int) -> int:
    return (a > 0) - (a < 0)


def product(a: Any) -> int:
    return lc.product(a)


def tuple_max(a: Any) -> Any:
    return max(flatten(a))


def inner_product(a: Any, b: Any) -> Any:
    """The sum of the products of entries; LC201 if the profiles differ."""
    if not lc.congruent(a, b):
        said = {"a": format_htuple(a), "b": format_htuple(b)}
        raise refuse("LC201", "{a} and {b} are not congruent", op="inner_product", **said)
    return sum(x * y for x, y in zip(flatten(a), flatten(b), strict=True))


def elem_scale(a: Any, b: Any) -> Any:
    return lc.elem_scale(a, b)


def shape_div(a: Any, b: Any) -> Any:
    """a/b, rounded up; an integer b is used up from the first mode on. LC302 where neither divides the other."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return tuple(shape_div(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(b, tuple):
        return shape_div(a, product(b))
    if isinstance(a, tuple):
        found = []
        for mode in a:
            found.append(shape_div(mode, b))
            b = shape_div(b, product(mode))
        return tuple(found)
    if a % b and b % a:
        raise refuse("LC302", "{a} and {b} do not divide one another", op="shape_div", a=a, b=b)
    return -(-a // b)


def prefix_product(a: Any, init: Any = 1) -> Any:
    """The products of what is before each entry, from ``init`` on; entry by entry if that is a tuple."""
    if isinstance(init, tuple):
        if not isinstance(a, tuple) or len(a) != len(init):
            said = {"a": format_htuple(a), "init": format_htuple(init)}
            raise refuse("LC201", "{a} and {init} are not congruent", op="prefix_product", **said)
        return tuple(map(prefix_product, a, init))
    return prefix_products(a, init)


# -- coordinates -------------------------------------------------------------------------------------------------


def _grounded(coordinate: Any) -> Any:
    """A coordinate with 0 for what is free."""
    if isinstance(coordinate, tuple):
        return tuple(map(_grounded, coordinate))
    return 0 if coordinate is None else coordinate


def idx2crd(index: Any, shape: Any, stride: Any = None) -> Any:
    """``(index / d) mod s`` at each leaf, the last one included."""
    stride = prefix_product(shape) if stride is None else stride
    if isinstance(index, tuple):
        if not isinstance(shape, tuple) or len(index) != len(shape):
            raise refuse("LC205", "{c} does not fit {s}", op="idx2crd", c=format_htuple(index), s=format_htuple(shape))
        return tuple(map(idx2crd, index, shape, stride))
    return idx2crd_strided(index, shape, stride)


def crd2idx(coordinate: Any, shape: Any, stride: Any = None) -> Any:
    return _worth(_grounded(coordinate), shape, prefix_product(shape) if stride is None else stride)


def crd2crd(coordinate: Any, target: Any, source: Any = None) -> Any:
    """The coordinate into ``target``; ``source`` is the shape of a coordinate deeper than that."""
    if isinstance(coordinate, tuple) and isinstance(target, tuple):
        return tuple(crd2crd(c, t, source) for c, t in zip(coordinate, target, strict=True))
    if isinstance(coordinate, tuple):
        if source is None:
            raise refuse("LC205", "{c} needs the shape that it is of", op="crd2crd", c=format_htuple(coordinate))
        return _index(coordinate, source)
    if not isinstance(target, tuple) and not coordinate < target:
        raise refuse("LC205", "{c} is beyond {s}", op="crd2crd", c=format_htuple(coordinate), s=format_htuple(target))
    return idx2crd(coordinate, target) if isinstance(target, tuple) else coordinate


def slice_(coordinate: Any, target: Any) -> tuple[Any, ...]:
    """The entries of ``target`` that a coordinate leaves free, side by side."""
    if not isinstance(coordinate, tuple):
        return (target,) if coordinate is None else ()
    if not isinstance(target, tuple) or len(coordinate) != len(target):
        said = {"c": format_htuple(coordinate), "s": format_htuple(target)}
        raise refuse("LC205", "{c} does not fit {s}", op="slice", **said)
    return tuple(x for c, t in zip(coordinate, target, strict=True) for x in slice_(c, t))


# -- layouts -----------------------------------------------------------------------------------------------------


class LayoutBase:
    """What `is_layout` says yes to."""


def is_layout(x: object) -> bool:
    return isinstance(x, LayoutBase)


class Layout(LayoutBase):
    """A layout of laycalc, in `layout`, with pycute's methods."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, shape: Any, stride: Any = None) -> None:
        self.layout = shape if isinstance(shape, lc.Layout) else lc.Layout(shape, stride)

    @property
    def shape(self) -> Any:
        return self.layout.shape

    @property
    def stride(self) -> Any:
        return self.layout.stride

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Layout) and self.layout == other.layout

    def __len__(self) -> int:
        return len(self.layout)

    def __call__(self, *coordinate: Any) -> Any:
        """The offset of a coordinate, or with None in it the sublayout."""
        c = coordinate[0] if len(coordinate) == 1 else coordinate
        if has_none(c):
            return Layout(slice_(c, self.shape), slice_(c, self.stride))
        return self.layout(c)

    def __getitem__(self, i: Any) -> Layout:
        if isinstance(i, builtins.slice) and isinstance(self.shape, tuple):
            return Layout(self.shape[i], self.stride[i])
        return Layout(self.layout[i])

    def size(self) -> int:
        return self.layout.size

    def cosize(self) -> int:
        return lc.cosize(self.layout)

    def __str__(self) -> str:
        return f"{self.shape}:{self.stride}"

    def __repr__(self) -> str:
        return f"Layout({self.shape},{self.stride})"


def _ours(x: Any) -> Any:
    """An operand as laycalc has it."""
    if isinstance(x, tuple):
        return lc.Tiler(map(_ours, x))
    return x.layout if isinstance(x, Layout) else x


def make_layout(*layouts: Any) -> Layout:
    """The layout of these modes, one by one or in an iterable."""
    given: Iterable[Any] = layouts[0] if len(layouts) == 1 and not is_layout(layouts[0]) else layouts
    return Layout(lc.concat(*(mode.layout for mode in given)))


def size(x: Any) -> int:
    found: int = x.size() if is_layout(x) else product(x)
    return found


def cosize(x: Any) -> int:
    found: int = x.cosize()
    return found


def coalesce(layout: Layout, profile: Any = None) -> Layout:
    return Layout(lc.coalesce(layout.layout, profile if isinstance(profile, tuple) else None))


def filter(layout: Layout, profile: Any = None) -> Layout:
    """Without the modes of extent 1 or stride 0."""
    if not isinstance(profile, tuple):
        return Layout(lc.filter(layout.layout))
    modes = list(layout.layout)
    return make_layout([*map(filter, map(Layout, modes), profile), *map(Layout, modes[len(profile) :])])


def composition(A: Layout, B: Any) -> Layout:
    return A if B is None else Layout(lc.composition(A.layout, _ours(B)))


def complement(layout: Any, bound: int = 1) -> Layout:
    """What fills the gaps up to ``bound``, coalesced; laycalc keeps a final extent 1."""
    return Layout(lc.coalesce(lc.complement(Layout(layout).layout if is_int(layout) else layout.layout, bound)))


def right_inverse(layout: Any) -> Layout | None:
    if layout is None or is_int(layout):
        return None if layout is None else Layout(layout)
    return Layout(lc.right_inverse(layout.layout))


def left_inverse(layout: Any) -> Layout | None:
    if layout is None or is_int(layout):
        return None if layout is None else Layout(layout)
    return Layout(lc.left_inverse(layout.layout))


def logical_divide(A: Layout, B: Any) -> Layout:
    return A if B is None else Layout(lc.logical_divide(A.layout, _ours(B)))


def logical_product(A: Layout, B: Any) -> Layout:
    return A if B is None else Layout(lc.logical_product(A.layout, _ours(B)))


def hier_unzip(splitter: Splitter, A: Layout, B: Any) -> Layout:
    """((tile of each mode), (rest of each mode)) of an operation that gives a tile and a rest."""
    if B is None:
        return make_layout(Layout(1, 0), A)
    if not isinstance(B, tuple):
        return splitter(A, B)
    if len(B) > len(A):
        said = {"B": format_htuple(B), "A": str(A)}
        raise refuse("LC305", "{B} has more modes than {A}", op="hier_unzip", **said)
    split = [hier_unzip(splitter, A[i], mode) for i, mode in enumerate(B)]
    rest = [*(s[1] for s in split), *(A[i] for i in range(len(B), len(A)))]
    return make_layout(make_layout([s[0] for s in split]), make_layout(rest))


def zipped_divide(A: Layout, B: Any) -> Layout:
    return hier_unzip(logical_divide, A, B)


def tiled_divide(A: Layout, B: Any) -> Layout:
    return _tiled(zipped_divide(A, B))


def zipped_product(A: Layout, B: Any) -> Layout:
    return hier_unzip(logical_product, A, B)


def tiled_product(A: Layout, B: Any) -> Layout:
    return _tiled(zipped_product(A, B))


def _tiled(zipped: Layout) -> Layout:
    return make_layout([zipped[0], *(zipped[1][i] for i in range(len(zipped[1])))])


def slice_and_offset(coordinate: Any, layout: Layout) -> tuple[Layout, int]:
    """What a coordinate leaves free, and where that begins."""
    free = Layout(slice_(coordinate, layout.shape), slice_(coordinate, layout.stride))
    return free, crd2idx(coordinate, layout.shape, layout.stride)


# -- swizzles ----------------------------------------------------------------------------------------------------


def shiftr(a: int, s: int) -> int:
    return a >> s if s > 0 else a << -s


def shiftl(a: int, s: int) -> int:
    return shiftr(a, -s)


class Swizzle:
    """A swizzle of laycalc, in `swizzle`, with pycute's methods."""

    def __init__(self, bits: int, base: int, shift: int) -> None:
        self.swizzle = lc.Swizzle(bits, base, shift)
        self.bits, self.base, self.shift = bits, base, shift
        self.yyy_msk, self.zzz_msk = self.swizzle.source, self.swizzle.target

    def __call__(self, offset: int) -> int:
        return self.swizzle(offset)

    def size(self) -> int:
        return 1 << (self.bits + self.base + abs(self.shift))

    cosize = size

    def __str__(self) -> str:
        return f"SW_{self.bits}_{self.base}_{self.shift}"

    def __repr__(self) -> str:
        return f"Swizzle({self.bits},{self.base},{self.shift})"


class ComposedLayout(LayoutBase):
    """``B o offset o A``, B a swizzle or any function of an offset."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, layoutB: Any, offset: int, layoutA: Any) -> None:
        self.layoutB, self.offset, self.layoutA = layoutB, offset, layoutA

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ComposedLayout) and repr(self) == repr(other)

    def __len__(self) -> int:
        return len(self.layoutA)

    def __call__(self, *coordinate: Any) -> Any:
        return self.layoutB(self.offset + self.layoutA(*coordinate))

    def __getitem__(self, i: Any) -> ComposedLayout:
        return ComposedLayout(self.layoutB, self.offset, self.layoutA[i])

    def size(self) -> int:
        return size(self.layoutA)

    def cosize(self) -> int:
        return cosize(self.layoutB)

    def __str__(self) -> str:
        return f"{self.layoutB} o {self.offset} o {self.layoutA}"

    def __repr__(self) -> str:
        return f"ComposedLayout({self.layoutB!r},{self.offset!r},{self.layoutA!r})"
