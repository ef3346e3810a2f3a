"""Strided views: sizes, strides and an offset, and what permutes, cuts, merges and splits their dimensions.

Strides are counted in any unit that the caller keeps: elements in torch, bytes in numpy.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import prod
from typing import Any

from laycalc.algebra.base.record import Record


class Unfit(Exception):
    """An operation does not take these arguments; the message says why."""


class TooMany(Exception):
    """An operation gives more than is taken."""


PARTS = 4096
"""Arrays that one call gives."""


def even(n: int, length: int) -> list[int]:
    """Lengths that make up n, all the same but the last."""
    if n > length * PARTS:
        raise TooMany(f"{-(-n // length):,} arrays; {PARTS:,} are taken")
    return [min(length, n - start) for start in range(0, n, length)]


def parts(view: View, axis: Any, lengths: Sequence[int]) -> tuple[View, ...]:
    """A dimension cut into parts of these lengths."""
    if len(lengths) > PARTS:
        raise TooMany(f"{len(lengths):,} arrays; {PARTS:,} are taken")
    starts = accumulate(lengths, initial=0)
    return tuple(narrowed(view, axis, start, length) for start, length in zip(starts, lengths, strict=False))


class Element(Record):
    """The type of an element: its name, its bytes, and the fields of a record as (name, offset, element)."""

    name: str
    itemsize: int
    parts: tuple[tuple[str, int, Element], ...] = ()


class View(Record):
    """Sizes, strides and offset; the element and the device where the text says them."""

    sizes: tuple[Any, ...]
    strides: tuple[Any, ...]
    offset: Any = 0
    element: Element | None = None
    device: str = ""
    storage: int | None = None
    """How far the memory reaches, where it is known."""

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return len(self.sizes)

    def over(self, sizes: Sequence[Any], strides: Sequence[Any], offset: Any = None) -> View:
        """The same elements with other sizes and strides."""
        return self.replace(
            sizes=tuple(sizes), strides=tuple(strides), offset=self.offset if offset is None else offset
        )

    def copied(self, sizes: Sequence[Any], strides: Sequence[Any]) -> View:
        """A copy, in memory of its own that it fills."""
        found = self.over(sizes, strides, 0)
        return found.replace(storage=extent(found))

    def axes(self, axes: Sequence[Any]) -> list[int]:
        """Dimensions, each once."""
        found = [self.axis(i) for i in axes]
        if len(set(found)) != len(found):
            raise Unfit("a dimension is named twice")
        return found

    def axis(self, axis: Any, extra: int = 0) -> int:
        """A dimension that may be counted from the end; ``extra`` positions more than there are dimensions."""
        rank = self.rank + extra
        if type(axis) is not int or not -rank <= axis < rank:
            raise Unfit(f"there is no dimension {axis} of {rank}")
        return axis % rank


def extent(view: View) -> int | None:
    """How far a view reaches into its memory; None if a size is a name."""
    numbers = (*view.sizes, *view.strides, view.offset)
    if any(type(x) is not int for x in numbers):
        return None
    reach: int = view.offset + sum((n - 1) * d for n, d in zip(view.sizes, view.strides, strict=True) if d > 0) + 1
    return reach


def row_major(sizes: Sequence[Any], unit: int = 1) -> tuple[Any, ...]:
    """The strides of a dense array, last dimension fastest."""
    return tuple(_product(sizes[i + 1 :], unit) for i in range(len(sizes)))


def _product(sizes: Sequence[Any], unit: int) -> Any:
    """The product of sizes, some of which may be names."""
    known = prod(n for n in sizes if type(n) is int) * unit
    names = [n for n in sizes if type(n) is not int]
    return "*".join([*([str(known)] if known != 1 else []), *names]) if names else known


def dense(sizes: Sequence[int], order: Sequence[int], unit: int = 1) -> tuple[int, ...]:
    """The strides of a dense array whose dimensions are stored from the fastest on in this order."""
    strides = [0] * len(sizes)
    for axis in order:
        strides[axis] = unit
        unit *= max(sizes[axis], 1)
    return tuple(strides)


def is_dense(view: View, order: Sequence[int], unit: int = 1) -> bool:
    """Are the dimensions stored without gaps in this order? A dimension of size 1 may have any stride."""
    wanted = dense(view.sizes, order, unit)
    return all(n == 1 or d == w for n, d, w in zip(view.sizes, view.strides, wanted, strict=True))


def permuted(view: View, order: Sequence[int]) -> View:
    """The dimensions in another order."""
    order = view.axes(order)
    if len(order) != view.rank:
        raise Unfit(f"the order of {view.rank} dimensions names each once")
    return view.over([view.sizes[i] for i in order], [view.strides[i] for i in order])


def swapped(view: View, a: int, b: int) -> View:
    """Two dimensions exchanged."""
    order = list(range(view.rank))
    a, b = view.axis(a), view.axis(b)
    order[a], order[b] = b, a
    return permuted(view, order)


def moved(view: View, sources: Sequence[int], destinations: Sequence[int]) -> View:
    """Dimensions moved to other places, the others keeping their order."""
    sources, destinations = view.axes(sources), view.axes(destinations)
    if len(sources) != len(destinations):
        raise Unfit("as many sources as destinations are expected")
    order = [i for i in range(view.rank) if i not in sources]
    for to, source in sorted(zip(destinations, sources, strict=True)):
        order.insert(to, source)
    return permuted(view, order)


def narrowed(view: View, axis: int, start: int, length: int) -> View:
    """A part of one dimension."""
    axis = view.axis(axis)
    n, d = view.sizes[axis], view.strides[axis]
    if type(start) is not int or type(length) is not int or not -n <= start <= n:
        raise Unfit("a start and a length within the dimension are expected")
    start = start + n if start < 0 else start
    if length < 1 or start + length > n:
        raise Unfit(f"{length} elements from {start} on do not lie in a dimension of {n}")
    sizes = [length if i == axis else m for i, m in enumerate(view.sizes)]
    return view.over(sizes, view.strides, view.offset + start * d)


def cut(view: View, axis: int, part: slice) -> View:
    """A slice of a dimension, which may run backwards."""
    n, d = view.sizes[axis], view.strides[axis]
    if part.step == 0:
        raise Unfit("the step is 0")
    taken = range(*part.indices(n))
    if not taken:
        raise Unfit("it is empty")
    sizes, strides = list(view.sizes), list(view.strides)
    sizes[axis], strides[axis] = len(taken), d * taken.step
    return view.over(sizes, strides, view.offset + d * taken.start)


def selected(view: View, axis: int, index: int) -> View:
    """One element of a dimension, which goes."""
    axis = view.axis(axis)
    n = view.sizes[axis]
    if type(index) is not int or not -n <= index < n:
        raise Unfit(f"there is no element {index} of {n}")
    return dropped(narrowed(view, axis, index % n, 1), [axis])


def dropped(view: View, axes: Sequence[int]) -> View:
    """Without some dimensions."""
    keep = [i for i in range(view.rank) if i not in axes]
    return view.over([view.sizes[i] for i in keep], [view.strides[i] for i in keep])


def squeezed(view: View, axes: Sequence[int] | None, *, strict: bool) -> View:
    """Without dimensions of size 1, all or some; ``strict`` refuses one that is larger."""
    chosen = range(view.rank) if axes is None else view.axes(axes)
    for axis in chosen:
        if strict and axes is not None and view.sizes[axis] != 1:
            raise Unfit(f"dimension {axis} has size {view.sizes[axis]}, not 1")
    return dropped(view, [i for i in chosen if view.sizes[i] == 1])


def inserted(view: View, axis: int, stride: Any) -> View:
    """With one more dimension of size 1."""
    sizes, strides = list(view.sizes), list(view.strides)
    sizes.insert(axis, 1)
    strides.insert(axis, stride)
    return view.over(sizes, strides)


def diagonal(view: View, offset: int, a: int, b: int) -> View:
    """The diagonal of two dimensions as the last one."""
    a, b = view.axis(a), view.axis(b)
    if a == b or type(offset) is not int:
        raise Unfit("a diagonal has two dimensions and a whole offset")
    length = min(view.sizes[a] + min(offset, 0), view.sizes[b] - max(offset, 0))
    start = view.offset + (offset * view.strides[b] if offset >= 0 else -offset * view.strides[a])
    rest = dropped(view, [a, b])
    return view.over((*rest.sizes, length), (*rest.strides, view.strides[a] + view.strides[b]), start)


def unfolded(view: View, axis: int, size: int, step: int) -> View:
    """Windows of ``size`` along a dimension, ``step`` apart, as a new last dimension."""
    axis = view.axis(axis)
    n, d = view.sizes[axis], view.strides[axis]
    if type(size) is not int or type(step) is not int or not 1 <= size <= n or step < 1:
        raise Unfit(f"windows of {size} with step {step} do not fit a dimension of {n}")
    sizes = [(n - size) // step + 1 if i == axis else m for i, m in enumerate(view.sizes)]
    strides = [d * step if i == axis else e for i, e in enumerate(view.strides)]
    return view.over((*sizes, size), (*strides, d))


def flipped(view: View, axes: Sequence[int]) -> View:
    """Dimensions that run backwards."""
    strides, offset = list(view.strides), view.offset
    for axis in view.axes(axes):
        offset += (view.sizes[axis] - 1) * strides[axis]
        strides[axis] = -strides[axis]
    return view.over(view.sizes, strides, offset)


def expanded(view: View, sizes: Sequence[int]) -> View:
    """Dimensions of size 1, and new ones in front, repeated with stride 0; -1 keeps a size."""
    lead = len(sizes) - view.rank
    if lead < 0 or any(type(n) is not int for n in sizes):
        raise Unfit(f"{view.rank} dimensions or more are expected")
    found: list[tuple[int, int]] = []
    for i in reversed(range(len(sizes))):
        n = sizes[i]
        was, d = (1, found[-1][0] * found[-1][1] if found else 1) if i < lead else (
            view.sizes[i - lead], view.strides[i - lead]
        )  # fmt: skip
        if n == -1 and i >= lead:
            n = was
        if n != was and was != 1:
            raise Unfit(f"a dimension of {was} does not become {n}")
        found.append((n, d if n == was else 0))
    found.reverse()
    return view.over([n for n, _ in found], [d for _, d in found])


def wanted_sizes(view: View, sizes: Sequence[Any]) -> tuple[int, ...]:
    """The sizes of a view on the same number of elements; one may be -1."""
    found, total = list(sizes), prod(view.sizes)
    if any(type(n) is not int or (n < 1 and n != -1) for n in found) or found.count(-1) > 1:
        raise Unfit("positive sizes are expected, one of them may be -1")
    if -1 in found:
        rest = -prod(found)
        found[found.index(-1)] = total // rest
    if prod(found) != total:
        raise Unfit(f"{prod(found)} elements are no {total}")
    return tuple(found)


def regrouped(view: View, sizes: Sequence[int], *, last_fastest: bool = True) -> View | None:
    """A view over other sizes, if one exists: dimensions that continue each other merge, and are split again."""
    turn = -1 if last_fastest else 1
    runs: list[tuple[int, int]] = []
    for n, d in list(zip(view.sizes, view.strides, strict=True))[::turn]:
        if n == 1:
            continue
        if runs and d == runs[-1][0] * runs[-1][1]:
            runs[-1] = (runs[-1][0] * n, runs[-1][1])
        else:
            runs.append((n, d))
    left, stride = runs.pop(0) if runs else (1, _unit(view))
    strides = []
    for n in sizes[::turn]:
        if n > 1 and left == 1:
            left, stride = runs.pop(0)
        if left % n:
            return None
        strides.append(stride)
        left //= n
        stride *= n
    return view.over(sizes, strides[::turn])


def _unit(view: View) -> int:
    """The stride of a view that has one element."""
    return view.strides[-1] if view.strides else 1


def falling(view: View) -> list[int]:
    """The dimensions from the smallest stride on, the later one first where strides are equal."""
    return sorted(range(view.rank), key=lambda i: (abs(view.strides[i]), -i))
