"""Offsets as arrays of numpy, which is imported by the first of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.effort import check_held, spend
from laycalc.algebra.base.errors import refuse
from laycalc.algebra.values.htuple import HTuple, flatten, format_htuple, is_special, plain
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.lifting import Lifted
from laycalc.algebra.values.semimodule import Xor
from laycalc.algebra.values.shape import size
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor, slice_layout

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["array", "at", "offsets"]

_WORD = 1 << 62
"""Offsets below this are machine words, others integers of Python."""


def offsets(layout: Lifted) -> NDArray[Any]:
    """All values in order of the index; a value with coordinates is a row of its leaves.

    >>> offsets(Layout((2, 3), (3, 1))).tolist()
    [0, 3, 1, 4, 2, 5]
    """
    import numpy as np

    if not _is_plain(layout):
        return np.array([flatten(v) if isinstance(v, tuple) else v for v in layout.values()])
    check_held(layout.size)
    spend(layout.size)
    shape, stride = _inside(layout).flat()
    found: NDArray[Any] = np.zeros(1, _word(layout))
    for s, d in zip(shape, stride, strict=True):
        if isinstance(d, Xor):
            steps = np.array([_multiple(k, d) for k in range(s)], found.dtype)
            found = np.bitwise_xor.outer(steps, found).ravel()
        elif s > 1:
            found = np.add.outer(np.arange(s, dtype=found.dtype) * d, found).ravel()
    placed: NDArray[Any] = _behind(layout, found)
    return placed


def array(layout: Lifted) -> NDArray[Any]:
    """The offsets with an axis for each mode: ``array(L)[i, j] = L(i, j)``.

    >>> array(Layout((2, 3), (3, 1))).tolist()
    [[0, 1, 2], [3, 4, 5]]
    """
    found = offsets(layout)
    extents = tuple(map(size, layout.shape)) if isinstance(layout.shape, tuple) else (layout.shape,)
    return found.reshape((*extents, *found.shape[1:]), order="F")


def at(function: Any, coordinate: Any) -> Any:
    """``L(c)`` for what is no coordinate of the algebra as it stands: slices, arrays, integers of other types.

    >>> at(Layout((4, 8), (8, 1)), (2, None))
    Tensor('{16} o 8:1')
    """
    c = _free(coordinate)
    if _has_array(c):
        return _gathered(function, c)
    c = plain(c)
    if _is_free(c):
        return slice_layout(function, c)
    if is_special(c):
        raise refuse("LC205", "{coordinate} is no coordinate", op="eval", coordinate=format_htuple(c))
    return function(c)


def _free(coordinate: Any) -> Any:
    """Lists as tuples, ``:`` as None."""
    if isinstance(coordinate, (tuple, list)):
        return tuple(map(_free, coordinate))
    return None if isinstance(coordinate, slice) and coordinate == slice(None) else coordinate


def _is_free(coordinate: Any) -> bool:
    return any(map(_is_free, coordinate)) if isinstance(coordinate, tuple) else coordinate is None


def _has_array(coordinate: Any) -> bool:
    if isinstance(coordinate, tuple):
        return any(map(_has_array, coordinate))
    return bool(getattr(coordinate, "ndim", 0))


def _gathered(function: Lifted, coordinate: Any) -> NDArray[Any]:
    """The values at coordinates whose entries are arrays; the arrays are broadcast against one another."""
    import numpy as np

    layout = _inside(function)
    if any(np.asarray(x).dtype.kind not in "iu" for x in _leaves(coordinate)):
        raise refuse("LC205", "arrays of coordinates have whole numbers", op="eval", coordinate="array")
    if not _is_plain(function) or layout.semimodule == "F2":
        entries = np.broadcast_arrays(*_leaves(coordinate))
        rows = zip(*(entry.ravel().tolist() for entry in entries), strict=True)
        values = [function(_filled(coordinate, iter(row))) for row in rows]
        found = np.array([flatten(v) if isinstance(v, tuple) else v for v in values])
        return found.reshape(*entries[0].shape, *found.shape[1:])
    largest = max((int(abs(x).max()) for x in map(np.asarray, _leaves(coordinate)) if x.size), default=0)
    reach = largest * sum(map(abs, flatten(layout.stride))) + _offset(function)
    words = _as(coordinate, "int64" if max(reach, largest) < _WORD else object)
    placed: NDArray[Any] = _behind(function, _inner_product(words, layout.shape, layout.stride))
    return placed


def _as(coordinate: Any, word: Any) -> Any:
    import numpy as np

    return tuple(_as(c, word) for c in coordinate) if isinstance(coordinate, tuple) else np.asarray(coordinate, word)


def _leaves(coordinate: Any) -> list[Any]:
    return [x for entry in coordinate for x in _leaves(entry)] if isinstance(coordinate, tuple) else [coordinate]


def _filled(coordinate: Any, row: Any) -> Any:
    return tuple(_filled(entry, row) for entry in coordinate) if isinstance(coordinate, tuple) else next(row)


def _inner_product(coordinate: Any, shape: HTuple, stride: Any) -> Any:
    """``<natural(c), D>`` for arrays; LC205 if the profiles do not fit."""
    if isinstance(coordinate, tuple):
        if not isinstance(shape, tuple) or len(coordinate) != len(shape):
            text = format_htuple(shape)
            raise refuse("LC205", "the coordinate does not fit the shape {shape}", op="eval", shape=text)
        return sum(map(_inner_product, coordinate, shape, stride))
    index, total = coordinate, 0
    extents, strides = flatten(shape), flatten(stride)
    for s, d in zip(extents[:-1], strides, strict=False):
        total = total + index % s * d
        index = index // s
    return total + index * strides[-1] if strides else index * 0


def _is_plain(layout: Lifted) -> bool:
    """Are all parts numbers that are known?"""
    inner = _inside(layout)
    numbers = [*flatten(inner.shape), getattr(layout, "offset", 0), *flatten(inner.stride)]
    if isinstance(layout, Tensor) and isinstance(layout.layout, Composed):
        numbers.append(layout.layout.offset)
    return all(type(n) is int or isinstance(n, Xor) for n in numbers)


def _inside(layout: Lifted) -> Layout:
    if isinstance(layout, Tensor):
        return Layout((), ()) if layout.layout is None else _inside(layout.layout)
    return layout.layout if isinstance(layout, Composed) else layout


def _word(layout: Lifted) -> Any:
    """The type of numpy that holds all values."""
    shape, stride = _inside(layout).flat()
    steps = [d.value * 2 if isinstance(d, Xor) else abs(d) for d in stride]
    reach = sum((s - 1) * d for s, d in zip(shape, steps, strict=True))
    return "int64" if reach + _offset(layout) < _WORD else object


def _offset(layout: Lifted) -> int:
    """How far offsets alone reach."""
    if isinstance(layout, Tensor):
        return abs(int(layout.offset)) + (0 if layout.layout is None else _offset(layout.layout))
    return abs(layout.offset) + layout.swizzle.period if isinstance(layout, Composed) else 0


def _multiple(k: int, stride: Xor) -> int:
    found = k * stride
    return found.value if isinstance(found, Xor) else found


def _behind(layout: Lifted, values: Any) -> Any:
    """What offsets and swizzles around the inner layout make of its values; the array is changed in place."""
    if isinstance(layout, Tensor):
        inner = values if layout.layout is None else _behind(layout.layout, values)
        return inner + layout.offset if layout.offset else inner
    if isinstance(layout, Composed):
        return _swizzled(layout.swizzle, values + layout.offset if layout.offset else values)
    return values


def _swizzled(swizzle: Swizzle, values: Any) -> Any:
    read = values & swizzle.source
    if swizzle.shift >= 0:
        read >>= swizzle.shift
    else:
        read <<= -swizzle.shift
    read ^= values
    return read
