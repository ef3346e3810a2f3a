"""The values of a layout: image, coshape, cosize, and what they decide (CuTe paper, 3.2 and 4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..base.decide import ascending, at_most, less, same
from ..base.effort import VALUES, check_listed
from ..base.errors import AdmissibilityError
from ..base.words import word
from ..values.coalesce import merged
from ..values.codomain import profile_of
from ..values.htuple import HTuple, flatten
from ..values.layout import Layout, codomain_profile, reach
from ..values.lifting import Lifted
from ..values.semimodule import Coordinate, Xor
from ..values.shape import coordinates, size
from ..values.swizzle import Composed
from ..values.tensor import Tensor
from .inverse import right_inverse
from .xor_inverse import bit_columns


@word("""
    values: image(L: any-layout) -> image
    the set of values
    image((2,2):(8,2))
""")
def image(layout: Lifted) -> frozenset[Any]:
    """The set of values over 0..|L|-1.

    >>> sorted(image(Layout(((2, 2), (2, 4)), ((0, 2), (0, 4)))))
    [0, 2, 4, 6, 8, 10, 12, 14]
    """
    return frozenset(bounded_values(layout, "image"))


def bounded_values(layout: Lifted, op: str, *, each: int = 1) -> list[Any]:
    """The values, LC104 above the limit; a coordinate of many axes counts as several."""
    if isinstance(layout, Layout) and layout.semimodule == "Z^P":
        each *= 1 + len(flatten(codomain_profile(layout))) // 2
    if type(layout.size) is not int or layout.size * each > VALUES:
        check_listed(op, layout.size, "values of {layout}", name="size", each=each, layout=str(layout))
    return layout.values()


@word("""
    modes: coshape(L: any-layout)
    the shape of the codomain
    coshape((4,8):(e0,e1))
""")
def coshape(layout: Lifted) -> HTuple:
    """The least shape that holds every value: per axis 1 + the sum of (s - 1)*|d|.

    Over F2 it is the least power of two above all values. Swizzles count by value.

    >>> coshape(Layout((4, 8), (8, 1)))
    32
    >>> coshape(Layout((4, 8), (Coordinate((((0,), 1),)), Coordinate((((1,), 6),)))))
    (4, 43)
    """
    offset: Any = 0
    if isinstance(layout, Tensor) and _has_axes(layout):
        offset, layout = layout.offset, Layout((), ()) if layout.layout is None else layout.layout
    if not isinstance(layout, Layout):
        return cosize(layout)
    shape, stride = layout.flat()
    if layout.semimodule == "F2":
        bits = 0
        for s, d in zip(shape, stride, strict=True):
            if isinstance(d, Xor) and s > 1:
                bits = max(bits, d.value.bit_length() + (s - 1).bit_length() - 1)
        return 1 << bits
    if layout.semimodule == "Z" and not isinstance(offset, Coordinate):
        return reach(shape, stride) + 1
    return _axes(shape, stride, offset)


def _has_axes(tensor: Tensor) -> bool:
    """Are the values of a tensor coordinates?"""
    return isinstance(tensor.offset, Coordinate) or (
        isinstance(tensor.layout, Layout) and tensor.layout.semimodule == "Z^P"
    )


def _axes(shape: tuple[Any, ...], stride: tuple[Any, ...], offset: Any) -> HTuple:
    """The extents of a coordinate codomain, axis by axis."""
    axes: dict[tuple[int, ...], int] = dict(offset.terms) if isinstance(offset, Coordinate) else {}
    profile = profile_of({*axes, *(p for d in stride if isinstance(d, Coordinate) for p, _ in d.terms)})
    for s, d in zip(shape, stride, strict=True):
        for path, c in d.terms if isinstance(d, Coordinate) else ():
            axes[path] = axes.get(path, 0) + reach((s,), (c,))
    return _along(profile, (), lambda path: axes.get(path, 0) + 1)


def _along(profile: HTuple, path: tuple[int, ...], f: Callable[[tuple[int, ...]], HTuple]) -> HTuple:
    if not isinstance(profile, tuple):
        return f(path)
    return tuple(_along(mode, (*path, i), f) for i, mode in enumerate(profile))


@word("""
    modes: cosize(L: any-layout)
    the size of the coshape: the largest value + 1, strides taken as absolute
    cosize((4,8):(1,5))
""")
def cosize(layout: Lifted) -> int:
    """How many places the values span: 1 + the largest for positive strides; absolute strides count, as in CuTe.

    For coordinates the size of the coshape, for XOR strides and swizzles 1 + the largest value.

    >>> cosize(Layout((4, 8), (1, 5)))
    39
    """
    if isinstance(layout, Layout):
        shape, stride = layout.flat()
        kind = layout.semimodule
        if kind == "Z":
            return reach(shape, stride) + 1
        if kind == "Z^P":
            return size(coshape(layout))
    if isinstance(layout, Tensor) and _has_axes(layout):
        return size(coshape(layout))
    if isinstance(layout, Tensor) and isinstance(layout.layout, Layout) and layout.layout.semimodule == "Z":
        end: int = layout.offset + cosize(layout.layout)
    else:
        end = max(bounded_values(layout, "cosize")) + 1
    return end


@word("""
    values: injective(L: any-layout)
    no value twice
    injective((4,8):(1,5))
""")
def injective(layout: Lifted) -> bool:
    """Has every coordinate a value of its own?

    Decided from the strides where they are spread out (each beyond the reach of the smaller ones) or crowded (more
    coordinates than places); else from the values, at most 2^20 (LC104).

    >>> injective(Layout((4, 8), (1, 5))), injective(Layout((2, 2), (1, 1)))
    (True, False)
    """
    if isinstance(layout, Layout):
        verdict = _spread_out(layout)
        if verdict is not None:
            return verdict
    elif isinstance(layout, (Tensor, Composed)) and layout.layout is not None:
        # An offset moves all values alike, and a swizzle permutes the integers.
        return injective(layout.layout)
    values = bounded_values(layout, "injective")
    return len(set(values)) == len(values)


def _spread_out(layout: Layout) -> bool | None:
    """Injectivity from the strides alone, None where they do not tell."""
    modes = merged(*layout.flat())
    if any(same(d, 0) for _, d in modes):
        return False
    if layout.semimodule == "F2":
        return None if layout.size <= VALUES else _independent(layout)
    axes: dict[Any, list[tuple[Any, Any]]] = {}
    for s, d in modes:
        if isinstance(d, Coordinate):
            if d.basis is None:
                return None
            path, d = d.basis
            axes.setdefault(path, []).append((s, d))
        else:
            axes.setdefault((), []).append((s, d))
    verdicts = [_axis_spread_out(axis) for axis in axes.values()]
    if False in verdicts:
        return False
    return None if None in verdicts else True


def _axis_spread_out(modes: list[tuple[Any, Any]]) -> bool | None:
    magnitudes = [(s, -d if less(d, 0) else d) for s, d in modes]
    last: Any = 0
    spread = True
    for i in ascending([d for _, d in magnitudes]):
        s, d = magnitudes[i]
        spread = spread and not at_most(d, last)
        last = last + (s - 1) * d
    if spread:
        return True
    return False if less(last + 1, size(tuple(s for s, _ in modes))) else None


def _independent(layout: Layout) -> bool | None:
    rows: dict[int, int] = {}
    for _, value in bit_columns(layout, "injective"):
        while value and (top := value.bit_length()) in rows:
            value ^= rows[top]
        if not value:
            return False
        rows[value.bit_length()] = value
    return True


@word("""
    values: surjective(L: any-layout, n: shape?)
    every value below n (the cosize) is taken
    surjective((4,8):(1,4))
""")
def surjective(layout: Lifted, codomain: HTuple | None = None) -> bool:
    """Is every place of the codomain a value? Without a codomain: are there no gaps below the cosize?

    >>> surjective(Layout((4, 8), (1, 4))), surjective(Layout((4, 8), (1, 5))), surjective(Layout((4, 8), (1, 3)))
    (True, False, True)
    """
    if codomain is None:
        codomain = cosize(layout) if getattr(layout, "semimodule", "Z") == "F2" else coshape(layout)
    target = size(codomain)
    if isinstance(layout, Layout):
        if less(layout.size, target):
            return False
        if layout.semimodule == "Z" and same(right_inverse(layout).size, target):
            return True
    values = image(layout)
    return all(place in values for place in coordinates(codomain))


@word("""
    values: bijective(L: any-layout)
    injective and surjective
    bijective((4,8):(8,1))
""")
def bijective(layout: Lifted, codomain: HTuple | None = None) -> bool:
    """Injective and surjective.

    >>> bijective(Layout((4, 8), (8, 1))), bijective(Layout((4, 8), (1, 5)))
    (True, False)
    """
    return injective(layout) and surjective(layout, codomain)


@word("""
    values: compact(L: any-layout)
    a bijection onto 0..size-1
    compact((4,8):(8,1))
""")
def compact(layout: Lifted) -> bool:
    """A bijection onto 0..|L|-1, for coordinates onto the coordinates of a shape of size |L|.

    >>> compact(Layout((4, 8), (8, 1))), compact(Layout((4, 8), (1, 5)))
    (True, False)
    """
    if isinstance(layout, Layout):
        if layout.semimodule == "Z^P":
            return bool(same(size(coshape(layout)), layout.size)) and injective(layout)
        try:
            return bool(same(right_inverse(layout).size, layout.size))
        except AdmissibilityError:
            # A mode of an XOR layout before the last with another extent than a power of two.
            pass
    values = bounded_values(layout, "compact")
    return sorted(values) == list(range(len(values)))


@word("""
    values: disjoint(A: any-layout, B: any-layout)
    no common value
    disjoint({1} o 4:2, 4:2)
""")
def disjoint(a: Lifted, b: Lifted) -> bool:
    """Have the two no common value? Layouts without an offset share their 0.

    >>> disjoint(Tensor(1, Layout(2, 2)), Layout(4, 2)), disjoint(Layout(4, 1), Layout(2, 4))
    (True, False)
    """
    one, two = image(a), image(b)
    if isinstance(a, Layout) and isinstance(b, Layout):
        # Elements compare across profiles: (0,1) and 1e1 are one value.
        return not set(a.elements()) & set(b.elements())
    return not one & two
