"""What numpy's functions and methods do to shape, strides and offset, all counted in bytes."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from .elements import element_of
from .steps import Library, axes, listed
from .torch_made import counted
from .view import (
    Element,
    Unfit,
    View,
    dense,
    diagonal,
    expanded,
    falling,
    flipped,
    inserted,
    is_dense,
    moved,
    permuted,
    regrouped,
    row_major,
    squeezed,
    swapped,
    wanted_sizes,
)

NUMPY = Library("numpy")

_DEFAULT = Element("float64", 8)
_FLAGS = "*, device=None, like=None"


def _element(dtype: Any, default: Element = _DEFAULT) -> Element:
    return default if dtype is None else element_of(dtype, numpy=True)


def _bytes(view: View) -> int:
    if view.element is None:
        raise Unfit("the size of an element is not told")
    return view.element.itemsize


def _order(rank: int, order: Any) -> list[int]:
    """The dimensions from the fastest on, of order C or F."""
    if order not in ("C", "F", None):
        raise Unfit(f"the order is C or F here, not {order}")
    return list(range(rank)) if order == "F" else list(range(rank))[::-1]


def _fresh(sizes: Sequence[Any], element: Element, order: Any = "C") -> View:
    """A new dense array."""
    found = View(tuple(sizes), row_major(sizes, element.itemsize), 0, element)
    if order == "F" or order not in ("C", None):
        return found.over(sizes, dense(sizes, _order(len(sizes), order), element.itemsize))
    return found


@NUMPY.maker(*(f"{name}(shape, dtype=None, order='C', {_FLAGS})" for name in ("zeros", "empty", "ones")))
def _made(shape: Any, dtype: Any = None, order: Any = "C", **_: Any) -> View:
    return _fresh(axes(shape), _element(dtype), order)


@NUMPY.maker(f"full(shape, fill_value, dtype=None, order='C', {_FLAGS})")
def _full(shape: Any, fill_value: Any, dtype: Any = None, order: Any = "C", **_: Any) -> View:
    if dtype is None:
        default = Element("int64", 8) if type(fill_value) is int else _DEFAULT
        return _fresh(axes(shape), Element("bool", 1) if type(fill_value) is bool else default, order)
    return _fresh(axes(shape), _element(dtype), order)


@NUMPY.maker("rand(*sizes)", "randn(*sizes)")
def _random(sizes: tuple[Any, ...]) -> View:
    return _fresh(listed(sizes), _DEFAULT)


@NUMPY.maker(f"arange(*bounds, dtype=None, {_FLAGS.removeprefix('*, ')})")
def _arange(bounds: tuple[Any, ...], dtype: Any = None, **_: Any) -> View:
    return _fresh((counted(bounds),), _element(dtype, Element("int64", 8)))


@NUMPY.maker(f"eye(N, M=None, k=0, dtype=None, order='C', {_FLAGS})")
def _eye(N: Any, M: Any = None, k: Any = 0, dtype: Any = None, order: Any = "C", **_: Any) -> View:
    return _fresh((N, N if M is None else M), _element(dtype), order)


@NUMPY.maker("ndarray(shape, dtype=None, buffer=None, offset=0, strides=None, order=None)")
def _ndarray(
    shape: Any, dtype: Any = None, buffer: Any = None, offset: Any = 0, strides: Any = None, order: Any = None
) -> View:
    """Strides and offset are in bytes, both of a buffer."""
    found = _fresh(axes(shape), _element(dtype), order)
    if buffer is None and offset != 0:
        raise Unfit("an offset is one into a buffer")
    if strides is not None:
        if len(axes(strides)) != found.rank:
            raise Unfit(f"{found.rank} sizes and {len(axes(strides))} strides")
        found = found.over(found.sizes, axes(strides))
    return found.replace(offset=offset)


# ---- views ----


@NUMPY.attribute("T")
def _reversed(view: View) -> View:
    return permuted(view, range(view.rank)[::-1])


@NUMPY.attribute("mT")
def _matrix_transpose(view: View) -> View:
    if view.rank < 2:
        raise Unfit("at least 2 dimensions are expected")
    return swapped(view, -2, -1)


@NUMPY.function("matrix_transpose(x, /)")
def _matrix_transposed(view: View) -> View:
    return _matrix_transpose(view)


@NUMPY.method("transpose(*axes)")
def _transpose(view: View, axes: tuple[Any, ...]) -> View:
    order = listed(axes)
    return _reversed(view) if order in ((), (None,)) else permuted(view, order)


@NUMPY.function("transpose(a, axes=None)", "permute_dims(a, axes=None)")
def _transposed(view: View, axes: Any = None) -> View:
    return _reversed(view) if axes is None else permuted(view, axes)


@NUMPY.both("swapaxes(axis1, axis2)", first="a, ")
def _swapaxes(view: View, axis1: Any, axis2: Any) -> View:
    return swapped(view, axis1, axis2)


@NUMPY.function("moveaxis(a, source, destination)")
def _moveaxis(view: View, source: Any, destination: Any) -> View:
    return moved(view, axes(source), axes(destination))


@NUMPY.function("rollaxis(a, axis, start=0)")
def _rollaxis(view: View, axis: Any, start: Any = 0) -> View:
    axis = view.axis(axis)
    if type(start) is not int or not -view.rank <= start <= view.rank:
        raise Unfit(f"there is no place {start} among {view.rank} dimensions")
    start = start + view.rank if start < 0 else start
    return moved(view, [axis], [start - (axis < start)])


@NUMPY.function("expand_dims(a, axis)")
def _expand_dims(view: View, axis: Any) -> View:
    places = sorted(view.axis(i, extra=len(axes(axis))) for i in axes(axis))
    if len(set(places)) != len(places):
        raise Unfit("a dimension is inserted twice")
    for place in places:
        view = inserted(view, place, 0)
    return view


@NUMPY.both("squeeze(axis=None)", first="a, ")
def _squeeze(view: View, axis: Any = None) -> View:
    return squeezed(view, None if axis is None else axes(axis), strict=True)


@NUMPY.function("broadcast_to(array, shape, subok=False)")
def _broadcast_to(view: View, shape: Any, subok: Any = False) -> View:
    sizes = axes(shape)
    if any(type(n) is int and n < 1 for n in sizes):
        raise Unfit("positive sizes are expected")
    return expanded(view, sizes)


@NUMPY.both("diagonal(offset=0, axis1=0, axis2=1)", first="a, ")
def _diagonal(view: View, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> View:
    return diagonal(view, offset, axis1, axis2)


@NUMPY.function("flip(m, axis=None)")
def _flip(view: View, axis: Any = None) -> View:
    return flipped(view, range(view.rank) if axis is None else axes(axis))


@NUMPY.function("flipud(m)")
def _flipud(view: View) -> View:
    return flipped(view, [0])


@NUMPY.function("fliplr(m)")
def _fliplr(view: View) -> View:
    return flipped(view, [1])


@NUMPY.function("rot90(m, k=1, axes=(0, 1))")
def _rot90(view: View, k: Any = 1, axes: Any = (0, 1)) -> View:
    """Quarter turns: a flip and an exchange of two dimensions."""
    if type(k) is not int or not isinstance(axes, (list, tuple)) or len(axes) != 2:
        raise Unfit("a number of turns and two axes are expected")
    a, b = view.axis(axes[0]), view.axis(axes[1])
    if a == b:
        raise Unfit("two different axes are expected")
    if k % 4 == 2:
        return flipped(view, [a, b])
    if k % 4 == 1:
        return swapped(flipped(view, [b]), a, b)
    return flipped(swapped(view, a, b), [b]) if k % 4 == 3 else view


@NUMPY.function("sliding_window_view(x, window_shape, axis=None, *, subok=False, writeable=False)")
def _windows(view: View, window_shape: Any, axis: Any = None, **_: Any) -> View:
    window = axes(window_shape)
    chosen = list(range(view.rank)) if axis is None else [view.axis(i) for i in axes(axis)]
    if len(window) != len(chosen):
        raise Unfit(f"{len(window)} windows for {len(chosen)} dimensions")
    sizes = list(view.sizes)
    for i, w in zip(chosen, window, strict=True):
        if type(w) is not int or not 1 <= w <= sizes[i]:
            raise Unfit("the window does not fit the array")
        sizes[i] -= w - 1
    return view.over((*sizes, *window), (*view.strides, *(view.strides[i] for i in chosen)))


@NUMPY.function("as_strided(x, shape=None, strides=None, subok=False, writeable=True)")
def _as_strided(view: View, shape: Any = None, strides: Any = None, **_: Any) -> View:
    sizes = view.sizes if shape is None else axes(shape)
    steps = view.strides if strides is None else axes(strides)
    if len(sizes) != len(steps):
        raise Unfit(f"{len(sizes)} sizes and {len(steps)} strides")
    return view.over(sizes, steps)


# ---- other sizes ----


@NUMPY.method("reshape(*shape, order='C', copy=None)")
def _reshape(view: View, shape: tuple[Any, ...], order: Any = "C", copy: Any = None) -> View:
    if order not in ("C", "F"):
        raise Unfit(f"reshape in order {order} is not covered, C and F are")
    sizes = wanted_sizes(view, listed(shape))
    found = None if copy is True else regrouped(view, sizes, last_fastest=order == "C")
    if found is None and copy is False:
        raise Unfit("no view has these sizes")
    return _fresh(sizes, view.element or Element("", _bytes(view)), order) if found is None else found


@NUMPY.function("reshape(a, /, shape, order='C', *, copy=None)")
def _reshaped(view: View, shape: Any, order: Any = "C", copy: Any = None) -> View:
    return _reshape(view, axes(shape), order, copy)


@NUMPY.both("ravel(order='C')", first="a, ")
def _ravel(view: View, order: Any = "C") -> View:
    """A view where the array is dense in this order, else a copy."""
    total, unit = prod(view.sizes), _bytes(view)
    if is_dense(view, _order(view.rank, order), unit):
        return view.over((total,), (unit,))
    return view.over((total,), (unit,), 0)


@NUMPY.method("flatten(order='C')")
def _flatten(view: View, order: Any = "C") -> View:
    _order(view.rank, order)
    return view.over((prod(view.sizes),), (_bytes(view),), 0)


# ---- copies ----


def _copied(view: View, order: Any, element: Element | None = None) -> View:
    """A copy: order K keeps the order of the strides, A is F for an array that is dense in it."""
    unit = _bytes(view)
    if order == "A":
        by_columns, by_rows = (is_dense(view, _order(view.rank, o), unit) for o in "FC")
        order = "F" if by_columns and not by_rows else "C"
    axes_ = falling(view) if order == "K" else _order(view.rank, order)
    known = element or view.element
    return view.replace(element=known).over(view.sizes, dense(view.sizes, axes_, known.itemsize if known else unit), 0)


@NUMPY.method("copy(order='C')")
def _copy(view: View, order: Any = "C") -> View:
    return _copied(view, order)


@NUMPY.function("copy(a, order='K', subok=False)")
def _copy_of(view: View, order: Any = "K", subok: Any = False) -> View:
    return _copied(view, order)


@NUMPY.method("astype(dtype, order='K', casting='unsafe', subok=True, copy=True)")
def _astype(
    view: View, dtype: Any, order: Any = "K", casting: Any = "unsafe", subok: Any = True, copy: Any = True
) -> View:
    element = _element(dtype)
    if copy is False and element == view.element and order == "K":
        return view
    return _copied(view, order, element)


@NUMPY.function("ascontiguousarray(a, dtype=None, *, like=None)")
def _by_rows(view: View, dtype: Any = None, like: Any = None) -> View:
    return _ordered(view, "C", dtype)


@NUMPY.function("asfortranarray(a, dtype=None, *, like=None)")
def _by_columns(view: View, dtype: Any = None, like: Any = None) -> View:
    return _ordered(view, "F", dtype)


def _ordered(view: View, order: str, dtype: Any) -> View:
    if not view.rank:
        view = view.over((1,), (_bytes(view),))
    element = _element(dtype, view.element or _DEFAULT)
    same = element == view.element and is_dense(view, _order(view.rank, order), element.itemsize)
    return view if same else _copied(view, order, element)


@NUMPY.function(
    *(
        f"{name}_like(a, {value}dtype=None, order='K', subok=True, shape=None, *, device=None)"
        for name, value in (("empty", ""), ("zeros", ""), ("ones", ""), ("full", "fill_value, "))
    )
)
def _like(view: View, dtype: Any = None, order: Any = "K", shape: Any = None, **_: Any) -> View:
    element = _element(dtype, view.element or _DEFAULT)
    if shape is None:
        return _copied(view, order, element)
    if order == "K" and len(axes(shape)) != view.rank:
        order = "C"
    return _copied(view.over(axes(shape), view.strides), order, element)


@NUMPY.method("view(dtype=None, type=None)")
def _view(view: View, dtype: Any = None, type: Any = None) -> View:
    """The same memory as elements of the same size; elements of another size change the last dimension."""
    element = _element(dtype, view.element or _DEFAULT)
    was, now = _bytes(view), element.itemsize
    if was == now:
        return view.replace(element=element)
    if not view.rank or (view.strides[-1] != was and view.sizes[-1] > 1) or was * view.sizes[-1] % now:
        raise Unfit(f"the last dimension is no run of elements of {was} bytes that make elements of {now}")
    found = view.over((*view.sizes[:-1], was * view.sizes[-1] // now), (*view.strides[:-1], now))
    return found.replace(element=element)


def field(view: View, name: str) -> View:
    """``x['a']``: one field of records."""
    for known, offset, element in view.element.parts if view.element else ():
        if known == name:
            return view.replace(element=element, offset=view.offset + offset)
    raise Unfit(f"the elements have no field {name}")
