"""Layouts as isl maps: digits by floor and mod, XOR as the parity of a sum."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from laycalc.algebra.values.coalesce import merged
from laycalc.algebra.values.layout import Layout, codomain_profile
from laycalc.algebra.values.semimodule import Coordinate, Xor
from laycalc.algebra.values.shape import size
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor

from ..reading.affine import digits
from ..reading.reading import cannot


def write(value: Any, shape: Any = None) -> str:
    """One input a mode, one output an axis; ``A o B`` is ``B.apply_range(A)``."""
    offset: Any = 0
    inner = value
    if isinstance(inner, Tensor):
        if inner.layout is None:
            raise cannot("a single value is no map of coordinates")
        offset, inner = inner.offset, inner.layout
    swizzled = inner if isinstance(inner, Composed) else None
    plain = swizzled.layout if swizzled is not None else inner
    if not isinstance(plain, Layout):
        raise cannot(f"isl has no form for {value}")
    modes = plain.modes()
    names = [f"i{k}" for k in range(len(modes))]
    _check_symbols(plain)
    if plain.semimodule == "F2":
        outputs = [_parity(plain, names)]
    else:
        outputs = _sums(plain, names)
    if swizzled is not None:
        base = outputs[0] if swizzled.offset == 0 else f"{outputs[0]} + {swizzled.offset}"
        outputs = [_swizzle(swizzled, base)]
    outputs = _with_offset(outputs, offset)
    domain = " and ".join(f"0 <= {n} < {size(m.shape)}" for n, m in zip(names, modes, strict=True))
    symbols = sorted({str(s) for m in modes if type(s := size(m.shape)) is not int})
    prefix = f"[{', '.join(symbols)}] -> " if symbols else ""
    return f"{prefix}{{ [{', '.join(names)}] -> [{', '.join(outputs)}] : {domain} }}"


def _check_symbols(layout: Layout) -> None:
    shape, stride = layout.flat()
    coefficients = [c for d in stride for c in ([c for _, c in d.terms] if isinstance(d, Coordinate) else [d])]
    if any(type(c) is not int and not isinstance(c, Xor) for c in coefficients):
        raise cannot(f"isl is affine: parameter times variable is refused; laycalc {layout} has no isl form")
    if any("?" in str(n) for n in shape):
        raise cannot("an unknown extent ? has no name to write")
    for mode in layout.modes():
        if isinstance(mode.shape, tuple) and any(type(n) is not int for n in mode.flat()[0]):
            raise cannot(f"isl divides by numbers only: a digit of {mode} would be taken modulo a parameter")


def _sums(layout: Layout, names: Sequence[str]) -> list[str]:
    """One sum of stride times digit an axis."""
    profile = codomain_profile(layout)
    if isinstance(profile, tuple) and any(isinstance(p, tuple) for p in profile):
        raise cannot("nested coordinates have no form: an isl tuple of integers is flat")
    count = len(profile) if isinstance(profile, tuple) else 1
    terms: list[list[str]] = [[] for _ in range(count)]
    for name, mode in zip(names, layout.modes(), strict=True):
        leaves = merged(*mode.flat())
        for text, d in digits(name, leaves, "floor({x}/{n})", "({x} mod {n})"):
            for axis in range(count):
                factor = d.axis((axis,)) if isinstance(d, Coordinate) else d if count == 1 else 0
                if factor:
                    terms[axis].append(text if factor == 1 else f"{factor}*{text}")
    return [" + ".join(t).replace("+ -", "- ") or "0" for t in terms]


def _parity(layout: Layout, names: Sequence[str]) -> str:
    """Each output bit is the sum, modulo 2, of the input bits whose stride has it."""
    found: dict[int, list[str]] = {}
    for name, mode in zip(names, layout.modes(), strict=True):
        weight = 1
        for n, d in zip(*mode.flat(), strict=True):
            if n & (n - 1):
                raise cannot(f"an XOR stride over extent {n}, no power of two, has no isl form")
            for b in range(n.bit_length() - 1):
                k = (1 << b) * d
                for bit in range(k.value.bit_length() if isinstance(k, Xor) else 0):
                    if k.value >> bit & 1:
                        found.setdefault(bit, []).append(f"floor({name}/{weight})")
                weight *= 2
    return " + ".join(f"{1 << bit}*(({' + '.join(parts)}) mod 2)" for bit, parts in sorted(found.items())) or "0"


def _swizzle(value: Composed, base: str) -> str:
    """Sw<B,M,S>(x) = x + sum over b of 2^(M+b) * ((x_b + y_b) mod 2 - x_b), y the bits |S| away."""
    s = value.swizzle
    low, high = s.base - min(0, s.shift), s.base + max(0, s.shift)
    text = base
    for b in range(s.bits):
        to, of = 1 << (low + b), 1 << (high + b)
        x, y = f"(floor(({base})/{to}) mod 2)", f"(floor(({base})/{of}) mod 2)"
        text += f" + {to}*(({x} + {y}) mod 2) - {to}*{x}"
    return text


def _with_offset(outputs: list[str], offset: Any) -> list[str]:
    if isinstance(offset, Coordinate):
        shifts = [offset.axis((k,)) for k in range(len(outputs))]
        if any(len(p) != 1 or p[0] >= len(outputs) for p, _ in offset.terms):
            raise cannot(f"the offset {offset} has an axis that no stride has")
    else:
        shifts = [offset, *([0] * (len(outputs) - 1))]
    return [f"{s} + {text}" if s else text for s, text in zip(shifts, outputs, strict=True)]
