"""Tilers: one right operand for each mode of the left one (CuTe paper, section 3.3.5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, SupportsIndex, TypeAlias

from ..base.above import Pictured
from ..base.decide import apart
from ..base.errors import LayoutError, refuse
from ..base.record import Value
from ..base.words import word
from .htuple import entries, format_htuple, map_leaves, plain, told
from .layout import Layout, check_shape, make, nested
from .semimodule import Coordinate


class Tiler(Pictured, Value):
    """``<T0,T1,...>``: each entry a layout, an integer n (for n:1), None (leave the mode alone) or a tiler again.

    Made of its entries or of its text.

    >>> Tiler([4, None, Layout(8, 2)]), Tiler("<4,_>")
    (Tiler('<4,_,8:2>'), Tiler('<4,_>'))
    """

    __slots__ = ("modes",)
    __match_args__ = ("modes",)
    modes: tuple[Any, ...]

    def __init__(self, modes: Iterable[TilerEntry] | str) -> None:
        read = told(modes) if isinstance(modes, str) else modes
        object.__setattr__(self, "modes", read.modes if isinstance(read, Tiler) else tuple(map(_entry, _listed(read))))

    def __len__(self) -> int:
        return len(self.modes)

    def __str__(self) -> str:
        return "<" + ",".join("_" if m is None else str(m) for m in self.modes) + ">"


TilerEntry: TypeAlias = "Layout | Tiler | SupportsIndex | Sequence[TilerEntry] | None"
"""What is taken for a mode of a tiler."""

Operand: TypeAlias = "Layout | Tiler | int | tuple[Any, ...] | None"
"""A right operand: a layout, a tiler, an integer n (n:1), a bare shape (a tiler), or None (nothing)."""


def _listed(modes: Any) -> Iterable[Any]:
    """The entries of a sequence; LC103 for anything else."""
    if isinstance(modes, Iterable) and not isinstance(modes, (Layout, Mapping)):
        return modes
    raise refuse("LC103", "{entry} is no tiler", op="tiler", entry=format_htuple(modes))


def _entry(mode: Any) -> Any:
    if type(mode) is int and mode >= 1:
        return mode
    mode = told(mode)
    if isinstance(mode, (list, tuple)):
        return tiler_of(mode)
    if mode is None or isinstance(mode, (Layout, Tiler)):
        return mode
    check_shape(mode)
    return mode


def tiler_of(shape: Iterable[Any]) -> Tiler:
    """A bare shape as a tiler: ``(4,8)`` is ``<4,8>``, nested tuples are nested tilers."""
    return Tiler(shape)


def as_operand(value: Any) -> Layout | Tiler | None:
    """A right operand as a layout, a tiler or None: n becomes n:1, a bare shape a tiler."""
    if value is None or isinstance(value, (Layout, Tiler)):
        return value
    if isinstance(value, (tuple, list)):
        return tiler_of(value)
    if type(value) is not int or value < 1:
        value = plain(value)
        if isinstance(value, tuple):
            return tiler_of(value)
        check_shape(value)
    return make(value, 1)


def by_mode(
    op: str, left: Layout, tiler: Tiler, apply: Callable[[Layout, Any], Layout], *, keep_surplus: bool
) -> Layout:
    """Apply an operation mode by mode; the layout of the results, and of the surplus modes of the left operand.

    LC305 if the tiler has more modes than the layout. An error inside a mode is raised with the mode put in front of
    its paths.
    """
    shapes, strides, count = entries(left.shape), entries(left.stride), len(tiler.modes)
    if count > len(shapes):
        raise refuse(
            "LC305",
            "tiler of rank {right} for a layout of rank {left}",
            op=op,
            left=len(shapes),
            right=count,
            layout=str(left),
            tiler=str(tiler),
            left_path=(),
            right_path=(),
        )
    results = []
    for i, t in enumerate(tiler.modes):
        mode = make(shapes[i], strides[i])
        try:
            results.append(mode if t is None else apart(i, apply, mode, t))
        except LayoutError as error:
            raise error.within(op, left=i if isinstance(left.shape, tuple) else None, right=i) from None
    surplus = count if keep_surplus else len(shapes)
    return make(
        (*[x.shape for x in results], *shapes[surplus:]),
        (*[x.stride for x in results], *strides[surplus:]),
    )


@word("""
    coordinates: tiler_to_layout(T: operand)
    the coordinate layout that a tiler acts as
    law: A o T = A o R
    tiler_to_layout(<4:2,8>)
""")
def tiler_to_layout(tiler: Operand) -> Layout:
    """The layout that a tiler acts as: mode i of ``<T0,T1,..>`` addresses axis i, its strides are multiples of ``e_i``.

    A mode that is left alone is ``1:e_i``. Law: ``A o tiler = A o tiler_to_layout(tiler)``. Source: paper 3.3.5.

    >>> tiler_to_layout(Tiler([Layout(4, 2), 8]))
    Layout('(4,8):(2e0,e1)')
    """
    operand = as_operand(tiler)
    if operand is None:
        return make(1, 0)
    if isinstance(operand, Layout):
        return operand
    modes = [_along_axis(i, mode) for i, mode in enumerate(operand.modes)]
    return nested(modes)


def _along_axis(axis: int, mode: Operand) -> Layout:
    layout = make(1, 1) if mode is None else tiler_to_layout(mode)
    return make(layout.shape, map_leaves(lambda d: _below(axis, d), layout.stride))


def _below(axis: int, d: Any) -> Any:
    return d.within((axis,)) if isinstance(d, Coordinate) else Coordinate.of([((axis,), d)])


def surplus(left: Layout, tiler: Tiler) -> int:
    """How many modes of the layout the tiler does not name."""
    return max(0, left.rank - len(tiler.modes))
