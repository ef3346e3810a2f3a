"""Layouts as TileLang: a lambda of digits, and a Fragment for a thread-value layout."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from laycalc.algebra.values.coalesce import merged
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate, Xor
from laycalc.algebra.values.shape import size
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor

from ..reading.affine import axes, digits
from ..reading.reading import cannot


def write(value: Any, shape: Any = None) -> str:
    """``Layout([..], lambda ..)``, or for a thread-value layout ``Fragment([..], ..)``."""
    offset, value = (value.offset, value.layout) if isinstance(value, Tensor) else (0, value)
    inner = value.layout if isinstance(value, Composed) else value
    if not isinstance(inner, Layout):
        raise cannot(f"TileLang has no form for {value}")
    if any(type(n) is not int for n in inner.flat()[0]):
        raise cannot("an extent is not known: numbers are written")
    if inner.semimodule == "Z^P":
        if offset != 0:
            raise cannot("a fragment holds the elements from the first on: it has no offset")
        return _write_fragment(inner, shape)
    if type(offset) is not int or offset < 0:
        raise cannot("the results of a TileLang transform are numbers from 0 on")
    names = axes(len(inner.modes()))
    text = _xor(inner, names) if inner.semimodule == "F2" else _sum(inner, names)
    if isinstance(value, Composed):
        text = _swizzled(value, text)
    text = f"{offset} + ({text})" if offset else text
    return f"Layout({[size(m.shape) for m in inner.modes()]}, lambda {', '.join(names)}: {text})"


def _sum(layout: Layout, names: Sequence[str]) -> str:
    """The sum of stride times digit."""
    terms: list[tuple[str, Any]] = []
    for name, mode in zip(names, layout.modes(), strict=True):
        terms += digits(name, merged(*mode.flat()), "{x} // {n}", "{x} % {n}")
    if any(type(d) is not int or d < 0 for _, d in terms):
        raise cannot("the results of a TileLang transform are numbers from 0 on")
    return " + ".join(_times(x, d) for x, d in terms if d) or "0"


def _swizzled(value: Composed, text: str) -> str:
    s, base = value.swizzle, f"({text}{f' + {value.offset}' if value.offset else ''})"
    low, high = s.base - min(0, s.shift), s.base + max(0, s.shift)
    return f"{base} ^ ({base} // {1 << high} % {1 << s.bits} * {1 << low})"


def _times(text: str, factor: Any) -> str:
    if factor == 1:
        return text
    return f"{text} * {factor}" if re.fullmatch(r"\w+", text) else f"({text}) * {factor}"


def _xor(layout: Layout, names: Sequence[str]) -> str:
    """XOR over the bits of the digits: bit b goes to the stride of its bit."""
    parts = []
    for name, mode in zip(names, layout.modes(), strict=True):
        weight = 1
        for n, d in zip(*mode.flat(), strict=True):
            bits = not n & (n - 1) or weight * n == size(mode.shape)
            for b in range((n - 1).bit_length()):
                digit = f"{name} // {weight << b}" if bits else f"{name} // {weight} % {n} // {1 << b}"
                k = (1 << b) * d
                if isinstance(k, Xor):
                    parts.append(f"({digit} % 2 * {k.value})")
            weight *= n
    return " ^ ".join(parts) or "0"


# ---- fragments ----


class _Leaf(NamedTuple):
    """A leaf of a thread-value layout: it moves its axis by ``step``, or none; ``weight`` counts threads or values."""

    axis: int | None
    step: int
    extent: int
    which: str
    weight: int


def _write_fragment(layout: Layout, shape: Any) -> str:
    """Each leaf s:d*e_k of (T,V) is the digit ``c_k // d % s``; a thread leaf of stride 0 is a replica."""
    if layout.rank != 2:
        raise cannot("a fragment has threads and registers: a layout (T,V) is expected")
    leaves = list(_leaves(layout))
    rank = max([*(x.axis for x in leaves if x.axis is not None), len(shape or ()) - 1, 0]) + 1
    names = axes(rank)
    parts: dict[str, list[str]] = {"T": [], "V": []}
    sizes = [_axis_digits(k, names[k], [x for x in leaves if x.axis == k], parts) for k in range(rank)]
    copies = _replica_digits([x for x in leaves if x.axis is None], parts["T"])
    arguments = ", ".join(names)
    thread, index = (" + ".join(parts[w]) or "0" for w in "TV")
    rep, tail = (", rep", f", replicate={copies}") if copies > 1 else ("", "")
    return (
        f"Fragment({sizes}, forward_thread_fn=lambda {arguments}{rep}: {thread}, "
        f"forward_index_fn=lambda {arguments}: {index}{tail})"
    )


def _leaves(layout: Layout) -> Iterator[_Leaf]:
    """The leaves of both modes; LC103 at one that a fragment cannot say."""
    for which, mode in zip("TV", layout.modes(), strict=True):
        weight = 1
        for n, d in merged(*mode.flat()):
            if isinstance(d, Coordinate):
                if d.basis is None or len(d.basis[0]) != 1 or type(d.basis[1]) is not int or d.basis[1] < 0:
                    raise cannot(f"stride {d} moves no single axis forward: a fragment has no digits for it")
                yield _Leaf(d.basis[0][0], d.basis[1], n, which, weight)
            elif which == "T":
                yield _Leaf(None, 0, n, which, weight)
            else:
                raise cannot("a register mode of stride 0 holds an element twice: a fragment replicates threads only")
            weight *= n


def _axis_digits(axis: int, name: str, leaves: Sequence[_Leaf], parts: dict[str, list[str]]) -> int:
    """The digits of one coordinate, added to the thread and the register; the extent of the axis."""
    covered = 1
    for k, leaf in enumerate(sorted(leaves, key=lambda x: x[1:])):
        if leaf.step != covered:
            raise cannot(f"axis {axis} of the tensor is not covered digit by digit: stride {leaf.step} after {covered}")
        digit = name if leaf.step == 1 else f"{name} // {leaf.step}"
        digit = digit if k == len(leaves) - 1 else f"{digit} % {leaf.extent}"
        parts[leaf.which].append(_times(digit, leaf.weight))
        covered = leaf.step * leaf.extent
    return covered


def _replica_digits(leaves: Sequence[_Leaf], thread: list[str]) -> int:
    """The digits of the replica, added to the thread; the number of copies."""
    copies = 1
    for leaf in leaves:
        digit = "rep" if copies == 1 else f"rep // {copies}"
        thread.append(_times(f"{digit} % {leaf.extent}" if len(leaves) > 1 else digit, leaf.weight))
        copies *= leaf.extent
    return copies
