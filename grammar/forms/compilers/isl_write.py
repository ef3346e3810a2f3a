"""Layouts as isl maps: digits by floor and mod, XOR as the parity of a sum."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
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
            whole = weight * n == size(mode.shape)
            for b in range((n - 1).bit_length()):
                # The parity is taken of the sum: only a digit that is no run of bits is reduced.
                digit = f"floor({name}/{weight << b})" if whole or not n & (n - 1) else _bit(name, weight, n, b)
                k = (1 << b) * d
                for bit in range(k.value.bit_length() if isinstance(k, Xor) else 0):
                    if k.value >> bit & 1:
                        found.setdefault(bit, []).append(digit)
            weight *= n
    return " + ".join(f"{1 << bit}*(({' + '.join(parts)}) mod 2)" for bit, parts in sorted(found.items())) or "0"


def _bit(name: str, weight: int, n: int, b: int) -> str:
    return f"floor((floor({name}/{weight}) mod {n})/{1 << b})"


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
    """The offset added axis by axis; it may have axes that no stride has."""
    if not isinstance(offset, Coordinate):
        shifts = [offset]
    elif any(len(p) != 1 for p, _ in offset.terms):
        raise cannot("nested coordinates have no form: an isl tuple of integers is flat")
    else:
        shifts = [offset.axis((k,)) for k in range(max(p[0] for p, _ in offset.terms) + 1)]
    return [_shifted(s, text) for s, text in zip_longest(shifts, outputs, fillvalue=0)]


def _shifted(shift: Any, text: Any) -> str:
    if not text or text == "0":
        return str(shift)
    return f"{shift} + {text}" if shift else str(text)
