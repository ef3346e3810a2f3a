"""Layouts as TileLang: a lambda of digits, and a Fragment for a thread-value layout."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from laycalc.algebra.values.coalesce import merged
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate, Xor
from laycalc.algebra.values.shape import size
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor

from ..reading.affine import axes, digits
from ..reading.reading import cannot

__all__ = ["write"]


def write(value: Any, shape: Any = None) -> str:
    """``Layout([..], lambda ..)``, or for a thread-value layout ``Fragment([..], ..)``."""
    if isinstance(value, Tensor):
        raise cannot("a TileLang layout has no offset")
    inner = value.layout if isinstance(value, Composed) else value
    if not isinstance(inner, Layout):
        raise cannot(f"TileLang has no form for {value}")
    if any(type(n) is not int for n in inner.flat()[0]):
        raise cannot("TileLang shapes are numbers: an extent is not known")
    if inner.semimodule == "Z^P":
        return _write_fragment(inner, shape)
    sizes = [size(m.shape) for m in inner.modes()]
    names = axes(len(sizes))
    terms: list[tuple[str, Any]] = []
    for name, mode in zip(names, inner.modes(), strict=True):
        terms += digits(name, merged(*mode.flat()), "{x} // {n}", "{x} % {n}")
    if inner.semimodule == "F2":
        return f"Layout({sizes}, lambda {', '.join(names)}: {_xor(inner, names)})"
    if any(type(d) is not int or d < 0 for _, d in terms):
        raise cannot("a TileLang transform has numbers, and none negative")
    text = " + ".join(_times(x, d) for x, d in terms if d) or "0"
    if isinstance(value, Composed):
        s, base = value.swizzle, f"({text}{f' + {value.offset}' if value.offset else ''})"
        low, high = s.base - min(0, s.shift), s.base + max(0, s.shift)
        text = f"{base} ^ ({base} // {1 << high} % {1 << s.bits} * {1 << low})"
    return f"Layout({sizes}, lambda {', '.join(names)}: {text})"


def _times(text: str, factor: Any) -> str:
    if factor == 1:
        return text
    return f"{text} * {factor}" if re.fullmatch(r"\w+", text) else f"({text}) * {factor}"


def _xor(layout: Layout, names: Sequence[str]) -> str:
    """XOR over the bits of the coordinates: bit b goes to the stride of its bit."""
    parts = []
    for name, mode in zip(names, layout.modes(), strict=True):
        weight = 1
        for n, d in zip(*mode.flat(), strict=True):
            if n & (n - 1):
                raise cannot(f"an XOR stride over extent {n}, no power of two, has no expression")
            for b in range(n.bit_length() - 1):
                k = (1 << b) * d
                if isinstance(k, Xor):
                    parts.append(f"({name} // {weight} % 2 * {k.value})")
                weight *= 2
    return " ^ ".join(parts) or "0"


def _write_fragment(layout: Layout, shape: Any) -> str:
    """Each leaf s:d*e_k of (T,V) is the digit ``c_k // d % s``; a thread leaf of stride 0 is a replica."""
    if layout.rank != 2:
        raise cannot("a fragment has threads and registers: a layout (T,V) is expected")
    own: dict[int, list[tuple[int, int, str, int]]] = {}
    replicas: list[tuple[int, int]] = []
    for which, mode in zip("TV", layout.modes(), strict=True):
        weight = 1
        for n, d in merged(*mode.flat()):
            if isinstance(d, Coordinate):
                if d.basis is None or len(d.basis[0]) != 1 or type(d.basis[1]) is not int or d.basis[1] < 0:
                    raise cannot(f"stride {d} moves no single axis forward: a fragment has no digits for it")
                (axis,), step = d.basis
                own.setdefault(axis, []).append((step, n, which, weight))
            elif which == "T":
                replicas.append((n, weight))
            else:
                raise cannot("a register mode of stride 0 holds an element twice: a fragment replicates threads only")
            weight *= n
    rank = max([*own, len(shape or ()) - 1, 0]) + 1
    names = axes(rank)
    parts: dict[str, list[str]] = {"T": [], "V": []}
    sizes = []
    for axis in range(rank):
        step = 1
        leaves = sorted(own.get(axis, []))
        for k, (d, n, which, weight) in enumerate(leaves):
            if d != step:
                raise cannot(f"axis {axis} of the tensor is not covered digit by digit: stride {d} after {step}")
            digit = names[axis] if d == 1 else f"{names[axis]} // {d}"
            digit = digit if k == len(leaves) - 1 else f"{digit} % {n}"
            parts[which].append(_times(digit, weight))
            step = d * n
        sizes.append(step)
    copies = 1
    for n, weight in replicas:
        digit = "rep" if copies == 1 else f"rep // {copies}"
        parts["T"].append(_times(f"{digit} % {n}" if len(replicas) > 1 else digit, weight))
        copies *= n
    arguments = ", ".join(names)
    thread, index = (" + ".join(parts[w]) or "0" for w in "TV")
    tail = f", replicate={copies}" if copies > 1 else ""
    rep = ", rep" if copies > 1 else ""
    return (
        f"Fragment({sizes}, forward_thread_fn=lambda {arguments}{rep}: {thread}, "
        f"forward_index_fn=lambda {arguments}: {index}{tail})"
    )
