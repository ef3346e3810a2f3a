"""What makes a tensor in torch, and the lines that inductor logs and generates; strides count elements."""

from __future__ import annotations

from typing import Any

from .elements import element_of
from .steps import Library, axes, listed
from .view import Element, Unfit, View, dense, extent, is_dense, row_major

TORCH = Library("torch")

OPTIONS = "dtype=None, device=None, layout=None, requires_grad=False, pin_memory=False, out=None, names=None"
"""What a tensor may be made with, and has nothing to do with its strides but the first two."""

_DEFAULT = Element("float32", 4)


# ---- what makes a tensor ----


def made(size: Any, dtype: Any = None, device: Any = None, like: View | None = None) -> View:
    """A dense tensor with the element and the device that are told, or those of another one."""
    sizes = axes(size)
    element = element_of(dtype) if dtype is not None else _DEFAULT if like is None else like.element
    place = str(device) if device is not None else "" if like is None else like.device
    return _stored(View(sizes, row_major(sizes), 0, element, place))


def _stored(view: View) -> View:
    return view.replace(storage=extent(view))


def strided(size: Any, stride: Any, dtype: Any = None, device: Any = None) -> View:
    """A tensor of these sizes and strides."""
    sizes, strides = sizes_and_strides(size, stride)
    return _stored(View(sizes, strides, 0, None if dtype is None else element_of(dtype), str(device or "")))


def sizes_and_strides(size: Any, stride: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Sizes and as many strides, none of them negative."""
    sizes, strides = axes(size), axes(stride)
    if len(sizes) != len(strides):
        raise Unfit(f"{len(sizes)} sizes and {len(strides)} strides")
    if any(type(d) is int and d < 0 for d in strides):
        raise Unfit("torch has no negative strides")
    return sizes, strides


@TORCH.maker(*(f"{name}(*size, {OPTIONS}, generator=None)" for name in ("zeros", "ones", "rand", "randn")))
def _random(size: tuple[Any, ...], dtype: Any = None, device: Any = None, **_: Any) -> View:
    return made(listed(size), dtype, device)


@TORCH.maker(f"empty(*size, {OPTIONS}, memory_format=None)")
def _empty(size: tuple[Any, ...], dtype: Any = None, device: Any = None, memory_format: Any = None, **_: Any) -> View:
    found = made(listed(size), dtype, device)
    return found if memory_format is None else found.copied(found.sizes, _format_strides(found, memory_format))


@TORCH.maker(f"full(size, fill_value, *, {OPTIONS})")
def _full(size: Any, fill_value: Any, dtype: Any = None, device: Any = None, **_: Any) -> View:
    return made(size, dtype, device)


@TORCH.maker(f"eye(n, m=None, *, {OPTIONS})")
def _eye(n: Any, m: Any = None, dtype: Any = None, device: Any = None, **_: Any) -> View:
    return made((n, n if m is None else m), dtype, device)


@TORCH.maker(f"arange(*bounds, {OPTIONS})")
def _arange(bounds: tuple[Any, ...], dtype: Any = None, device: Any = None, **_: Any) -> View:
    return made((counted(bounds),), "int64" if dtype is None else dtype, device)


def counted(bounds: tuple[Any, ...]) -> int:
    """The numbers of a range."""
    if len(bounds) not in (1, 2, 3) or any(type(b) is not int for b in bounds) or bounds[2:] == (0,):
        raise Unfit("one to three integers are expected, the step not 0")
    return len(range(*bounds))


@TORCH.maker(f"empty_strided(size, stride, *, {OPTIONS})")
def _empty_strided(size: Any, stride: Any, dtype: Any = None, device: Any = None, **_: Any) -> View:
    return strided(size, stride, "float32" if dtype is None else dtype, device)


# ---- memory formats ----

_CHANNELS_LAST = {"channels_last": 4, "channels_last_3d": 5}


def format_name(memory_format: Any) -> str:
    """``torch.channels_last`` without its module."""
    return str(memory_format).rpartition(".")[2]


def suggested(view: View) -> str:
    """The memory format that the order of the strides speaks for."""
    for name, rank in _CHANNELS_LAST.items():
        if view.rank == rank and _is_like_channels_last(view):
            return name
    return "contiguous_format"


def _is_like_channels_last(view: View) -> bool:
    """Do the strides rise from the channels over the columns and rows to the samples?"""
    least = 0
    if view.strides[1] == 0:
        return False
    for axis in (1, *reversed(range(2, view.rank)), 0):
        if view.strides[axis] < least or (axis == 0 and least == view.strides[1]):
            return False
        least = view.strides[axis] * view.sizes[axis]
    return True


def formatted(view: View, memory_format: Any) -> View:
    """The tensor in a memory format: itself where it has it already, else a copy."""
    order = _format_order(view, memory_format)
    return view if is_dense(view, order) else view.copied(view.sizes, dense(view.sizes, order))


def _format_strides(view: View, memory_format: Any) -> tuple[int, ...]:
    return dense(view.sizes, _format_order(view, memory_format))


def _format_order(view: View, memory_format: Any) -> list[int]:
    """The dimensions of a memory format from the fastest on."""
    name = format_name(memory_format)
    if name == "contiguous_format":
        return list(range(view.rank))[::-1]
    if name not in _CHANNELS_LAST:
        raise Unfit(f"{memory_format} is no memory format that makes a tensor")
    if view.rank != _CHANNELS_LAST[name]:
        raise Unfit(f"{name} is a format of {_CHANNELS_LAST[name]} dimensions, there are {view.rank}")
    return [1, *reversed(range(2, view.rank)), 0]


# ---- lines that inductor logs and generates ----


@TORCH.maker("assert_size_stride(item, size, stride, op_name=None)")
def _asserted(item: Any, size: Any, stride: Any, op_name: Any = None) -> View:
    return strided(size, stride)


@TORCH.maker("from_sizes_strides(sizes, strides)")
def _mesh(sizes: Any, strides: Any) -> View:
    return strided(sizes, strides)


@TORCH.maker(*(f"empty_strided_{name}(size, stride, dtype)" for name in ("cuda", "cpu", "xpu", "mtia")))
def _of_device(size: Any, stride: Any, dtype: Any) -> View:
    return strided(size, stride, dtype)


@TORCH.maker(
    "FixedLayout(device, dtype, size, stride=None, offset=0, is_pinned=False)",
    "FlexibleLayout(device, dtype, size, stride=None, offset=0, is_pinned=False)",
)
def _layout(device: Any, dtype: Any, size: Any, stride: Any = None, offset: Any = 0, is_pinned: Any = False) -> View:
    found = strided(size, row_major(axes(size)) if stride is None else stride, dtype, device)
    return found.replace(offset=offset)
