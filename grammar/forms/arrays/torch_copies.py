"""What torch copies: memory formats, conversions, and tensors made like another one."""

from __future__ import annotations

from typing import Any

from .elements import element_of
from .steps import listed
from .torch_made import OPTIONS, TORCH, format_name, formatted, made, strided, suggested
from .view import Unfit, View, dense, row_major


def _preserved(view: View) -> View:
    """A copy that keeps the order of the dimensions, as torch.preserve_format does."""
    order = _stored_order(view)
    strides = view.strides if _fills(view) else dense(view.sizes, order)
    return view.copied(view.sizes, strides)


def _fills(view: View) -> bool:
    """Does the view hold each element of its memory once?"""
    large = [(d, n) for n, d in zip(view.sizes, view.strides, strict=True) if n > 1]
    expected = 1
    for d, n in sorted(large):
        if d != expected:
            return False
        expected *= n
    return True


def _stored_order(view: View) -> list[int]:
    """The dimensions from the fastest on; where strides do not say it, the last comes first."""
    order: list[int] = []
    for axis in reversed(range(view.rank)):
        place = len(order)
        for i in reversed(range(len(order))):
            verdict = _before(view, axis, order[i])
            if verdict < 0:
                place = i
            elif verdict > 0:
                break
        order.insert(place, axis)
    return order


def _before(view: View, a: int, b: int) -> int:
    """-1 if dimension a is faster than b, 1 if b is, 0 if strides do not say it."""
    d, e = view.strides[a], view.strides[b]
    if d == 0 or e == 0:
        return 0
    if d != e:
        return -1 if d < e else 1
    return -1 if view.sizes[a] < view.sizes[b] else 1 if view.sizes[a] > view.sizes[b] else 0


@TORCH.method("contiguous(memory_format=None)")
def _contiguous(view: View, memory_format: Any = None) -> View:
    return formatted(view, memory_format or "contiguous_format")


@TORCH.both("clone(*, memory_format=None)")
def _clone(view: View, memory_format: Any = None) -> View:
    return _copied(view, memory_format)


def _copied(view: View, memory_format: Any = None) -> View:
    if memory_format is None or str(memory_format).endswith("preserve_format"):
        return _preserved(view)
    found = formatted(view, memory_format)
    return found.copied(found.sizes, found.strides)


@TORCH.method("to(*what, dtype=None, device=None, non_blocking=False, copy=False, memory_format=None)")
def _to(
    view: View,
    what: tuple[Any, ...],
    dtype: Any = None,
    device: Any = None,
    non_blocking: Any = False,
    copy: Any = False,
    memory_format: Any = None,
) -> View:
    for given in what:
        if isinstance(given, str) and given.startswith("torch.") and not given.startswith("torch.device"):
            dtype = given
        elif isinstance(given, (str, int)) and type(given) is not bool:
            device = str(given)
        elif type(given) is not bool:
            raise Unfit(f"a type or a device is expected, not {given}")
    element = view.element if dtype is None else element_of(dtype)
    place = view.device if device is None else str(device)
    same = element == view.element and _device(place) == _device(view.device) and copy is not True
    if same and (memory_format is None or format_name(memory_format) in ("preserve_format", suggested(view))):
        return view
    return _copied(view, memory_format).replace(element=element, device=place)


def _device(name: str) -> str:
    return name or "cpu"


@TORCH.method("cuda(device=None, non_blocking=False, memory_format=None)")
def _cuda(view: View, device: Any = None, non_blocking: Any = False, memory_format: Any = None) -> View:
    return _to(view, (), device="cuda" if device is None else device, memory_format=memory_format)


@TORCH.method("cpu(memory_format=None)")
def _cpu(view: View, memory_format: Any = None) -> View:
    return _to(view, (), device="cpu", memory_format=memory_format)


def _typed(name: str) -> None:
    @TORCH.method(f"{name}(memory_format=None)")
    def convert(view: View, memory_format: Any = None) -> View:
        return _to(view, (), dtype=name, memory_format=memory_format)


for _name in ("half", "float", "double", "bfloat16", "int", "long", "short", "char", "byte", "bool"):
    _typed(_name)


@TORCH.both("detach()")
def _detach(view: View) -> View:
    return view


@TORCH.method("requires_grad_(requires_grad=True)")
def _requires_grad(view: View, requires_grad: Any = True) -> View:
    return view


@TORCH.both("flip(*dims)")
def _flip(view: View, dims: tuple[Any, ...]) -> View:
    """A copy: torch has no negative strides."""
    view.axes(listed(dims))
    return _preserved(view)


@TORCH.method("repeat(*repeats)")
def _repeat(view: View, repeats: tuple[Any, ...]) -> View:
    counts = listed(repeats)
    lead = len(counts) - view.rank
    if lead < 0 or any(type(n) is not int or n < 1 for n in counts):
        raise Unfit(f"positive counts for {view.rank} dimensions or more are expected")
    sizes = tuple(n * c for n, c in zip((1,) * lead + view.sizes, counts, strict=True))
    return view.copied(sizes, row_major(sizes))


_LIKE = f"{OPTIONS}, memory_format=None"
_LIKES = [f"{name}_like(input, *, {_LIKE})" for name in ("empty", "zeros", "ones", "rand", "randn")]


@TORCH.function(*_LIKES, f"full_like(input, fill_value, *, {_LIKE})")
def _like(
    view: View,
    fill_value: Any = 0,
    dtype: Any = None,
    device: Any = None,
    memory_format: Any = None,
    **_: Any,
) -> View:
    found = _copied(view, memory_format)
    element = view.element if dtype is None else element_of(dtype)
    return found.replace(element=element, device=view.device if device is None else str(device))


@TORCH.method(*(f"new_{name}(*size, {OPTIONS})" for name in ("empty", "zeros", "ones")))
def _new(view: View, size: tuple[Any, ...], dtype: Any = None, device: Any = None, **_: Any) -> View:
    return made(listed(size), dtype, device, like=view)


@TORCH.method(f"new_full(size, fill_value, *, {OPTIONS})")
def _new_full(view: View, size: Any, fill_value: Any, dtype: Any = None, device: Any = None, **_: Any) -> View:
    return made(size, dtype, device, like=view)


@TORCH.method(f"new_empty_strided(size, stride, *, {OPTIONS})")
def _new_strided(view: View, size: Any, stride: Any, dtype: Any = None, device: Any = None, **_: Any) -> View:
    found = strided(size, stride, dtype, view.device if device is None else device)
    return found if dtype is not None else found.replace(element=view.element)
