"""What torch's views do to sizes, strides and storage offset, counted in elements."""

from __future__ import annotations

from math import prod
from typing import Any

from .elements import element_of
from .steps import axes, listed
from .torch_made import TORCH, formatted, sizes_and_strides
from .view import (
    Unfit,
    View,
    diagonal,
    dropped,
    even,
    expanded,
    extent,
    inserted,
    moved,
    narrowed,
    parts,
    permuted,
    regrouped,
    row_major,
    selected,
    squeezed,
    swapped,
    unfolded,
    wanted_sizes,
)


@TORCH.attribute("T")
def _reversed(view: View) -> View:
    return permuted(view, range(view.rank)[::-1])


@TORCH.attribute("data")
def _data(view: View) -> View:
    return view


@TORCH.both("as_strided(size, stride, storage_offset=None)")
def _as_strided(view: View, size: Any, stride: Any, storage_offset: Any = None) -> View:
    return _within(view, view.over(*sizes_and_strides(size, stride), storage_offset))


@TORCH.function(
    "reinterpret_tensor(buffer, size, stride, offset_increment=0)",
    "_reinterpret_tensor(buffer, size, stride, offset_increment=0)",
)
def _reinterpret(view: View, size: Any, stride: Any, offset_increment: Any = 0) -> View:
    return _within(view, view.over(*sizes_and_strides(size, stride), _plus(view.offset, offset_increment)))


def _within(view: View, found: View) -> View:
    """The view, if its memory reaches so far."""
    needed = extent(found)
    if view.storage is not None and needed is not None and needed > view.storage:
        raise Unfit(f"it reaches {needed} elements, the storage has {view.storage}")
    return found


def _plus(a: Any, b: Any) -> Any:
    if type(a) is int and type(b) is int:
        return a + b
    return b if a == 0 else f"{a}+{b}"


@TORCH.both("permute(*dims)")
def _permute(view: View, dims: tuple[Any, ...]) -> View:
    if not dims:
        raise Unfit("an order is expected")
    return permuted(view, listed(dims))


@TORCH.both("transpose(dim0, dim1)", "swapdims(dim0, dim1)")
def _transpose(view: View, dim0: Any, dim1: Any) -> View:
    return swapped(view, dim0, dim1)


@TORCH.both("swapaxes(axis0, axis1)")
def _swapaxes(view: View, axis0: Any, axis1: Any) -> View:
    return swapped(view, axis0, axis1)


@TORCH.both("movedim(source, destination)", "moveaxis(source, destination)")
def _movedim(view: View, source: Any, destination: Any) -> View:
    return moved(view, axes(source), axes(destination))


@TORCH.attribute("H")
def _hermitian(view: View) -> View:
    if view.rank != 2:
        raise Unfit(f"H is that of 2 dimensions, there are {view.rank}")
    return swapped(view, 0, 1)


@TORCH.both("t()")
def _t(view: View) -> View:
    if view.rank > 2:
        raise Unfit(f"t is that of at most 2 dimensions, there are {view.rank}")
    return swapped(view, 0, 1) if view.rank == 2 else view


@TORCH.attribute("mT", "mH")
@TORCH.both("adjoint()")
def _adjoint(view: View) -> View:
    if view.rank < 2:
        raise Unfit("at least 2 dimensions are expected")
    return swapped(view, -2, -1)


@TORCH.both("unsqueeze(dim)")
def _unsqueeze(view: View, dim: Any) -> View:
    return new_axis(view, view.axis(dim, extra=1))


def new_axis(view: View, axis: int) -> View:
    """A dimension of size 1; torch gives it the stride that continues the next one."""
    stride: Any = 1
    if axis < view.rank:
        n, d = view.sizes[axis], view.strides[axis]
        stride = n * d if type(n) is int and type(d) is int else 1
    return inserted(view, axis, stride)


@TORCH.both("squeeze(dim=None)")
def _squeeze(view: View, dim: Any = None) -> View:
    return squeezed(view, None if dim is None else axes(dim), strict=False)


@TORCH.method("expand(*size, implicit=False)")
def _expand(view: View, size: tuple[Any, ...], implicit: Any = False) -> View:
    return expanded(view, listed(size))


@TORCH.both("broadcast_to(size)")
def _broadcast_to(view: View, size: Any) -> View:
    return expanded(view, axes(size))


@TORCH.method("expand_as(other)", views=("other",))
def _expand_as(view: View, other: View) -> View:
    return expanded(view, other.sizes)


@TORCH.both("narrow(dim, start, length)")
def _narrow(view: View, dim: Any, start: Any, length: Any) -> View:
    return narrowed(view, dim, start, length)


@TORCH.both("select(dim, index)")
def _select(view: View, dim: Any, index: Any) -> View:
    return selected(view, dim, index)


@TORCH.method("unfold(dimension, size, step)")
def _unfold(view: View, dimension: Any, size: Any, step: Any) -> View:
    return unfolded(view, dimension, size, step)


@TORCH.both("diagonal(offset=0, dim1=0, dim2=1)")
def _diagonal(view: View, offset: Any = 0, dim1: Any = 0, dim2: Any = 1) -> View:
    return diagonal(view, offset, dim1, dim2)


@TORCH.both("split(split_size_or_sections, dim=0)")
def _split(view: View, split_size_or_sections: Any, dim: Any = 0) -> tuple[View, ...]:
    n = view.sizes[view.axis(dim)]
    lengths: Any = split_size_or_sections
    if type(lengths) is int and lengths > 0:
        lengths = even(n, lengths)
    if not isinstance(lengths, (list, tuple)) or any(type(x) is not int for x in lengths) or sum(lengths) != n:
        raise Unfit(f"lengths that make up {n} are expected")
    return parts(view, dim, lengths)


@TORCH.both("chunk(chunks, dim=0)")
def _chunk(view: View, chunks: Any, dim: Any = 0) -> tuple[View, ...]:
    if type(chunks) is not int or chunks < 1:
        raise Unfit("a positive number of chunks is expected")
    return _split(view, -(-view.sizes[view.axis(dim)] // chunks), dim)


@TORCH.both("unbind(dim=0)")
def _unbind(view: View, dim: Any = 0) -> tuple[View, ...]:
    axis = view.axis(dim)
    return tuple(dropped(part, [axis]) for part in parts(view, axis, even(view.sizes[axis], 1)))


# ---- other sizes ----


@TORCH.method("view(*shape, dtype=None)")
def _view(view: View, shape: tuple[Any, ...], dtype: Any = None) -> View:
    if dtype is not None or (len(shape) == 1 and isinstance(shape[0], str)):
        element = element_of(shape[0] if dtype is None else dtype)
        if view.element is None or element.itemsize != view.element.itemsize:
            raise Unfit("a view as elements of another size is not covered")
        return view.replace(element=element)
    return _viewed(view, wanted_sizes(view, listed(shape)))


def _viewed(view: View, sizes: tuple[int, ...]) -> View:
    found = regrouped(view, sizes)
    if found is None:
        here = f"{_text(view.sizes)}:{_text(view.strides)} in torch order (last first)"
        raise Unfit(f"view needs the dimensions to merge; {here} has no single stride for {_text(sizes)}")
    return found


def _text(leaves: tuple[Any, ...]) -> str:
    return f"({','.join(map(str, leaves))})" if len(leaves) != 1 else str(leaves[0])


@TORCH.method("view_as(other)", views=("other",))
def _view_as(view: View, other: View) -> View:
    return _viewed(view, wanted_sizes(view, other.sizes))


@TORCH.both("reshape(*shape)")
def _reshape(view: View, shape: tuple[Any, ...]) -> View:
    return _reshaped(view, wanted_sizes(view, listed(shape)))


def _reshaped(view: View, sizes: tuple[int, ...]) -> View:
    """A view where there is one, else a copy."""
    return regrouped(view, sizes) or view.copied(sizes, row_major(sizes))


@TORCH.method("reshape_as(other)", views=("other",))
def _reshape_as(view: View, other: View) -> View:
    return _reshaped(view, wanted_sizes(view, other.sizes))


@TORCH.both("flatten(start_dim=0, end_dim=-1)")
def _flatten(view: View, start_dim: Any = 0, end_dim: Any = -1) -> View:
    if not view.rank:
        return view.over((1,), (1,))
    first, last = view.axis(start_dim), view.axis(end_dim)
    if first > last:
        raise Unfit("the first dimension lies behind the last")
    return _reshaped(view, (*view.sizes[:first], prod(view.sizes[first : last + 1]), *view.sizes[last + 1 :]))


@TORCH.both("ravel()")
def _ravel(view: View) -> View:
    """A view where the tensor is dense, else a copy."""
    return _viewed(formatted(view, "contiguous_format"), (prod(view.sizes),))


@TORCH.both("unflatten(dim, sizes)")
def _unflatten(view: View, dim: Any, sizes: Any) -> View:
    axis = view.axis(dim)
    inner = wanted_sizes(View((view.sizes[axis],), (1,)), axes(sizes))
    return _viewed(view, (*view.sizes[:axis], *inner, *view.sizes[axis + 1 :]))
